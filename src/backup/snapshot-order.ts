/**
 * The order of the snapshots in a store, and what a restore would take of them.
 */
import type { BackupObject } from './object-name.ts';

/** By last revision; of equal ones whole objects before parts, older before newer, full before incremental, then by name. */
export function compareObjects(a: BackupObject, b: BackupObject): number {
  return (
    compare(a.lastRevision, b.lastRevision) ||
    compare(Number(a.part !== undefined), Number(b.part !== undefined)) ||
    compare(a.createdSeconds, b.createdSeconds) ||
    compare(Number(a.kind === 'Incr'), Number(b.kind === 'Incr')) ||
    compare(a.path, b.path)
  );
}

function compare<Value extends bigint | number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A hole in a chain: nothing holds the revisions behind `after` and before `found`. */
export interface ChainGap {
  readonly after: bigint;
  readonly found: bigint;
  /** The object behind the hole. */
  readonly path: string;
}

/** What a restore takes: the newest full snapshot and the deltas behind it. */
export interface BackupChain {
  /** Undefined if there is none: deltas alone restore nothing. */
  readonly base: BackupObject | undefined;
  /** In order. */
  readonly deltas: readonly BackupObject[];
  /** The newest revision that any name speaks of: what a member must have reached; undefined for an empty store. */
  readonly revision: bigint | undefined;
  /** How far a restore gets by the names: up to the first hole; undefined without a base. */
  readonly restorable: bigint | undefined;
  readonly gap: ChainGap | undefined;
}

/** Finds the chain among objects in any order. Parts of objects are passed over: they are no whole snapshots. */
export function findChain(objects: readonly BackupObject[]): BackupChain {
  const sorted = objects.filter(({ part }) => part === undefined).sort(compareObjects);
  const base = sorted.findLast(({ kind }) => kind === 'Full');
  const deltas = sorted.filter(
    ({ kind, lastRevision }) => kind === 'Incr' && (base === undefined || lastRevision > base.lastRevision),
  );
  const revision = (deltas.at(-1) ?? base)?.lastRevision;
  if (base === undefined) return { base, deltas, revision, restorable: undefined, gap: undefined };
  let restorable = base.lastRevision;
  for (const { startRevision, lastRevision, path } of deltas) {
    if (startRevision > restorable + 1n) {
      return { base, deltas, revision, restorable, gap: { after: restorable, found: startRevision, path } };
    }
    restorable = lastRevision;
  }
  return { base, deltas, revision, restorable, gap: undefined };
}
