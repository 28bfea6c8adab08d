/**
 * The `.snap` files of a directory, as far as a start needs them: where each stands, and who took part then.
 */
import { isDatadirError } from '../../errors.ts';
import type { ByteSource } from '../../io/byte-source.ts';
import type { ConfState } from '../../proto/raft.ts';
import { listSnapFolder } from '../../snap/list.ts';
import { SnapReading } from '../../snap/reader.ts';
import type { SnapshotId, Steps } from '../../wal/etcd/index.ts';
import type { DataDir } from '../data-dir.ts';

/** A `.snap` file that etcd can read. */
export interface SnapPlace extends SnapshotId {
  readonly confState: ConfState;
}

/** Reads all that can be read. */
export function* readSnapFilesSteps(dir: DataDir): Steps<SnapPlace[]> {
  const { items } = dir.files.snap;
  const places: SnapPlace[] = [];
  for (const name of listSnapFolder(items.map((item) => item.name)).snaps) {
    let source: ByteSource | undefined;
    try {
      source = items.find((item) => item.name === name)!.open();
      const reading = new SnapReading(source);
      while (!reading.step()) yield;
      if (reading.snap === undefined) continue;
      const { index, term, confState } = reading.snap;
      places.push({ index, term, confState });
    } catch (error) {
      // A file that cannot be opened is none for etcd either.
      if (!isDatadirError(error) || isDatadirError(error, 'INTERNAL')) throw error;
    } finally {
      source?.close();
    }
  }
  return places;
}
