// A whole start in thought, on small logs made here and on those of real members.
import { describe, expect, it, test } from 'vitest';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { chooseSnapshot, simulateStart } from '../../../src/wal/etcd/start.ts';
import type { SegmentInput } from '../../../src/wal/segment-input.ts';
import { faultySource } from '../../support/faulty.ts';
import { logFixture, segments } from '../../support/log-fixtures.ts';
import type { SmallSegment } from '../../support/small-log.ts';
import { zeroTailedSource } from '../../support/zero-tailed-source.ts';
import { entry, frame, RawLog, SEGMENT_0, snapshot, state } from './raw-log.ts';
import { startCases } from './start-cases.ts';

const inputs = (list: readonly SmallSegment[]): SegmentInput[] =>
  list.map(({ name, bytes }) => ({ name, source: memorySource(bytes, name) }));

describe.each(ETCD_MINORS)('a start of %s', (minor) => {
  it.each(startCases().map((one) => [one.id, one] as const))('on a log with: %s', (_, one) => {
    const start = simulateStart(inputs(one.segments), minor, { consistentIndex: 0n });
    expect(start.outcome, start.words).toBe(typeof one.outcome === 'string' ? one.outcome : one.outcome[minor]);
    const words = typeof one.words === 'string' ? one.words : one.words?.[minor];
    if (words !== undefined) expect(start.words).toContain(words);
    const goesOn = start.outcome === 'starts' || start.outcome === 'repairs';
    if (one.lastIndex !== undefined && goesOn) expect(start.lastIndex).toBe(one.lastIndex);
    expect(start.outcome === 'starts').toBe(start.words === '');
    expect(start.cut === undefined || start.outcome === 'repairs').toBe(true);
  });
});

test('a directory without a log is a new member', () => {
  expect(simulateStart([], '3.6')).toEqual({
    version: '3.6',
    outcome: 'starts',
    words: '',
    snapshot: null,
    lastIndex: 0n,
    entries: 0,
  });
});

test('a repair says what it cuts off', () => {
  const { segments: list } = startCases().find(({ id }) => id === 'stray bytes at the end')!;
  const { outcome, cut, words } = simulateStart(inputs(list), '3.5');
  expect({ outcome, cut, words }).toEqual({
    outcome: 'repairs',
    cut: { segment: SEGMENT_0, offset: list[0]!.bytes.length - 3, bytes: 3 },
    words: 'repaired WAL {"error":"unexpected EOF"}',
  });
});

test('a place is named where the words are about one', () => {
  const log = RawLog.started();
  const at = log.offset;
  const start = simulateStart(inputs(log.add(9, entry(2n)).segments), '3.6');
  expect(start).toMatchObject({ outcome: 'refuses', segment: SEGMENT_0, offset: at });
});

describe('the snapshot', () => {
  const snapshots = [
    { index: 0n, term: 0n },
    { index: 3n, term: 2n },
    { index: 5n, term: 1n },
    { index: 3n, term: 1n },
  ];
  test('is the last of the log in 3.7', () => {
    expect(chooseSnapshot(snapshots, '3.7', [])).toEqual({ index: 3n, term: 1n });
    expect(chooseSnapshot([], '3.7', undefined)).toBeNull();
  });
  test('is the newest with a file in older ones, by term first', () => {
    expect(chooseSnapshot(snapshots, '3.6', undefined)).toEqual({ index: 3n, term: 2n });
    expect(chooseSnapshot(snapshots, '3.5', [{ index: 5n, term: 1n }])).toEqual({ index: 5n, term: 1n });
    expect(chooseSnapshot(snapshots, '3.4', [{ index: 9n, term: 9n }])).toBeNull();
    expect(chooseSnapshot(snapshots.slice(0, 1), '3.6', undefined)).toBeNull();
  });
  test('decides which entries are read', () => {
    const log = RawLog.started()
      .add(5, snapshot(1n, 1n))
      .add(2, entry(2n))
      .add(3, state(1n, 1n, 2n));
    const files = inputs(log.segments);
    expect(simulateStart(files, '3.6')).toMatchObject({ snapshot: { index: 1n, term: 1n }, entries: 1, lastIndex: 2n });
    expect(simulateStart(files, '3.6', { snapFiles: [] })).toMatchObject({ snapshot: null });
  });
});

test('a file that cannot be read makes a server refuse', () => {
  const [file] = inputs(RawLog.started().segments);
  const start = simulateStart([{ name: file!.name, source: faultySource(file!.source, { failAt: [[0, 8]] }) }], '3.6');
  expect(start).toMatchObject({ outcome: 'refuses' });
  expect(start.words).toContain('input/output error');
});

test('the log of a member that came from 3.5 panics in 3.7 as long as v2 requests are to be applied', () => {
  const { outcome, words } = simulateStart(segments(logFixture('3.5.33/fresh/m1')), '3.7');
  expect([outcome, words]).toEqual([
    'panics',
    'unmarshal should never fail (proto: cannot parse invalid wire-format data)',
  ]);
});

test('a record too large to be read here is said to be unknown', () => {
  const mib = 1024 * 1024;
  const { segments: list } = RawLog.started().raw(frame(new Uint8Array(), { field: BigInt(300 * mib) }));
  const [{ name, bytes }] = list as [SmallSegment];
  const files = [{ name, source: zeroTailedSource(bytes, 400 * mib, name) }];
  expect(simulateStart(files, '3.6')).toMatchObject({ outcome: 'unknown', words: 'record of 314572800 bytes' });
  expect(simulateStart(files, '3.4')).toMatchObject({
    outcome: 'refuses',
    words: 'wal: max entry size limit exceeded',
  });
});
