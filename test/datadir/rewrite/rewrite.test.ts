/**
 * Dbs that are written anew with changes, against a model of maps.
 */

import { createHash } from 'node:crypto';
import { test as property } from '@fast-check/vitest';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { BUCKETS, type BucketName } from '../../../src/backend/format.ts';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { buildBolt } from '../../../src/bolt/build.ts';
import { compareKeys } from '../../../src/bolt/compare-keys.ts';
import { AppendSha256Job } from '../../../src/datadir/rewrite/append-sha256.ts';
import { BucketChanges, keyText } from '../../../src/datadir/rewrite/bucket-changes.ts';
import { DbChanges } from '../../../src/datadir/rewrite/db-changes.ts';
import { KeepSet } from '../../../src/datadir/rewrite/keep-set.ts';
import { confStateJson } from '../../../src/datadir/rewrite/meta-values.ts';
import { NewRecords } from '../../../src/datadir/rewrite/new-records.ts';
import { RewrittenCheckJob } from '../../../src/datadir/rewrite/rewrite-check.ts';
import { RewriteJob } from '../../../src/datadir/rewrite/rewrite-job.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { makeDb, type Pairs, put } from '../../support/backend-db.ts';
import { GOLDEN_BUCKETS, goldenDb } from '../../support/golden-db.ts';
import { bucketNames, dbOf, pairsOf } from '../../support/restore-cases.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function rewrite(source: Uint8Array | undefined, changes: DbChanges, pageSize?: number): Uint8Array {
  const file = memoryFile();
  const db = drain(new RewriteJob(source && memorySource(source), changes, file, { pageSize }));
  const bytes = file.bytes();
  expect(db.size).toBe(bytes.length);
  const { findings } = checkBackend(bytes, { level: 'full', digest: true });
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  return bytes;
}

describe('changes of a bucket', () => {
  test('the last one of a key counts, and they come in order of bytes', () => {
    const changes = new BucketChanges('meta');
    changes.put(utf8('b'), utf8('1'));
    changes.delete(utf8('a'));
    changes.put(Uint8Array.of(0xff), utf8('3'));
    changes.put(utf8('b'), utf8('2'));
    expect(changes.sorted.map(({ key, value }) => [hex(key), value && hex(value)])).toEqual([
      [hex(utf8('a')), null],
      [hex(utf8('b')), hex(utf8('2'))],
      ['ff', hex(utf8('3'))],
    ]);
    expect(changes.cleared).toBe(false);
  });

  test('what is given is copied', () => {
    const changes = new BucketChanges('meta');
    const key = utf8('k');
    changes.put(key, key);
    key.fill(0);
    expect(changes.sorted).toEqual([{ key: utf8('k'), value: utf8('k') }]);
  });

  test('clearing takes earlier changes along, not later ones', () => {
    const changes = new BucketChanges('members');
    changes.put(utf8('a'), utf8('1'));
    changes.clear();
    changes.put(utf8('b'), utf8('2'));
    expect(changes.cleared).toBe(true);
    expect(changes.sorted.map(({ key }) => keyText(key))).toEqual(['b']);
  });

  test('bytes that are no text are keys of their own', () => {
    expect(keyText(Uint8Array.of(0xc3))).not.toBe(keyText(Uint8Array.of(0xc4)));
  });
});

describe('a db written anew', () => {
  test('cleared buckets hold what was put, the others all they had', async () => {
    const source = await makeDb({
      members: [
        ['1', 'one'],
        ['2', 'two'],
        ['3', 'x'.repeat(20_000)],
      ],
      meta: [
        ['a', '1'],
        ['c', '3'],
      ],
      cluster: [['clusterVersion', '3.6.0']],
    });
    const changes = new DbChanges();
    changes.bucket('members').clear();
    changes.bucket('members').put(utf8('2'), utf8('new'));
    changes.bucket('members').put(utf8('9'), utf8('nine'));
    changes.bucket('meta').put(utf8('b'), utf8('2'));
    changes.bucket('meta').delete(utf8('a'));
    changes.bucket('meta').delete(utf8('zz'));
    const db = dbOf(rewrite(source, changes));
    const text = (bucket: string) =>
      pairsOf(db, bucket)?.map((pair) => pair.map((each) => Buffer.from(each, 'hex').toString()).join('='));
    expect(text('members')).toEqual(['2=new', '9=nine']);
    expect(text('meta')).toEqual(['b=2', 'c=3']);
    expect(text('cluster')).toEqual(['clusterVersion=3.6.0']);
  });

  test('buckets that are needed are made in between, with what is put into them', async () => {
    const source = await makeDb({ b: [['k', 'v']], key: [], zoo: [['z', '1']] }, { bare: true });
    const changes = new DbChanges({ neededBuckets: ['meta', 'alarm'] });
    changes.bucket('meta').put(utf8('a'), utf8('1'));
    changes.bucket('members').put(utf8('lost'), utf8('not needed, not there'));
    const db = dbOf(rewrite(source, changes));
    expect(bucketNames(db)).toEqual(['alarm', 'b', 'key', 'meta', 'zoo']);
    expect(pairsOf(db, 'meta')).toHaveLength(1);
  });

  test('without an old db there are the changes alone', () => {
    const changes = new DbChanges();
    changes.records.add({ main: 2n, sub: 0n }, false, put(2, 0, { key: 'a' })[1]);
    changes.bucket('meta').put(utf8('a'), utf8('1'));
    const db = dbOf(rewrite(undefined, changes, 1024));
    expect(db.pageSize).toBe(1024);
    expect(bucketNames(db)).toEqual([...BUCKETS]);
    expect(pairsOf(db, 'key')).toEqual([[hex(encodeRevision({ main: 2n, sub: 0n })), hex(put(2, 0, { key: 'a' })[1])]]);
  });

  test('buckets in buckets and their sequences stay, also between changed keys', async () => {
    const file = memoryFile();
    await buildBolt(
      file,
      (function* () {
        yield { bucket: [utf8('meta')], sequence: 5n };
        yield { bucket: [utf8('meta')], key: utf8('a'), value: utf8('1') };
        yield { bucket: [utf8('meta'), utf8('m')], sequence: 7n };
        yield { bucket: [utf8('meta'), utf8('m')], key: utf8('in'), value: utf8('2') };
        yield { bucket: [utf8('meta')], key: utf8('z'), value: utf8('3') };
      })(),
      { pageSize: 4096, freelistStored: false },
    );
    const changes = new DbChanges({ neededBuckets: [] });
    changes.bucket('meta').put(utf8('b'), utf8('new'));
    changes.bucket('meta').put(utf8('y'), utf8('new'));
    const db = dbOf(rewrite(file.bytes(), changes));
    const meta = db.bucket('meta');
    const keys: string[] = [];
    meta?.forEach((key) => {
      keys.push(Buffer.from(key).toString());
    });
    expect(keys).toEqual(['a', 'b', 'm', 'y', 'z']);
    expect(meta?.sequence).toBe(5n);
    expect(meta?.bucket('m')?.sequence).toBe(7n);
  });

  test('another transaction than the one that was looked at is told', async () => {
    const source = await makeDb({});
    const job = new RewriteJob(memorySource(source), new DbChanges(), memoryFile(), { txid: 99n });
    expect(() => drain(job)).toThrow(expect.objectContaining({ code: 'SOURCE_CHANGED' }));
  });

  const key = fc.constantFrom('a', 'b', 'ba', 'c', 'd', 'e', '\u007f');
  const pairs = fc.dictionary(key, fc.string({ maxLength: 40 }));
  const bucketName = fc.constantFrom<BucketName>('alarm', 'cluster', 'lease', 'members', 'meta');
  const edit = fc.oneof(
    fc.record({ bucket: bucketName, put: key, value: fc.constantFrom('', 'x', 'y'.repeat(9000)) }),
    fc.record({ bucket: bucketName, delete: key }),
    fc.record({ bucket: bucketName, clear: fc.constant(true) }),
  );

  property.prop(
    [fc.dictionary(bucketName, pairs), fc.array(edit, { maxLength: 12 }), fc.constantFrom(512, 1024, 4096)],
    {
      numRuns: 60,
    },
  )('has what a map has after the same changes', async (content, edits, pageSize) => {
    const source = await makeDb(
      Object.fromEntries(Object.entries(content).map(([name, map]) => [name, Object.entries(map) as Pairs])),
      { pageSize },
    );
    const model = new Map(BUCKETS.map((name) => [name, new Map(Object.entries(content[name] ?? {}))]));
    const changes = new DbChanges();
    for (const each of edits) {
      const map = model.get(each.bucket)!;
      const bucket = changes.bucket(each.bucket);
      if ('put' in each) {
        map.set(each.put, each.value);
        bucket.put(utf8(each.put), utf8(each.value));
      } else if ('delete' in each) {
        map.delete(each.delete);
        bucket.delete(utf8(each.delete));
      } else {
        map.clear();
        bucket.clear();
      }
    }
    const db = dbOf(rewrite(source, changes));
    for (const [name, map] of model) {
      const expected = [...map]
        .map(([k, v]) => [utf8(k), utf8(v)] as const)
        .sort((a, b) => compareKeys(a[0], b[0]))
        .map(([k, v]) => [hex(k), hex(v)]);
      expect(pairsOf(db, name), name).toEqual(expected);
    }
  });
});

describe('records', () => {
  test('are kept in order, and can be cut back', () => {
    const records = new NewRecords();
    records.add({ main: 2n, sub: 0n }, false, utf8('one'));
    const { end } = records;
    records.add({ main: 3n, sub: 1n }, true, new Uint8Array(2 << 20));
    expect(records.length).toBe(2);
    expect(records.get(1)).toMatchObject({ main: 3n, sub: 1n, tombstone: true });
    records.cut(end);
    records.add({ main: 4n, sub: 0n }, false, utf8('two'));
    expect([...records].map(({ main, value }) => [main, Buffer.from(value).toString()])).toEqual([
      [2n, 'one'],
      [4n, 'two'],
    ]);
  });

  test('a set of those that stay knows runs, and all behind the last one', () => {
    const keep = new KeepSet();
    for (let i = 0; i < 20; i++) keep.add(i % 3 !== 0);
    keep.drop(1);
    expect([0, 1, 2, 19, 20, 1000].map((i) => keep.keeps(i))).toEqual([false, false, true, true, true, true]);
    expect(keep.keepsAll(4, 2)).toBe(true);
    expect(keep.keepsAll(4, 3)).toBe(false);
    expect(keep.keepsAll(19, 1000)).toBe(true);
    expect(keep.count).toBe(20);
  });
});

test('who takes part is written as etcd writes it', () => {
  const text = (voters: bigint[], learners: bigint[]): string =>
    Buffer.from(confStateJson({ voters, learners })).toString();
  expect(text([2n ** 63n, 1n], [])).toBe('{"voters":[1,9223372036854775808],"auto_leave":false}');
  expect(text([1n], [3n, 2n])).toBe('{"voters":[1],"learners":[2,3],"auto_leave":false}');
  expect(text([], [])).toBe('{"auto_leave":false}');
});

test('a sha256 is put behind all bytes', () => {
  for (const size of [0, 1, 4096, (1 << 20) + 7]) {
    const bytes = new Uint8Array(size).map((_, i) => i);
    const file = memoryFile(bytes);
    const job = new AppendSha256Job(file);
    expect(drain(job)).toEqual(new Uint8Array(createHash('sha256').update(bytes).digest()));
    expect(file.size).toBe(size + 32);
    expect(job.progress).toEqual({ done: size, total: size });
  }
});

describe('the check of what was written', () => {
  const options = { path: 'out', snapshot: false } as const;

  test('fails on other content than went in, and on damage that is new', async () => {
    const source = await goldenDb();
    const file = memoryFile();
    const db = drain(new RewriteJob(memorySource(source), new DbChanges(), file));
    const check = (bytes: Uint8Array, old: Uint8Array | undefined = source, written = db) =>
      drain(new RewrittenCheckJob(memorySource(bytes), { ...options, db: written, old: old && memorySource(old) }));
    expect(check(file.bytes()).verdict).toBe('healthy');
    expect(() => check(file.bytes(), source, { ...db, pairs: db.pairs + 1 })).toThrow(
      expect.objectContaining({ code: 'SELF_CHECK_FAILED' }),
    );
    // A record whose message is no message: it is wrong in the old one too, or it must not be.
    const wrong = await goldenDb({ key: [[encodeRevision({ main: 20n, sub: 0n }), utf8('nonsense')]] });
    const copy = memoryFile();
    const copied = drain(new RewriteJob(memorySource(wrong), new DbChanges(), copy));
    expect(() => check(copy.bytes(), wrong, copied)).not.toThrow();
    expect(() => check(copy.bytes(), source, copied)).toThrow(expect.objectContaining({ code: 'SELF_CHECK_FAILED' }));
    expect(() => check(copy.bytes(), undefined, copied)).toThrow();
  });

  test('a db for another release may be refused by the one whose it was, if that was asked for', async () => {
    const meta = GOLDEN_BUCKETS['meta']!.map(
      ([key, value]) => [key, key === 'storageVersion' ? '3.7.0' : value] as const,
    );
    const source = await goldenDb({ meta });
    const file = memoryFile();
    const db = drain(new RewriteJob(memorySource(source), new DbChanges(), file));
    const check = (mayBeRefused: boolean) =>
      drain(new RewrittenCheckJob(file, { ...options, db, old: undefined, mayBeRefused }));
    expect(() => check(false)).toThrow(expect.objectContaining({ code: 'SELF_CHECK_FAILED' }));
    expect(check(true).findings.map(({ severity }) => severity)).toContain('refuse');
  });
});
