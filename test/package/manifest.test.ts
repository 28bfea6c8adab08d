// The manifest is part of the public interface: what is published, for whom, and with which dependencies.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('is an ES module package without side effects', () => {
  expect(manifest.name).toBe('etcd-datadir');
  expect(manifest.type).toBe('module');
  // Only what runs when it is loaded: the worker's entry and the program. A bundler may drop anything else unused.
  expect(manifest.sideEffects).toEqual(
    ['worker', 'cli/bin'].flatMap((name) => [`./dist/${name}.js`, `./src/${name}.ts`]),
  );
  expect(manifest.main).toBeUndefined();
});

test('is licensed under Apache-2.0, and the text is there', () => {
  expect(manifest.license).toBe('Apache-2.0');
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0/);
});

test('runs on Node 20.19 and from 22.12 on', () => {
  expect(manifest.engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
});

test('publishes the build and its sources, nothing else', () => {
  expect(manifest.files).toEqual(['dist', 'src']);
});

test('has three runtime dependencies, pinned', () => {
  expect(manifest.dependencies).toEqual({ 'crc-32': '1.2.2', protobufjs: '8.8.1', yaml: '2.9.1' });
  for (const kind of ['peerDependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies']) {
    expect(manifest[kind], kind).toBeUndefined();
  }
});

test('pins every development dependency exactly', () => {
  for (const [name, range] of Object.entries(manifest.devDependencies)) {
    expect(range, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test('runs nothing when it is installed', () => {
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']) {
    expect(manifest.scripts[script], script).toBeUndefined();
  }
});

test('has the documented entries', () => {
  expect(manifest.exports).toEqual({
    '.': { node: entry('node'), default: entry('index') },
    './node': entry('node'),
    './browser': entry('index'),
    './backend': entry('backend/index'),
    './backup': entry('backup/index'),
    './bolt': entry('bolt/index'),
    './wal': entry('wal/index'),
    './snap': entry('snap/index'),
    './worker': entry('worker'),
    './package.json': './package.json',
  });
});

test('every entry and the command exist in the build', () => {
  const files = [...targets(manifest.exports), ...targets(manifest.bin)];
  expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
});

test('the command starts with a shebang', () => {
  expect(manifest.bin).toEqual({ 'etcd-datadir': 'dist/cli/bin.js' });
  expect(read(manifest.bin['etcd-datadir'])).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('the lock file names no registry', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved": "(?!file:)|https?:\/\/[^"]*\.tgz/);
});

/** The conditions of an entry: types come first, because the first match wins. */
function entry(module: string): { types: string; default: string } {
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}

/** All file names in a tree of conditions. */
function targets(conditions: unknown): string[] {
  if (typeof conditions === 'string') return [conditions];
  return Object.values(conditions as object).flatMap(targets);
}
