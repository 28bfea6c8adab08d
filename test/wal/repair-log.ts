/**
 * What the tests of the repair have in common: the log that a plan makes, and the entries of a log.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { readWal } from '../../src/wal/reader.ts';
import type { RepairPlan } from '../../src/wal/repair-plan.ts';
import { plannedSource } from '../../src/wal/repair-segment.ts';
import type { WalFiles } from '../../src/wal/segment-input.ts';
import { buildLog, emptyEntry, metadata, putEntry, type SmallSegment, snapshot, state } from '../support/small-log.ts';

export const [FIRST, SECOND, THIRD]: readonly [string, string, string] = [
  '0000000000000000-0000000000000000.wal',
  '0000000000000001-0000000000000004.wal',
  '0000000000000002-0000000000000006.wal',
];
const NODE = 0x1000n;
const ZEROS = 400;

/** Three segments. The snapshot at 6 needs the third only. */
export function threeSegments(): SmallSegment[] {
  const head = metadata(NODE, 0x2000n);
  return buildLog(
    [
      {
        name: FIRST,
        records: [
          head,
          snapshot(0n, 0n),
          // Not what makes members: then the cluster's id would have to fit.
          emptyEntry(2n, 1n),
          state(2n, NODE, 1n),
          putEntry(2n, 2n, 'a', '2'),
          putEntry(2n, 3n, 'a', '3'),
          state(2n, NODE, 3n),
        ],
      },
      {
        name: SECOND,
        records: [
          head,
          state(2n, NODE, 3n),
          putEntry(2n, 4n, 'b', '4'.repeat(700)),
          state(2n, NODE, 4n),
          putEntry(2n, 5n, 'c', '5'),
          state(2n, NODE, 5n),
        ],
      },
      {
        name: THIRD,
        records: [
          head,
          state(2n, NODE, 5n),
          putEntry(2n, 6n, 'd', '6'),
          state(2n, NODE, 6n),
          snapshot(6n, 2n, NODE),
          putEntry(3n, 7n, 'e', '7'.repeat(900)),
          state(3n, NODE, 7n),
        ],
      },
    ],
    ZEROS,
  );
}

export const filesOf = (segments: readonly SmallSegment[], others: readonly string[] = []): WalFiles => ({
  segments: segments
    .map(({ name, bytes }) => ({ name, source: memorySource(bytes, name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
  others,
});

/** The log that the plan makes of `files`. */
export function plannedFiles({ segments }: RepairPlan, files: WalFiles): WalFiles {
  return {
    segments: segments.map((planned) => {
      const old = files.segments.find(({ name }) => name === planned.from)!;
      return { name: planned.name, source: plannedSource(planned, old.source) };
    }),
  };
}

/** The surviving entries above an index, each as text, up to the first damage. */
export function entriesAbove(files: WalFiles, index: bigint): string[] {
  const found: string[] = [];
  for (const entry of readWal(files).entries()) {
    if (entry.index <= index) continue;
    const data = createHash('sha1')
      .update(entry.data ?? '')
      .digest('hex');
    found.push(`${entry.term}/${entry.index} ${entry.type} ${data}`);
  }
  return found;
}

/** What holds for every plan, whatever the log was. */
export function expectSound(plan: RepairPlan): void {
  const { outcome, segments, after, remaining, reasons, losses } = plan;
  expect(reasons.length > 0).toBe(outcome === 'refused');
  if (outcome !== 'repair') return;
  expect(segments.length).toBeGreaterThan(0);
  expect(after?.findings.filter(({ severity }) => severity !== 'info')).toEqual(remaining);
  expect(remaining.every(({ severity }) => severity === 'repairable')).toBe(true);
  expect(after?.wal?.etcd.map(({ outcome: start }) => start)).toContain('starts');
  expect(after?.wal?.etcd.map(({ outcome: start }) => start)).not.toContain('repairs');
  const { commit, lastIndex, snapshot } = after!.wal!;
  const last = Math.max(Number(lastIndex ?? 0), Number(snapshot?.index ?? 0));
  expect(Number(commit ?? 0)).toBeLessThanOrEqual(last);
  if (losses.length === 0) expect(Number(plan.before.wal?.commit ?? 0)).toBeLessThanOrEqual(last);
}
