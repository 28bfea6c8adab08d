// Makes src/proto/generated.js, generated.d.ts and schema.ts from proto/*.proto; another folder may be named as argument.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import pbjs from 'protobufjs-cli/pbjs.js';

const NOTICE = '// Made by scripts/generate-proto.js from proto/*.proto: do not edit.\n';
const PROTO = fileURLToPath(new URL('../proto/', import.meta.url));
const target = resolve(process.argv[2] ?? fileURLToPath(new URL('../src/proto/', import.meta.url)));

const files = readdirSync(PROTO)
  .filter((name) => name.endsWith('.proto'))
  .sort();
const { messages, enums } = schemaOf(files);

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'generated.js'), await generatedCode());
writeFileSync(join(target, 'generated.d.ts'), declarations());
writeFileSync(join(target, 'schema.ts'), schema());

/** The static code of pbjs: decoding and encoding, nothing else. */
async function generatedCode() {
  const options = [
    ...['--target', 'static-module', '--wrap', 'esm', '--dependency', 'protobufjs/minimal.js', '--path', PROTO],
    ...['--keep-case', '--force-long', '--no-create', '--no-verify', '--no-convert', '--no-delimited', '--no-typeurl'],
    ...['--no-service', '--no-comments'],
  ];
  const code = await new Promise((done, failed) => {
    pbjs.main([...options, ...files.map((name) => join(PROTO, name))], (error, output) =>
      error ? failed(error) : done(output),
    );
  });
  // A registry that all packages in a process share: ours would meet that of another version of ours.
  const shared = 'const $root = $protobuf.roots["default"] || ($protobuf.roots["default"] = {});';
  if (!code.includes(shared)) throw new Error('pbjs writes its root in another way than it did');
  const codecs = messages.map(({ name }) => `  '${name}': ${name},\n`).join('');
  return `${NOTICE}${code
    .replace(/^\/\*eslint-disable.*\n/, '')
    .replace(shared, 'const $root = {};')
    .replace(/\nexport \{\s*\$root as default\s*\};?\s*/, '\n')
    .trimEnd()}\n\n/** Decoder and encoder of every message. */\nexport const codecs = {\n${codecs}};\n\nexport { $Reader as Reader };\n`;
}

/** Only what messages.ts uses, in types that do not need those of protobufjs. */
function declarations() {
  return `${NOTICE}import type { MessageName } from './schema.ts';

/** protobufjs' reader. */
export declare class Reader {
  private constructor();
  static create(bytes: Uint8Array): Reader;
  /** Where it is, or where it gave up. */
  pos: number;
  discardUnknown: boolean;
}

export interface Codec {
  decode(reader: Reader): object;
  encode(message: object): { finish(): Uint8Array };
}

export declare const codecs: Readonly<Record<MessageName, Codec>>;
`;
}

function schema() {
  const names = messages.map(({ name }) => `  | '${name}'\n`).join('');
  const tables = messages.map(({ name, fields }) =>
    fields.length === 0 ? `  '${name}': [],\n` : `  '${name}': [\n${fields.map(fieldText).join('')}  ],\n`,
  );
  const values = enums.map(
    ({ name, values }) => `  '${name}': {\n${values.map(([id, text]) => `    ${id}: '${text}',\n`).join('')}  },\n`,
  );
  return `${NOTICE}/** A field of a message; the order is that of the .proto file. */
export interface FieldSchema {
  readonly number: number;
  readonly name: string;
  /** \`bytes\`, \`string\`, \`bool\`, \`int64\`, \`uint64\`, \`uint32\`, or the name of an enum or a message. */
  readonly type: string;
  readonly repeated?: true;
  readonly oneof?: string;
}

export type MessageName =
${names.trimEnd()};

export const MESSAGES: Readonly<Record<MessageName, readonly FieldSchema[]>> = {
${tables.join('')}};

/** The names of the values of every enum. */
export const ENUMS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
${values.join('')}};
`;
}

function fieldText({ id, name, type, repeated, oneof }) {
  const rest = `${repeated ? ', repeated: true' : ''}${oneof ? `, oneof: '${oneof}'` : ''}`;
  return `    { number: ${id}, name: '${name}', type: '${type}'${rest} },\n`;
}

/** Every message and enum of the files, in their order. */
function schemaOf(names) {
  const root = new protobuf.Root();
  root.resolvePath = (_, path) => join(PROTO, path);
  root.loadSync(names, { keepCase: true }).resolveAll();
  const found = { messages: [], enums: [] };
  collect(root, found);
  return found;
}

function collect(namespace, found) {
  for (const object of namespace.nestedArray) {
    const name = object.fullName.slice(1);
    if (object instanceof protobuf.Enum) found.enums.push({ name, values: Object.entries(object.valuesById) });
    else if (object instanceof protobuf.Type) {
      const fields = object.fieldsArray.map((field) => ({
        id: field.id,
        name: field.name,
        type: field.resolvedType === null ? field.type : field.resolvedType.fullName.slice(1),
        repeated: field.repeated,
        oneof: field.partOf?.name,
      }));
      found.messages.push({ name, fields });
      collect(object, found);
    } else collect(object, found);
  }
}
