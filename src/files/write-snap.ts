/**
 * A new `.snap` file by path (Node): there whole, synced and read again, or not at all. etcd itself writes to the final name.
 */
import { join } from 'node:path';
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { openFileSource } from '../io/file-source.ts';
import { type OutputOptions, writeOutput } from '../io/output.ts';
import { readSnap } from '../snap/reader.ts';
import { snapName } from '../snap/snap-name.ts';
import { encodeSnap, type SnapContent } from '../snap/writer.ts';

/** Options of `writeSnap`. */
export interface WriteSnapOptions extends OutputOptions {
  /** As whose file it is written. */
  readonly etcdVersion: EtcdMinor;
}

/**
 * Writes a snapshot into the snap folder `directory`, under the name that etcd gives it, and returns its path. Throws
 * `TARGET_EXISTS` if there is one of that term and index, and `USAGE` for index 0, of which etcd never makes one.
 */
export function writeSnap(directory: string, content: SnapContent, options: WriteSnapOptions): string {
  if (content.index === 0n) throw new DatadirError('USAGE', 'a snapshot of index 0 is never saved');
  const bytes = encodeSnap(content, options.etcdVersion);
  const path = join(directory, snapName(content.term, content.index));
  writeOutput(path, (file) => file.write(0, bytes), { ...options, selfCheck: (written) => verify(written, content) });
  return path;
}

function verify(path: string, content: SnapContent): void {
  const source = openFileSource(path);
  try {
    const { index, term } = readSnap(source, { maxKeys: 0 });
    if (index === content.index && term === content.term) return;
    throw new DatadirError('SNAP_DAMAGED', `it says term ${term}, index ${index}`);
  } finally {
    source.close();
  }
}
