/**
 * Small logs for tests of reading and checking, right in everything unless a test changes something.
 */
import { memorySource } from '../../src/io/byte-source.ts';
import type { CheckReport } from '../../src/report.ts';
import { type CheckWalOptions, checkWal } from '../../src/wal/check.ts';
import type { SegmentInput } from '../../src/wal/segment-input.ts';
import type { SmallSegment } from '../support/small-log.ts';
import { bytes, entry, number, RawLog, snapshot, state, text } from './etcd/raw-log.ts';

/** The member of these logs, as `RawLog.head()` names it. */
export const NODE = 0x10n;

/** The payload of a put. */
export const put = (key: string, value: string, id = 7n): Uint8Array =>
  bytes(text(4, bytes(text(1, key), text(2, value))), text(100, number(1, id)));

/** A put as an entry of term 1. */
export const putEntry = (index: bigint, term = 1n): Uint8Array =>
  entry(index, put(`k${index}`, `v${index}`, index), term);

/** A new log: head, snapshot 0, an empty entry of index 1, and its state. */
export const started = (): RawLog =>
  new RawLog()
    .head()
    .add(5, snapshot(0n, 0n))
    .add(2, entry(1n))
    .add(3, state(1n, NODE, 1n));

/** Entries `first` to `last`, each committed by a state of its own. */
export function grown(log: RawLog, first: bigint, last: bigint, term = 1n): RawLog {
  for (let index = first; index <= last; index++) log.add(2, putEntry(index, term)).add(3, state(term, NODE, index));
  return log;
}

/** Segments as a check takes them. */
export const inputsOf = (segments: readonly SmallSegment[]): SegmentInput[] =>
  segments.map(({ name, bytes: content }) => ({ name, source: memorySource(content, name) }));

/** A check with a window that suits small logs. */
export const checked = (segments: readonly SmallSegment[], options: CheckWalOptions = {}): CheckReport =>
  checkWal({ segments: inputsOf(segments) }, { windowSize: 4096, ...options });

/** Code and severity of each finding. */
export const codesOf = ({ findings }: CheckReport): string[] =>
  findings.map(({ code, severity }) => `${code} ${severity}`);

/** The name of segment `sequence` from `index` on. */
export const named = (sequence: number, index: number): string =>
  `${sequence.toString(16).padStart(16, '0')}-${index.toString(16).padStart(16, '0')}.wal`;

/** A report without what depends on the clock. */
export const steady = (report: CheckReport): Omit<CheckReport, 'elapsedMs' | 'bytesRead'> => {
  const { elapsedMs: _, bytesRead: __, ...rest } = report;
  return rest;
};
