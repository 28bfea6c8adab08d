// Small projects that use the packed package: they compile, they run, and a bundler gets the portable build.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Project, projectWithPackage, ROOT } from './installed.ts';

let project: Project;

beforeAll(() => {
  project = projectWithPackage(['@types/node']);
});

afterAll(() => project?.remove());

const STRICT = { strict: true, target: 'es2023', noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true };

const PORTABLE_USE = `
import { blobSource, checkBolt, openBolt } from 'etcd-datadir/browser';
import * as backend from 'etcd-datadir/backend';
import * as backup from 'etcd-datadir/backup';
import * as bolt from 'etcd-datadir/bolt';
import * as snap from 'etcd-datadir/snap';
import * as wal from 'etcd-datadir/wal';
import * as main from 'etcd-datadir';

export function look(blob: Blob): string {
  const verdict: string = checkBolt(blobSource(blob)).verdict;
  return verdict;
}
export const open: (...args: Parameters<typeof openBolt>) => unknown = openBolt;
export const same: typeof checkBolt = main.checkBolt;
export const named: readonly unknown[] = [backend, backup, bolt, snap, wal];
export const log: (bytes: Uint8Array) => string = (bytes) =>
  wal.checkWal({ segments: [{ name: 'x', source: wal.memorySource(bytes) }] }).verdict;
export const hash: (bytes: Uint8Array) => Promise<number> = async (bytes) =>
  (await backend.openBackend(bytes).hashKv({ revision: 5n })).hash;
`;

const NODE_USE = `
import { checkBolt } from 'etcd-datadir/browser';
import * as node from 'etcd-datadir/node';
import * as main from 'etcd-datadir';
import * as backend from 'etcd-datadir/backend';
import * as backup from 'etcd-datadir/backup';
import * as bolt from 'etcd-datadir/bolt';
import * as snap from 'etcd-datadir/snap';
import * as wal from 'etcd-datadir/wal';

export const same: typeof node = main;
export const portable: typeof checkBolt = checkBolt;
export const named: readonly unknown[] = [backend, backup, bolt, snap, wal];
export const log: (path: string) => bigint = (path) => main.readWal(path).state.lastIndex;
export const replayed: (path: string) => bigint | undefined = (path) => main.openBackend(path).log?.notReplayed;
`;

describe('a TypeScript consumer', () => {
  test('compiles in Node under nodenext', () => {
    const compilerOptions = { ...STRICT, module: 'nodenext', lib: ['es2023', 'esnext.disposable'], types: ['node'] };
    expect(compile('nodenext', compilerOptions, NODE_USE)).toBe('');
  });

  test('compiles for a bundler without the types of Node', () => {
    const lib = ['es2023', 'esnext.disposable', 'dom'];
    const compilerOptions = { ...STRICT, module: 'esnext', moduleResolution: 'bundler', lib, types: [] };
    expect(compile('bundler', compilerOptions, PORTABLE_USE)).toBe('');
  });

  test('compiles for a bundler without the types of Node and without those of a browser window', () => {
    const lib = ['es2023', 'esnext.disposable', 'webworker'];
    const compilerOptions = { ...STRICT, module: 'esnext', moduleResolution: 'bundler', lib, types: [] };
    expect(compile('worker', compilerOptions, PORTABLE_USE)).toBe('');
  });
});

describe('the installed package', () => {
  test('gives the Node build under its plain name', () => {
    const code = `
      import * as main from 'etcd-datadir';
      import * as node from 'etcd-datadir/node';
      import * as browser from 'etcd-datadir/browser';
      import manifest from 'etcd-datadir/package.json' with { type: 'json' };
      if (main !== node) throw new Error('not the Node build');
      if (typeof browser.checkBolt !== 'function') throw new Error('no checkBolt');
      console.log(manifest.name);
    `;
    const said = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
      cwd: project.dir,
      encoding: 'utf8',
    });
    expect(said).toBe('etcd-datadir\n');
  });

  test('gives the portable build to a bundler', async () => {
    const result = await build({
      stdin: { contents: `export * from 'etcd-datadir'`, resolveDir: project.dir },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
      logLevel: 'silent',
      absWorkingDir: project.dir,
    });
    const inputs = Object.keys(result.metafile.inputs);
    expect(inputs).toContain('node_modules/etcd-datadir/dist/index.js');
    expect(inputs).not.toContain('node_modules/etcd-datadir/dist/node.js');
  });

  test('has a command that starts', () => {
    const bin = join(project.dir, 'node_modules', 'etcd-datadir', 'dist', 'cli', 'bin.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--help'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('etcd-datadir');
  });

  test('has no source map that points to a file which is not there', () => {
    const installed = join(project.dir, 'node_modules', 'etcd-datadir');
    const files = new Set(readdirSync(installed, { recursive: true, encoding: 'utf8' }));
    const missing: string[] = [];
    for (const path of files) {
      if (!path.endsWith('.map')) continue;
      for (const source of JSON.parse(readFileSync(join(installed, path), 'utf8')).sources as string[]) {
        const target = join(path, '..', source);
        if (!files.has(target)) missing.push(`${path} -> ${target}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

/** What tsc prints about a project of one module; nothing when it compiles. */
function compile(name: string, compilerOptions: object, code: string): string {
  const dir = join(project.dir, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use.ts'] }));
  writeFileSync(join(dir, 'use.ts'), code);
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  return spawnSync(tsc, ['-p', dir, '--pretty', 'false'], { cwd: dir, encoding: 'utf8' }).stdout;
}
