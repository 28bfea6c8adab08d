import { createHash } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BoltBuilder, type BuildEntry, buildBolt } from '../../src/bolt/build.ts';
import type { BuildOptions } from '../../src/bolt/bulk-file.ts';
import { checkBolt } from '../../src/bolt/check.ts';
import { CompactJob } from '../../src/bolt/compact.ts';
import { compareKeys } from '../../src/bolt/compare-keys.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { exportEntries } from '../../src/bolt/export.ts';
import { isDatadirError } from '../../src/errors.ts';
import { type ByteFile, memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { BoltEdit, BRANCH } from '../support/bolt-edit.ts';
import { expectBuilt } from '../support/built-shape.ts';
import { faultyFile, seededRandom } from '../support/faulty.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const path = (...names: string[]) => names.map(bytes);
const number = (i: number) => bytes(String(i).padStart(8, '0'));
const md5 = (content: Uint8Array) => createHash('md5').update(content).digest('hex');

function build(entries: Iterable<BuildEntry>, options: BuildOptions = {}): Uint8Array {
  const file = memoryFile();
  const builder = new BoltBuilder(file, options);
  for (const entry of entries) builder.add(entry);
  const { size, pairs, buckets, digest } = builder.finish();
  expect(file.size).toBe(size);
  expect(checkBolt(file, { digest: true }).bolt?.digest).toEqual({ pairs, buckets, value: digest });
  return file.bytes();
}

const read = (content: Uint8Array): BuildEntry[] => [...exportEntries(openReadable(content))];

/** Deep equality of many arrays takes long: as text, they are compared at once. */
function expectSame(found: readonly BuildEntry[], expected: readonly BuildEntry[]): void {
  const hex = (part: Uint8Array) => Buffer.from(part).toString('hex');
  const text = ({ bucket, key, value, ...rest }: BuildEntry & { sequence?: bigint }) =>
    `${bucket.map(hex).join('/')} ${key === undefined ? (rest.sequence ?? 0n) : `${hex(key)}=${hex(value)}`}`;
  expect(found.map(text)).toEqual(expected.map(text));
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isDatadirError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'nothing was thrown';
}

function compactNow(source: Uint8Array) {
  const file = memoryFile();
  const summary = drain(new CompactJob(memorySource(source), file));
  return { summary, bytes: file.bytes() };
}

function* manyPairs(count: number, valueSize: (i: number) => number): Generator<BuildEntry> {
  const bucket = path('b');
  yield { bucket };
  for (let i = 0; i < count; i++) yield { bucket, key: number(i), value: new Uint8Array(valueSize(i)).fill(i) };
}

describe('files whose bytes are known', () => {
  test('an empty one with a stored freelist is what bbolt creates', () => {
    expect(md5(build([]))).toBe('f27af34fccaea0094c8ff67242abdd05');
  });

  test('metas, freelist, an inline bucket and a value', () => {
    const content = build([
      { bucket: path('widgets'), sequence: 1n },
      { bucket: path('widgets'), key: bytes('foo'), value: bytes('bar') },
    ]);
    const hex = Buffer.from(content.subarray(3 * 4096, 3 * 4096 + 16 + 16 + 7 + 54)).toString('hex');
    // Page 3 is the root leaf; element and value are those of bbolt's own file with this content.
    expect(hex).toBe(
      '03000000000000000200010000000000' +
        '01000000100000000700000036000000' +
        '77696467657473' +
        '00000000000000000100000000000000' +
        '00000000000000000200010000000000' +
        '00000000100000000300000003000000' +
        '666f6f626172',
    );
  });

  test('without a freelist there are three pages, and bytes enough for bbolt to open them', () => {
    for (const [pageSize, size] of [
      [4096, 3 * 4096],
      [1024, 4096],
      [512, 4096],
    ] as const) {
      const content = build([], { pageSize, freelistStored: false });
      expect(content.length).toBe(size);
      expect(new BoltEdit(content)).toMatchObject({ highWaterMark: 3, freelist: undefined, pageSize });
    }
  });
});

describe('any content comes back', () => {
  const name = fc.uint8Array({ minLength: 1, maxLength: 24 });
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 70_000 }).map((size) => new Uint8Array(size).fill(size)) },
  );
  interface Tree {
    readonly sequence: bigint;
    readonly items: readonly (readonly [Uint8Array, Uint8Array | Tree])[];
  }
  const { tree } = fc.letrec<{ tree: Tree; item: Uint8Array | Tree }>((tie) => ({
    item: fc.oneof({ maxDepth: 3 }, { weight: 9, arbitrary: value }, { weight: 2, arbitrary: tie('tree') }),
    tree: fc.record({
      sequence: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      items: fc.array(fc.tuple(name, tie('item')), { maxLength: 25 }).map((items) => {
        const sorted = [...items].sort(([a], [b]) => compareKeys(a, b));
        return sorted.filter(([key], i) => i === 0 || compareKeys(key, sorted[i - 1]?.[0] ?? key) !== 0);
      }),
    }),
  }));
  function* entriesOf({ items }: Tree, above: readonly Uint8Array[]): Generator<BuildEntry> {
    for (const [key, item] of items) {
      if (item instanceof Uint8Array) {
        if (above.length > 0) yield { bucket: above, key, value: item };
        continue;
      }
      const inside = [...above, key];
      yield { bucket: inside, sequence: item.sequence };
      yield* entriesOf(item, inside);
    }
  }
  const options = fc.record({
    pageSize: fc.constantFrom(256, 512, 1000, 1024, 4096, 65536),
    fillPercent: fc.constantFrom(0, 0.1, 0.5, 0.9, 1, 2),
    freelistStored: fc.boolean(),
  });

  property.prop([tree, options], { numRuns: 150 })('nested buckets', (root, chosen) => {
    const entries = [...entriesOf(root, [])];
    const content = build(entries, chosen);
    expectBuilt(content);
    expectSame(read(content), entries);
  });

  test.each([256, 512, 1000, 1024, 4096, 16384, 65536])('ten thousand keys in pages of %d', (pageSize) => {
    for (const fillPercent of [0.1, 0.5, 1]) {
      const content = build(
        manyPairs(10_000, (i) => (i * 7) % 90),
        { pageSize, fillPercent },
      );
      expectBuilt(content);
      expect(read(content)).toHaveLength(10_001);
    }
  });

  test('a hundred levels of buckets, with keys before and behind the inner one', () => {
    const entries: BuildEntry[] = [];
    const names = (depth: number) => Array.from({ length: depth }, () => bytes('m'));
    for (let depth = 1; depth <= 100; depth++) {
      entries.push({ bucket: names(depth), sequence: BigInt(depth) });
      entries.push({ bucket: names(depth), key: bytes('a'), value: bytes(`${depth}`) });
    }
    for (let depth = 100; depth >= 1; depth--) {
      for (let i = 0; i < 40; i++)
        entries.push({ bucket: names(depth), key: bytes(`z${100 + i}`), value: number(depth) });
    }
    const content = build(entries, { pageSize: 512 });
    expectBuilt(content);
    expectSame(read(content), entries);
  });

  test('values around the size from which on they are not held in memory', () => {
    const mib = 2 ** 20;
    const sizes = [mib - 1, mib, mib + 1, 0, 5, 3 * mib + 17, 2 * mib, 2 * mib + 1, 1, 1, 1, mib + 1];
    const entries = [...manyPairs(sizes.length, (i) => sizes[i] as number)];
    const content = build(entries);
    expectBuilt(content);
    expect(read(content).map(({ value }) => value?.length)).toEqual([undefined, ...sizes]);
    const edit = new BoltEdit(content);
    // Each of the large ones ends its page.
    expect(edit.leaves('b').map((page) => edit.count(page))).toEqual([2, 1, 2, 1, 1, 1, 3, 1]);
  });
});

describe('the shape of pages', () => {
  test.each([512, 1000, 1024, 4096, 65536])('a bucket is inline up to a quarter of %d bytes', (pageSize) => {
    const limit = Math.floor(pageSize / 4);
    for (const [size, inline] of [
      [limit - 1, true],
      [limit, true],
      [limit + 1, false],
    ] as const) {
      const value = new Uint8Array(size - 16 - 16 - 1).fill(7);
      const bucket = path('b');
      const content = build(
        [
          { bucket, sequence: 9n },
          { bucket, key: bytes('k'), value },
        ],
        { pageSize },
      );
      expectBuilt(content);
      expect(new BoltEdit(content).bucket('b').inlineAt !== undefined).toBe(inline);
    }
  });

  test('a bucket with a bucket in it is not inline', () => {
    const content = build([{ bucket: path('a') }, { bucket: path('a', 'b') }]);
    expectBuilt(content);
    expect(new BoltEdit(content).bucket('a').inlineAt).toBe(undefined);
    expect(new BoltEdit(content).bucket('a', 'b').inlineAt).toBeDefined();
  });

  test('a page is filled to the last byte, or as far as it is said', () => {
    // Elements of 16 + 8 + 76 bytes; with its header a page of 4016 bytes has room for 40.
    const counts = (fillPercent: number) => {
      const edit = new BoltEdit(
        build(
          manyPairs(200, () => 76),
          { pageSize: 4016, fillPercent },
        ),
      );
      return edit.leaves('b').map((page) => edit.count(page));
    };
    expect(counts(1)).toEqual([40, 40, 40, 40, 40]);
    expect(counts(0.5)).toEqual([...Array(10).fill(19), 10]);
    expect(counts(0.1)).toEqual([...Array(66).fill(3), 2]);
  });

  test('a page has at most 65534 elements, however much room there is', () => {
    const content = build(
      manyPairs(140_000, () => 0),
      { pageSize: 2 ** 22 },
    );
    const edit = new BoltEdit(content);
    expect(edit.leaves('b').map((page) => edit.count(page))).toEqual([65534, 65534, 140_000 - 2 * 65534]);
  });

  test('no branch is left with one child, whatever the number of leaves', () => {
    for (let count = 0; count < 260; count++) {
      const content = build(
        manyPairs(count, () => 60),
        { pageSize: 256, fillPercent: 0.8 },
      );
      expectBuilt(content);
    }
  });

  test('branches with keys that are larger than a page', () => {
    const bucket = path('b');
    for (const count of [2, 3, 4, 5, 7, 30]) {
      const entries: BuildEntry[] = [{ bucket, sequence: 0n }];
      for (let i = 0; i < count; i++) {
        const key = new Uint8Array(32768 - (i % 3));
        key.set(number(i));
        entries.push({ bucket, key, value: new Uint8Array(0) });
      }
      const content = build(entries, { pageSize: 512 });
      expectBuilt(content);
      expectSame(read(content), entries);
      const edit = new BoltEdit(content);
      if (count === 30) expect(edit.branches('b').length).toBeGreaterThan(3);
      for (const page of edit.branches('b')) expect(edit.flags(page)).toBe(BRANCH);
    }
  });

  test('the name of a bucket may be longer than a key', () => {
    const long = new Uint8Array(40_000).fill(120);
    const content = build([{ bucket: [long] }, { bucket: [long], key: bytes('k'), value: bytes('v') }]);
    expectBuilt(content);
    expect(openReadable(content).requireBucket([long]).get('k')).toEqual(bytes('v'));
  });
});

test('names of more than half a megabyte make branches of more than one', () => {
  const entries: BuildEntry[] = [];
  for (let i = 0; i < 7; i++) {
    const name = new Uint8Array(600_000).fill(65 + i);
    entries.push({ bucket: [name], sequence: 0n }, { bucket: [name], key: bytes('k'), value: number(i) });
  }
  const content = build(entries);
  expectBuilt(content);
  expectSame(read(content), entries);
  const { summary, bytes: compacted } = compactNow(content);
  expect(summary.buckets).toBe(7);
  expect(md5(compacted)).toBe(md5(content));
});

describe('what cannot go in', () => {
  const start = () => {
    const file = memoryFile();
    const builder = new BoltBuilder(file);
    builder.add({ bucket: path('a') });
    builder.add({ bucket: path('a'), key: bytes('k'), value: bytes('v') });
    builder.add({ bucket: path('a', 'm') });
    builder.add({ bucket: path('a', 'm'), key: bytes('x'), value: bytes('y') });
    return { builder, file };
  };

  test.each<[string, BuildEntry, string]>([
    [
      'the same key again',
      { bucket: path('a', 'm'), key: bytes('x'), value: bytes('') },
      'BOLT_NOT_SORTED bucket "a" / "m", key "x": there is one already',
    ],
    [
      'a smaller key',
      { bucket: path('a', 'm'), key: bytes('wz'), value: bytes('') },
      'BOLT_NOT_SORTED bucket "a" / "m", key "wz": it comes after a greater one',
    ],
    [
      'a key that is the name of the open bucket',
      { bucket: path('a'), key: bytes('m'), value: bytes('') },
      'BOLT_NOT_SORTED bucket "a", key "m": there is one already',
    ],
    [
      'a key before the open bucket',
      { bucket: path('a'), key: bytes('l'), value: bytes('') },
      'BOLT_NOT_SORTED bucket "a", key "l": it comes after a greater one',
    ],
    ['a bucket again', { bucket: path('a') }, 'BOLT_NOT_SORTED key "a": there is one already'],
    [
      'a bucket with the name of a key',
      { bucket: path('a', 'k') },
      'BOLT_NOT_SORTED bucket "a", key "k": it comes after a greater one',
    ],
    [
      'a bucket that was left',
      { bucket: path('a', 'k', 'z') },
      'BOLT_NOT_SORTED bucket "a", key "k": it comes after a greater one',
    ],
    [
      'a bucket without an entry',
      { bucket: path('b'), key: bytes('k'), value: bytes('') },
      'BOLT_BUCKET_NOT_FOUND bucket "b": no entry of this bucket came before what is in it',
    ],
    [
      'a bucket in one without an entry',
      { bucket: path('a', 'n', 'o') },
      'BOLT_BUCKET_NOT_FOUND bucket "a" / "n": no entry of this bucket came before what is in it',
    ],
    [
      'an empty key',
      { bucket: path('a'), key: bytes(''), value: bytes('') },
      'BOLT_KEY_REQUIRED bucket "a": a key is empty',
    ],
    [
      'a key of 32769 bytes',
      { bucket: path('a'), key: new Uint8Array(32769).fill(110), value: bytes('') },
      `BOLT_KEY_TOO_LARGE bucket "a", key "${'n'.repeat(64)}"… (32769 bytes): a key may have 32768 bytes`,
    ],
    [
      'an empty name',
      { bucket: path('a', '') },
      'BOLT_BUCKET_NAME_REQUIRED bucket "a" / "": the name of a bucket is empty',
    ],
    ['no name', { bucket: [] }, 'BOLT_BUCKET_NAME_REQUIRED bucket "": the name of a bucket is empty'],
    [
      'a key in no bucket',
      { bucket: [], key: bytes('z'), value: bytes('') },
      'BOLT_BUCKET_NAME_REQUIRED key "z": a key must be in a bucket',
    ],
    [
      'a negative sequence',
      { bucket: path('c'), sequence: -1n },
      'USAGE bucket "c": a sequence of -1 does not fit into 64 bits',
    ],
    [
      'a sequence of 65 bits',
      { bucket: path('c'), sequence: 2n ** 64n },
      'USAGE bucket "c": a sequence of 18446744073709551616 does not fit into 64 bits',
    ],
  ])('%s is refused, and the builder goes on', (_, entry, expected) => {
    const { builder, file } = start();
    expect(codeOf(() => builder.add(entry))).toBe(expected);
    builder.add({ bucket: path('a', 'm'), key: bytes('z'), value: bytes('') });
    builder.add({ bucket: path('a'), key: bytes('n'), value: bytes('') });
    expect(builder.finish()).toMatchObject({ pairs: 4, buckets: 2 });
    expectBuilt(file.bytes());
  });

  test('a value of more than 2^31 - 2 bytes', () => {
    const { builder } = start();
    // No such array is needed to be told that it is too long.
    const value = { length: 2 ** 31 - 1 } as Uint8Array;
    expect(codeOf(() => builder.add({ bucket: path('a'), key: bytes('z'), value }))).toMatch(/^BOLT_VALUE_TOO_LARGE/);
  });

  test('options that no file can have, and a file that is not empty', () => {
    for (const pageSize of [0, 255, 4096.5, 2 ** 26 + 1, Number.NaN, -1]) {
      expect(codeOf(() => new BoltBuilder(memoryFile(), { pageSize }))).toMatch(/^USAGE page size/);
    }
    expect(codeOf(() => new BoltBuilder(memoryFile(), { fillPercent: Number.NaN }))).toMatch(/^USAGE/);
    expect(codeOf(() => new BoltBuilder(memoryFile(new Uint8Array(1))))).toMatch(/^USAGE.*1 bytes/);
  });

  test('nothing more after the end', () => {
    const { builder } = start();
    builder.finish();
    expect(codeOf(() => builder.finish())).toMatch(/^BOLT_CLOSED/);
    expect(codeOf(() => builder.add({ bucket: path('z') }))).toMatch(/^BOLT_CLOSED/);
  });
});

describe('failing writes', () => {
  const entries = [...manyPairs(3000, (i) => (i === 1000 ? 3 * 2 ** 20 : 700))];

  test('at each write: the error is the file system’s, and no meta has been written', () => {
    for (let n = 0; ; n++) {
      const memory = memoryFile();
      const file = faultyFile(memory, { failWriteAfter: n });
      const builder = new BoltBuilder(file);
      try {
        for (const entry of entries) builder.add(entry);
        builder.finish();
      } catch (error) {
        expect(isDatadirError(error, 'IO_FAILED')).toBe(true);
        expect(codeOf(() => builder.finish())).toMatch(/^BOLT_CLOSED/);
        expect(
          memory
            .bytes()
            .subarray(0, 8192)
            .some((byte) => byte !== 0),
        ).toBe(false);
        continue;
      }
      // The last of them are the metas.
      expect(n).toBeGreaterThan(5);
      expect(file.events.at(-1)).toEqual({ kind: 'sync' });
      expect(file.events.at(-2)).toMatchObject({ kind: 'write', offset: 0 });
      break;
    }
  });

  test('a failing sync is an error; noSync does without', () => {
    const run = (noSync: boolean) => {
      const file = faultyFile(memoryFile(), { failSyncAt: 0 });
      const builder = new BoltBuilder(file, { noSync });
      for (const entry of entries) builder.add(entry);
      return codeOf(() => builder.finish());
    };
    expect(run(false)).toMatch(/^IO_FAILED/);
    expect(run(true)).toBe('nothing was thrown');
  });
});

test('memory does not grow with the number of keys', () => {
  let written = 0;
  const nowhere: ByteFile = {
    get size() {
      return written;
    },
    readInto: () => 0,
    write: (offset, content) => {
      written = Math.max(written, offset + content.length);
    },
    truncate: () => {},
    sync: () => {},
    close: () => {},
  };
  const builder = new BoltBuilder(nowhere);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const bucket = path('b');
  builder.add({ bucket });
  const value = new Uint8Array(100);
  for (let i = 0; i < 300_000; i++) {
    builder.add({ bucket, key: number(i), value });
    if (i % 10_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  builder.finish();
  expect(written).toBeGreaterThan(30 * 2 ** 20);
  // Keys of the entries themselves may wait for the garbage collector.
  expect(most).toBeLessThan(24 * 2 ** 20);
});

describe('buildBolt', () => {
  const random = seededRandom(5);
  const entries = [...manyPairs(5000, () => Math.floor(random() * 300))];

  test('takes an iterable, an asynchronous one, and batches', async () => {
    const files = [memoryFile(), memoryFile(), memoryFile()] as const;
    const progress: number[] = [];
    const summary = await buildBolt(files[0], entries, { onProgress: ({ done }) => progress.push(done) });
    async function* one() {
      yield* entries;
    }
    async function* batches() {
      for (let i = 0; i < entries.length; i += 1000) yield entries.slice(i, i + 1000);
    }
    expect(await buildBolt(files[1], one())).toEqual(summary);
    expect(await buildBolt(files[2], batches())).toEqual(summary);
    expect(md5(files[1].bytes())).toBe(md5(files[0].bytes()));
    expect(md5(files[2].bytes())).toBe(md5(files[0].bytes()));
    expect(progress.at(-1)).toBeGreaterThan(5000 * 8);
    expectBuilt(files[0].bytes());
  });

  test('ends what it was given when it fails or is stopped', async () => {
    let ended = 0;
    function* endless(sorted: boolean): Generator<BuildEntry> {
      try {
        yield { bucket: path('b') };
        for (let i = 0; ; i++) yield { bucket: path('b'), key: number(sorted ? i : 1e6 - i), value: bytes('') };
      } finally {
        ended++;
      }
    }
    await expect(buildBolt(memoryFile(), endless(false))).rejects.toMatchObject({ code: 'BOLT_NOT_SORTED' });
    const signal = AbortSignal.timeout(50);
    await expect(buildBolt(memoryFile(), endless(true), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    async function* slow() {
      yield* endless(true);
    }
    const again = AbortSignal.timeout(50);
    await expect(buildBolt(memoryFile(), slow(), { signal: again })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(ended).toBe(3);
  });

  test('what was written wrongly is found', async () => {
    const memory = memoryFile();
    // A bit of a value is lost on the way to the disk.
    const file: ByteFile = {
      ...faultyFile(memory),
      get size() {
        return memory.size;
      },
      write: (offset, content) => {
        const copy = content.slice();
        if (offset > 0) copy[4096 + 200] ^= 1;
        memory.write(offset, copy);
      },
    };
    const failure = buildBolt(
      file,
      manyPairs(5, () => 3000),
    );
    await expect(failure).rejects.toMatchObject({
      code: 'SELF_CHECK_FAILED',
      message: expect.stringContaining('what went in was 5 pairs in 1 buckets'),
    });
  });
});
