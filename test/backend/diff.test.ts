/**
 * What differs between two dbs: against plain maps of all live keys.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { type DiffOptions, diffJob } from '../../src/backend/diff.ts';
import type { DiffResult, KeyDifference } from '../../src/backend/diff-result.ts';
import { KeyspaceScan } from '../../src/backend/keyspace-scan.ts';
import { RecordPlaces } from '../../src/backend/record-places.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, tombstone, uint64 } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { type PlainRecord, plainLive, plainRecords } from '../support/plain-usage.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const diff = (a: BackendFile, b: BackendFile, options?: DiffOptions): DiffResult => drain(diffJob(a, b, options));

type Live = ReadonlyMap<string, PlainRecord>;

/** The differences in the plainest way, as lines; keys in the order of their bytes. */
function plainDiff(a: Live, b: Live, { ignoreRevisions = false, prefix = '' } = {}): string[] {
  const lines: string[] = [];
  for (const key of [...new Set([...a.keys(), ...b.keys()])].sort(byBytes)) {
    const [inA, inB] = [a.get(key), b.get(key)];
    // No client can have a key of no bytes.
    if (key === '' || !key.startsWith(prefix)) continue;
    if (inA === undefined || inB === undefined) {
      lines.push(inA === undefined ? `+ ${key} ${plainState(inB!)}` : `- ${key} ${plainState(inA)}`);
      continue;
    }
    const parts = [
      ...(inA.value === inB.value ? [] : ['value']),
      ...(inA.lease === inB.lease ? [] : ['lease']),
      ...(revisionsOf(inA) === revisionsOf(inB) ? [] : ['revisions']),
    ];
    const counts = ignoreRevisions ? parts.filter((part) => part !== 'revisions') : parts;
    if (counts.length > 0) lines.push(`~ ${key} ${parts} ${plainState(inA)} ${plainState(inB)}`);
  }
  return lines;
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const revisionsOf = (state: Pick<PlainRecord, 'createRevision' | 'modRevision' | 'sub' | 'version'>): string =>
  `${state.createRevision}/${state.modRevision}.${state.sub}/${state.version}`;
const plainState = (record: PlainRecord): string => `${revisionsOf(record)}/${record.lease}/${record.value}`;

/** The same lines from the library. */
function linesOf(items: Iterable<KeyDifference>): string[] {
  return [...items].map((item) => {
    const states = ['a' in item ? item.a : undefined, 'b' in item ? item.b : undefined]
      .filter((state) => state !== undefined)
      .map((state) => `${revisionsOf(state)}/${state.lease}/${latin1(state.value)}`);
    const sign = { added: '+', removed: '-', changed: '~' }[item.kind];
    return [sign, latin1(item.key), ...(item.kind === 'changed' ? [item.parts.join()] : []), ...states].join(' ');
  });
}

/** Checks everything that a result says against what is expected of it. */
function expectDiff(result: DiffResult, a: Live, b: Live, options: Parameters<typeof plainDiff>[2] = {}): void {
  const expected = plainDiff(a, b, options);
  expect(linesOf(result.items())).toEqual(expected);
  const signs = { added: '+', removed: '-', changed: '~' } as const;
  for (const kind of ['added', 'removed', 'changed'] as const) {
    const ofKind = expected.filter((line) => line.startsWith(signs[kind]));
    expect(linesOf(result.items(kind))).toEqual(ofKind);
    expect([...result.keys(kind)].length).toBe(ofKind.length);
    expect(result.counts[kind]).toBe(ofKind.length);
  }
  expect([...result.keys()].map(({ key }) => latin1(key))).toEqual([...result.items()].map(({ key }) => latin1(key)));
  expect(result.different).toBe(expected.length > 0);
}

describe('dbs of real servers', () => {
  const scenarios = new Map<string, string[]>();
  // The oldest and one of the newest: what is compared does not depend on the version, and unpacking takes its time.
  for (const { name, version } of listDbFixtures()) {
    if (version !== '3.4.23' && version !== '3.6.14') continue;
    const folder = name.slice(0, name.lastIndexOf('/'));
    scenarios.set(folder, [...(scenarios.get(folder) ?? []), name]);
  }

  test.each([...scenarios])('%s', (_, names) => {
    const files = names.map((name) => new BackendFile(memorySource(readFixture(name))));
    const [first] = files as [BackendFile];
    const records = plainRecords(first.db);
    const { current, compact } = readRevisions(first.db);
    for (const other of files.slice(1)) {
      const all = 2n ** 63n - 1n;
      const live = plainLive(plainRecords(other.db), all);
      expectDiff(diff(first, other), plainLive(records, all), live);
      expectDiff(diff(other, first, { ignoreRevisions: true }), live, plainLive(records, all), {
        ignoreRevisions: true,
      });
    }
    const oldest = compact < 1n ? 1n : compact;
    for (const revisionA of [oldest, (oldest + current) / 2n]) {
      const result = diff(first, first, { revisionA });
      expect([result.revisionA, result.revisionB]).toEqual([revisionA, current]);
      expectDiff(result, plainLive(records, revisionA), plainLive(records, current));
    }
  });

  test('members of one cluster are equal, and so is a restored snapshot but for its members', () => {
    for (const version of ['3.5.33', '3.6.14', '3.7.1']) {
      const open = (name: string) => new BackendFile(memorySource(readFixture(`etcd/${version}/${name}`)));
      const members = diff(open('cluster/m1'), open('cluster/m2'));
      expect(members.different).toBe(false);
      expect(members.buckets.every(({ equal }) => equal)).toBe(true);
      const restored = diff(open('busy/snapshot'), open('restored/one'));
      expect(restored.different).toBe(false);
      expect(restored.buckets.filter(({ equal }) => !equal)).toMatchObject([{ name: 'members', added: 1, removed: 1 }]);
      // The record of a raised revision has a key of no bytes.
      expect(diff(open('busy/snapshot'), open('restored/bumped')).different).toBe(false);
    }
  });
});

describe('what counts as a difference', () => {
  const base = { key: 'k', value: 'v', createRevision: 2, modRevision: 3, version: 2, lease: 5 };
  const other = (fields: object) => openDb({ key: [put(3, 0, { ...base, ...fields })] });

  test.each([
    [{ value: 'w' }, ['value']],
    [{ value: '' }, ['value']],
    [{ lease: 0 }, ['lease']],
    [{ lease: -1 }, ['lease']],
    [{ lease: 5n + (1n << 32n) }, ['lease']],
    [{ version: 3 }, ['revisions']],
    [{ createRevision: 1 }, ['revisions']],
    [{ modRevision: 4 }, ['revisions']],
    [{ version: 2n + (1n << 53n) }, ['revisions']],
    [{ version: 3n + (1n << 53n), value: 'w', lease: 6 }, ['value', 'lease', 'revisions']],
  ])('%o', async (fields, parts) => {
    const result = diff(await other({}), await other(fields));
    expect([...result.items()]).toMatchObject([{ kind: 'changed', parts }]);
    const ignoring = diff(await other({}), await other(fields), { ignoreRevisions: true });
    expect(ignoring.different).toBe(parts.some((part) => part !== 'revisions'));
  });

  test('the number of the operation alone', async () => {
    const [a, b] = [await openDb({ key: [put(3, 0, base)] }), await openDb({ key: [put(3, 1, base)] })];
    expect([...diff(a, b).items()]).toMatchObject([{ parts: ['revisions'], a: { sub: 0n }, b: { sub: 1n } }]);
    expect(diff(a, b, { ignoreRevisions: true }).counts).toEqual({ added: 0, removed: 0, changed: 0, same: 1 });
  });

  test('numbers above 2^53 that are equal as plain numbers', async () => {
    const [a, b] = [2n ** 60n, 2n ** 60n + 1n].map((version) => other({ version }));
    expect((await runSliced(diffJob(await a!, await b!))).counts.changed).toBe(1);
    expect(diff(await a!, await a!).different).toBe(false);
  });

  test('how a message is written does not', async () => {
    // The same fields in another order, and one that no release knows.
    const [revision] = put(3, 0, base);
    const odd = await openDb({ key: [[revision, hex('3005 2a0176 2002 1803 1002 0a016b 3801')]] });
    expect(diff(await other({}), odd).different).toBe(false);
  });

  test('neither a key of no bytes nor records before revision 1', async () => {
    const a = await openDb({ key: [put(2, 0, { key: 'k' })] });
    const b = await openDb({ key: [put(0, 0, { key: 'z' }), put(2, 0, { key: 'k' }), put(9, 0, { key: '' })] });
    expect(diff(a, b).different).toBe(false);
  });
});

describe('revisions', () => {
  const made = () => openDb({ key: [2, 3, 4].map((main) => put(main, 0, { key: `k${main}` })), meta: [] });

  test('of one file', async () => {
    const file = await made();
    expect([...diff(file, file, { revisionA: 2n, revisionB: 3n }).keys()].map(({ kind }) => kind)).toEqual(['added']);
    expect([...diff(file, file, { revisionA: 4n, revisionB: 2n }).keys()].map(({ kind }) => kind)).toEqual([
      'removed',
      'removed',
    ]);
    expect(diff(file, file, { revisionA: 0n }).different).toBe(false);
  });

  test.each([
    [{ revisionA: 5n }, 'REVISION_FUTURE'],
    [{ revisionB: 99n }, 'REVISION_FUTURE'],
  ])('that are not there: %o', async (options, code) => {
    const file = await made();
    expect(() => diff(file, file, options)).toThrow(expect.objectContaining({ code }));
  });

  test('that were compacted', async () => {
    const compacted = hex(`${'00'.repeat(7)}035f${'00'.repeat(8)}`);
    const file = await openDb({ key: [put(4, 0, { key: 'k' })], meta: [['finishedCompactRev', compacted]] });
    expect(() => diff(file, file, { revisionA: 2n })).toThrow(expect.objectContaining({ code: 'REVISION_COMPACTED' }));
    expect(diff(file, file, { revisionA: 3n }).counts.added).toBe(1);
  });
});

describe('other buckets', () => {
  const pairs = (count: number, value: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => [uint64(BigInt(i)), value(i)] as const);

  test('are compared pair by pair', async () => {
    const a = await openDb({ lease: pairs(5000, () => 'x'), members: [['1', 'one']], meta: [['term', 'a']] });
    const b = await openDb({
      lease: pairs(5001, (i) => (i < 10 ? 'y' : 'x')).slice(1),
      members: [['1', 'one']],
      meta: [['term', 'b']],
    });
    const { buckets, different } = diff(a, b);
    expect(different).toBe(false);
    expect(buckets.map(({ name }) => name)).not.toContain('meta');
    expect(buckets.filter(({ equal }) => !equal)).toEqual([
      { name: 'lease', equal: false, pairsA: 5000, pairsB: 5000, added: 1, removed: 1, changed: 9 },
    ]);
  });

  test('values of any length', async () => {
    const long = (last: string): readonly (readonly [string, string])[] => [['1', `${'x'.repeat(300_000)}${last}`]];
    const open = (last: string) => openDb({ members: long(last) });
    expect(diff(await open('a'), await open('a')).buckets.every(({ equal }) => equal)).toBe(true);
    expect(diff(await open('a'), await open('b')).buckets.find(({ name }) => name === 'members')).toMatchObject({
      changed: 1,
    });
  });

  test('one that is missing differs, empty as it may be', async () => {
    const bare = await openDb({ key: [] }, { bare: true });
    const { buckets } = diff(bare, await openDb({}));
    expect(buckets.find(({ name }) => name === 'auth')).toMatchObject({ equal: false, pairsA: null, pairsB: 0 });
  });

  test('have no prefixes', async () => {
    const result = diff(await openDb({ lease: [] }), await openDb({ lease: pairs(1, () => 'x') }), {
      prefix: bytesOf('/a'),
    });
    expect(result.buckets).toEqual([]);
  });
});

describe('many differences', () => {
  const COUNT = 65_000;
  const make = (value: (i: number) => string) =>
    openDb({
      key: Array.from({ length: COUNT }, (_, i) => put(i + 2, 0, { key: `/k/${(i * 7919) % COUNT}`, value: value(i) })),
    });

  test('come in the order of keys, and cost 36 bytes a key', async () => {
    const [a, b] = [await make(() => 'a'), await make((i) => (i % 10 === 0 ? 'b' : 'a'))];
    const result = await runSliced(diffJob(a, b));
    expect(result.counts).toEqual({ added: 0, removed: 0, changed: COUNT / 10, same: (COUNT * 9) / 10 });
    const keys = [...result.keys()].map(({ key }) => latin1(key));
    expect(keys).toEqual([...keys].sort(byBytes));
    expect(result.bytesUsed).toBeLessThan(COUNT * (8 + 36) + (1 << 20));
    // Records are found again wherever they are.
    for (const item of result.items('changed')) {
      if (item.kind !== 'changed' || item.parts.join() !== 'value') expect(item).toMatchObject({ parts: ['value'] });
    }
  });
});

describe('damage', () => {
  const bad = Array.from(
    { length: 300 },
    (_, i) => [hex(`${'00'.repeat(7)}${(i % 256).toString(16).padStart(2, '0')}5e${'00'.repeat(8)}`), 'x'] as const,
  ).slice(0, 200);

  test('records that cannot be read are passed over and counted', async () => {
    const good = Array.from({ length: 200 }, (_, i) => put(i + 2, 0, { key: `k${i}`, value: `${i}` }));
    const a = await openDb({ key: [...good, ...bad] });
    const b = await openDb({ key: good.slice(100) });
    const result = diff(a, b);
    expect([result.unreadableA.count, result.unreadableB.count]).toEqual([200, 0]);
    expectDiff(result, plainLive(plainRecordsOf(good), 999n), plainLive(plainRecords(b.db), 999n));
  });

  function plainRecordsOf(records: readonly (readonly [Uint8Array, Uint8Array])[]): PlainRecord[] {
    const entries = records.map(([key, value]) => ({ key, value, isBucket: false }));
    return plainRecords({ bucket: () => ({ entries: () => entries }) } as never);
  }

  test('a record that is not where it was is not taken for another', async () => {
    const keys = Array.from({ length: 300 }, (_, i) => put(i + 2, 0, { key: `k${i}` }));
    const file = await openDb({ key: keys });
    const places = new RecordPlaces();
    const scan = new KeyspaceScan(file.db, (record) => places.note(record));
    while (!scan.step());
    expect(places.record(file.db, 1)?.main).toBe(2);
    expect(places.record(file.db, 200)?.main).toBe(201);
    expect(places.record(file.db, 300)?.main).toBe(301);
    const shorter = await openDb({ key: keys.slice(0, 10) });
    expect(places.record(shorter.db, 200)).toBeUndefined();
    expect(places.record((await openDb({}, { bare: true })).db, 5)).toBeUndefined();
  });
});

describe('files that are written to', () => {
  const KEYS = Array.from({ length: 3000 }, (_, i) => put(i + 2, 0, { key: `/k/${i}`, value: 'v'.repeat(100) }));

  test('while they are compared, are read again', async () => {
    const before = await makeDb({ key: KEYS });
    const after = nextTransaction(before);
    const quiet = changingSource(() => before);
    diff(new BackendFile(quiet), await openDb({ key: KEYS }));
    const source = changingSource((read) => (read < quiet.reads / 2 ? before : after));
    const result = diff(new BackendFile(source), await openDb({ key: KEYS }));
    expect(result.counts).toEqual({ added: 0, removed: 0, changed: 0, same: 3000 });
    expect(source.reads).toBeGreaterThan(quiet.reads);
  });

  test('after they were compared, give no differences that do not belong together', async () => {
    const before = await makeDb({ key: KEYS });
    let bytes = before;
    const file = new BackendFile(changingSource(() => bytes));
    const result = diff(file, await openDb({ key: KEYS.slice(1) }));
    expect(result.counts.removed).toBe(1);
    bytes = nextTransaction(before);
    expect(() => [...result.items()]).toThrow(expect.objectContaining({ code: 'SOURCE_CHANGED' }));
    expect([...result.keys()].length).toBe(1);
  });
});

const userKey = fc.constantFrom('a', 'b', '/a', '/a/b', '/a/c', '\xff', '\x00', '\xff\xff', 'ab');
const operation = fc.record({
  key: userKey,
  kind: fc.constantFrom('put', 'put', 'put', 'delete'),
  value: fc.constantFrom('', 'x', 'y', 'x'.repeat(2000)),
  lease: fc.constantFrom(0n, 0n, 7n, -7n),
});

function recordsOf(operations: readonly { key: string; kind: string; value: string; lease: bigint }[]) {
  return operations.map(({ key, kind, value, lease }, i) => {
    const [main, sub] = [Math.floor(i / 2) + 2, i % 2];
    if (kind === 'delete') return tombstone(main, sub, bytesOf(key));
    return put(main, sub, { key: bytesOf(key), value, lease, version: (i % 3) + 1 });
  });
}

property.prop(
  [
    fc.array(operation, { maxLength: 40 }),
    fc.array(operation, { maxLength: 40 }),
    fc.constantFrom('', '/', '/a', 'a', '\xff'),
    fc.boolean(),
    fc.nat(),
  ],
  { numRuns: 80 },
)('any two histories, any prefix, any revision', async (first, second, prefix, ignoreRevisions, seed) => {
  const [a, b] = [await openDb({ key: recordsOf(first) }), await openDb({ key: recordsOf(second) })];
  const [recordsA, recordsB] = [plainRecords(a.db), plainRecords(b.db)];
  const { current } = readRevisions(a.db);
  const revisionA = 1n + (BigInt(seed) % current);
  const options = { prefix, ignoreRevisions };
  const result = diff(a, b, { prefix: bytesOf(prefix), ignoreRevisions, revisionA });
  expectDiff(result, plainLive(recordsA, revisionA), plainLive(recordsB, 2n ** 62n), options);
  const own = diff(a, a, { prefix: bytesOf(prefix), ignoreRevisions, revisionB: revisionA });
  expectDiff(own, plainLive(recordsA, 2n ** 62n), plainLive(recordsA, revisionA), options);
});
