/**
 * What takes the space: against plain sums over all records, and against what bbolt's figures say of the pages.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { type Usage, type UsageOptions, usageJob } from '../../src/backend/du.ts';
import { type PagesResult, PageWalk } from '../../src/backend/du-pages.ts';
import type { UsageNode } from '../../src/backend/du-tree.ts';
import { type BoltDb, openReadable } from '../../src/bolt/database.ts';
import type { BucketStats } from '../../src/bolt/stats.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, tombstone } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { boltFile, branch, bucket, leaf } from '../support/bolt-pages.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { type PlainUsage, plainRecords, plainUsage, prefixNames } from '../support/plain-usage.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const usageOf = (file: BackendFile, options?: UsageOptions): Usage => drain(usageJob(file, options));

/** A tree as figures by name; what stands for no name has its kind as one, behind the name above. */
function flat(node: UsageNode, found: PlainUsage = {}): PlainUsage {
  const { name, rest, children, ...figures } = node;
  found[`${latin1(name)}${rest ?? ''}`] = { ...figures };
  for (const child of children) flat(child, found);
  return found;
}

/** By namespace, names alone are not unique: that of the namespace comes before each kind. */
function flatByNamespace({ children }: UsageNode): PlainUsage {
  const found: PlainUsage = {};
  for (const { name, rest, children: kinds, ...figures } of children) {
    const namespace = `${rest ?? latin1(name)}`;
    found[namespace] = { ...figures };
    for (const kind of kinds) {
      const { name: kindName, rest: none, children: below, ...kindFigures } = kind;
      found[`${namespace} ${latin1(kindName)}`] = { ...kindFigures };
    }
  }
  return found;
}

function namespaceNames(key: string): string[] {
  const steps = key.split('/');
  if (!key.startsWith('/registry/') || steps.length < 4) return ['other-keys'];
  const kindSteps = steps[2] === 'services' && ['specs', 'endpoints'].includes(steps[3]!) ? 2 : 1;
  const kind = steps.slice(2, 2 + kindSteps).join('/');
  const namespace = steps.length > 3 + kindSteps ? steps[2 + kindSteps]! : 'no-namespace';
  return [namespace, `${namespace} ${kind}`];
}

/** The pages are as the figures of bbolt have them. */
function expectPages(db: BoltDb, { pages, buckets, moreBuckets }: PagesResult): void {
  const sum = (stats: BucketStats) => ({
    branch: stats.branchPageN,
    leaf: stats.leafPageN,
    overflow: stats.branchOverflowN + stats.leafOverflowN,
    slackBytes: stats.branchAlloc + stats.leafAlloc - stats.branchInuse - stats.leafInuse,
  });
  expect(pages).toMatchObject(sum(db.root.stats()));
  expect(pages.free).toBe(db.freelist().count);
  expect(pages.inUse + pages.free).toBe(db.highWaterMark);
  const all = [...db.buckets()];
  expect(buckets.length + moreBuckets).toBe(all.length);
  buckets.forEach(({ name, inline, pairs: _pairs, bytes: _bytes, ...figures }, i) => {
    expect({ name, inline, ...figures }).toEqual({
      name: all[i]!.name,
      inline: all[i]!.inline,
      ...sum(all[i]!.stats()),
    });
  });
}

const etcdFixtures = listDbFixtures().filter(({ kind }) => kind === 'etcd');

describe('dbs of real servers', () => {
  test.each(etcdFixtures)('$name', (fixture) => {
    const file = new BackendFile(memorySource(readFixture(fixture)));
    const records = plainRecords(file.db);
    const usage = usageOf(file, { depth: 3 });
    const { tree, buckets, mostRevised, unreadable } = usage;
    expectPages(file.db, usage);
    expect(flat(tree)).toEqual({ '': flat(tree)[''], ...plainUsage(records, (key) => prefixNames(key, 3)) });
    expect(unreadable.count).toBe(0);
    const keyBucket = buckets.find(({ name }) => latin1(name) === 'key');
    expect(tree.liveBytes + tree.historyBytes + tree.tombstoneBytes).toBe(keyBucket?.bytes ?? 0);
    expect(tree.records).toBe(keyBucket?.pairs ?? 0);
    const counts = new Map<string, number>();
    for (const { key } of records) counts.set(key, (counts.get(key) ?? 0) + 1);
    const most = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 10);
    expect(mostRevised.map(({ key, records: count }) => [latin1(key), count])).toEqual(most);
  });

  test.each(etcdFixtures.filter(({ name }) => /\/(?:k8s|busy)\//.test(name)))('by namespace: $name', (fixture) => {
    const file = new BackendFile(memorySource(readFixture(fixture)));
    const records = plainRecords(file.db);
    const { tree, kinds } = usageOf(file, { by: 'namespace' });
    expect(flatByNamespace(tree)).toEqual(plainUsage(records, namespaceNames));
    const ofKubernetes = records.filter(({ key }) => namespaceNames(key)[0] !== 'other-keys');
    const expected = plainUsage(ofKubernetes, (key) => [namespaceNames(key)[1]!.split(' ')[1]!]);
    expect(Object.fromEntries(kinds.map((kind) => Object.entries(flat(kind))[0]!))).toEqual(expected);
  });
});

describe('pages', () => {
  // Those of etcd are above.
  test.each(listDbFixtures().filter(({ kind }) => kind === 'bolt'))('of $name', (fixture) => {
    const source = memorySource(readFixture(fixture));
    const db = openReadable(source);
    const walk = new PageWalk(source, db);
    while (!walk.step());
    expectPages(db, walk.result);
  });

  test.each([
    ['two buckets that share a page', { 2: leaf(bucket('a', 3), bucket('b', 3)), 3: leaf(['k', 'v']) }],
    ['a branch that points to itself', { 2: leaf(bucket('key', 3)), 3: branch(['a', 3]) }],
  ])('%s are damage, not a walk without end', (_, made) => {
    const source = memorySource(boltFile(made));
    const walk = new PageWalk(source, openReadable(source));
    expect(() => {
      while (!walk.step());
    }).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
  });

  test('of very many buckets a thousand are listed', async () => {
    const names = Array.from({ length: 1500 }, (_, i) => `b${i}`);
    const file = await openDb(Object.fromEntries(names.map((name) => [name, [['k', 'v']]])));
    const { buckets, moreBuckets, tree } = usageOf(file, { by: 'bucket' });
    expect([buckets.length, moreBuckets]).toEqual([1000, 510]);
    expect(tree.children.length).toBe(1000);
  });
});

describe('by bucket', () => {
  test('all pairs of other buckets are live', async () => {
    const key = [put(2, 0, { key: 'a', value: 'one' }), put(3, 0, { key: 'a', value: 'two' }), tombstone(4, 0, 'b')];
    const file = await openDb({ key, lease: [['12345678', 'xy']] });
    const { tree } = usageOf(file, { by: 'bucket', prefix: bytesOf('nothing begins so') });
    const figures = flat(tree);
    expect(figures['lease']).toMatchObject({ liveBytes: 10, historyBytes: 0, records: 1, keys: 1 });
    expect(figures['key']).toMatchObject({ records: 3, keys: 1, deletedKeys: 1, tombstones: 1 });
    expect(figures['']).toMatchObject({ records: 4, keys: 2, deletedKeys: 1 });
    expect(figures['alarm']).toMatchObject({ liveBytes: 0, records: 0 });
  });
});

describe('names', () => {
  const keysOf = (...keys: readonly string[]) => ({ key: keys.map((key, i) => put(i + 2, 0, { key: bytesOf(key) })) });
  const namesIn = async (options: UsageOptions, ...keys: readonly string[]): Promise<string[]> =>
    Object.keys(flat(usageOf(await openDb(keysOf(...keys)), options).tree)).sort();

  test.each([
    ['/registry/pods/a/x', ['', '/registry/', '/registry/pods/']],
    ['registry/pods/a', ['', 'registry/', 'registry/pods/']],
    ['no-slash', ['']],
    ['/only', ['']],
    ['/dir/', ['', '/dir/']],
    ['//x', ['', '//']],
    ['a//b', ['', 'a/', 'a//']],
    ['', ['']],
    ['\xff/\x00/z', ['', '\xff/', '\xff/\x00/']],
  ])('of %j', async (key, names) => {
    expect(await namesIn({}, key)).toEqual(names);
  });

  test.each([
    [0, ['']],
    [1, ['', '/a/']],
    [100, ['', '/a/', '/a/b/', '/a/b/c/']],
  ])('%i levels deep', async (depth, names) => {
    expect(await namesIn({ depth }, '/a/b/c/d')).toEqual(names);
  });

  test.each([
    ['/registry/', ['/registry/', '/registry/pods/', '/registry/pods/a/']],
    ['/registry', ['/registry', '/registry/pods/', '/registry/pods/a/']],
    ['/reg', ['/reg', '/registry/', '/registry/pods/']],
    ['/none', ['/none']],
  ])('behind the prefix %s', async (prefix, names) => {
    expect(await namesIn({ prefix: bytesOf(prefix) }, '/registry/pods/a/x', 'other/x')).toEqual(names);
  });

  test('what is longer than 4096 bytes is none', async () => {
    const long = 'x'.repeat(5000);
    expect(await namesIn({}, `/a/${long}/b/c`, `${long}/y`)).toEqual(['', '/a/']);
    const file = await openDb(keysOf(`/registry/pods/${long}/x`, `/registry/${long}/y`, '/registry/pods/ok/x'));
    const { tree } = usageOf(file, { by: 'namespace' });
    expect(Object.keys(flatByNamespace(tree)).sort()).toEqual(['ok', 'ok pods', 'other-keys']);
    expect(tree.records).toBe(3);
  });

  test('the same name in two places is two', async () => {
    expect(await namesIn({}, '/a/x/1', '/b/x/1')).toEqual(['', '/a/', '/a/x/', '/b/', '/b/x/']);
  });

  test('a prefix outside of the usual roots is the root of the paths of Kubernetes', async () => {
    const file = await openDb(keysOf('/t1/pods/default/x', '/t1/minions/n', '/registry/pods/team/x'));
    const names = (prefix: string): string[] =>
      Object.keys(flatByNamespace(usageOf(file, { by: 'namespace', prefix: bytesOf(prefix) }).tree)).sort();
    expect(names('/t1/')).toEqual(['default', 'default pods', 'no-namespace', 'no-namespace minions']);
    expect(names('/registry/pods/')).toEqual(['team', 'team pods']);
    expect(names('')).toEqual(['other-keys', 'team', 'team pods']);
  });

  test('too many are added up under one for each place, and nothing is lost', async () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => put(i + 2, 0, { key: `/top${i % 7}/name${i}/x` }));
    const { tree } = usageOf(await openDb({ key: keys }), { maxNames: 100 });
    const figures = flat(tree);
    expect(Object.keys(figures).length).toBeLessThanOrEqual(1 + 100 + 7 + 1);
    expect(tree).toMatchObject({ records: 20_000, keys: 20_000 });
    const sum = tree.children.reduce((total, { records }) => total + records, 0);
    expect(sum).toBe(20_000);
    expect(figures['/top3/other-names']!['records']).toBeGreaterThan(1000);
    const none = usageOf(await openDb({ key: keys }), { maxNames: 0 });
    expect(none.tree.children).toMatchObject([{ rest: 'other-names', records: 20_000, children: [] }]);
  });

  test.each([{ depth: 101 }, { depth: -1 }, { depth: 1.5 }, { maxNames: 2e6 }, { top: 20_000 }])(
    'limits: %o',
    async (options) => {
      const file = await openDb({});
      expect(() => usageOf(file, options)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );
});

describe('records', () => {
  test('what a server does not see is history', async () => {
    const { tree } = usageOf(await openDb({ key: [put(0, 0, { key: 'a' }), put(2, 0, { key: 'b' })] }));
    expect(tree).toMatchObject({ keys: 1, deletedKeys: 1, records: 2 });
    expect(tree.historyBytes).toBe(17 + 3 + 2);
  });

  test('what cannot be read is counted apart', async () => {
    const bad = [
      [hex('00'.repeat(16)), 'x'],
      [hex(`${'00'.repeat(7)}055f${'00'.repeat(8)}`), hex('ffffff')],
    ] as const;
    const { tree, unreadable } = usageOf(await openDb({ key: [put(2, 0, { key: 'a' }), ...bad] }));
    expect(tree.records).toBe(1);
    expect(unreadable.count).toBe(2);
  });

  test('no bucket at all', async () => {
    const { tree, buckets, mostRevised } = usageOf(await openDb({}, { bare: true }));
    expect(tree).toMatchObject({ records: 0, liveBytes: 0, children: [] });
    expect([buckets, mostRevised]).toEqual([[], []]);
  });

  test('memory stays at the bytes of the keys and 32 bytes each', async () => {
    const count = 100_000;
    const key = Array.from({ length: count }, (_, i) =>
      put(i + 2, 0, { key: `/registry/pods/namespace-${i % 50}/p${i}` }),
    );
    const { bytesUsed } = usageOf(await openDb({ key }));
    const keyBytes = key.length * 34;
    expect(bytesUsed).toBeLessThan(keyBytes + 33 * count + (2 << 20));
  });

  const step = fc.constantFrom('/', 'a', 'b', '\xff', '\x00', '//', 'registry', '/a/');
  const userKey = fc.array(step, { maxLength: 6 }).map((steps) => steps.join(''));
  const operation = fc.record({ key: userKey, kind: fc.constantFrom('put', 'put', 'delete'), size: fc.nat(300) });
  property.prop([fc.array(operation, { maxLength: 60 }), fc.nat(4), fc.constantFrom('', '/', 'a', '/a', 'a/')], {
    numRuns: 60,
  })('any history, any depth, any prefix', async (operations, depth, prefix) => {
    const key = operations.map(({ key: name, kind, size }, i) => {
      if (kind === 'delete') return tombstone(Math.floor(i / 3) + 2, i % 3, bytesOf(name));
      return put(Math.floor(i / 3) + 2, i % 3, { key: bytesOf(name), value: 'v'.repeat(size) });
    });
    const file = await openDb({ key }, { pageSize: 1024 });
    const { tree } = usageOf(file, { depth, prefix: bytesOf(prefix) });
    const expected = plainUsage(plainRecords(file.db), (name) => prefixNames(name, depth, prefix));
    expect(flat(tree)).toEqual({ [prefix]: flat(tree)[prefix], ...expected });
    expect(tree.children).toEqual(
      [...tree.children].sort((a, b) => sizeOf(b) - sizeOf(a) || (latin1(a.name) < latin1(b.name) ? -1 : 1)),
    );
  });
  const sizeOf = ({ liveBytes, historyBytes, tombstoneBytes }: UsageNode): number =>
    liveBytes + historyBytes + tombstoneBytes;
});

describe('a file that is written to meanwhile', () => {
  const KEYS = Array.from({ length: 4000 }, (_, i) => put(i + 2, 0, { key: `/k/${i}`, value: 'v'.repeat(100) }));

  test('is read again, and given up in the end', async () => {
    const states = [await makeDb({ key: KEYS })];
    for (let i = 0; i < 6; i++) states.push(nextTransaction(states.at(-1)!));
    const quiet = changingSource(() => states[0]!);
    usageOf(new BackendFile(quiet));
    const source = changingSource((read) => states[read < quiet.reads / 2 ? 0 : 1]!);
    const usage = await runSliced(usageJob(new BackendFile(source)));
    expect(usage.tree.records).toBe(4000);
    expect(source.reads).toBeGreaterThan(quiet.reads * 1.4);
    const restless = new BackendFile(changingSource((read) => states[Math.floor(read / 8) % 7]!));
    await expect(runSliced(usageJob(restless))).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });
});
