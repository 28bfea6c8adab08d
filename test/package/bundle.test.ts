// The portable entries bundle for a browser: esbuild has no Node module to offer there, so a stray import is an error.
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { ROOT } from './installed.ts';

test.each([
  'dist/index.js',
  'dist/backend/index.js',
  'dist/backup/index.js',
  'dist/bolt/index.js',
  'dist/wal/index.js',
  'dist/snap/index.js',
])('%s bundles for a browser', async (entry) => {
  const { errors, warnings, outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
  expect(outputFiles).toHaveLength(1);
  const externals = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(externals).toEqual([]);
  // Bundlers replace it or leave it, and then it is not defined.
  expect(outputFiles[0]?.text).not.toMatch(/(?<![\w$.#])(?:process\.|Buffer\b\.|require\()/);
});
