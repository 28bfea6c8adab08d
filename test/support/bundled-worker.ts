/**
 * Real worker threads in tests. Node 20 cannot load TypeScript, so what runs in them is bundled first.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type BuildOptions, build } from 'esbuild';
import { temporaryDirectory } from './temporary-directory.ts';

/** A program as one text. */
export async function bundle(entry: Pick<BuildOptions, 'stdin' | 'entryPoints'>): Promise<string> {
  const options = { ...entry, bundle: true, platform: 'node', format: 'esm', write: false } as const;
  const { outputFiles } = await build(options);
  return outputFiles[0].text;
}

/** The package's own worker. */
export function bundleWorker(): Promise<string> {
  return bundle({ entryPoints: [fileURLToPath(new URL('../../src/worker.ts', import.meta.url))] });
}

/** Starts threads that run `code`, and remembers them. */
export function starter(code: string): { createWorker: () => Worker; workers: Worker[] } {
  const path = join(temporaryDirectory(), 'worker.mjs');
  writeFileSync(path, code);
  const workers: Worker[] = [];
  const createWorker = (): Worker => {
    const worker = new Worker(path);
    workers.push(worker);
    return worker;
  };
  return { createWorker, workers };
}
