/**
 * The names of full and delta snapshots in a backup store.
 *
 *     etcd-main/v2/Full-00000000-00009002-1565021494.gz
 *     etcd-main/v1/Backup-1565021494/Incr-00009003-00009100-1565021514.gz
 *
 * A name says which revisions an object holds, so a store is understood from its list of names alone. Whole elements of a path
 * are compared, never parts of one: a prefix such as `env1` is not layout v1.
 */

/** A full snapshot is a copy of a db; an incremental one, a delta, the changes behind it. */
export type ObjectKind = 'Full' | 'Incr';

/** How the content is compressed, by the suffix of the name. */
export type ObjectCompression = 'none' | 'gzip' | 'zlib' | 'lzw';

/** What a name says. */
export interface ObjectName {
  readonly kind: ObjectKind;
  /** The first and last revision that the object holds; the first of a full snapshot is 0. */
  readonly startRevision: bigint;
  readonly lastRevision: bigint;
  /** When it was made: seconds since 1970. */
  readonly createdSeconds: bigint;
  readonly compression: ObjectCompression;
  /** Taken before a planned move of the cluster. */
  readonly final: boolean;
}

/** Where an object lies, and what its name says. */
export interface BackupObject extends ObjectName {
  /** The path in the store as it was given. */
  readonly path: string;
  /** What stands before the layout, without a `/` at the end; often empty. */
  readonly prefix: string;
  readonly layout: 'v1' | 'v2';
  /** Of layout v1: the folder of the object, `Backup-1565021494`. */
  readonly folder?: string;
  /** The last element, without the number of a part. */
  readonly name: string;
  /** The number of a part of an object that is uploaded in parts. */
  readonly part?: number;
}

const SUFFIXES: Readonly<Record<ObjectCompression, string>> = { none: '', gzip: '.gz', zlib: '.zlib', lzw: '.Z' };
const COMPRESSIONS: ReadonlyMap<string, ObjectCompression> = new Map(
  Object.entries(SUFFIXES).map(([compression, suffix]) => [suffix, compression as ObjectCompression]),
);
const NAME = /^(Full|Incr)-(\d{1,19})-(\d{1,19})-(\d{1,19})(\.gz|\.zlib|\.Z)?(\.final)?$/;
const V1_FOLDER = /^Backup-\d{1,19}$/;
const PART = /^\d{10}$/;
const MAX_INT64 = (1n << 63n) - 1n;
const REVISION_DIGITS = 8;

/** What the last element of a path says; undefined if it is not the name of a snapshot. */
export function parseObjectName(name: string): ObjectName | undefined {
  const match = NAME.exec(name);
  if (match === null) return undefined;
  const [, kind, start, last, created, suffix = '', final] = match as unknown as [string, ObjectKind, ...string[]];
  const startRevision = BigInt(start as string);
  const lastRevision = BigInt(last as string);
  const createdSeconds = BigInt(created as string);
  if (startRevision > lastRevision || lastRevision > MAX_INT64 || createdSeconds > MAX_INT64) return undefined;
  const compression = COMPRESSIONS.get(suffix) as ObjectCompression;
  return { kind, startRevision, lastRevision, createdSeconds, compression, final: final !== undefined };
}

/** The name of an object: the reverse of `parseObjectName`. */
export function formatObjectName(object: ObjectName): string {
  const { kind, startRevision, lastRevision, createdSeconds, compression, final } = object;
  const [start, last] = [startRevision, lastRevision].map((revision) => `${revision}`.padStart(REVISION_DIGITS, '0'));
  return `${kind}-${start}-${last}-${createdSeconds}${SUFFIXES[compression]}${final ? '.final' : ''}`;
}

/** An object by its path in the store, elements separated by `/`; undefined if it is not that of a snapshot in either layout. */
export function parseObjectPath(path: string): BackupObject | undefined {
  const elements = path.split('/');
  const at = elements.findLastIndex((element) => element === 'v1' || element === 'v2');
  if (at < 0) return undefined;
  const layout = elements[at] as 'v1' | 'v2';
  const folder = layout === 'v1' ? elements[at + 1] : undefined;
  if (folder !== undefined && !V1_FOLDER.test(folder)) return undefined;
  const [name, part, ...more] = elements.slice(at + (layout === 'v1' ? 2 : 1));
  const said = name === undefined ? undefined : parseObjectName(name);
  if (name === undefined || said === undefined || more.length > 0) return undefined;
  if (part !== undefined && !PART.test(part)) return undefined;
  return {
    ...said,
    path,
    prefix: elements.slice(0, at).join('/'),
    layout,
    ...(folder === undefined ? {} : { folder }),
    name,
    ...(part === undefined ? {} : { part: Number(part) }),
  };
}

/** The path of an object: the reverse of `parseObjectPath`, for layout v2, which is the one to write. */
export function formatObjectPath(object: ObjectName, prefix = ''): string {
  return [...(prefix === '' ? [] : [prefix]), 'v2', formatObjectName(object)].join('/');
}
