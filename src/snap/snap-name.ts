/**
 * Names in the snap folder: `%016x-%016x.snap` (term, then index), `%016x.snap.db` (index), and what crashes leave behind.
 */
import {
  BROKEN_SUFFIX,
  DB_NAME,
  DEFRAGMENTING_PREFIX,
  RECEIVING_PREFIX,
  SNAP_SUFFIX,
  SNAPSHOT_DB_SUFFIX,
} from './format.ts';

/** What the name of a `.snap` file says. */
export interface SnapName {
  readonly term: bigint;
  readonly index: bigint;
}

const NAME = /^([0-9a-f]{16})-([0-9a-f]{16})\.snap$/;
const DB = /^([0-9a-f]{16})\.snap\.db$/;

/** Parses a name as etcd writes it; undefined for any other. etcd itself reads every file that ends in `.snap`. */
export function parseSnapName(name: string): SnapName | undefined {
  const [, term, index] = NAME.exec(name) ?? [];
  if (term === undefined || index === undefined) return undefined;
  return { term: BigInt(`0x${term}`), index: BigInt(`0x${index}`) };
}

/** The name of a `.snap` file. */
export function snapName(term: bigint, index: bigint): string {
  return `${hex16(term)}-${hex16(index)}${SNAP_SUFFIX}`;
}

/** Parses the name of a received database: its index; undefined for any other name. */
export function parseSnapshotDbName(name: string): bigint | undefined {
  const [, index] = DB.exec(name) ?? [];
  return index === undefined ? undefined : BigInt(`0x${index}`);
}

/** The name of a received database. */
export function snapshotDbName(index: bigint): string {
  return `${hex16(index)}${SNAPSHOT_DB_SUFFIX}`;
}

const hex16 = (value: bigint): string => value.toString(16).padStart(16, '0');

/**
 * What a name in the snap folder stands for: a `.snap` file; the database; a received one; one being received; one being
 * defragmented; a `.snap` file set aside by etcd; anything else.
 */
export type SnapFolderKind = 'snap' | 'db' | 'snapshot-db' | 'receiving' | 'defragmenting' | 'broken' | 'other';

/** Tells it by the name alone, as etcd does. */
export function snapFolderKind(name: string): SnapFolderKind {
  if (name === DB_NAME) return 'db';
  if (name.startsWith(RECEIVING_PREFIX)) return 'receiving';
  if (name.startsWith(DEFRAGMENTING_PREFIX)) return 'defragmenting';
  if (name.endsWith(SNAP_SUFFIX)) return 'snap';
  if (name.endsWith(SNAP_SUFFIX + BROKEN_SUFFIX)) return 'broken';
  if (parseSnapshotDbName(name) !== undefined) return 'snapshot-db';
  return 'other';
}
