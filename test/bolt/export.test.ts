// The whole content of a database, as a walk, as entries and as JSON lines; also of files that are damaged or in use.
import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoltBuilder, type BuildEntry } from '../../src/bolt/build.ts';
import { EntryLines } from '../../src/bolt/entry-lines.ts';
import { exportLines } from '../../src/bolt/export.ts';
import { type BoltDb, type Bucket, checkBolt, exportEntries, openBolt } from '../../src/bolt/index.ts';
import { type DatadirError, isDatadirError } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { changingSource, laterState, nestedBuckets } from '../support/bolt-builder.ts';
import { boltFile, branch, bucket, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { faultySource } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';

const open = (input: ByteSource | Uint8Array): BoltDb => openBolt(input);

/** What a walk by way of buckets and cursors gives. */
function* byBuckets(parent: Bucket): Generator<BuildEntry> {
  for (const { key, value, isBucket } of parent.entries()) {
    if (!isBucket) yield { bucket: parent.path, key, value: value as Uint8Array };
    else {
      const child = parent.requireBucket(key);
      yield { bucket: child.path, sequence: child.sequence };
      yield* byBuckets(child);
    }
  }
}

function lines(db: BoltDb): { text: string; error: DatadirError | undefined } {
  const chunks: Uint8Array[] = [];
  let error: DatadirError | undefined;
  try {
    for (const chunk of exportLines(db)) {
      expect(chunk.length).toBeLessThanOrEqual(1 << 16);
      chunks.push(chunk.slice());
    }
  } catch (thrown) {
    if (!isDatadirError(thrown)) throw thrown;
    error = thrown;
  }
  return { text: Buffer.concat(chunks).toString('latin1'), error };
}

/** The line of an entry, made in another way. Long values are compared much faster as text than as bytes. */
function lineOf({ bucket, ...entry }: BuildEntry): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const names = bucket.map(base64);
  if (entry.key === undefined) return `${JSON.stringify({ bucket: names, sequence: `${entry.sequence}` })}\n`;
  return `${JSON.stringify({ bucket: names, key: base64(entry.key), value: base64(entry.value) })}\n`;
}

function linesOf(entries: Iterable<BuildEntry>): string {
  return Array.from(entries, lineOf).join('');
}

function build(entries: Iterable<BuildEntry>, pageSize = 4096): Uint8Array {
  const file = memoryFile();
  const builder = new BoltBuilder(file, { pageSize });
  for (const entry of entries) builder.add(entry);
  builder.finish();
  return file.bytes();
}

function parse(text: string): BuildEntry[] {
  return [...new EntryLines().push(new Uint8Array(Buffer.from(text, 'latin1')))].map(({ entry }) => entry);
}

describe('every fixture', () => {
  const fixtures = listDbFixtures().filter(({ kind }) => kind !== 'surgery');

  test.each(fixtures.map(({ name }) => name))('%s: export, import, export', (name) => {
    const db = open(readFixture(name));
    const { text, error } = lines(db);
    expect(error).toBe(undefined);
    expect(text === linesOf(byBuckets(db.root))).toBe(true);
    expect(text === linesOf(exportEntries(db))).toBe(true);
    const again = build(parse(text), db.pageSize);
    expect(lines(open(again)).text === text).toBe(true);
  });
});

describe('any tree', () => {
  const name = fc.uint8Array({ minLength: 1, maxLength: 6 });
  const value = fc.oneof(
    { weight: 9, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: fc.nat(200_000).map((length) => new Uint8Array(length).fill(length)) },
  );
  type Tree = { readonly sequence: bigint; readonly items: readonly (readonly [Uint8Array, Uint8Array | Tree])[] };
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      sequence: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      items: fc.array(fc.tuple(name, fc.oneof({ maxDepth: 4 }, value, tie('tree'))), { maxLength: 8 }),
    }),
  }));

  function* entriesOf({ items }: Tree, path: readonly Uint8Array[]): Generator<BuildEntry> {
    const sorted = items.toSorted(([a], [b]) => Buffer.compare(a, b));
    for (const [i, [key, item]] of sorted.entries()) {
      if (i > 0 && Buffer.compare(key, sorted[i - 1]?.[0] as Uint8Array) === 0) continue;
      if (!(item instanceof Uint8Array)) {
        yield { bucket: [...path, key], sequence: item.sequence };
        yield* entriesOf(item, [...path, key]);
      } else if (path.length > 0) yield { bucket: path, key, value: item };
    }
  }

  property.prop([tree, fc.constantFrom(512, 1024, 4096)])('comes out as it went in', (root, pageSize) => {
    const entries = [...entriesOf(root, [])];
    const db = open(build(entries, pageSize));
    const expected = linesOf(entries);
    expect(linesOf(exportEntries(db)) === expected).toBe(true);
    const { text, error } = lines(db);
    expect(error).toBe(undefined);
    expect(text === expected).toBe(true);
    expect(linesOf(parse(text)) === expected).toBe(true);
  });
});

describe('shapes', () => {
  test('buckets nested far deeper than are kept in memory', () => {
    const db = open(nestedBuckets(300));
    const items = [...exportEntries(db)];
    expect(items).toHaveLength(301);
    expect(items.at(-1)).toMatchObject({ key: new Uint8Array(Buffer.from('key')) });
    expect(items.at(-1)?.bucket).toHaveLength(300);
  });

  test('the way back from deep buckets goes on where they were left', () => {
    // At each depth a key before the bucket, and one after it.
    const pages: Record<number, ReturnType<typeof leaf>> = { 2: leaf(bucket('b', 3)) };
    const depth = 40;
    for (let i = 0; i < depth; i++) pages[3 + i] = leaf(['a', `${i}`], bucket('b', 4 + i, i), ['c', `${i}`]);
    pages[3 + depth] = leaf(['x', 'y']);
    const db = open(boltFile(pages));
    expect([...exportEntries(db)]).toEqual([...byBuckets(db.root)]);
  });

  test('an element is of no use after the next item', () => {
    const db = open(boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['a', '1'], ['c', '2']) }));
    const items = [...db.content()];
    expect(items.map(({ bucket: path }) => path.length)).toEqual([1, 1, 1]);
    expect(() => items[1]?.element?.key).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('a database that is closed meanwhile', () => {
    const db = open(boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['a', '1']) }));
    const content = db.content();
    content.next();
    db.close();
    expect(() => content.next()).toThrow(expect.objectContaining({ code: 'BOLT_CLOSED' }));
    expect(() => db.hasChanged()).toThrow(expect.objectContaining({ code: 'BOLT_CLOSED' }));
    expect(lines(db).error).toMatchObject({ code: 'BOLT_CLOSED' });
  });
});

describe('a damaged file', () => {
  test('is exported up to the damage, then a line and an error say so', () => {
    const bytes = boltFile({ 2: leaf(bucket('b', 3), bucket('c', 4)), 3: leaf(['a', '1']), 4: leaf(['x', '1']) });
    bytes[4 * 512 + 8] = 0x40;
    const { text, error } = lines(open(bytes));
    expect(error).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED', pageId: 4 });
    expect(error?.message).toBe(
      'page 4: flags 0x40 are neither a branch (0x01) nor a leaf (0x02): what was exported ends before this',
    );
    expect(text.split('\n').map((line) => line.slice(0, 30))).toEqual([
      '{"bucket":["Yg=="],"sequence":',
      '{"bucket":["Yg=="],"key":"YQ==',
      '{"bucket":["Yw=="],"sequence":',
      '{"error":{"code":"BOLT_SOURCE_',
      '',
    ]);
    expect(() => parse(text)).toThrow('line 4, column 1: the export that made this was not finished');
  });

  test('a line that was begun is taken back, or, if it is long, cut off', () => {
    const long = new Uint8Array(2 << 20);
    const short = new Uint8Array(600);
    const pages = { 2: leaf(bucket('b', 3)), 3: leaf(['a', '1'], ['k', short], ['l', long]) };
    const bytes = boltFile(pages);
    const failing = (from: number): ByteSource => faultySource(memorySource(bytes), { failAt: [[from, bytes.length]] });
    const cut = lines(open(failing(bytes.length - 512)));
    expect(cut.error).toMatchObject({ code: 'IO_FAILED' });
    expect(cut.text.split('\n').map((line) => line.length > 1000)).toEqual([false, false, false, true, false, false]);
    expect(() => parse(cut.text)).toThrow(/^line 4, column \d+: the line ends in the middle of a text$/);
    expect(cut.text).toMatch(/\n\{"error":\{"code":"IO_FAILED".*\}\}\n$/);
  });

  test.each([
    ['a bucket that is its own parent', { 2: leaf(bucket('b', 2)) }],
    ['two buckets with the same pages', { 2: leaf(bucket('b', 3), bucket('c', 3)), 3: leaf(['a', '1']) }],
    ['a page under two branches', { 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['b', 4]), 4: leaf(['a', '1']) }],
    ['a bucket in an inline bucket', { 2: leaf(inlineBucket('b', leaf(inlineBucket('c', leaf())))) }],
  ])('%s: ends with an error', (_, pages) => {
    expect(lines(open(boltFile(pages))).error).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED' });
  });

  test('buckets that share their pages level by level make no walk without end', () => {
    const pages: Record<number, ReturnType<typeof leaf>> = { 2: leaf(bucket('a', 3), bucket('b', 3)) };
    for (let i = 3; i < 60; i++) pages[i] = leaf(bucket('a', i + 1), bucket('b', i + 1));
    pages[60] = leaf(['a', '1']);
    expect(lines(open(boltFile(pages))).error).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED' });
  });

  test('elements that lie upon each other make no output without end', () => {
    const bytes = boltFile(
      { 2: leaf(bucket('b', 3)), 3: leaf(...Array.from({ length: 400 }, () => ['a', '1'] as const)) },
      { pageSize: 1 << 16 },
    );
    const view = new DataView(bytes.buffer, 3 << 16);
    for (let i = 0; i < 400; i++) view.setUint32(16 + 16 * i + 12, (1 << 16) - 16 * 402 - 800, true);
    for (let i = 0; i < 400; i++) view.setUint32(16 + 16 * i + 4, 16 * (401 - i), true);
    const { text, error } = lines(open(bytes));
    expect(error).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED', message: expect.stringContaining('overlaps another') });
    expect(text.length).toBeLessThan(200_000);
  });

  property.prop([fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 })], { numRuns: 300 })(
    'damaged anywhere: lines that can be parsed, and one of our errors or none',
    (changes) => {
      const bytes = readFixture('bolt/small-512-stored').slice();
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      let db: BoltDb;
      try {
        db = open(bytes);
      } catch {
        return;
      }
      const { text, error } = lines(db);
      expect(text === '' || text.endsWith('\n')).toBe(true);
      if (error === undefined) parse(text);
      else expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'LINE_INVALID' }));
      if (error !== undefined && error.code === 'BOLT_SOURCE_DAMAGED') {
        expect(checkBolt(bytes).verdict).not.toBe('healthy');
      }
    },
  );
});

describe('a file that another program writes to', () => {
  const before = readFixture('bolt/mixed-1024');

  test('is told to have changed', () => {
    const changed = laterState(before);
    expect(open(changed).hasChanged()).toBe(false);
    const db = open(changingSource((read) => (read < 2 ? before : changed)));
    expect(db.hasChanged()).toBe(true);
    const { text, error } = lines(db);
    expect(error).toMatchObject({ code: 'SOURCE_CHANGED' });
    expect(text).toMatch(/\n\{"error":\{"code":"SOURCE_CHANGED".*\}\}\n$/);
  });

  test('what looks like damage is put down to the change', () => {
    const changed = laterState(before).fill(0, 2048);
    const db = open(changingSource((read) => (read < 6 ? before : changed)));
    expect(lines(db).error).toMatchObject({ code: 'SOURCE_CHANGED', cause: { code: 'BOLT_DAMAGED' } });
  });
});
