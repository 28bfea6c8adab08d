import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type BoltDb, type BucketTree, openBolt } from '../../src/bolt/index.ts';
import { type DatadirError, type ErrorCode, isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, bucket, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { contentOf, listDbFixtures, readFixture, recorded, recordedCommands, stdoutOf } from '../support/fixtures.ts';
import { branchFile, freshFile, widgetsFile } from '../support/golden-bolt.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const text = (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes);
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');
const open = (bytes: Uint8Array) => openBolt(memorySource(bytes, 'a.db'));

function thrown(work: () => unknown, code: ErrorCode): DatadirError {
  try {
    work();
  } catch (error) {
    if (isDatadirError(error, code)) return error;
    throw error;
  }
  throw new Error(`nothing was thrown, expected ${code}`);
}

/** Over all plain keys in order: u32le(key length) key u32le(value length) value. */
function hashOf(db: BoltDb, path: readonly Uint8Array[]): { keys: number; sha256: string } {
  const hash = createHash('sha256');
  const length = new DataView(new ArrayBuffer(4));
  let keys = 0;
  const feed = (bytes: Uint8Array) => {
    length.setUint32(0, bytes.length, true);
    hash.update(new Uint8Array(length.buffer)).update(bytes);
  };
  db.requireBucket(path).forEach((key, value) => {
    if (value === undefined) return;
    keys++;
    feed(key);
    feed(value);
  });
  return { keys, sha256: hash.digest('hex') };
}

describe('files whose bytes are known', () => {
  test('a fresh file has no buckets and is read at transaction 1', () => {
    expect(md5(freshFile())).toBe('f27af34fccaea0094c8ff67242abdd05');
    const db = open(freshFile());
    expect([...db.buckets()]).toEqual([]);
    expect(db.info()).toEqual({
      path: 'a.db',
      size: 16384,
      pageSize: 4096,
      highWaterMark: 4,
      logicalSize: 16384,
      txid: 1n,
      metaPage: 1,
      rootPage: 3n,
      freelistPage: 2n,
    });
  });

  test('an inline bucket gives its sequence and value', () => {
    expect(md5(widgetsFile())).toBe('6d25f48916ae2cb781ba91229ac1a71a');
    const db = open(widgetsFile());
    const widgets = db.bucket('widgets');
    expect(widgets).toMatchObject({ inline: true, rootPage: 0, sequence: 1n });
    expect(text(widgets?.get('foo'))).toBe('bar');
    expect([...db.freelist().ids()]).toEqual([2, 3]);
  });

  test('a branch with four leaves gives all twenty keys', () => {
    expect(md5(branchFile())).toBe('ef5eaf483ea73e5046a31f870fec9bb1');
    const db = open(branchFile());
    expect(db.meta.checksum).toBe(0x692ff572c901ec6dn);
    const keys = [...db.requireBucket('b').entries()].map(({ key }) => text(key));
    expect(keys).toEqual(Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}`));
    expect(text(db.get('b', 'k13'))).toBe('x'.repeat(100));
    const page = db.page(4);
    expect([...page.items()].map(({ element }) => element.place.offset - 4 * 1024)).toEqual([83, 186, 289, 392]);
  });

  test('the state before the last transaction is read by its own meta', () => {
    const before = openBolt(memorySource(widgetsFile()), { meta: 1 });
    expect([before.txid, [...before.buckets()].length]).toEqual([1n, 0]);
    const last = openBolt(memorySource(widgetsFile()), { meta: 0 });
    expect([last.txid, [...last.buckets()].length]).toEqual([2n, 1]);
  });
});

describe('files of bbolt and etcd', () => {
  const fixtures = listDbFixtures();

  test.each(fixtures.filter((fixture) => contentOf(fixture)).map(({ name }) => name))('%s has its content', (name) => {
    const db = open(readFixture(name));
    const content = contentOf(name)!;
    expect(db.pageSize).toBe(content.pageSize);
    for (const expected of content.buckets) {
      const path = expected.path.map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
      const { keys, sha256 } = expected;
      expect(hashOf(db, path)).toEqual({ keys, sha256 });
      expect(db.bucket(path)?.sequence).toBe(expected.sequence);
    }
    expect(countBuckets(db.inspect()) - 1).toBe(content.buckets.length);
  });

  test('the names of buckets are those that bbolt lists', () => {
    let compared = 0;
    for (const fixture of fixtures) {
      const said = recorded(fixture, 'buckets');
      if (said === undefined || said.exit !== 0) continue;
      const names = [...open(readFixture(fixture)).buckets()].flatMap(({ name }) => [name, new Uint8Array([10])]);
      expect(Buffer.concat(names).equals(said.bytes), fixture.name).toBe(true);
      compared++;
    }
    expect(compared).toBeGreaterThan(200);
  });

  test('inspect gives the tree that bbolt gives', () => {
    let compared = 0;
    for (const fixture of fixtures) {
      const said = recordedCommands(fixture)?.find(({ args }) => args[0] === 'inspect' && args[1] === 'FILE');
      const json = said && stdoutOf(said);
      if (json === undefined || said?.exit !== 0) continue;
      expect(plain(open(readFixture(fixture)).inspect()), fixture.name).toEqual(JSON.parse(text(json)!));
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });

  test.each(['backup-even-4096', 'backup-odd-4096', 'backup-even-1024-none', 'backup-odd-1024-none'])(
    '%s: both metas of a hot backup name the same tree',
    (name) => {
      const bytes = readFixture(`bolt/${name}`);
      const [first, second] = ([0, 1] as const).map((meta) => openBolt(memorySource(bytes), { meta }));
      expect(first!.txid - second!.txid).toBe(1n);
      expect(open(bytes).meta.page).toBe(0);
      expect(plain(first!.inspect())).toEqual(plain(second!.inspect()));
      expect(bytes.length).toBe(first!.info().logicalSize);
    },
  );
});

function countBuckets(tree: BucketTree): number {
  const open = [tree];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count++;
    open.push(...next.buckets);
  }
  return count;
}

type PlainTree = { name: string; keyN: number; buckets?: PlainTree[] };
function plain({ name, keyN, buckets }: BucketTree): PlainTree {
  return { name: text(name)!, keyN, ...(buckets.length > 0 ? { buckets: buckets.map(plain) } : {}) };
}

describe('metas', () => {
  const damages: Record<string, (edit: BoltEdit, page: 0 | 1) => void> = {
    magic: (edit, page) => edit.flip(edit.at(page, 16), 1),
    version: (edit, page) => edit.setU32(edit.at(page, 20), 3),
    checksum: (edit, page) => edit.flip(edit.at(page, 72), 1),
    zeroed: (edit, page) => edit.bytes.fill(0, edit.at(page), edit.at(page + 1)),
  };
  const sizes = [512, 1024, 4096, 16384, 65536].map((size) => `bolt/shapes-${size}-stored`);

  test.each(sizes.flatMap((name) => Object.keys(damages).map((damage) => [name, damage] as const)))(
    '%s: when one meta is damaged (%s) the other one is used',
    (name, damage) => {
      for (const page of [0, 1] as const) {
        const edit = new BoltEdit(readFixture(name));
        const other = page === 0 ? 1 : 0;
        const txid = edit.u64(edit.at(other, 64));
        damages[damage]!(edit, page);
        const db = open(edit.bytes);
        expect([db.meta.page, db.txid, db.pageSize]).toEqual([other, txid, edit.pageSize]);
        expect(db.metas[page].problem).toBe(damage === 'zeroed' ? 'magic' : damage);
        expect(thrown(() => openBolt(memorySource(edit.bytes), { meta: page }), 'BOLT_NO_META').message).toMatch(
          `meta ${page} is not valid`,
        );
      }
    },
  );

  test('both damaged: the reason of each is named', () => {
    const edit = new BoltEdit(widgetsFile());
    damages['version']!(edit, 0);
    damages['checksum']!(edit, 1);
    const { message } = thrown(() => open(edit.bytes), 'BOLT_NO_META');
    expect(message).toBe('no valid meta page: meta 0: the version is not 2; meta 1: the checksum does not match');
  });

  test('a file of a big-endian machine is told as such', () => {
    const edit = new BoltEdit(widgetsFile());
    for (const page of [0, 1]) edit.bytes.set([0xed, 0x0c, 0xda, 0xed], edit.at(page, 16));
    expect(thrown(() => open(edit.bytes), 'BOLT_NO_META').message).toMatch('big-endian');
  });

  test('of equal transactions page 0 is used', () => {
    const edit = new BoltEdit(widgetsFile());
    edit.setU64(edit.at(1, 64), 2);
    edit.sealMeta(1);
    expect(open(edit.bytes).meta.page).toBe(0);
  });

  test('transaction numbers near 2^64 are compared as unsigned', () => {
    const edit = new BoltEdit(widgetsFile());
    edit.setU64(edit.at(1, 64), 2n ** 64n - 1n);
    edit.sealMeta(1);
    expect(open(edit.bytes).txid).toBe(2n ** 64n - 1n);
  });

  test('flags that surgery leaves in a meta do not matter', () => {
    const edit = new BoltEdit(widgetsFile());
    edit.setU32(28, 4);
    edit.sealMeta(0);
    expect(open(edit.bytes).bucket('widgets')).toBeDefined();
  });

  test('a wrong header of a meta page does not matter', () => {
    const edit = new BoltEdit(widgetsFile());
    edit.setU64(0, 77);
    edit.setU16(8, 0);
    expect(text(open(edit.bytes).get('widgets', 'foo'))).toBe('bar');
    expect(open(edit.bytes).page(0)).toMatchObject({ type: 'unknown<00>', storedId: 77n, meta: { txid: 2n } });
  });

  test('metas of boltdb 1.1 without a checksum are believed', () => {
    const edit = new BoltEdit(freshFile());
    for (const page of [0, 1]) edit.setU64(edit.at(page, 72), 0);
    expect([...open(edit.bytes).buckets()]).toEqual([]);
  });

  test('a high water mark beyond any file is damage', () => {
    const edit = new BoltEdit(widgetsFile());
    edit.editMetas((at) => edit.setU64(at + 56, 2n ** 60n));
    expect(thrown(() => open(edit.bytes), 'BOLT_DAMAGED')).toMatchObject({ pageId: 0, path: 'a.db' });
  });

  test.each([0, 1, 79, 4095, 4096, 8191, 8192])('%i zero bytes are no database', (size) => {
    thrown(() => open(new Uint8Array(size)), 'BOLT_NO_META');
  });
});

describe('length of the file', () => {
  const whole = () => branchFile().slice(0, 11 * 1024);

  test('a file that ends at the high water mark is read', () => {
    expect(open(whole()).requireBucket('b').stats().keyN).toBe(20);
  });
  test('one byte less is read too, when nothing lies there', () => {
    expect(open(whole().slice(0, -1)).requireBucket('b').stats().keyN).toBe(20);
  });
  test('bytes behind the last page do not matter', () => {
    const longer = new Uint8Array(whole().length + 32);
    longer.set(whole());
    longer.fill(0xff, whole().length);
    expect(open(longer).requireBucket('b').stats().keyN).toBe(20);
  });
  test('what lies beyond the end of a cut file is damage, the rest is read', () => {
    const bytes = boltFile({ 2: leaf(bucket('gone', 4), bucket('here', 3)), 3: leaf(['k', 'v']), 4: leaf(['x', 'y']) });
    const db = open(bytes.slice(0, 4 * 512));
    expect(text(db.get('here', 'k'))).toBe('v');
    expect(thrown(() => db.get('gone', 'x'), 'BOLT_DAMAGED')).toMatchObject({ pageId: 4, offset: 2048 });
    expect(thrown(() => [...db.pages()], 'BOLT_DAMAGED').pageId).toBe(4);
  });
});

describe('buckets', () => {
  const db = open(
    boltFile({
      2: leaf(bucket('a', 3, 7), inlineBucket('empty', leaf()), inlineBucket('i', leaf(['k', 'v'], ['none', '']), 9)),
      3: leaf(bucket('inner', 4), ['plain', 'value']),
      4: leaf(['deep', 'down']),
    }),
  );

  test('are found by name, by path of text or bytes, and from one another', () => {
    expect(text(db.bucket('a')?.bucket('inner')?.get('deep'))).toBe('down');
    expect(text(db.get(['a', new TextEncoder().encode('inner')], 'deep'))).toBe('down');
    expect(db.bucket(['a', 'inner'])?.path.map(text)).toEqual(['a', 'inner']);
    expect(db.bucket([])).toBe(db.root);
    expect(db.bucket('a')).toMatchObject({ rootPage: 3, sequence: 7n, inline: false });
  });

  test('that are not there are undefined, or an error where one is needed', () => {
    expect(db.bucket('b')).toBeUndefined();
    expect(db.bucket(['a', 'inner', 'more'])).toBeUndefined();
    expect(db.bucket(['a', 'plain'])).toBeUndefined();
    expect(thrown(() => db.get(['a', 'b'], 'k'), 'BOLT_BUCKET_NOT_FOUND').message).toBe('there is no bucket "b"');
    thrown(() => db.get(['a', 'plain'], 'k'), 'BOLT_INCOMPATIBLE_VALUE');
  });

  test('a name has no value', () => {
    const a = db.requireBucket('a');
    expect([a.get('inner'), a.has('inner'), a.has('plain'), a.has('nothing')]).toEqual([undefined, false, true, false]);
    expect(a.valueChunks('inner')).toBeUndefined();
    expect([...a.entries()].map(({ key, value, isBucket }) => [text(key), text(value), isBucket])).toEqual([
      ['inner', undefined, true],
      ['plain', 'value', false],
    ]);
  });

  test('an empty value is a value', () => {
    expect(db.get('i', 'none')).toEqual(new Uint8Array(0));
    expect([...db.requireBucket('i').valueChunks('none')!]).toEqual([]);
  });

  test('an empty inline bucket has nothing in it', () => {
    const empty = db.requireBucket('empty');
    expect([[...empty.entries()], empty.cursor().first(), empty.cursor().last(), empty.get('x')]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('forEach ends when its callback gives false', () => {
    const seen: (string | undefined)[] = [];
    const visit = (key: Uint8Array) => {
      seen.push(text(key));
      return seen.length < 2;
    };
    db.root.forEach(visit);
    expect(seen).toEqual(['a', 'empty']);
  });

  test('a callback may read the same bucket', () => {
    const big = open(branchFile()).requireBucket('b');
    const pairs: string[] = [];
    big.forEach((key) => {
      expect(big.get(key)?.length).toBe(100);
      let before = 0;
      big.scan((element) => {
        if (text(element.key) === text(key)) return false;
        before++;
        return true;
      });
      pairs.push(`${text(key)}:${before}`);
    });
    expect(pairs).toEqual(Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}:${i}`));
  });

  test('what get gives belongs to the caller', () => {
    const file = branchFile();
    const b = open(file).requireBucket('b');
    const value = b.get('k00')!;
    value.fill(0);
    expect(text(b.get('k00'))).toBe('x'.repeat(100));
    expect(md5(file)).toBe(md5(branchFile()));
  });

  test('100 levels of nesting are read by path', () => {
    const pages = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [i + 2, i === 99 ? leaf(['k', 'v']) : leaf(bucket('b', i + 3))]),
    );
    const deep = open(boltFile(pages));
    expect(text(deep.get(Array(99).fill('b'), 'k'))).toBe('v');
    expect(deep.stats()).toMatchObject({ bucketN: 99, depth: 99 });
  });

  test('20,000 levels of nesting are counted without recursion', () => {
    const levels = 20_000;
    const pages = Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [i + 2, i === levels - 1 ? leaf() : leaf(bucket('b', i + 3))]),
    );
    const deep = open(boltFile(pages));
    expect(deep.stats()).toMatchObject({ bucketN: levels - 1, depth: levels - 1 });
    expect(countBuckets(deep.inspect())).toBe(levels);
    expect(deep.freelist()).toMatchObject({ count: 0, complete: true });
  });
});

describe('closing', () => {
  test('closes the source, once', () => {
    let closed = 0;
    const db = openBolt({ ...memorySource(widgetsFile()), close: () => closed++ });
    db.close();
    db[Symbol.dispose]();
    expect(closed).toBe(1);
  });

  test('everything had before is of no use any more', () => {
    const db = open(branchFile());
    const b = db.requireBucket('b');
    const cursor = b.cursor();
    cursor.first();
    const entries = b.entries();
    entries.next();
    db.close();
    const uses = [
      () => db.bucket('b'),
      () => db.get('b', 'k00'),
      () => [...db.buckets()],
      () => db.stats(),
      () => db.inspect(),
      () => db.freelist(),
      () => [...db.pages()],
      () => db.page(4),
      () => b.get('k00'),
      () => b.forEach(() => {}),
      () => cursor.next(),
      () => cursor.first(),
      () => entries.next(),
    ];
    for (const use of uses) thrown(use, 'BOLT_CLOSED');
  });
});
