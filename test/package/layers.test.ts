// The direction of imports. A module may import what stands below it in LAYERS and its own folder; modules on the same line
// do not know one another. Type-only imports count, because declarations must be as portable as the code.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** From top to bottom. A name is a folder of src/, or a module right in src/ (without its extension). */
const LAYERS: readonly (readonly string[])[] = [
  ['cli'],
  ['node'],
  ['worker'],
  ['files'],
  ['index'],
  ['agent'],
  ['backup'],
  ['datadir'],
  ['backend'],
  ['membership'],
  ['bolt', 'wal', 'snap'],
  ['proto'],
  ['json'],
  ['checksum'],
  ['io'],
  ['report'],
  ['findings'],
  ['verdict'],
  ['finding-table'],
  ['errors', 'etcd-version'],
];

/** Imports that LAYERS forbids and that are right all the same. */
const EXCEPTIONS: readonly { from: RegExp; to: RegExp; why: string }[] = [
  { from: /^findings\.ts$/, to: /^(?:\w+\/)+findings\.ts$/, why: 'the root joins the codes of all format folders' },
  { from: /^report\.ts$/, to: /^\w+\/summary\.ts$/, why: 'the report has a part of each format folder; types only' },
];

/** The entries that run anywhere. Nothing reachable from them imports a Node module. */
const PORTABLE_ENTRIES = [
  'index.ts',
  'backend/index.ts',
  'backup/index.ts',
  'bolt/index.ts',
  'wal/index.ts',
  'snap/index.ts',
];

/** The only folder that knows a terminal, the process or an exit code. */
const KNOWS_THE_PROCESS = /^cli\//;

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

const modules = new Map<string, { code: string; imports: string[] }>();
for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
  if (!/\.[jt]s$/.test(path)) continue;
  const code = withoutComments(readFileSync(`${SRC}${path}`, 'utf8'));
  modules.set(path, { code, imports: specifiers(code).map((specifier) => resolve(path, specifier)) });
}

describe('imports', () => {
  test('every module has a place in the layers', () => {
    expect([...modules.keys()].filter((module) => rank(module) === -1)).toEqual([]);
  });

  test('every relative import names a module of src/', () => {
    expect(edges().filter(({ to }) => to.endsWith('.ts') && !modules.has(to))).toEqual([]);
  });

  test('point downwards', () => {
    const wrong = edges().filter(
      ({ from, to }) =>
        modules.has(to) &&
        layerName(from) !== layerName(to) &&
        rank(from) >= rank(to) &&
        !EXCEPTIONS.some((exception) => exception.from.test(from) && exception.to.test(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('take each third-party package in exactly one module', () => {
    const users = new Map<string, Set<string>>();
    for (const { from, to } of edges()) {
      if (modules.has(to) || to.startsWith('node:')) continue;
      const name = to.split('/', to.startsWith('@') ? 2 : 1).join('/');
      users.set(name, (users.get(name) ?? new Set()).add(from));
    }
    expect([...users].filter(([, from]) => from.size > 1)).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(`${SRC}../package.json`, 'utf8'));
    expect([...users.keys()].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test.each(PORTABLE_ENTRIES)('reach no Node module from %s', (entry) => {
    const reached = new Set([entry]);
    for (const module of reached) {
      for (const to of modules.get(module)?.imports ?? []) reached.add(to);
    }
    expect(reached.size).toBeGreaterThan(1);
    const nodeImports = edges().filter(({ from, to }) => reached.has(from) && to.startsWith('node:'));
    expect(nodeImports.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });
});

test('only cli/ uses process and console', () => {
  const users = [...modules].filter(
    ([module, { code, imports }]) =>
      !KNOWS_THE_PROCESS.test(module) &&
      (imports.some((to) => /^node:(process|console|tty|readline)\b/.test(to)) ||
        /(?<![\w$.])(?:globalThis\.)?(?:process|console)\s*(?:\?\.|\.|\[)/.test(code)),
  );
  expect(users.map(([module]) => module)).toEqual([]);
});

function edges(): { from: string; to: string }[] {
  return [...modules].flatMap(([from, { imports }]) => imports.map((to) => ({ from, to })));
}

/** `bolt` for `bolt/page.ts`, `errors` for `errors.ts`. */
function layerName(module: string): string {
  return module.replace(/\/.*|\.ts$/g, '');
}

/** The line of a module in LAYERS, or -1. */
function rank(module: string): number {
  const name = layerName(module);
  return LAYERS.findIndex((names) => names.includes(name));
}

/** A relative specifier as a path in src/; any other as it is (the linter wants `node:` on Node's own). */
function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier;
}

/** What `import … from`, `export … from`, `import '…'` and `import('…')` name. */
function specifiers(code: string): string[] {
  const statements = code.matchAll(/^\s*(?:import|export)\b[^'"`;=()]*?\bfrom\s*['"]([^'"]+)['"]/gm);
  const effects = code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm);
  const calls = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g);
  return [...statements, ...effects, ...calls].map((match) => match[1] as string);
}

/** Blanks comments, and keeps string literals so that `//` inside one is not taken for a comment. */
function withoutComments(code: string): string {
  return code.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/.*/g,
    (_, literal?: string) => literal ?? ' ',
  );
}
