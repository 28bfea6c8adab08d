/**
 * What the log of a data directory knows that its db does not: whose it is, and what the db has not got yet (Node).
 */
import { basename, dirname } from 'node:path';
import type { BackendFile } from '../backend/backend-file.ts';
import { readMeta } from '../backend/meta.ts';
import { isDatadirError } from '../errors.ts';
import { Wal } from '../wal/reader.ts';
import type { DataDirOptions } from './data-dir-folder.ts';
import { folderIn } from './member-folder.ts';
import { openWalFolder } from './wal-folder.ts';

/** What the log beside a db knows. */
export interface LogBeside {
  readonly clusterId: bigint | undefined;
  readonly memberId: bigint | undefined;
  /** Of the last hard state. */
  readonly term: bigint | undefined;
  readonly lastIndex: bigint;
  /** Entries that are in the log and not yet in the db. Answers of the db do not know them. */
  readonly notReplayed: bigint;
  /** Where the log cannot be read on; what lies behind it is not counted. */
  readonly damage: string | undefined;
}

/** Reads the log of the data directory at `path`, of which `file` is the db; undefined if it has none. */
export function logBeside(path: string, file: BackendFile, { walDir }: DataDirOptions = {}): LogBeside | undefined {
  const wal =
    walDir ?? folderIn(path, 'wal') ?? (basename(path) === 'snap' ? folderIn(dirname(path), 'wal') : undefined);
  if (wal === undefined) return undefined;
  const folder = openWalFolder(wal);
  try {
    const log = new Wal(folder.files);
    if (log.segments.length === 0) return undefined;
    const { metadata, hardState, lastIndex, damage } = log.state;
    const { consistentIndex } = file.read(readMeta);
    const applied = consistentIndex ?? 0n;
    return {
      clusterId: metadata?.clusterId,
      memberId: metadata?.nodeId,
      term: hardState?.term,
      lastIndex,
      notReplayed: lastIndex > applied ? lastIndex - applied : 0n,
      damage: damage === undefined ? undefined : `${damage.segment}, byte ${damage.offset}`,
    };
  } catch (error) {
    // What can be said of the db does not depend on it.
    if (!isDatadirError(error)) throw error;
    return {
      clusterId: undefined,
      memberId: undefined,
      term: undefined,
      lastIndex: 0n,
      notReplayed: 0n,
      damage: error.message,
    };
  } finally {
    folder.close();
  }
}
