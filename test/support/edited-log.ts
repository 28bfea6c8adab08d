/**
 * The log of a member in memory, to be changed and then read, or written to a directory. Files may be shared between a log
 * and what was made of it, so their bytes are never changed in place.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SegmentInput } from '../../src/wal/segment-input.ts';
import type { Severity } from './bolt-recipes.ts';
import { type LogFixture, wholeFile, writeSparse } from './log-fixtures.ts';
import { zeroTailedSource } from './zero-tailed-source.ts';

/** A file of `size` bytes: `bytes` (never more than `size`), then zeros. */
export interface ZeroTailedFile {
  readonly bytes: Uint8Array;
  readonly size: number;
}

export interface EditedLog {
  /** Every file of `member/wal`, by name. */
  readonly segments: Map<string, ZeroTailedFile>;
  /** Every file of `member/snap` but the db, by name. */
  readonly snaps: Map<string, Uint8Array>;
  /** Other files, by path below `member/`. */
  readonly others: Map<string, Uint8Array>;
}

/** A way to damage, or to change without damage, the log of a fixture. */
export interface LogRecipe {
  readonly name: string;
  readonly area: 'wal' | 'snap' | 'datadir';
  /** The scenario that it was made for; the member is `m1`. */
  readonly base: 'busy' | 'segments';
  /** What is true of the result, seen from the whole data directory. */
  readonly severity: Severity;
  /** The least one must look at to see it. */
  readonly needs: 'wal' | 'snap' | 'dir';
  readonly what: string;
  /** Gives a changed copy. Another variant (from 0) moves the damage to another place of the same kind. */
  apply(log: EditedLog, variant: number): EditedLog;
}

/** The files of a fixture, to be changed. */
export function editableLog({ walFiles, snapFiles }: Pick<LogFixture, 'walFiles' | 'snapFiles'>): EditedLog {
  return {
    segments: new Map(walFiles.map(({ name, bytes, size }) => [name, { bytes, size }])),
    snaps: new Map(snapFiles.map((file) => [file.name, wholeFile(file)])),
    others: new Map(),
  };
}

/** The same files in maps of their own. */
export function copyLog({ segments, snaps, others }: EditedLog): EditedLog {
  return { segments: new Map(segments), snaps: new Map(snaps), others: new Map(others) };
}

/** Names of the files that end in `.wal`, in order. */
function segmentNames(log: EditedLog): string[] {
  return [...log.segments.keys()].filter((name) => name.endsWith('.wal')).sort();
}

/** Name and file of segment `n` in order of name; negative numbers count from the last. */
export function segmentAt(log: EditedLog, n: number): [name: string, file: ZeroTailedFile] {
  const name = segmentNames(log).at(n);
  const file = name === undefined ? undefined : log.segments.get(name);
  if (name === undefined || !file) throw new Error(`the log has no segment ${n}`);
  return [name, file];
}

/** The first `size` bytes of a file; zeros are added where it is shorter. */
export function resized({ bytes }: ZeroTailedFile, size: number): ZeroTailedFile {
  return { bytes: bytes.subarray(0, size), size };
}

/** The segments as sources to read, in order of name. */
export function segmentInputs(log: EditedLog): SegmentInput[] {
  return segmentNames(log).map((name) => {
    const { bytes, size } = log.segments.get(name)!;
    return { name, source: zeroTailedSource(bytes, size, name) };
  });
}

/** Writes the files below `directory/member`, as a data directory without db. */
export function writeLog(log: EditedLog, directory: string): void {
  const write = (path: string, { bytes, size }: ZeroTailedFile): void => {
    const full = join(directory, 'member', path);
    mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
    writeSparse(full, bytes, size);
  };
  const whole = (bytes: Uint8Array): ZeroTailedFile => ({ bytes, size: bytes.length });
  for (const folder of ['wal', 'snap']) mkdirSync(join(directory, 'member', folder), { recursive: true, mode: 0o700 });
  for (const [name, file] of log.segments) write(join('wal', name), file);
  for (const [name, bytes] of log.snaps) write(join('snap', name), whole(bytes));
  for (const [path, bytes] of log.others) write(path, whole(bytes));
}
