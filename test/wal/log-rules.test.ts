// The rules among records, told one by one.
import { describe, expect, test } from 'vitest';
import { argsOf, type LogEnd, LogRules } from '../../src/wal/log-rules.ts';
import { MetadataRule } from '../../src/wal/metadata-rule.ts';
import { bytes, METADATA, number } from './etcd/raw-log.ts';

const END: LogEnd = { snapshotIndex: 0, startSegment: 0, commit: 100, canCommitAgain: true };

/** Tells entries and states; what is wrong at the end. */
function judged(tell: (rules: LogRules) => void, end: Partial<LogEnd> = {}): string[] {
  const rules = new LogRules();
  tell(rules);
  return rules.judge({ ...END, ...end }).map(({ violation, severity }) => {
    const { times, ...args } = argsOf(violation) as Record<string, string>;
    return `${violation.code} ${severity} ${Object.values(args).join(' ')} x${times} at ${violation.place.segment}:${violation.place.offset}`;
  });
}

const entries = (rules: LogRules, term: number, ...indexes: number[]): void => {
  for (const index of indexes) rules.entry(0, 10 * index, 0, term, index);
};

describe('entries', () => {
  test('one after the other', () => {
    const tell = (rules: LogRules): void => {
      rules.hardState(0, 0, 3, 0, 0, 0);
      entries(rules, 3, 5, 6, 7);
    };
    expect(judged(tell)).toEqual([]);
  });

  test('a gap is told once a segment, with how often; the furthest too if it is worse', () => {
    const tell = (rules: LogRules): void => {
      rules.hardState(0, 0, 1, 0, 0, 0);
      entries(rules, 1, 1, 3, 5, 9);
    };
    expect(judged(tell)).toEqual(['WAL_ENTRY_GAP corrupt 2 2 x3 at 0:30']);
    expect(judged(tell, { snapshotIndex: 4 })).toEqual([
      'WAL_ENTRY_GAP repairable 2 2 x3 at 0:30',
      'WAL_ENTRY_GAP corrupt 6 8 x1 at 0:90',
    ]);
    expect(judged(tell, { snapshotIndex: 8 })).toEqual(['WAL_ENTRY_GAP repairable 2 2 x3 at 0:30']);
    expect(judged(tell, { startSegment: 1 })).toEqual(['WAL_ENTRY_GAP repairable 2 2 x3 at 0:30']);
  });

  test('a gap that a snapshot covers is none', () => {
    expect(
      judged((rules) => {
        rules.hardState(0, 0, 1, 0, 0, 0);
        entries(rules, 1, 1, 2);
        rules.snapshot(0, 25, 70, 1);
        entries(rules, 1, 71, 72);
      }),
    ).toEqual([]);
  });

  test('after damage anything may follow', () => {
    expect(
      judged((rules) => {
        rules.hardState(0, 0, 1, 0, 0, 0);
        entries(rules, 1, 1, 2);
        rules.interrupt();
        entries(rules, 1, 9, 10);
      }),
    ).toEqual([]);
  });

  test('terms are compared with the entry that is really before', () => {
    expect(
      judged((rules) => {
        rules.hardState(0, 0, 4, 0, 0, 0);
        entries(rules, 4, 1, 2, 3);
        // Entry 3 is replaced; the one before it is 2, of term 4.
        entries(rules, 3, 3);
      }),
    ).toEqual(['WAL_ENTRY_TERM_BACK repairable 3 3 4 x1 at 0:30']);
  });

  test('entries that cannot be applied do not matter once they are replaced', () => {
    expect(
      judged((rules) => {
        rules.hardState(0, 0, 2, 0, 0, 0);
        rules.entry(0, 1, 7, 1, 1);
        rules.entry(0, 2, 0, 1, 2);
        rules.badPayload(0, 2, 2, 'nonsense');
        rules.entry(0, 3, 0, 2, 1);
      }),
    ).toEqual([]);
    expect(
      judged((rules) => {
        rules.hardState(0, 0, 2, 0, 0, 0);
        rules.entry(0, 1, 7, 1, 1);
        rules.entry(0, 2, 0, 1, 2);
        rules.badPayload(0, 2, 2, 'nonsense');
        rules.entry(0, 3, 0, 2, 2);
      }),
    ).toEqual(['WAL_ENTRY_TYPE corrupt 1 7 x1 at 0:1']);
  });
});

describe('hard states', () => {
  const states = (...list: [term: number, vote: bigint, commit: number][]): string[] =>
    judged((rules) => {
      entries(rules, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
      for (const [i, [term, vote, commit]] of list.entries())
        rules.hardState(0, 1000 + i, term, Number(vote), 0, commit);
    });

  test('never go back', () => {
    expect(states([1, 5n, 3], [1, 5n, 3], [2, 5n, 4])).toEqual([]);
    expect(states([2, 5n, 3], [1, 5n, 3])).toEqual(['WAL_STATE_BACK repairable the term 1 2 x1 at 0:1001']);
    expect(states([2, 5n, 3], [2, 5n, 2])).toEqual(['WAL_STATE_BACK repairable the commit index 2 3 x1 at 0:1001']);
    expect(states([2, 5n, 3], [1, 5n, 2])).toEqual([
      // Both in one: the first is told.
      'WAL_STATE_BACK repairable the term 1 2 x2 at 0:1001',
    ]);
  });

  test('a vote is given once a term', () => {
    expect(states([1, 0n, 1], [1, 5n, 1], [2, 6n, 1])).toEqual([]);
    expect(states([1, 5n, 1], [1, 6n, 1])).toEqual(['WAL_VOTE_CHANGED repairable 1 6 5 x1 at 0:1001']);
    expect(states([1, 5n, 1], [1, 0n, 1])).toEqual(['WAL_VOTE_CHANGED repairable 1 0 5 x1 at 0:1001']);
  });

  test('a commit of what is not there protects nothing', () => {
    expect(
      judged((rules) => {
        entries(rules, 0, 1, 2);
        rules.hardState(0, 1, 5, 0, 0, 2000);
        entries(rules, 1, 3, 4);
        rules.hardState(0, 2, 5, 0, 0, 2000);
        entries(rules, 2, 5);
        entries(rules, 3, 5);
      }),
    ).toEqual([]);
  });
});

test('a million snapshot records leave a few in memory', () => {
  const rules = new LogRules();
  for (let i = 0; i < 100_000; i++) rules.snapshot(0, i, i, 1);
  expect(rules.snapshots.length).toBeLessThanOrEqual(10_000);
  expect(rules.snapshotRecords).toBe(100_000);
  expect([rules.snapshots[0]?.index, rules.snapshots.at(-1)?.index]).toEqual([0, 99_999]);
});

describe('metadata', () => {
  const other = bytes(number(1, 0x11), number(2, 0x20));

  test('the owner is whom those name that a start reads', () => {
    const rules = new LogRules();
    const metadata = new MetadataRule(rules);
    metadata.add(undefined, { segment: 0, offset: 0 });
    metadata.add(METADATA, { segment: 0, offset: 8 });
    metadata.add(other, { segment: 1, offset: 0 });
    metadata.add(other, { segment: 2, offset: 0 });
    expect(metadata.records).toBe(4);
    expect(metadata.first?.owner.nodeId).toBe(0x10n);
    expect([0, 1, 2, 9].map((segment) => metadata.ownerFrom(segment)?.nodeId)).toEqual([0x10n, 0x11n, 0x11n, 0x10n]);
    const severities = (startSegment: number): string[] =>
      rules.judge({ ...END, startSegment }).map(({ violation, severity }) => `${violation.code} ${severity}`);
    expect(severities(0)).toEqual([
      'WAL_METADATA_EMPTY info',
      'WAL_METADATA_CONFLICT corrupt',
      'WAL_METADATA_CONFLICT corrupt',
    ]);
    expect(severities(1)).toEqual([
      'WAL_METADATA_EMPTY info',
      'WAL_METADATA_CONFLICT repairable',
      'WAL_METADATA_CONFLICT repairable',
    ]);
  });

  test('very many contents are not kept', () => {
    const rules = new LogRules();
    const metadata = new MetadataRule(rules);
    for (let i = 1; i < 1000; i++) metadata.add(bytes(number(1, i)), { segment: 0, offset: i });
    expect(rules.judge(END)).toHaveLength(1);
    expect(rules.judge(END)[0]?.violation.times).toBe(998);
  });
});
