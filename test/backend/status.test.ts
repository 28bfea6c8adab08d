/**
 * The status of a db: against the numbers of real tools for a known db, against a plain model for every fixture, and for inputs that
 * make those tools crash.
 */
import { fc, test as propertyTest } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { DbContent } from '../../src/backend/db-content.ts';
import { LiveKeys } from '../../src/backend/live-keys.ts';
import { type BackendStatus, StatusJob } from '../../src/backend/status.ts';
import { BulkRead } from '../../src/bolt/bulk-read.ts';
import { checkBolt } from '../../src/bolt/check.ts';
import { damageReport } from '../../src/bolt/content-job.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { isDatadirError } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, type Pairs, put, tombstone, uint64 } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { faultySource } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { GOLDEN_BUCKETS, GOLDEN_HASHES, goldenDb } from '../support/golden-db.ts';
import { modelStatus } from '../support/status-model.ts';

const open = (input: Uint8Array | ByteSource): BackendFile =>
  new BackendFile(input instanceof Uint8Array ? memorySource(input) : input);
const statusOf = (input: Uint8Array | ByteSource): BackendStatus => drain(new StatusJob(open(input)));

function failureOf(input: Uint8Array | ByteSource): unknown {
  try {
    statusOf(input);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The figures that the model has too. */
function figures(status: BackendStatus) {
  const { hashes, totalKey, records, keyRecords, members, unreadable } = status;
  return { hashes, totalKey, records, keyRecords, members, unreadable: unreadable.count };
}

/** The same by way of the reader, which takes pages of any lawful form. */
function slowFigures(bytes: Uint8Array) {
  const keys = new LiveKeys();
  const target = new DbContent(undefined, (record) => keys.add(record));
  const reading = new BulkRead(openReadable(bytes), target);
  while (!reading.step());
  const { records, keyRecords, members, unreadable } = target;
  return {
    hashes: target.hashes(),
    totalKey: keys.count,
    records,
    keyRecords,
    members,
    unreadable: unreadable.count,
  };
}

describe('the golden db', () => {
  test('has the numbers of etcdutl, in both meanings of keys', async () => {
    const bytes = await goldenDb();
    const status = statusOf(bytes);
    expect(status).toMatchObject({
      hash: 1298659996,
      revision: 14n,
      totalKey: 4,
      records: 19,
      keyRecords: 9,
      members: 1,
      version: '3.6.0',
      storageVersion: { detected: '3.6.0', by: 'stored' },
      clusterVersion: '3.6.0',
      consistentIndex: 20n,
      term: 2n,
      hashes: GOLDEN_HASHES,
      hashRule: '3.6',
      unreadable: { count: 0 },
      findings: [],
      pageSize: 4096,
      fileSize: bytes.length,
    });
    expect(status.revisions).toMatchObject({ current: 14n, compact: 10n, compactionPending: false });
  });

  test('sizes: up to the high water mark, and what is not free of it', async () => {
    const bytes = await goldenDb();
    const { highWaterMark } = openReadable(bytes);
    expect(statusOf(bytes)).toMatchObject({ totalSize: highWaterMark * 4096, sizeInUse: highWaterMark * 4096 });
    // A trailer, and preallocated space, count for the file only.
    const longer = new Uint8Array(bytes.length + 32);
    longer.set(bytes);
    expect(statusOf(longer)).toMatchObject({ totalSize: bytes.length, fileSize: bytes.length + 32, hash: 1298659996 });
  });

  test('of a compaction that was only asked for', async () => {
    const meta = GOLDEN_BUCKETS['meta']?.map(([key, value]): Pairs[number] =>
      key === 'scheduledCompactRev' ? [key, hex('00000000000000105f0000000000000000')] : [key, value],
    );
    const status = statusOf(await goldenDb({ meta: meta ?? [] }));
    expect(status.revision).toBe(14n);
    expect(status.revisions).toMatchObject({
      current: 16n,
      compact: 16n,
      scheduledCompact: 16n,
      finishedCompact: 10n,
      compactionPending: true,
    });
  });
});

describe('every fixture', () => {
  test.each(listDbFixtures().filter(({ kind }) => kind !== 'surgery'))('$name: as the model has it', (fixture) => {
    const bytes = readFixture(fixture);
    const status = statusOf(bytes);
    expect(figures(status)).toEqual(modelStatus(bytes));
    expect(slowFigures(bytes)).toEqual(figures(status));
    const { pagesInUse = 0, pageSize = 0, highWaterMark } = checkBolt(bytes).bolt ?? {};
    expect(status).toMatchObject({ sizeInUse: pagesInUse * pageSize, totalSize: Number(highWaterMark) * pageSize });
  });
});

describe('inputs that etcdutl does not survive, or takes in another way', () => {
  test('no bucket at all: nothing hashed, nothing there', async () => {
    expect(statusOf(await makeDb({}, { bare: true }))).toMatchObject({
      hash: 0,
      revision: 0n,
      totalKey: 0,
      records: 0,
      version: '',
      consistentIndex: null,
      term: null,
      clusterVersion: null,
      members: 0,
      revisions: { current: 1n, compact: -1n, last: null },
    });
  });

  test('no meta: all hashes are the same', async () => {
    const { hashes, hash } = statusOf(await makeDb({ cluster: [], members: [] }, { bare: true }));
    expect(hash).toBe(0x21186dda);
    expect(hashes.byRule).toEqual({ '3.4': hash, '3.5': hash, '3.6': hash });
  });

  test('empty key and meta', async () => {
    expect(statusOf(await makeDb({ key: [], meta: [] }, { bare: true })).hash).toBe(0xd102f6ec);
  });

  test('no key: revision 0, no keys', async () => {
    const bytes = await makeDb({ meta: [['consistent_index', uint64(4n)]] }, { bare: true });
    expect(statusOf(bytes)).toMatchObject({ revision: 0n, totalKey: 0, keyRecords: 0, consistentIndex: 4n });
  });

  const bad: [string, Pairs[number]][] = [
    ['a key of two bytes', ['zz', '']],
    ['another separator', [hex('0000000000000009 5e 0000000000000000'), hex('0a0161')]],
    ['a negative revision', [hex('ffffffffffffff09 5f 0000000000000000'), hex('0a0161')]],
    ['a value that is no message', [hex('0000000000000009 5f 0000000000000000'), hex('0a05616263')]],
  ];
  test.each(bad)('%s: counted as unreadable, hashed, and passed over', async (_, pair) => {
    const good = [put(2, 0, { key: 'a' }), put(3, 0, { key: 'b' }), tombstone(4, 0, 'a')];
    const bytes = await makeDb({ key: [...good, pair] });
    const status = statusOf(bytes);
    expect(status).toMatchObject({ totalKey: 1, keyRecords: 4, records: 4 });
    expect(status.unreadable).toMatchObject({ count: 1 });
    expect(figures(status)).toEqual(modelStatus(bytes));
    // The place is that of its key.
    const { offset, pageId } = status.unreadable;
    const key = typeof pair[0] === 'string' ? new TextEncoder().encode(pair[0]) : pair[0];
    expect(bytes.subarray(offset, offset + key.length)).toEqual(key);
    expect(Math.floor(offset / 4096)).toBe(pageId);
  });

  test('a key of 18 bytes without a t counts as a put, an empty value as the empty key', async () => {
    const [revision, value] = put(5, 0, { key: 'odd' });
    const key: Pairs = [
      [hex(`${Buffer.from(revision).toString('hex')}61`), value],
      [put(6, 0, {})[0], ''],
    ];
    expect(statusOf(await makeDb({ key }))).toMatchObject({ totalKey: 2, unreadable: { count: 0 } });
  });

  test('a storage version that is none', async () => {
    const meta: Pairs = [['storageVersion', 'newest']];
    expect(statusOf(await makeDb({ meta }))).toMatchObject({
      version: '',
      storageVersion: { detected: null, by: 'nothing' },
    });
  });

  test('a bucket in bucket key is hashed as a key without value, what is in it is not', () => {
    const [revision, value] = put(2, 0, { key: 'a' });
    const inner = inlineBucket('nested', leaf(['x', 'y']));
    const bytes = boltFile({
      2: leaf(bucket('key', 3), bucket('test', 4)),
      3: leaf([revision, value], inner),
      4: leaf(),
    });
    const status = statusOf(bytes);
    expect(status).toMatchObject({ records: 2, totalKey: 1, unreadable: { count: 1, pageId: 3 } });
    const all = Buffer.concat([Buffer.from('key'), revision, value, Buffer.from('nestedtest')]);
    expect(status.hash).toBe(crc32c(all));
    expect(slowFigures(bytes)).toEqual(figures(status));
    const { offset } = status.unreadable;
    expect(Buffer.from(bytes.subarray(offset, offset + 6)).toString()).toBe('nested');
  });
});

describe('buckets behind meta', () => {
  test('are in all hashes', async () => {
    const bytes = await goldenDb({ test: [['k', 'v']], zoo: [['lion', new Uint8Array(100_000).fill(7)]] });
    expect(figures(statusOf(bytes))).toEqual(modelStatus(bytes));
    expect(statusOf(bytes).hash).not.toBe(GOLDEN_HASHES.everything);
  });

  test('a meta with large values, some of which a rule leaves out', async () => {
    const large = (length: number, byte: number) => new Uint8Array(length).fill(byte);
    const meta: Pairs = [
      ['term', large(3 << 20, 1)],
      ['other', large(300_000, 2)],
      ['consistent_index', large(700_000, 3)],
    ];
    const bytes = await makeDb({ meta, test: [['k', 'v']] });
    expect(figures(statusOf(bytes))).toEqual(modelStatus(bytes));
    expect(slowFigures(bytes)).toEqual(modelStatus(bytes));
  });
});

describe('large records', () => {
  const large = (revision: number, key: string, length: number) =>
    put(revision, 0, { key, value: new Uint8Array(length).fill(revision) });

  test('up to several megabytes count like others', async () => {
    const key = [large(2, 'a', 1 << 20), large(3, 'b', 5 << 20), large(4, 'c', 300_000), tombstone(5, 0, 'b')];
    const bytes = await makeDb({ key });
    const status = statusOf(bytes);
    expect(status).toMatchObject({ totalKey: 2, unreadable: { count: 0 } });
    expect(figures(status)).toEqual(modelStatus(bytes));
    expect(slowFigures(bytes)).toEqual(figures(status));
  });

  test('one that is no message, and its place', async () => {
    const [revision] = put(2, 0, {});
    const bytes = await makeDb({ key: [[revision, new Uint8Array(4 << 20).fill(0xff)]] });
    const { unreadable } = statusOf(bytes);
    expect(unreadable.count).toBe(1);
    expect(bytes.subarray(unreadable.offset, unreadable.offset + 17)).toEqual(revision);
  });
});

describe('pages that are not as bbolt writes them, but lawful', () => {
  const [first, second] = [put(2, 0, { key: 'a' }), put(9, 0, { key: 'b' })];

  test('a branch with a key below the first one of its child: the checker is asked, and the result is the same', () => {
    const pages = { 2: leaf(bucket('key', 3)), 4: leaf(first), 5: leaf(second) };
    const plain = boltFile({ ...pages, 3: branch([first[0], 4], [second[0], 5]) });
    const rare = boltFile({ ...pages, 3: branch([hex('00'), 4], [second[0], 5]) });
    const { findings, ...facts } = statusOf(rare);
    expect({ ...facts, findings: [] }).toEqual(statusOf(plain));
    expect(findings.map(({ code }) => code)).toEqual(['BOLT_BRANCH_KEY_NOT_FIRST']);
    expect(facts).toMatchObject({ totalKey: 2, revision: 9n, sizeInUse: 6 * 512 });
  });

  test('bytes left behind the last element', () => {
    const edit = new BoltEdit(boltFile({ 2: leaf(bucket('key', 3)), 3: leaf(first) }));
    edit.bytes.fill(9, edit.at(3, 200), edit.at(3, 210));
    edit.bytes.fill(9, edit.at(3, 32 + first[0].length + first[1].length), edit.at(3, 100));
    expect(statusOf(edit.bytes)).toMatchObject({ totalKey: 1, findings: [] });
  });

  test('a stored freelist is in use, what it lists is not; a damaged one is no hindrance', () => {
    const pages = { 2: leaf(bucket('key', 3)), 3: leaf(first), 4: freelist(5, 6, 7), 8: leaf() };
    expect(statusOf(boltFile(pages, { freelist: 4 }))).toMatchObject({ sizeInUse: 5 * 512, totalSize: 9 * 512 });
    const damaged = statusOf(boltFile({ ...pages, 4: freelist(3, 3, 999) }, { freelist: 4 }));
    expect(damaged).toMatchObject({ totalKey: 1, totalSize: 9 * 512 });
  });
});

describe('damage', () => {
  test('a cut file, a wrong page id and keys out of order are refused, with findings', async () => {
    const bytes = await goldenDb();
    const wrongId = new BoltEdit(readFixture('etcd/3.6.14/busy/m1'));
    const [page = 0] = wrongId.treePages().slice(-1);
    wrongId.setU64(wrongId.at(page), 3n);
    const unordered = boltFile({ 2: leaf(bucket('key', 3)), 3: leaf(['b', '1'], ['a', '2']) });
    for (const damaged of [bytes.slice(0, bytes.length - 4096), wrongId.bytes, unordered]) {
      const error = failureOf(damaged);
      expect(isDatadirError(error, 'BOLT_SOURCE_DAMAGED')).toBe(true);
      expect(damageReport(error)?.findings.length).toBeGreaterThan(0);
    }
  });

  test('what has no meta page cannot be opened', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(4000)]) {
      expect(isDatadirError(failureOf(bytes), 'BOLT_NO_META')).toBe(true);
    }
  });

  test('a damaged newer meta: the state before, and the finding', () => {
    const edit = new BoltEdit(readFixture('etcd/3.6.14/busy/m1'));
    edit.flip(edit.at(edit.newerMeta, 72), 1);
    expect(statusOf(edit.bytes).findings.map(({ code }) => code)).toEqual(['BOLT_META_NEWER_INVALID']);
  });

  test('a place that cannot be read is an error of reading', async () => {
    const bytes = readFixture('etcd/3.6.14/busy/m1');
    const [page = 0] = new BoltEdit(bytes).treePages().slice(-1);
    const failing = faultySource(memorySource(bytes), { failAt: [[page * 4096, page * 4096 + 1]] });
    expect(isDatadirError(failureOf(failing), 'IO_FAILED')).toBe(true);
  });

  propertyTest.prop([fc.array(fc.tuple(fc.nat(99), fc.nat(4095), fc.nat(255)), { minLength: 1, maxLength: 4 })], {
    numRuns: 100,
  })('bytes changed anywhere: the status of the model, or one of our errors', (changes) => {
    const bytes = readFixture('etcd/3.6.14/busy/m1').slice(0, 100 * 4096);
    for (const [page, at, byte] of changes) bytes[page * 4096 + at] = byte;
    let status: BackendStatus;
    try {
      status = statusOf(bytes);
    } catch (error) {
      expect(isDatadirError(error)).toBe(true);
      return;
    }
    expect(figures(status)).toEqual(modelStatus(bytes));
  });
});

describe('a file that is written to', () => {
  // Without the preallocated space.
  const first = readFixture('etcd/3.6.14/busy/m1').slice(0, 100 * 4096);

  test('once: it is read again', () => {
    const second = nextTransaction(first);
    const { txid } = openReadable(second);
    const status = statusOf(changingSource((read) => (read < 9 ? first : second)));
    expect(status).toMatchObject({ txid, totalKey: statusOf(first).totalKey });
  });

  test('again and again: an error', () => {
    const states: Uint8Array[] = [first];
    for (let i = 1; i < 80; i++) states.push(nextTransaction(states[i - 1] as Uint8Array));
    const source = changingSource((read) => states[Math.min(Math.floor(read / 4), 79)] as Uint8Array);
    expect(isDatadirError(failureOf(source), 'SOURCE_CHANGED')).toBe(true);
  });
});

test('in slices it comes to the same, can be stopped, and tells how far it has come', async () => {
  const bytes = readFixture('etcd/3.6.14/k8s/m1');
  const seen: number[] = [];
  const job = new StatusJob(open(bytes));
  expect(() => job.result).toThrow('not everything');
  const status = await runSliced(job, { onProgress: ({ done, total }) => seen.push(done / total) });
  expect(status).toEqual(statusOf(bytes));
  expect(seen.at(-1)).toBe(1);
  const stopped = runSliced(new StatusJob(open(bytes)), { signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
});

describe('any db', () => {
  const bytesOf = fc.uint8Array({ maxLength: 40 });
  const name = fc.constantFrom('alarm', 'auth', 'cluster', 'members', 'meta', 'test', 'zz');
  const key = fc.uint8Array({ minLength: 1, maxLength: 20 });
  const userKey = fc.constantFrom('', 'a', 'b', 'registry/pods/a', 'registry/pods/b', 'k'.repeat(60));
  const operation = fc.record({ userKey, live: fc.boolean(), value: fc.uint8Array({ maxLength: 3000 }) });

  propertyTest.prop(
    [
      fc.array(fc.tuple(name, key, bytesOf), { maxLength: 20 }),
      fc.array(operation, { maxLength: 60 }),
      fc.constantFrom(1024, 4096),
    ],
    { numRuns: 60 },
  )('has the status of the model, in both ways of reading', async (pairs, operations, pageSize) => {
    const buckets: Record<string, (readonly [Uint8Array, Uint8Array])[]> = {};
    for (const [bucketName, pairKey, value] of pairs) {
      const there = buckets[bucketName] ?? [];
      buckets[bucketName] = there;
      if (!there.some(([other]) => Buffer.compare(other, pairKey) === 0)) there.push([pairKey, value]);
    }
    const records = operations.map(({ userKey: each, live, value }, i) =>
      live ? put(i + 2, 0, { key: each, value }) : tombstone(i + 2, 0, each),
    );
    const bytes = await makeDb({ ...buckets, key: records }, { pageSize });
    const expected = modelStatus(bytes);
    expect(figures(statusOf(bytes))).toEqual(expected);
    expect(slowFigures(bytes)).toEqual(expected);
  });
});

test('the file handed in is not closed', async () => {
  const file = await openDb({ key: [put(2, 0, { key: 'a' })] });
  expect(drain(new StatusJob(file)).totalKey).toBe(1);
  expect(drain(new StatusJob(file)).totalKey).toBe(1);
  expect(file.db.bucket('key')).toBeDefined();
});
