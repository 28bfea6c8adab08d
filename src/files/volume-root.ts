/**
 * What lies beside a data directory, in the root of its volume: it outlives the directory (Node).
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { DatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { openFileSource } from '../io/file-source.ts';

/** The path of a file beside the data directory. */
export function besideDataDir(dataDir: string, name: string): string {
  return join(dirname(resolve(dataDir)), name);
}

/** Throws `USAGE` if the file would lie in the data directory, which is never written to. */
export function assertOutside(path: string, dataDir: string): void {
  const below = relative(realPathOf(dataDir), join(realPathOf(dirname(resolve(path))), 'file'));
  if (below === '..' || below.startsWith(`..${sep}`)) return;
  throw new DatadirError('USAGE', `${path}: lies in the data directory, into which nothing is written`, { path });
}

/** As far as it exists; what is missing of it follows. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const whole = resolve(path);
    const above = dirname(whole);
    return above === whole ? whole : join(realPathOf(above), basename(whole));
  }
}

/** The bytes of a small file, at most `limit` of them and one more, by which a longer file is known. Throws as `openFileSource`. */
export function readSmallFile(path: string, limit: number): Uint8Array {
  const source: ByteSource = openFileSource(path);
  try {
    const bytes = new Uint8Array(Math.min(source.size, limit + 1));
    return bytes.subarray(0, source.readInto(bytes, 0));
  } finally {
    source.close();
  }
}
