/**
 * What etcd keeps in a db, by path (Node): a db file, a snapshot file, or the db of a data directory. What the log
 * beside it knows is in `log-beside.ts`.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BackendFile } from '../backend/backend-file.ts';
import { trailerPresence } from '../backend/trailer.ts';
import { detectKind } from '../datadir/detect-kind.ts';
import { DatadirError } from '../errors.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import { folderIn, isDirectory } from './member-folder.ts';

/** An open db and where it comes from. */
export interface OpenedBackend {
  readonly file: BackendFile;
  readonly source: FileSource;
  readonly kind: 'db' | 'snapshot' | 'data-dir';
  /** The db file itself. */
  readonly dbPath: string;
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
    return {
      file,
      source,
      kind: folder ? 'data-dir' : plain ? 'db' : 'snapshot',
      dbPath,
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
