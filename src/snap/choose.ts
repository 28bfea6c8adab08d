/**
 * Which snapshot a start of etcd begins with, and which files it sets aside on the way.
 */
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import { BROKEN_SUFFIX } from './format.ts';

/** A `.snap` file of the folder, and what it says if etcd can read it. */
export interface SnapCandidate {
  readonly name: string;
  /** Undefined: etcd cannot read it. */
  readonly snapshot?: SnapshotPosition | undefined;
}

/** A place in the log that a snapshot stands for. */
export interface SnapshotPosition {
  readonly index: bigint;
  readonly term: bigint;
}

/** What a start does. */
export interface SnapChoice {
  /** Where it begins: 0/0 is the beginning of the log. Undefined: this etcd crashes, as no record is there. */
  readonly start: SnapshotPosition | undefined;
  /** The file that is read; undefined if it begins without one. */
  readonly file?: string;
  /** The files that are renamed, each to its name with `.broken`. */
  readonly broken: readonly string[];
}

/**
 * Chooses as the releases of `minor` do (3.4 from 3.4.8 on). `candidates` are newest first, as `listSnapFolder` gives them;
 * `records` are the valid snapshot records of the log, in file order.
 *
 * Up to 3.6 it is the newest readable file that has a record, and every unreadable one before it is set aside. 3.7 takes the
 * last record, and does not open `.snap` files at all.
 */
export function chooseSnap(
  candidates: readonly SnapCandidate[],
  records: readonly SnapshotPosition[],
  minor: EtcdMinor,
): SnapChoice {
  if (compareMinors(minor, '3.7') >= 0) {
    const last = records.at(-1);
    const start = last === undefined ? undefined : { index: last.index, term: last.term };
    return { start, broken: [] };
  }
  const known = new Set(records.map(({ index, term }) => `${term}/${index}`));
  const broken: string[] = [];
  for (const { name, snapshot } of candidates) {
    if (snapshot === undefined) broken.push(name);
    else if (known.has(`${snapshot.term}/${snapshot.index}`)) {
      return { start: { index: snapshot.index, term: snapshot.term }, file: name, broken };
    }
  }
  return { start: { index: 0n, term: 0n }, broken };
}

/** The name that a file gets which is set aside. */
export function brokenName(name: string): string {
  return name + BROKEN_SUFFIX;
}
