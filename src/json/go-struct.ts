/**
 * A JSON object as Go's encoding/json puts it into a struct: the case of names does not matter, names that are not asked for
 * are passed over, and `null` means "as if it were not there".
 *
 *     parseGoStruct(bytes, { id: 'uint64', peerURLs: 'strings' }) // { id: 7n, peerURLs: ['http://…'] }
 */
import { DatadirError } from '../errors.ts';
import { type JsonValue, type ParseJsonOptions, parseJson } from './parse.ts';

interface GoTypes {
  readonly uint64: bigint;
  readonly string: string;
  readonly strings: readonly string[];
  readonly bool: boolean;
}

/** The type of each field by its name. */
export type GoFields = Readonly<Record<string, keyof GoTypes>>;

/** The fields that the text has. */
export type GoStruct<Fields extends GoFields> = { readonly [Name in keyof Fields]?: GoTypes[Fields[Name]] };

const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/** What a value is for a field of that type; undefined where Go reports an error. */
const TAKE: { readonly [Type in keyof GoTypes]: (value: JsonValue) => GoTypes[Type] | undefined } = {
  uint64: (value) => (typeof value === 'bigint' && value >= 0n && value <= MAX_UINT64 ? value : undefined),
  string: (value) => (typeof value === 'string' ? value : undefined),
  strings: (value) => {
    if (!Array.isArray(value)) return undefined;
    // An element that is null is an empty text.
    const texts = value.map((each: JsonValue) => each ?? '');
    return texts.every((each) => typeof each === 'string') ? (texts as string[]) : undefined;
  },
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
};

const WORDS: { readonly [Type in keyof GoTypes]: string } = {
  uint64: 'an unsigned 64-bit number',
  string: 'a text',
  strings: 'a list of texts',
  bool: 'true or false',
};

/** Parses a document. Null if it is `null`; throws `JSON_INVALID` where Go's decoder reports an error. */
export function parseGoStruct<const Fields extends GoFields>(
  text: Uint8Array | string,
  fields: Fields,
  options?: ParseJsonOptions,
): GoStruct<Fields> | null {
  const value = parseJson(text, options);
  if (value === null) return null;
  if (!(value instanceof Map)) throw new DatadirError('JSON_INVALID', 'the text is no JSON object');
  const names = new Map(Object.keys(fields).map((name) => [folded(name), name]));
  const struct: Record<string, unknown> = {};
  for (const [given, member] of value as ReadonlyMap<string, JsonValue>) {
    const name = names.get(folded(given));
    const type = name === undefined ? undefined : fields[name];
    if (name === undefined || type === undefined) continue;
    if (member === null) {
      // It empties a list that the same name in another case has filled; all else it leaves alone.
      if (type === 'strings') delete struct[name];
      continue;
    }
    const taken = TAKE[type](member);
    if (taken === undefined) throw new DatadirError('JSON_INVALID', `${JSON.stringify(name)} is not ${WORDS[type]}`);
    struct[name] = taken;
  }
  return struct as GoStruct<Fields>;
}

/** Go folds the long s and the Kelvin sign too. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's');
}
