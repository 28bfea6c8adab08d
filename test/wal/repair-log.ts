/**
 * What the tests of the repair have in common: the log that a plan makes, and the entries of a log.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { WalFiles } from '../../src/wal/check-names.ts';
import { readWal } from '../../src/wal/reader.ts';
import type { RepairPlan } from '../../src/wal/repair-plan.ts';
import { plannedSource } from '../../src/wal/repair-segment.ts';

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
