// Whether the consistent index tells the truth: the newest certain put must be in the db, and not too far back.
import { describe, expect, test } from 'vitest';
import { put, uint64 } from '../support/backend-db.ts';
import { checkDir, found, keyOf, type SmallDirOptions, smallDataDir, valueBy } from '../support/small-data-dir.ts';
import { putEntry } from '../support/small-log.ts';
import { ENTRY, encodeFields, type RecordToWrite } from '../support/wal-edit.ts';

const RULE = 'whether the consistent index of the db tells the truth';
const check = async (options: SmallDirOptions) => checkDir(await smallDataDir(options));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An entry with the request of that number. */
function requestEntry(index: bigint, number: number, request: Uint8Array): RecordToWrite {
  const header = encodeFields([{ number: 1, value: index }]);
  const data = encodeFields([
    { number, value: request },
    { number: 100, value: header },
  ]);
  const head = [0n, 2n, index].map((value, i) => ({ number: i + 1, value }));
  return { type: ENTRY, data: encodeFields([...head, { number: 4, value: data }]) };
}

const deleteOf = (index: bigint, key: string, end = ''): RecordToWrite =>
  requestEntry(
    index,
    5,
    encodeFields([{ number: 1, value: utf8(key) }, ...(end === '' ? [] : [{ number: 2, value: utf8(end) }])]),
  );

/** Records of the puts from entry 3 up to one, from revision 2 on. */
const records = (upTo: number) =>
  Array.from({ length: upTo - 2 }, (_, i) => put(i + 2, 0, { key: keyOf(i + 3), value: valueBy(i + 3) }));

test('the truth', async () => {
  const report = await check({});
  expect(report.examined).toContain(`${RULE}, by entry 10`);
  expect(report.verdict).toBe('healthy');
});

test('an index that is too low: entries would be applied twice', async () => {
  const report = await check({ consistentIndex: 7 });
  expect(found(report)).toEqual(['corrupt DIR_INDEX_TOO_LOW']);
  expect(report.findings[0]?.args).toEqual({ consistentIndex: '7', index: '7', revision: '6', lowest: '9' });
  expect(found(checkDir(await smallDataDir({ consistentIndex: 7 }), { level: 'full' }))).toEqual([]);
});

test('an index that is too high: entries are missing', async () => {
  const report = await check({ applied: 7, consistentIndex: 10 });
  expect(found(report)).toEqual(['corrupt DIR_INDEX_TOO_HIGH']);
  expect(report.findings[0]?.args).toMatchObject({ consistentIndex: '10', index: '10' });
});

describe('what is not certain', () => {
  test('entries behind the put that may or may not have made a revision', async () => {
    const more = [deleteOf(11n, 'x'), deleteOf(12n, 'y')];
    // Neither deleted anything: the put is at the newest revision, or up to two before it.
    expect(found(await check({ more, commit: 12, consistentIndex: 12 }))).toEqual([]);
    expect(found(await check({ more, commit: 12, consistentIndex: 12, buckets: { key: records(8) } }))).toEqual([
      'corrupt DIR_INDEX_TOO_HIGH',
    ]);
  });

  test('a put that a later entry may have deleted, and compaction removed', async () => {
    const more = [deleteOf(11n, 'k1', 'kz')];
    const report = await check({ more, commit: 11, consistentIndex: 11, buckets: { key: records(8) } });
    expect(found(report)).toEqual([]);
    expect(report.notExamined).toContain(`${RULE}: what entry 10 wrote may have been compacted`);
  });

  test('puts under a lease, and of a value that is kept', async () => {
    const leased = requestEntry(
      11n,
      4,
      encodeFields([
        { number: 1, value: utf8('a') },
        { number: 3, value: 9n },
      ]),
    );
    const kept = requestEntry(
      12n,
      4,
      encodeFields([
        { number: 1, value: utf8('b') },
        { number: 5, value: 1n },
      ]),
    );
    const report = await check({ more: [leased, kept], commit: 12, consistentIndex: 12 });
    expect(report.examined).toContain(`${RULE}, by entry 10`);
  });

  test('anything before alarms or authentication were changed', async () => {
    const listed = requestEntry(11n, 10, new Uint8Array());
    const raised = requestEntry(11n, 10, encodeFields([{ number: 1, value: 1n }]));
    expect((await check({ more: [listed], commit: 11, consistentIndex: 11 })).examined).toContain(
      `${RULE}, by entry 10`,
    );
    for (const gate of [raised, requestEntry(11n, 1000, new Uint8Array()), requestEntry(11n, 1011, new Uint8Array())]) {
      const report = await check({ more: [gate], commit: 11, consistentIndex: 11 });
      expect(report.notExamined).toContain(`${RULE}: no entry near it certainly made a revision`);
    }
  });

  test('anything while authentication is on or an alarm stands', async () => {
    const on = await check({ buckets: { auth: [['authEnabled', Uint8Array.of(1)]] }, consistentIndex: 7 });
    expect(on.findings.some(({ code }) => code === 'DIR_INDEX_TOO_LOW')).toBe(false);
    // NOSPACE of member 1.
    const alarm = await check({ buckets: { alarm: [[Uint8Array.of(8, 1, 16, 1), '']] }, consistentIndex: 7 });
    expect(alarm.notExamined.some((item) => item.startsWith(`${RULE}: there is an alarm`))).toBe(true);
  });
});

test('an entry that was overwritten later does not count', async () => {
  // Entry 10 is saved once more, with another value: that one was applied.
  const more = [putEntry(2n, 10n, keyOf(10), 'other')];
  expect(found(await check({ more }))).toEqual(['corrupt DIR_INDEX_TOO_HIGH']);
  const right = [...records(9), put(9, 0, { key: keyOf(10), value: 'other' })];
  expect(found(await check({ more, buckets: { key: right } }))).toEqual([]);
});

test('equal writes can hide it, never invent it', async () => {
  const more = Array.from({ length: 5 }, (_, i) => putEntry(2n, BigInt(11 + i), 'same', 'same'));
  const key = [
    ...records(10),
    ...more.map((_, i) => put(10 + i, 0, { key: 'same', value: 'same', createRevision: 10, version: i + 1 })),
  ];
  for (const consistentIndex of [15, 12]) {
    expect(found(await check({ more, commit: 15, consistentIndex, buckets: { key } }))).toEqual([]);
  }
});

test('a db with other damage is not accused of this', async () => {
  const meta = [
    ['consistent_index', uint64(7n)],
    ['term', uint64(2n)],
    ['storageVersion', '3.6.0'],
    ['finishedCompactRev', 'x'],
  ] as const;
  const report = await check({ buckets: { meta } });
  expect(report.verdict).toBe('damaged');
  expect(report.notExamined).toContain(`${RULE}: there is other damage`);
});
