/**
 * What a replay begins with: the db of the directory, one that was received from a leader, or nothing at all.
 */
import { BackendFile } from '../../backend/backend-file.ts';
import { type BackendMeta, readMeta } from '../../backend/meta.ts';
import { DatadirError, type ErrorCode, isDatadirError } from '../../errors.ts';
import { snapshotDbName } from '../../snap/snap-name.ts';
import type { DataDir } from '../data-dir.ts';

/** `db`: the directory's own. `received`: that of the snapshot to start from, which takes its place. `none`: an empty one. */
export type BaseKind = 'db' | 'received' | 'none';

/** The db to begin with. */
export interface ReplayBase {
  readonly kind: BaseKind;
  /** Undefined for an empty one. Closed with the directory. */
  readonly file: BackendFile | undefined;
  /** For findings: from the data directory on. */
  readonly path: string | undefined;
  /** The last entry that is in it; 0 if none is. */
  readonly consistentIndex: bigint;
}

/** The directory's own db, or why it cannot be used. */
export interface OwnDb {
  readonly base: ReplayBase | undefined;
  readonly reason: string;
}

const EMPTY_BASE: ReplayBase = { kind: 'none', file: undefined, path: undefined, consistentIndex: 0n };

/** Errors that say nothing of what is in the file. */
const NOT_ABOUT_THE_DB: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'SOURCE_CHANGED']);

/** Opens the db of the directory, as far as its first page and bucket `meta`. */
export function openOwnDb(dir: DataDir): OwnDb {
  try {
    return { base: baseOf('db', dir.backend, dir.dbPath), reason: '' };
  } catch (error) {
    if (!isDatadirError(error) || NOT_ABOUT_THE_DB.has(error.code)) throw error;
    return { base: undefined, reason: error.message };
  }
}

/** What is known of the snapshot that a start begins with, and of the log. */
export interface BaseNeeds {
  /** Its index; 0 if the start begins with the first entry. */
  readonly snapshot: bigint;
  /** Whether the log holds every entry from the first one on. */
  readonly wholeLog: boolean;
}

/** Chooses as etcd does; where it would give up, the whole log can stand in for a db. Throws `REPLAY_REFUSED`. */
export function chooseBase(dir: DataDir, own: OwnDb, { snapshot, wholeLog }: BaseNeeds): ReplayBase {
  const { base, reason } = own;
  if (base !== undefined && snapshot <= base.consistentIndex) return base;
  if (snapshot > 0n) {
    const received = openReceived(dir, snapshot);
    if (received !== undefined) return received;
  }
  if (wholeLog) return EMPTY_BASE;
  const why =
    base === undefined
      ? `the db cannot be used (${reason})`
      : `the db has the entries up to ${base.consistentIndex}, the log begins behind the snapshot at ${snapshot}`;
  const missing = snapshot > 0n ? `, there is no usable ${snapshotDbName(snapshot)}` : '';
  throw refused(dir, `${why}${missing}, and the log does not reach back to the first entry`);
}

/** The db that was received for a snapshot; undefined if there is none that reaches up to it. */
function openReceived(dir: DataDir, snapshot: bigint): ReplayBase | undefined {
  try {
    const source = dir.openReceived(snapshot);
    if (source === undefined) return undefined;
    const path = `${dir.files.snap.path}/${snapshotDbName(snapshot)}`;
    const base = baseOf('received', new BackendFile(source), path);
    return base.consistentIndex >= snapshot ? base : undefined;
  } catch (error) {
    if (!isDatadirError(error) || NOT_ABOUT_THE_DB.has(error.code)) throw error;
    return undefined;
  }
}

function baseOf(kind: BaseKind, file: BackendFile, path: string): ReplayBase {
  const meta: BackendMeta = file.read(readMeta);
  if (meta.unreadable.has('consistentIndex')) {
    throw new DatadirError('BOLT_DAMAGED', `${path}: its consistent index cannot be read`, { path });
  }
  return { kind, file, path, consistentIndex: meta.consistentIndex ?? 0n };
}

/** The error for a directory that gives no legal beginning. */
export function refused(dir: DataDir, reason: string): DatadirError {
  const remedy = 'restore the member from a backup, or take the directory of another member';
  return new DatadirError('REPLAY_REFUSED', `${dir.path}: the log cannot be replayed: ${reason}; ${remedy}`, {
    path: dir.path,
  });
}
