import { describe, expect, test } from 'vitest';
import { readMeta } from '../../src/backend/meta.ts';
import { encodeRevision, parseRevision } from '../../src/backend/revision.ts';
import { readableRevision, readRevisions } from '../../src/backend/revisions.ts';
import { detectStorageVersion } from '../../src/backend/storage-version.ts';
import { hex, openDb, type Pairs, put, tombstone, uint64 } from '../support/backend-db.ts';

const compact = (main: bigint): Uint8Array => encodeRevision({ main, sub: 0n });
const revisionsOf = async (key: Pairs, meta: Pairs) => readRevisions((await openDb({ key, meta })).db);
const scheduled = (main: bigint) => ['scheduledCompactRev', compact(main)] as const;
const finished = (main: bigint) => ['finishedCompactRev', compact(main)] as const;

describe('revisions', () => {
  test.each([
    ['a new db', [], [], 1n, -1n, false],
    ['writes', [put(2, 0, { key: 'a' }), put(9, 3, { key: 'b' })], [], 9n, -1n, false],
    ['a delete at the end', [put(2, 0, { key: 'a' }), tombstone(3, 0, 'a')], [], 3n, -1n, false],
    ['compacted', [put(9, 0, { key: 'a' })], [scheduled(5n), finished(5n)], 9n, 5n, false],
    ['the newest revision compacted away', [put(4, 0, { key: 'a' })], [scheduled(6n), finished(6n)], 6n, 6n, false],
    ['interrupted', [put(9, 0, { key: 'a' })], [scheduled(7n), finished(5n)], 9n, 7n, true],
    ['asked for, never finished', [put(9, 0, { key: 'a' })], [scheduled(7n)], 9n, 7n, true],
    ['asked for beyond the end, as a bump does', [put(9, 0, { key: 'a' })], [scheduled(1009n)], 1009n, 1009n, true],
    ['scheduled at 0', [put(9, 0, { key: 'a' })], [scheduled(0n)], 9n, -1n, false],
    ['finished alone', [put(9, 0, { key: 'a' })], [finished(3n)], 9n, 3n, false],
    ['records below revision 1 only', [put(0, 0, { key: 'a' })], [], 1n, -1n, false],
  ] as const)('%s', async (_, key, meta, current, compactRevision, pending) => {
    const found = await revisionsOf(key, meta);
    expect(found).toMatchObject({ current, compact: compactRevision, compactionPending: pending });
  });

  test('a damaged key at the end is passed over', async () => {
    const { last } = await revisionsOf([put(2, 0, { key: 'a' }), [hex('ff'.repeat(16)), 'x']], []);
    expect(last).toEqual({ main: 2n, sub: 0n });
  });

  test('what may be read', async () => {
    const state = await revisionsOf([put(9, 0, { key: 'a' })], [scheduled(5n), finished(5n)]);
    for (const wanted of [undefined, 0n, -3n]) expect(readableRevision(state, wanted)).toBe(9n);
    for (const wanted of [5n, 6n, 9n]) expect(readableRevision(state, wanted)).toBe(wanted);
    expect(() => readableRevision(state, 4n)).toThrow(
      expect.objectContaining({ code: 'REVISION_COMPACTED', message: expect.stringContaining('has been compacted') }),
    );
    expect(() => readableRevision(state, 10n)).toThrow(
      expect.objectContaining({ code: 'REVISION_FUTURE', message: expect.stringContaining('is a future revision') }),
    );
  });

  test('revision keys, there and back', () => {
    for (const tombstoned of [false, true]) {
      const key = encodeRevision({ main: 10n, sub: 1n }, tombstoned);
      expect(parseRevision(key)).toEqual({ main: 10n, sub: 1n, tombstone: tombstoned, oddMark: false });
    }
    expect(compact(10n)).toEqual(hex('000000000000000a 5f 0000000000000000'));
  });
});

const metaOf = async (meta: Pairs) => readMeta((await openDb({ meta })).db);

describe('meta', () => {
  test('what a server of 3.6 writes', async () => {
    const meta = await metaOf([
      ['confState', '{"voters":[7234835788977491870],"learners":[2901093197592896047],"auto_leave":false}'],
      ['consistent_index', uint64(20n)],
      finished(10n),
      scheduled(10n),
      ['storageVersion', '3.6.0'],
      ['term', uint64(2n)],
    ]);
    expect(meta).toEqual({
      present: true,
      consistentIndex: 20n,
      term: 2n,
      confState: {
        voters: [7234835788977491870n],
        learners: [2901093197592896047n],
        votersOutgoing: [],
        learnersNext: [],
        autoLeave: false,
      },
      storageVersion: '3.6.0',
      scheduledCompact: 10n,
      finishedCompact: 10n,
      unreadable: new Map(),
    });
  });

  test('nothing there', async () => {
    const empty = await metaOf([]);
    expect(empty).toMatchObject({ present: true, consistentIndex: null, confState: null, finishedCompact: null });
    expect(readMeta((await openDb({ key: [] }, { bare: true })).db)).toEqual({ ...empty, present: false });
  });

  test.each([
    ['consistentIndex', 'consistent_index', hex('00')],
    ['term', 'term', hex('00'.repeat(9))],
    ['finishedCompact', 'finishedCompactRev', hex('000000000000000a 20 0000000000000000')],
    ['scheduledCompact', 'scheduledCompactRev', hex('000000000000000a 5f 0000000000000000 74')],
    ['scheduledCompact', 'scheduledCompactRev', hex('800000000000000a 5f 0000000000000000')],
    ['storageVersion', 'storageVersion', 'x.y.z'],
    ['storageVersion', 'storageVersion', ''],
    ['confState', 'confState', '{"voters":[1'],
    ['confState', 'confState', '[]'],
    ['confState', 'confState', '{"voters":["1"]}'],
    ['confState', 'confState', '{"voters":[1.5]}'],
    ['confState', 'confState', '{"voters":{}}'],
    ['confState', 'confState', '{"auto_leave":1}'],
  ] as const)('a bad value is null, and named: %s', async (field, key, value) => {
    const meta = await metaOf([
      [key, value],
      ['other', 'x'],
    ]);
    expect(meta[field]).toBeNull();
    expect([...meta.unreadable.keys()]).toEqual([field]);
  });
});

describe('storage version', () => {
  const INDEX = ['consistent_index', uint64(5n)] as const;
  const TERM = ['term', uint64(2n)] as const;
  const CONF = ['confState', '{"voters":[1],"auto_leave":false}'] as const;
  test.each([
    ['stored', [INDEX, TERM, ['storageVersion', '3.7.0']], '3.7.0', 'stored', '3.7.0'],
    ['stored, without anything else', [['storageVersion', '3.6.0']], '3.6.0', 'stored', '3.6.0'],
    ['3.5', [INDEX, TERM, CONF], '3.5', 'term', '3.5'],
    ['garbage stored', [INDEX, TERM, ['storageVersion', 'x.y.z']], '3.5', 'term', '3.5'],
    ['3.4', [INDEX], null, 'nothing', '3.4'],
    ['a term of 0', [INDEX, ['term', uint64(0n)]], null, 'nothing', '3.4'],
    ['a term without an index', [TERM], null, 'nothing', '3.5'],
    ['a confState alone', [CONF], null, 'nothing', '3.5'],
    ['nothing at all', [], null, 'nothing', '3.4'],
  ] as const)('%s', async (_, meta, detected, by, byEtcd34) => {
    expect(detectStorageVersion(await metaOf(meta as Pairs))).toEqual({ detected, by, byEtcd34 });
  });
});
