// The check of a log as a whole: its steps, its levels, what it is told beforehand, and places that cannot be read.
import { describe, expect, test, vi } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { checkWal, WalCheckJob } from '../../src/wal/check.ts';
import { faultySource } from '../support/faulty.ts';
import { referenceSegment } from '../support/reference-log.ts';
import type { SmallSegment } from '../support/small-log.ts';
import { systematicCases, systematicLog } from './damage/systematic-cases.ts';
import { bytes, RawLog, snapshot, state } from './etcd/raw-log.ts';
import { checked, codesOf, grown, inputsOf, NODE, named, putEntry, started, steady } from './log-maker.ts';

/** Three segments of which a start needs all. */
const three = (): SmallSegment[] => {
  const log = grown(
    grown(started(), 2n, 30n)
      .begin(named(1, 31))
      .head()
      .add(3, state(1n, NODE, 30n)),
    31n,
    60n,
  );
  return grown(
    log
      .begin(named(2, 61))
      .head()
      .add(3, state(1n, NODE, 60n)),
    61n,
    90n,
  ).segments;
};

describe('a check in steps', () => {
  test('comes to the same as in one go, and tells how far it is', () => {
    const job = new WalCheckJob({ segments: inputsOf(three()) }, { windowSize: 64 });
    expect(() => job.result).toThrow('the check has not ended');
    let last = 0;
    let steps = 0;
    while (!job.step()) {
      const { done, total } = job.progress;
      expect(done).toBeGreaterThanOrEqual(last);
      expect(done).toBeLessThanOrEqual(total);
      last = done;
      steps++;
    }
    expect(steps).toBeGreaterThan(3);
    expect(job.progress.done).toBe(job.progress.total);
    expect(steady(job.result)).toEqual(steady(checked(three())));
    expect(job.step()).toBe(true);
  });
});

describe('levels', () => {
  test('sanity looks at the last segment only', () => {
    const segments = three();
    segments[0]!.bytes[300]! ^= 1;
    expect(checked(segments).verdict).toBe('damaged');
    // The snapshots are in the segments that are not looked at.
    const report = checked(segments, { level: 'sanity' });
    expect(codesOf(report)).toEqual([]);
    expect(report.level).toBe('sanity');
    expect(report.notExamined).toContain('the segments before the last');
    expect(report.wal?.etcd).toEqual([]);
    expect(report.wal?.segments.map(({ records }) => records > 0)).toEqual([false, false, true]);
  });

  test('sanity says nothing of what only the segments before could show', () => {
    // A last segment with its head only: its state commits entries of the segments before.
    const log = grown(started(), 2n, 30n)
      .begin(named(1, 31))
      .head()
      .add(3, state(1n, NODE, 30n));
    expect(codesOf(checked(log.segments, { level: 'sanity' }))).toEqual([]);
    log.raw(bytes([1, 2, 3]));
    expect(codesOf(checked(log.segments, { level: 'sanity' }))).toEqual(['WAL_TORN_TAIL repairable']);
    expect(codesOf(checked(log.segments, { level: 'sanity', mustReach: 31n }))).toEqual([
      'WAL_TAIL_LOSES_COMMITTED corrupt',
    ]);
    // Whether segments are missing is not known without them.
    const [first, , third] = three();
    expect(codesOf(checked([first!, third!], { level: 'sanity' }))).toEqual([]);
    expect(codesOf(checked([first!, third!]))).toEqual(['WAL_SEGMENT_MISSING corrupt']);
  });

  test('sanity finds damage in the last segment', () => {
    const segments = three();
    segments[2]!.bytes[300]! ^= 1;
    expect(checked(segments, { level: 'sanity' }).verdict).toBe('damaged');
  });

  test('deep is as full, and says so', () => {
    const report = checked(three(), { level: 'deep' });
    expect(report.verdict).toBe('healthy');
    expect(report.notExamined.join()).toContain('level deep');
  });
});

describe('what a check is told', () => {
  test('whose log it should be', () => {
    expect(codesOf(checked(three(), { nodeId: NODE, clusterId: 0x20n }))).toEqual([]);
    expect(codesOf(checked(three(), { nodeId: 1n }))).toEqual(['WAL_METADATA_UNEXPECTED refuse']);
    const report = checked(three(), { nodeId: 1n, clusterId: 2n });
    expect(report.verdict).toBe('refused');
    expect(report.findings.map(({ args }) => args)).toEqual([
      { what: 'member', expected: '1', actual: '10' },
      { what: 'cluster', expected: '2', actual: '20' },
    ]);
  });

  test('damage is not hidden behind a refusal', () => {
    const segments = three();
    segments[1]!.bytes[300]! ^= 1;
    expect(checked(segments, { nodeId: 1n }).verdict).toBe('damaged');
  });

  test('how many findings are kept: the worst, and all are counted', () => {
    const log = grown(started(), 2n, 3n);
    for (let i = 0n; i < 50n; i++) log.add(2, putEntry(4n + i)).add(3, bytes([0xff]));
    const { findings, counts } = checkWal(
      { segments: inputsOf(log.segments), others: ['a', 'b', 'c'] },
      { maxFindings: 2, windowSize: 4096 },
    );
    expect(findings).toHaveLength(2);
    expect(findings[0]?.severity).toBe('corrupt');
    expect(counts['info']).toBe(3);
  });

  test('where the db has got to: a torn end below that is damage', () => {
    const log = grown(started(), 2n, 5n).raw(bytes([1, 2, 3]));
    expect(codesOf(checked(log.segments))).toEqual(['WAL_TORN_TAIL repairable']);
    expect(codesOf(checked(log.segments, { mustReach: 5n }))).toEqual(['WAL_TORN_TAIL repairable']);
    expect(codesOf(checked(log.segments, { mustReach: 6n }))).toEqual(['WAL_TAIL_LOSES_COMMITTED corrupt']);
    expect(checked(log.segments).notExamined).toContain(
      'the db beside the log: whether it has got further than the log',
    );
  });
});

describe('a place that cannot be read', () => {
  const withFault = (which: number, ranges: readonly (readonly [number, number])[]): ReturnType<typeof checkWal> => {
    const segments = inputsOf(three()).map(({ name, source }, i) => ({
      name,
      source: i === which ? faultySource(source, { failAt: ranges }) : source,
    }));
    return checkWal({ segments }, { windowSize: 128 });
  };

  test.each([0, 1, 2])('in segment %d: it is named, and the rest is examined', (which) => {
    const { offset } = referenceSegment(three()[which]!.bytes).records[20]!;
    const report = withFault(which, [[offset + 10, offset + 11]]);
    expect(codesOf(report)[0]).toBe('WAL_UNREADABLE unknown');
    expect(report.findings[0]).toMatchObject({ file: three()[which]!.name, offset });
    expect(report.verdict).toBe('undecided');
    const rows = report.wal!.segments.map(({ records, whole }) => [records > 20, whole]);
    expect(rows.filter(([, whole]) => whole)).toHaveLength(2);
    expect(report.wal?.damage).toMatchObject([{ kind: 'unreadable', offset }]);
    // What lies behind it in the same segment was looked for.
    expect(report.wal?.damage[0]?.behind.records).toBe(0);
  });

  test('a whole segment', () => {
    const report = withFault(1, [[0, 1_000_000]]);
    expect(codesOf(report)).toContain('WAL_UNREADABLE unknown');
    expect(report.wal?.segments.map(({ records }) => records > 0)).toEqual([true, false, true]);
  });

  test('a file that got shorter since it was opened', () => {
    const segments = inputsOf(three()).map(({ name, source }, i) => ({
      name,
      source: i === 2 ? faultySource(source, { shrinkTo: 200 }) : source,
    }));
    const report = checkWal({ segments }, { windowSize: 64 });
    expect(codesOf(report)).toEqual(['WAL_UNREADABLE unknown']);
    expect(report.findings[0]?.args).toMatchObject({ reason: expect.stringContaining('ends at') });
  });

  test('far behind the end of the log: nothing is lost with it', () => {
    const [{ name, bytes: content }] = grown(started(), 2n, 3n).segments as [SmallSegment];
    const whole = new Uint8Array(3_000_000);
    whole.set(content);
    const source = faultySource(memorySource(whole), { failAt: [[2_000_000, 2_000_001]] });
    expect(codesOf(checkWal({ segments: [{ name, source }] }))).toEqual([]);
  });
});

test('without WebAssembly a check says the same', () => {
  const cases = [...systematicCases()].filter((_, i) => i % 80 === 0);
  const expected = cases.map(({ segments }) => steady(checked(segments)));
  vi.stubGlobal('WebAssembly', undefined);
  try {
    for (const [i, { id, segments }] of cases.entries()) expect(steady(checked(segments)), id).toEqual(expected[i]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('what a check of a whole log tells', () => {
  const report = checkWal({ segments: inputsOf(systematicLog()) }, { path: 'member/wal' });
  expect(report).toMatchObject({ schema: 1, path: 'member/wal', kind: 'wal', level: 'full' });
  expect(report.wal).toMatchObject({
    firstIndex: '1',
    lastIndex: '8',
    lastTerm: '3',
    entries: 8,
    overwritten: 1,
    commit: '8',
    term: '3',
    vote: '4096',
    nodeId: '4096',
    clusterId: '8192',
    snapshotRecords: 2,
    snapshot: { index: '5', term: '2' },
    damage: [],
  });
  expect(report.wal?.segments).toMatchObject([
    { records: 8, entries: 3, firstIndex: '1', lastIndex: '3', whole: true, needed: false },
    { records: 7, entries: 2, firstIndex: '4', lastIndex: '5', whole: true, needed: true },
    { records: 8, entries: 4, firstIndex: '6', lastIndex: '8', whole: true, needed: true },
  ]);
  // All of it is plain data.
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test('a log of one save, of nothing but its head, of a single entry', () => {
  expect(codesOf(checked(started().segments))).toEqual([]);
  const head = new RawLog().head().add(5, snapshot(0n, 0n));
  expect(codesOf(checked(head.segments))).toEqual(['WAL_NO_STATE info']);
});
