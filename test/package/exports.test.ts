// The names each entry exports at run time, so that a change to the public interface shows up in review.
// After an intended change: npx vitest run test/package/exports.test.ts -u
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT } from './installed.ts';

/** The worker's entry is not here: it exports nothing, and importing it outside a worker would start it. */
const ENTRIES = {
  '/node': 'dist/node.js',
  '/browser': 'dist/index.js',
  '/backend': 'dist/backend/index.js',
  '/backup': 'dist/backup/index.js',
  '/bolt': 'dist/bolt/index.js',
  '/wal': 'dist/wal/index.js',
  '/snap': 'dist/snap/index.js',
};

test('the exported names are those listed in exports.txt', async () => {
  const list: string[] = [];
  for (const [name, file] of Object.entries(ENTRIES)) {
    const module: object = await import(pathToFileURL(join(ROOT, file)).href);
    list.push(
      `etcd-datadir${name}`,
      ...Object.keys(module)
        .sort()
        .map((exported) => `  ${exported}`),
      '',
    );
  }
  await expect(list.join('\n')).toMatchFileSnapshot('exports.txt');
});

test('the plain name has every name of the portable build in Node too', async () => {
  const node = await import(pathToFileURL(join(ROOT, ENTRIES['/node'])).href);
  const browser = await import(pathToFileURL(join(ROOT, ENTRIES['/browser'])).href);
  expect(Object.keys(browser).filter((name) => !(name in node))).toEqual([]);
});

test('no entry has a default export', () => {
  for (const file of Object.values(ENTRIES)) {
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/^export default|as default/m);
  }
});
