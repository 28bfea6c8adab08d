// What the check of a log knows beyond its report: who takes part, from where on it is whole, which requests only some releases know.
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { type CheckWalOptions, WalCheckJob } from '../../src/wal/check.ts';
import { isKnownToAll, isKnownToEtcd36 } from '../../src/wal/entry-payload-check.ts';
import { segmentName } from '../../src/wal/segment-name.ts';
import { logFixture, segments } from '../support/log-fixtures.ts';
import {
  addNodeEntry,
  buildLog,
  emptyEntry,
  metadata,
  putEntry,
  type SegmentPlan,
  snapshot,
  state,
} from '../support/small-log.ts';
import { encodeFields, type RecordToWrite } from '../support/wal-edit.ts';

function check(plans: readonly SegmentPlan[], options: CheckWalOptions = {}) {
  const files = buildLog(plans).map(({ name, bytes }) => ({ name, source: memorySource(bytes) }));
  const job = new WalCheckJob({ segments: files }, options);
  drain(job);
  return job;
}

const one = (...records: RecordToWrite[]): SegmentPlan[] => [
  { name: segmentName(0n, 0n), records: [metadata(1n, 2n), snapshot(0n, 0n), ...records] },
];
const puts = (from: bigint, to: bigint, term = 2n): RecordToWrite[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, i) => putEntry(term, from + BigInt(i), `k${i}`, 'v'));

describe('the configuration', () => {
  test('from the first entry on', () => {
    const { facts } = check(
      one(addNodeEntry(1n, 1n, 1n), ...puts(2n, 4n), addNodeEntry(2n, 5n, 7n), state(2n, 1n, 5n)),
    );
    expect([...facts.configurationAt(4n)!.voters]).toEqual([1n]);
    expect([...facts.configurationAt(5n)!.voters]).toEqual([1n, 7n]);
    expect(facts.configurationAt(0n)!.voters.size).toBe(0);
    expect(facts.changes).toEqual([
      { index: 1, type: 0, nodeId: 1n },
      { index: 5, type: 0, nodeId: 7n },
    ]);
  });

  test('from a snapshot that says who took part, or a file that does', () => {
    const purged = (snap: RecordToWrite) => [
      {
        name: segmentName(4n, 12n),
        records: [metadata(1n, 2n), state(2n, 1n, 11n), ...puts(12n, 20n), state(2n, 1n, 20n), snap],
      },
    ];
    const { facts } = check(purged(snapshot(15n, 2n, 3n, 4n)));
    expect([...facts.configurationAt(20n)!.voters]).toEqual([3n, 4n]);
    expect(facts.configurationAt(14n)).toBeUndefined();
    const old = check(purged(snapshot(15n, 2n))).facts;
    expect(old.configurationAt(20n)).toBeUndefined();
    const confState = { voters: [5n], learners: [6n] };
    expect(old.configurationAt(20n, { index: 15n, confState })).toMatchObject({ learners: new Set([6n]) });
    expect(old.configurationAt(14n, { index: 15n, confState })).toBeUndefined();
  });

  test('a change that was overwritten is none', () => {
    const records = [
      addNodeEntry(1n, 1n, 1n),
      ...puts(2n, 3n),
      addNodeEntry(2n, 4n, 7n),
      emptyEntry(3n, 4n),
      state(3n, 1n, 4n),
    ];
    expect([...check(one(...records)).facts.configurationAt(4n)!.voters]).toEqual([1n]);
  });
});

test('from where on it is whole', () => {
  const gap = check(one(...puts(1n, 4n), ...puts(6n, 9n), state(2n, 1n, 9n))).facts;
  expect([0n, 3n, 4n, 5n, 9n].map((index) => gap.isWholeFrom(index))).toEqual([false, false, false, true, true]);
  const purged = check([
    { name: segmentName(4n, 12n), records: [metadata(1n, 2n), ...puts(12n, 20n), state(2n, 1n, 20n)] },
  ]).facts;
  expect([0n, 11n, 12n].map((index) => purged.isWholeFrom(index))).toEqual([false, false, true]);
  expect(purged).toMatchObject({ isWhole: true, lastIndex: 20n, entries: 9 });
});

test('a log of which only the end was read is not whole from its beginning', () => {
  const job = new WalCheckJob({ segments: segments(logFixture('3.6.14/segments/m1')) }, { level: 'sanity' });
  drain(job);
  expect(job.facts.isWholeFrom(0n)).toBe(false);
  expect(job.facts.isWhole).toBe(false);
});

describe('requests that only some releases know', () => {
  test('v2 requests: the last of all, and the last that 3.6 does not take', () => {
    const facts = (name: string) => {
      const job = new WalCheckJob({ segments: segments(logFixture(name)) });
      drain(job);
      return job.facts.lastV2;
    };
    // 3.4 logs one for every look at its health.
    expect(facts('3.4.23/fresh/m1').other).toBeGreaterThan(0);
    // 3.5 puts its name and the version there.
    expect(facts('3.5.33/fresh/m1')).toEqual({ any: 4, other: 0 });
    expect(facts('3.6.14/fresh/m1')).toEqual({ any: 0, other: 0 });
  });

  test('requests by field', () => {
    const request = (number: number) =>
      encodeFields([
        { number: 1, value: 5n },
        { number, value: new Uint8Array() },
      ]);
    const known = (number: number) => isKnownToAll(request(number), 0, request(number).length);
    expect([3, 4, 9, 11, 1000, 1105, 1204].map(known)).toEqual(Array(7).fill(true));
    expect([2, 100, 1013, 1300, 1302, 9900].map(known)).toEqual(Array(6).fill(false));
    const v2 = (method: string, path: string) =>
      encodeFields([
        { number: 2, value: new TextEncoder().encode(method) },
        { number: 3, value: new TextEncoder().encode(path) },
      ]);
    expect(isKnownToEtcd36(v2('PUT', '/0/version'))).toBe(true);
    expect(isKnownToEtcd36(v2('PUT', '/0/members/8e9e05c52164694d/attributes'))).toBe(true);
    for (const other of [v2('QGET', ''), v2('PUT', '/1/key'), v2('DELETE', '/0/version'), Uint8Array.of(0xff)]) {
      expect(isKnownToEtcd36(other)).toBe(false);
    }
  });

  test('one that is still to be applied makes the start be tried', () => {
    const request = encodeFields([
      { number: 1, value: 5n },
      { number: 9900, value: new Uint8Array() },
    ]);
    const head = [0n, 2n, 2n].map((value, i) => ({ number: i + 1, value }));
    const entry = { type: 2, data: encodeFields([...head, { number: 4, value: request }]) };
    const log = one(addNodeEntry(1n, 1n, 1n), entry, state(2n, 1n, 2n));
    const outcomes = (consistentIndex: bigint) =>
      check(log, { beside: { consistentIndex } }).result.wal?.etcd.map(({ outcome }) => outcome);
    expect(outcomes(2n)).toEqual(['starts', 'starts', 'starts', 'starts']);
    expect(outcomes(1n)?.slice(0, 2)).toEqual(['panics', 'panics']);
  });
});

test('beside snap files that are known, a start goes by those', () => {
  const log = one(
    addNodeEntry(1n, 1n, 1n),
    ...puts(2n, 9n),
    state(2n, 1n, 9n),
    snapshot(4n, 2n, 1n),
    snapshot(8n, 2n, 1n),
  );
  const starts = (snapFiles: { index: bigint; term: bigint }[]) =>
    check(log, { beside: { snapFiles } }).result.wal?.etcd.map(({ snapshot: from }) => from?.index ?? null);
  expect(starts([{ index: 8n, term: 2n }])).toEqual(['8', '8', '8', '8']);
  expect(starts([{ index: 4n, term: 2n }])).toEqual(['4', '4', '4', '8']);
  expect(starts([])).toEqual([null, null, null, '8']);
});
