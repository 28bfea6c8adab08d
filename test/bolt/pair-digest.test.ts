// The digest of all pairs: it depends on what is in a file and on nothing else, and a check makes it on its way.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bucket } from '../../src/bolt/bucket.ts';
import { BoltBuilder, type BuildEntry } from '../../src/bolt/build.ts';
import { BoltCheckJob, checkBolt } from '../../src/bolt/check.ts';
import { openBolt } from '../../src/bolt/open.ts';
import { type BucketDigest, PairDigest } from '../../src/bolt/pair-digest.ts';
import { FoldKernel } from '../../src/checksum/sparse-fold.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { DigestSummary } from '../../src/report.ts';
import { changingSource, nestedBuckets } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, type Item, inlineBucket, leaf, type Page } from '../support/bolt-pages.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { bytesOf } from '../support/crash-judge.ts';
import { faultySource, seededRandom } from '../support/faulty.ts';
import { contentOf, listDbFixtures, readFixture, surgeryOf } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { CountingSource } from './damage/judge.ts';

type LeafItem = readonly [string, string | Uint8Array] | Item;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function digestOf(input: Uint8Array | ByteSource): DigestSummary | undefined {
  return checkBolt(input, { digest: true }).bolt?.digest;
}

/** Pair by pair through the reader, by a digest that never leaves plain code. */
function digestByReader(bytes: Uint8Array): DigestSummary {
  const digest = new PairDigest(() => undefined);
  const add = (bucket: Bucket, fed: BucketDigest): void => {
    const inner: Uint8Array[] = [];
    bucket.forEach((key, value) => {
      if (value === undefined) {
        inner.push(key.slice());
        return;
      }
      fed.range(key, 0, key.length);
      fed.range(value, 0, value.length);
      fed.lengths(key.length, value.length);
    });
    if (fed !== digest.root) fed.end();
    // From the last to the first: the order of buckets does not matter.
    for (const name of inner.reverse()) {
      const child = bucket.requireBucket(name);
      add(child, digest.bucket(fed, name, child.sequence));
    }
  };
  const db = openBolt(bytes);
  add(db.root, digest.root);
  db.close();
  return digest.summary();
}

const healthy = listDbFixtures().filter(({ kind }) => kind !== 'surgery');

describe('a check makes the digest', () => {
  test.each(healthy.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
    const bytes = readFixture(fixture);
    const found = digestOf(bytes);
    expect(found).toEqual(digestByReader(bytes));
    const content = contentOf(fixture);
    if (content === undefined) return;
    const buckets = content.buckets.length;
    expect(found).toMatchObject({ buckets, pairs: content.buckets.reduce((sum, { keys }) => sum + keys, 0) });
  });

  test('only when it is asked for, and then says that it read the values', () => {
    const bytes = readFixture('bolt/overflow-4096');
    const plain = checkBolt(bytes);
    expect(plain.bolt).not.toHaveProperty('digest');
    const { bytesRead, examined, bolt, ...report } = checkBolt(bytes, { digest: true });
    expect(bolt?.digest?.value).toMatch(/^[0-9a-f]{16}$/);
    expect(bytesRead).toBeGreaterThan(plain.bytesRead);
    expect(examined).toContain('every value, for the digest of all pairs');
    expect(report.verdict).toBe('healthy');
  });

  test('not of parts of a file', () => {
    const bytes = readFixture('bolt/mixed-4096-array');
    expect(checkBolt(bytes, { digest: true, level: 'sanity' }).bolt).not.toHaveProperty('digest');
    expect(checkBolt(bytes, { digest: true, fromPage: 4 }).bolt).not.toHaveProperty('digest');
  });
});

// ---- what it does not depend on ------------------------------------------------------------------------------------

const random = seededRandom(7);
const below = (end: number): number => Math.floor(random() * end);
const randomBytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));

/** Buckets in buckets, empty ones, small and large ones, values of many pages. */
function someContent(): BuildEntry[] {
  const entries: BuildEntry[] = [];
  const fill = (path: Uint8Array[], pairs: number, valueLength: () => number, prefix = 'k'): void => {
    for (let i = 0; i < pairs; i++) {
      const key = text(`${prefix}${`${i}`.padStart(6, '0')}`);
      entries.push({ bucket: path, key, value: randomBytes(valueLength()) });
    }
  };
  const add = (path: string[], sequence = 0n): Uint8Array[] => {
    const names = path.map(text);
    entries.push({ bucket: names, sequence });
    return names;
  };
  add(['empty']);
  add(['inline'], 3n);
  fill([text('inline')], 3, () => 10);
  const large = add(['large']);
  fill(large, 12, () => below(150_000));
  fill(large, 1, () => 1_500_000, 'l');
  const outer = add(['outer'], 2n ** 63n);
  for (let i = 0; i < 40; i++) {
    const inner = add(['outer', `a${`${i}`.padStart(3, '0')}`], BigInt(i));
    fill(inner, i * i, () => below(40));
  }
  fill(outer, 300, () => below(100));
  add(['outer', 'z']);
  fill(add(['outer', 'z', 'deeper']), 5, () => 700);
  const small = add(['small']);
  fill(small, 3000, () => below(30));
  return entries;
}

function build(entries: readonly BuildEntry[], options: ConstructorParameters<typeof BoltBuilder>[1] = {}) {
  const file = memoryFile();
  const builder = new BoltBuilder(file, options);
  for (const entry of entries) builder.add(entry);
  const { pairs, buckets, digest } = builder.finish();
  return { bytes: bytesOf(file), summary: { pairs, buckets, value: digest } };
}

describe('the digest is the same', () => {
  const content = someContent();
  const expected = digestByReader(build(content).bytes);

  test.each([512, 1024, 4096, 16_384, 65_536])('with pages of %d bytes, however full', (pageSize) => {
    for (const fillPercent of [0.1, 0.5, 1]) {
      const { bytes, summary } = build(content, { pageSize, fillPercent, freelistStored: fillPercent === 1 });
      expect(digestOf(bytes)).toEqual(expected);
      expect(summary).toEqual(expected); // which the builder made of what it was given
    }
  });

  test('wherever a tree is cut into pages', () => {
    const pair = (i: number) => [`key${i}`, `value${i}`] as const;
    const all = [1, 2, 3, 4, 5, 6].map(pair);
    const trees: Record<number, Page>[] = [
      { 3: leaf(...all) },
      { 3: branch(['key1', 4], ['key3', 5]), 4: leaf(...all.slice(0, 2)), 5: leaf(...all.slice(2)) },
      { 3: branch(['key1', 6], ['key6', 4]), 6: leaf(...all.slice(0, 5)), 4: leaf(...all.slice(5)) },
    ];
    const files = trees.map((pages) => boltFile({ 2: leaf(bucket('b', 3)), ...pages }));
    files.push(boltFile({ 2: leaf(inlineBucket('b', leaf(...all))) }));
    expect(new Set(files.map((file) => digestOf(file)?.value)).size).toBe(1);
    expect(digestOf(files[0]!)).toMatchObject({ pairs: 6, buckets: 1 });
  });

  test('whatever order the buckets come in, and whoever is open at the same time', () => {
    const names = Array.from({ length: 50 }, (_, i) => `bucket ${i}`);
    const values = names.map((_, i) => randomBytes(i * 1000));
    const first = new PairDigest();
    for (const [i, name] of names.entries()) {
      const fed = first.bucket(undefined, text(name), 0n);
      fed.lengths(100, i * 1000 - 100);
      fed.range(values[i]!, 0, i * 1000);
      if (i > 0) fed.end();
    }
    const second = new PairDigest();
    const open = names.map((name) => second.bucket(second.root, text(name), 0n));
    for (let at = 0; at < 50_000; at += 777) {
      for (let i = names.length - 1; i > 0; i--) {
        const end = Math.min(i * 1000, at + 777);
        if (at < end) open[i]!.range(values[i]!, at, end);
        if (at < 777) open[i]!.lengths(100, i * 1000 - 100);
      }
    }
    for (const fed of open.slice(1)) fed.end();
    expect(second.summary()).toEqual(first.summary());
    expect(first.buckets).toBe(49);
  });

  test('in whatever pieces lengths and bytes come', () => {
    const lengths = Array.from({ length: 5000 }, () => [1 + below(30), below(200)] as const);
    const bytes = randomBytes(lengths.reduce((sum, [key, value]) => sum + key + value, 0));
    const elements = new DataView(new ArrayBuffer(lengths.length * 16));
    for (const [i, [key, value]] of lengths.entries()) {
      elements.setUint32(i * 16 + 8, key, true);
      elements.setUint32(i * 16 + 12, value, true);
    }
    const digest = (feed: (fed: BucketDigest) => void, kernel?: () => FoldKernel | undefined): string => {
      const whole = kernel === undefined ? new PairDigest() : new PairDigest(kernel);
      const fed = whole.bucket(undefined, text('b'), 1n);
      feed(fed);
      fed.end();
      expect(whole.pairs).toBe(5000);
      return whole.value();
    };
    const oneByOne = (fed: BucketDigest): void => {
      let at = 0;
      for (const [key, value] of lengths) {
        fed.lengths(key, value);
        fed.range(bytes, at, at + key);
        fed.range(bytes, at + key, at + key + value);
        at += key + value;
      }
    };
    const expected = digest(oneByOne);
    expect(digest(oneByOne, () => undefined)).toBe(expected); // as in an engine without SIMD
    const all = (fed: BucketDigest): void => {
      fed.range(bytes, 0, bytes.length);
      expect(fed.elements(elements, 0, lengths.length)).toBe(bytes.length);
    };
    expect(digest(all)).toBe(expected);
    const kernel = FoldKernel.create()!;
    expect(digest(all, () => kernel)).toBe(expected);
    const halves = (fed: BucketDigest): void => {
      for (const [key, value] of lengths.slice(0, 1500)) fed.lengths(key, value);
      fed.elements(elements, 1500 * 16, 3500);
      for (let at = 0; at < bytes.length; at += 4096) fed.range(bytes, at, Math.min(bytes.length, at + 4096));
    };
    expect(digest(halves)).toBe(expected);
  });

  test('after surgery on freelist and metas', () => {
    const surgery = (name: string) => digestOf(readFixture(`bolt-surgery/${name}`));
    for (const name of ['freelist-abandon', 'freelist-rebuild', 'meta-update-flags-0']) {
      const { source } = surgeryOf(`bolt-surgery/${name}`)!;
      expect(surgery(name)).toEqual(digestOf(readFixture(source)));
    }
  });
});

const peers = ['bbolt-1.3.12', 'bbolt-1.4.3', 'bbolt-1.5.0'];
describe.each(peers.map((name) => [name, findPeer(name)] as const))('%s compact', (_name, peer) => {
  test.skipIf(peer === undefined)('gives files of the same digest', () => {
    const folder = temporaryDirectory();
    const names = [
      'bolt/shapes-4096-stored',
      'bolt/nested-4096',
      'bolt/inline-4096',
      'bolt/overflow-4096',
      'bolt/levels-4096',
    ];
    for (const [i, name] of [...names, 'bolt/sequences-4096', 'etcd/3.6.14/busy/m1', 'etcd/3.5.33/k8s/m1'].entries()) {
      const bytes = readFixture(name);
      const [from, to] = [join(folder, `${i}.db`), join(folder, `${i}-compact.db`)];
      writeFileSync(from, bytes);
      expect(spawnSync(peer!, ['compact', '-o', to, from], { encoding: 'utf8' }).status).toBe(0);
      const compacted = new Uint8Array(readFileSync(to));
      expect(digestOf(compacted), name).toEqual(digestOf(bytes));
    }
  });
});

// ---- what it depends on --------------------------------------------------------------------------------------------

describe('the digest is another', () => {
  const pairs = [
    ['ab', 'c'],
    ['b', 'value'],
    ['c', ''],
  ] as const;
  const file = (...items: readonly LeafItem[]) =>
    boltFile({ 2: leaf(bucket('other', 3), bucket('some', 4, 5)), 3: leaf(['x', 'y']), 4: leaf(...items), 5: leaf() });
  const original = digestOf(file(...pairs));

  test.each([
    ['when the same bytes are divided otherwise', file(['a', 'bc'], ...pairs.slice(1))],
    ['when a value ends earlier and the next key is longer', file(['ab', 'cb'], ['value', ''], ['value1', ''])],
    ['when a byte of a value is another', file(pairs[0], ['b', 'valuf'], pairs[2])],
    ['when a byte of a key is another', file(['aa', 'c'], ...pairs.slice(1))],
    ['when values are exchanged', file(['ab', 'value'], ['b', 'c'], pairs[2])],
    ['when a pair is missing', file(pairs[0], pairs[1])],
    ['when there is one more', file(...pairs, ['d', ''])],
    ['when an empty bucket is added', file(...pairs, bucket('d', 5))],
    ['when an empty inline bucket is added', file(...pairs, inlineBucket('d', leaf()))],
  ])('%s', (_what, bytes) => {
    expect(original).toBeDefined();
    const changed = digestOf(bytes);
    expect(changed).toBeDefined();
    expect(changed?.value).not.toBe(original?.value);
  });

  const moved = (top: Page, third: Page, fourth: Page) => digestOf(boltFile({ 2: top, 3: third, 4: fourth }));

  test('when a bucket has another name, sequence or place, or a pair moves between buckets', () => {
    const content = { other: leaf(['x', 'y']), some: leaf(...pairs) };
    const values = [
      original,
      moved(leaf(bucket('other', 3), bucket('same', 4, 5)), content.other, content.some),
      moved(leaf(bucket('other', 3), bucket('some', 4, 6)), content.other, content.some),
      moved(leaf(bucket('other', 3, 5), bucket('some', 4)), content.other, content.some),
      moved(leaf(bucket('other', 4), bucket('some', 3, 5)), content.other, content.some),
      moved(leaf(bucket('other', 3), bucket('some', 4, 5)), leaf(['c', ''], ['x', 'y']), leaf(...pairs.slice(0, 2))),
      moved(leaf(bucket('other', 3)), leaf(bucket('some', 4, 5), ['x', 'y']), content.some),
    ];
    expect(values.every((value) => value !== undefined)).toBe(true);
    expect(new Set(values.map((value) => value?.value)).size).toBe(values.length);
    // But not when it is the same again, elsewhere.
    const again = moved(leaf(bucket('other', 4), bucket('some', 3, 5)), content.some, content.other);
    expect(again).toEqual(original);
  });

  test('when names of a path are divided otherwise', () => {
    const nested = (outer: string, inner: string) =>
      digestOf(boltFile({ 2: leaf(bucket(outer, 3)), 3: leaf(inlineBucket(inner, leaf(['k', 'v']))) }))?.value;
    expect(nested('a', 'bc')).not.toBe(nested('ab', 'c'));
  });

  test('when any byte of any value is another', () => {
    const bytes = readFixture('bolt/small-512-stored');
    const edit = new BoltEdit(bytes);
    const before = digestOf(bytes)?.value;
    const seen = new Set([before]);
    let flipped = 0;
    for (const page of edit.usedByTrees()) {
      if (page < 2 || (edit.bytes[edit.at(page, 8)]! & 2) === 0) continue;
      for (const { flags, valueStart, valueLength } of safeElements(edit, page)) {
        for (let at = valueStart; flags === 0 && at < valueStart + valueLength; at++) {
          const changed = bytes.slice();
          changed[at]! ^= 1 << below(8);
          const digest = digestOf(changed);
          expect(digest).toBeDefined();
          seen.add(digest?.value);
          flipped++;
        }
      }
    }
    expect(flipped).toBeGreaterThan(500);
    expect(seen.size).toBe(flipped + 1);
  });
});

interface PlainElement {
  readonly flags: number;
  readonly valueStart: number;
  readonly valueLength: number;
}

/** The elements of a leaf page by its raw bytes; none of an overflow page. */
function safeElements(edit: BoltEdit, page: number): PlainElement[] {
  const start = page * edit.pageSize;
  const view = new DataView(edit.bytes.buffer, edit.bytes.byteOffset);
  if (view.getUint32(start, true) !== page || view.getUint16(start + 8, true) !== 2) return [];
  return Array.from({ length: view.getUint16(start + 10, true) }, (_, i) => {
    const element = start + 16 + i * 16;
    const [flags, position, key, value] = [0, 4, 8, 12].map((field) => view.getUint32(element + field, true));
    return { flags: flags!, valueStart: element + position! + key!, valueLength: value! };
  });
}

// ---- damage, limits, jobs ------------------------------------------------------------------------------------------

describe('there is no digest', () => {
  const busy = readFixture('etcd/3.6.14/busy/m1');
  const context = { snapshot: readFixture('etcd/3.6.14/busy/snapshot') };

  test('of a file of which not everything could be walked', () => {
    const whole = digestOf(busy);
    const counts = { absent: 0, same: 0, other: 0 };
    for (const recipe of boltRecipes) {
      const bytes = recipe.apply(busy, 0, context);
      const report = checkBolt(bytes, { digest: true });
      const digest = report.bolt?.digest;
      if (digest === undefined) {
        counts.absent++;
        continue;
      }
      // What is there to be read is what the digest is of.
      expect(digest, recipe.name).toEqual(digestByReader(bytes));
      if (digest.value === whole?.value) counts.same++;
      else counts.other++;
    }
    expect(counts.absent).toBeGreaterThan(10);
    expect(counts.same).toBeGreaterThan(3);
  });

  test('of damaged bytes, whatever they are, unless all that the reader sees was walked', () => {
    const bytes = readFixture('bolt/small-512-stored');
    let given = 0;
    for (let i = 0; i < 1000; i++) {
      const changed = bytes.slice();
      for (let n = below(3); n >= 0; n--) changed[1024 + below(bytes.length - 1024)] = below(2) * below(256);
      const {
        bytesRead: _,
        elapsedMs: _ms,
        examined: _e,
        notExamined: _n,
        bolt,
        ...rest
      } = checkBolt(changed, { digest: true });
      expect(checkBolt(changed)).toMatchObject(rest);
      if (bolt?.digest === undefined) continue;
      given++;
      expect(bolt.digest).toEqual(digestByReader(changed));
    }
    expect(given).toBeGreaterThan(100);
    expect(given).toBeLessThan(900);
  });

  test('when a value cannot be read, which is then told', () => {
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['key', randomBytes(900_000)]) });
    const bad = 800_000;
    const source = () => faultySource(memorySource(bytes), { failAt: [[bad, bad + 1]] });
    const report = checkBolt(source(), { digest: true });
    expect(report.bolt).not.toHaveProperty('digest');
    expect(report.findings).toMatchObject([
      { code: 'BOLT_PAGE_UNREADABLE', page: Math.floor(bad / 512), bucket: ['"b"'] },
    ]);
    expect(checkBolt(source()).verdict).toBe('healthy');
    expect(report.notExamined).toContain('the digest of all pairs: not every one of them could be reached');
  });

  test('when the file changes all the time', () => {
    const edit = new BoltEdit(readFixture('bolt/mixed-4096-array'));
    const states = Array.from({ length: 200 }, (_, i) => {
      const next = new BoltEdit(edit.bytes.slice());
      next.editMetas((start) => next.setU64(start + 64, BigInt(100 + 2 * i + start / 4096)));
      return next.bytes;
    });
    const report = checkBolt(
      changingSource((read) => states[Math.min(199, read)]!),
      { digest: true },
    );
    expect(report.verdict).toBe('healthy');
    expect(report.bolt).not.toHaveProperty('digest');
  });

  test('when a feeder forgets bytes', () => {
    const fed = new PairDigest().bucket(undefined, text('b'), 0n);
    fed.lengths(3, 4);
    fed.range(new Uint8Array(6), 0, 6);
    expect(() => fed.end()).toThrow(/1 bytes of pairs are missing/);
  });
});

describe('the digest of large things is made in small steps', () => {
  /** The largest that one step reads, and how many steps there are. */
  function run(bytes: Uint8Array, digest = true) {
    const source = new CountingSource(bytes);
    const job = new BoltCheckJob(source, { digest });
    let largest = 0;
    let steps = 1;
    for (let before = 0; !job.step(); steps++) {
      largest = Math.max(largest, source.bytesRead - before);
      before = source.bytesRead;
    }
    return { digest: job.result.bolt?.digest, largest, steps, read: source.bytesRead };
  }

  test('of values of many megabytes', () => {
    const value = randomBytes(9_000_000);
    const entries: BuildEntry[] = [{ bucket: [text('b')] }];
    for (const key of ['a', 'b', 'c']) entries.push({ bucket: [text('b')], key: text(key), value });
    const { bytes, summary } = build(entries);
    const { digest, largest, read } = run(bytes);
    expect(digest).toEqual(summary);
    expect(largest).toBeLessThanOrEqual(2 << 20);
    expect(read).toBeLessThan(bytes.length * 1.1);
  });

  test('of one page with everything: thousands of pairs, large values, buckets between them, long names', () => {
    const items: LeafItem[] = [];
    for (let i = 0; i < 3000; i++) {
      const key = `k${`${i}`.padStart(5, '0')}`;
      if (i % 100 === 7) items.push(inlineBucket(key, leaf(['x', randomBytes(i)], ['y', 'z']), i));
      else if (i % 100 === 8) items.push(bucket(key, 5 + Math.floor(i / 100)));
      else if (i % 500 === 9) items.push(inlineBucket(`${key}${'n'.repeat(i * 100)}`, leaf(['x', randomBytes(i)])));
      else items.push([key, randomBytes(i % 300 === 0 ? 500_000 : below(2000))]);
    }
    const pages: Record<number, Page> = { 2: leaf(bucket('b', 100)), 100: leaf(...items) };
    for (let i = 0; i < 30; i++) pages[5 + i] = leaf([`key ${i}`, 'value']);
    for (let i = 3; i < 100; i++) pages[i] ??= freelist();
    const free = Object.keys(pages)
      .map(Number)
      .filter((page) => pages[page]!.flags === 0x10 && page !== 3);
    const bytes = boltFile({ ...pages, 3: freelist(...free) }, { pageSize: 4096, freelist: 3 });
    const { digest, largest } = run(bytes);
    expect(digest).toBeDefined();
    expect(digest).toEqual(digestByReader(bytes));
    // All keys of a page are examined in one step, with a digest or without.
    expect(largest).toBeLessThanOrEqual(run(bytes, false).largest + (3 << 19));
  });

  test('of a chain of nested buckets', () => {
    const { digest, steps } = run(nestedBuckets(50_000));
    expect(digest).toMatchObject({ buckets: 50_000, pairs: 1 });
    expect(steps).toBeGreaterThan(20);
  });

  test('of a chain of nested trees, all of which wait for the innermost', () => {
    // Each has a branch of two leaves: in the first the next bucket, in the second a pair that comes after it.
    const depth = 20_000;
    const pattern = boltFile({
      2: branch(['b', 3], ['c', 4]),
      3: leaf(bucket('b', 5)),
      4: leaf(['c', 'value'.repeat(80)]),
    });
    const bytes = new Uint8Array((3 + 3 * depth + 1) * 512);
    const view = new DataView(bytes.buffer);
    const move = (from: number, to: number): void => {
      bytes.copyWithin(to * 512, to * 512);
      bytes.set(pattern.subarray(from * 512, (from + 1) * 512), to * 512);
      view.setUint32(to * 512, to, true);
    };
    const last = 3 + 3 * depth;
    bytes.set(boltFile({ 2: leaf(bucket('t', 3)) }, { highWaterMark: last + 1 }).subarray(0, 3 * 512));
    for (let i = 0, page = 3; i < depth; i++, page += 3) {
      move(2, page);
      view.setUint32(page * 512 + 16 + 8, page + 1, true);
      view.setUint32(page * 512 + 32 + 8, page + 2, true);
      move(3, page + 1);
      view.setUint32((page + 1) * 512 + 33, page + 3, true);
      move(4, page + 2);
    }
    move(4, last);
    const before = process.memoryUsage();
    const digest = digestOf(bytes);
    const after = process.memoryUsage();
    expect(digest).toMatchObject({ buckets: depth + 1, pairs: depth + 1 });
    const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(grown / depth).toBeLessThan(4096); // bytes for each that waits, garbage included
  });

  test('of very many small buckets', () => {
    const buckets = 30_000;
    const entries: BuildEntry[] = [];
    for (let i = 0; i < buckets; i++) {
      const path = [text(`bucket ${`${i}`.padStart(8, '0')}`)];
      entries.push({ bucket: path, sequence: BigInt(i) }, { bucket: path, key: text('key'), value: text(`${i}`) });
    }
    const { bytes, summary } = build(entries);
    const start = performance.now();
    expect(digestOf(bytes)).toEqual(summary);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(summary).toMatchObject({ buckets, pairs: buckets });
  });
});
