/**
 * What etcd keeps in a db, by path (Node): a db file, a snapshot file, or the db of a data directory, of which the log tells
 * more.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BackendFile } from '../backend/backend-file.ts';
import { readMeta } from '../backend/meta.ts';
import { trailerPresence } from '../backend/trailer.ts';
import { detectKind } from '../datadir/detect-kind.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import { Wal } from '../wal/reader.ts';
import { folderIn, isDirectory } from './member-folder.ts';
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

/** An open db and where it comes from. */
export interface OpenedBackend {
  readonly file: BackendFile;
  readonly source: FileSource;
  readonly kind: 'db' | 'snapshot' | 'data-dir';
  /** The db file itself. */
  readonly dbPath: string;
  /** Of a data directory with a log that can be read; undefined otherwise. Reads the log when it is first asked for. */
  readonly log: LogBeside | undefined;
  close(): void;
}

/** Opens what is at `path`. Throws `UNKNOWN_KIND` for what is no db, `BOLT_NO_META` if both metas are damaged. */
export function openBackendPath(path: string): OpenedBackend {
  const folder = isDirectory(path);
  const dbPath = folder ? dbIn(path) : path;
  const source = openFileSource(dbPath);
  try {
    if (!folder) requireDb(source, path);
    const file = new BackendFile(source);
    const { highWaterMark, pageSize } = file.db;
    const plain = trailerPresence(source.size, highWaterMark * pageSize) === 'missing';
    let log: { readonly found: LogBeside | undefined } | undefined;
    return {
      file,
      source,
      kind: folder ? 'data-dir' : plain ? 'db' : 'snapshot',
      dbPath,
      get log(): LogBeside | undefined {
        log ??= { found: folder ? logBeside(path, file) : undefined };
        return log.found;
      },
      close: () => file.close(),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The db of a data directory, of a member's directory, or of a snap folder. */
function dbIn(path: string): string {
  const snap = folderIn(path, 'snap') ?? (basename(path) === 'snap' ? path : undefined);
  if (snap === undefined) {
    throw new DatadirError('UNKNOWN_KIND', `${path}: a directory, but no data directory: it has no member/snap`, {
      path,
    });
  }
  const db = join(snap, 'db');
  if (!existsSync(db)) throw new DatadirError('NOT_FOUND', `${path}: there is no db in ${snap}`, { path: db });
  return db;
}

function requireDb(source: FileSource, path: string): void {
  if (path.endsWith('.part')) {
    const words = 'a .part file is what an interrupted `snapshot save` leaves: it is not whole, and not read';
    throw new DatadirError('UNKNOWN_KIND', `${path}: ${words}`, { path });
  }
  const kind = detectKind(source, path);
  if (kind === 'db') return;
  const what = kind === 'wal' ? 'a segment of a log' : 'a .snap file';
  throw new DatadirError('UNKNOWN_KIND', `${path}: it is ${what}, not a db`, { path });
}

function logBeside(path: string, file: BackendFile): LogBeside | undefined {
  if (folderIn(path, 'wal') === undefined) return undefined;
  const folder = openWalFolder(path);
  try {
    const wal = new Wal(folder.files);
    if (wal.segments.length === 0) return undefined;
    const { metadata, hardState, lastIndex, damage } = wal.state;
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
