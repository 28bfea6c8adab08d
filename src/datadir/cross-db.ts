/**
 * What the db of a data directory says of itself that other parts are compared with. Read first of all, so that the log of a running
 * etcd, read later, is never behind it.
 */
import { readCluster } from '../backend/cluster.ts';
import { type Members, readMembers } from '../backend/members.ts';
import { type BackendMeta, readMeta } from '../backend/meta.ts';
import type { BoltDb } from '../bolt/database.ts';
import { type DatadirError, isDatadirError } from '../errors.ts';
import type { DataDir } from './data-dir.ts';
import { itemNamed } from './data-dir-files.ts';

/** What could be read of a db; the rest is undefined. */
export interface DbFacts {
  readonly state: 'read' | 'missing' | 'unopened' | 'damaged';
  /** Why it could not be opened, or is none. */
  readonly problem?: DatadirError | undefined;
  readonly meta?: BackendMeta | undefined;
  /** The version that the cluster has agreed on; null if none. */
  readonly clusterVersion?: string | null | undefined;
  readonly members?: Members | undefined;
}

/** Reads it. Throws nothing for what is missing or damaged. */
export function readDbFacts(dir: DataDir): DbFacts {
  const item = itemNamed(dir.files.snap, 'db');
  if (item === undefined || item.type === 'directory') return { state: 'missing' };
  try {
    dir.db;
  } catch (error) {
    return { state: 'unopened', problem: ours(error) };
  }
  try {
    dir.backend;
  } catch (error) {
    return { state: 'damaged', problem: ours(error) };
  }
  const meta = readable(dir, readMeta);
  const cluster = readable(dir, readCluster);
  const members = readable(dir, readMembers);
  return { state: 'read', meta, clusterVersion: cluster?.version, members };
}

/** The last entry that is in the db, 0 if none is; undefined if that cannot be told. */
export function consistentIndexOf({ state, meta }: DbFacts): bigint | undefined {
  if (state === 'missing') return 0n;
  if (meta === undefined || !meta.present || meta.unreadable.has('consistentIndex')) return undefined;
  return meta.consistentIndex ?? 0n;
}

function readable<Result>(dir: DataDir, read: (db: BoltDb) => Result): Result | undefined {
  try {
    return dir.backend.read(read);
  } catch (error) {
    ours(error);
    return undefined;
  }
}

function ours(error: unknown): DatadirError {
  if (!isDatadirError(error)) throw error;
  return error;
}
