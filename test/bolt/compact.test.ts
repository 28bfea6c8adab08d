import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BoltBuilder } from '../../src/bolt/build.ts';
import { BulkCopy } from '../../src/bolt/bulk-copy.ts';
import { type BuildOptions, BulkFile } from '../../src/bolt/bulk-file.ts';
import { BulkRead } from '../../src/bolt/bulk-read.ts';
import { checkBolt } from '../../src/bolt/check.ts';
import { CompactJob, compactBolt, damageReport } from '../../src/bolt/compact.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { exportEntries } from '../../src/bolt/export.ts';
import { type DatadirError, isDatadirError } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import type { Input } from '../../src/io/input.ts';
import { drain } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { changingSource, nestedBuckets, nextTransaction } from '../support/bolt-builder.ts';
import { listContent } from '../support/bolt-content.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { boltRecipes } from '../support/bolt-recipes.ts';
import { expectBuilt } from '../support/built-shape.ts';
import { faultyFile, faultySource, seededRandom } from '../support/faulty.ts';
import { contentOf, listDbFixtures, readFixture } from '../support/fixtures.ts';
import { widgetsFile } from '../support/golden-bolt.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function compact(input: Input, options: BuildOptions = {}) {
  const file = memoryFile();
  const summary = await compactBolt(input, file, options);
  return { summary, bytes: file.bytes() };
}

async function failure(input: Input): Promise<DatadirError> {
  const error: unknown = await compactBolt(input, memoryFile()).catch((thrown) => thrown);
  if (isDatadirError(error)) return error;
  throw error instanceof Error ? error : new Error('nothing was thrown');
}

/** The same by way of the reader, and by way of entries: three readers, one result. */
function otherWays(source: Uint8Array, options: BuildOptions): Uint8Array[] {
  const db = openReadable(source);
  const settings = { pageSize: db.pageSize, freelistStored: db.freelistStored, ...options };
  const read = memoryFile();
  const target = new BulkFile(read, settings);
  const reading = new BulkRead(db, new BulkCopy(target, undefined));
  while (!reading.step());
  target.finish();
  const built = memoryFile();
  const builder = new BoltBuilder(built, settings);
  for (const entry of exportEntries(db)) builder.add(entry);
  builder.finish();
  return [read.bytes(), built.bytes()];
}

const healthy = listDbFixtures().filter(({ kind }) => kind !== 'surgery');

describe('every fixture keeps its content', () => {
  test.each(healthy.map((fixture) => [fixture.name, fixture] as const))('%s', async (_, fixture) => {
    const source = readFixture(fixture);
    const before = sha256(source);
    const expected = contentOf(fixture)?.buckets ?? listContent(source);
    const { summary, bytes } = await compact(source);
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(expected);
    expect(bytes.length).toBeLessThanOrEqual(Math.max(4096, source.length));
    const { pageSize, freelistStored } = openReadable(source);
    expect(openReadable(bytes)).toMatchObject({ pageSize, freelistStored });
    expect(summary).toMatchObject({
      size: bytes.length,
      sourceSize: source.length,
      pageSize,
      freelistStored,
      buckets: expected.length,
      pairs: expected.reduce((sum, { keys }) => sum + keys, 0),
      digest: checkBolt(source, { digest: true }).bolt?.digest?.value,
    });
    expect(sha256(source)).toBe(before);
    for (const other of otherWays(source, {})) expect(sha256(other)).toBe(sha256(bytes));
    // What is compact already stays as it is.
    expect(sha256((await compact(bytes)).bytes)).toBe(sha256(bytes));
  });
});

describe('another page size, fill percent or freelist', () => {
  const names = [
    'bolt/shapes-4096-stored',
    'bolt/nested-4096',
    'bolt/inline-4096',
    'bolt/mixed-1024',
    'bolt/overflow-4096',
  ];
  const options: BuildOptions[] = [
    { pageSize: 512 },
    { pageSize: 1000, fillPercent: 0.5 },
    { pageSize: 65536, freelistStored: false },
    { pageSize: 4096, fillPercent: 0.1, freelistStored: true },
  ];
  test.each(names)('%s', async (name) => {
    const source = readFixture(name);
    const expected = listContent(source);
    for (const chosen of options) {
      const { bytes } = await compact(source, chosen);
      expectBuilt(bytes);
      expect(listContent(bytes)).toEqual(expected);
      const { pageSize, freelistStored = openReadable(source).freelistStored } = chosen;
      expect(openReadable(bytes)).toMatchObject({ pageSize, freelistStored });
      for (const other of otherWays(source, chosen)) expect(sha256(other)).toBe(sha256(bytes));
    }
  });
});

test('the sequence of the root bucket is kept, though only surgery can have set it', async () => {
  const edit = new BoltEdit(widgetsFile());
  edit.editMetas((at) => edit.setU64(at + 40, 77n));
  const { bytes } = await compact(edit.bytes);
  expect(openReadable(bytes).meta.sequence).toBe(77n);
});

describe('deep and large', () => {
  test.each([100, 5000])('%d levels of buckets', async (depth) => {
    const { bytes, summary } = await compact(nestedBuckets(depth));
    expect(summary).toMatchObject({ buckets: depth, pairs: 1 });
    expect(checkBolt(bytes).findings).toEqual([]);
  });

  /** A bucket `b` with keys of 4 bytes; values of zeros but for their first and last byte. */
  function largeValues(sizes: readonly number[], pageSize: number): Uint8Array {
    const file = memoryFile();
    const builder = new BoltBuilder(file, { pageSize, freelistStored: false });
    const path = [new TextEncoder().encode('b')];
    builder.add({ bucket: path });
    for (const [i, size] of sizes.entries()) {
      const value = new Uint8Array(size);
      value.fill(i + 1, 0, 1);
      value.fill(i + 1, -1);
      builder.add({ bucket: path, key: new TextEncoder().encode(`k${100 + i}`), value });
    }
    builder.finish();
    return file.bytes();
  }
  const MIB = 2 ** 20;

  test.each([512, 4096, 65536])('values of megabytes in pages of %d', async (pageSize) => {
    const source = largeValues([5, 3 * MIB, 2 * MIB + 1, 1, MIB, MIB + 1, 100, 100, 5 * MIB], pageSize);
    const { bytes } = await compact(source, { pageSize: 4096 });
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(listContent(source));
    for (const other of otherWays(source, { pageSize: 4096 })) expect(sha256(other)).toBe(sha256(bytes));
  });

  test('several large values on one page, as bbolt has them', async () => {
    const value = (byte: number, size: number) => new Uint8Array(size).fill(byte);
    const source = boltFile(
      {
        2: leaf(bucket('b', 3)),
        3: leaf(['a', value(1, 3 * MIB)], ['b', value(2, 10)], ['c', value(3, MIB + 1)], ['d', value(4, MIB)]),
      },
      { pageSize: 4096 },
    );
    const { bytes } = await compact(source);
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(listContent(source));
  });

  test('a large value is copied in steps, with small reads and writes', () => {
    const source = largeValues([24 * MIB], 4096);
    const file = faultyFile(memoryFile());
    let most = 0;
    const counting = faultySource(memorySource(source), { onRead: (_, length) => (most = Math.max(most, length)) });
    const job = new CompactJob(counting, file);
    let steps = 1;
    while (!job.step()) steps++;
    expect(most).toBeLessThanOrEqual(MIB);
    expect(steps).toBeGreaterThan(20);
    const writes = file.events.flatMap((event) => (event.kind === 'write' ? [event.bytes.length] : []));
    expect(Math.max(...writes)).toBeLessThanOrEqual(MIB);
    expect(job.progress.done).toBeGreaterThan(20 * MIB);
  });
});

describe('rare but lawful forms are compacted too', () => {
  const forms: [string, Uint8Array][] = [
    [
      'a branch whose key is smaller than the first one of its child',
      boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['k', 5]), 4: leaf(['b', '1']), 5: leaf(['m', '2']) }),
    ],
    ['a branch with one child', boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4]), 4: leaf(['a', '1']) })],
    [
      'bytes left behind the last element',
      (() => {
        const edit = new BoltEdit(boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['a', '1']) }));
        edit.bytes.fill(9, edit.at(3, 200), edit.at(3, 210));
        edit.bytes.fill(9, edit.at(3, 34), edit.at(3, 40));
        return edit.bytes;
      })(),
    ],
    [
      'a page more than needed, as boltdb had it',
      (() => {
        const full = leaf(['a', new Uint8Array(512 - 16 - 16 - 1)], ['b', new Uint8Array(512 - 16 - 1)]);
        const edit = new BoltEdit(boltFile({ 2: leaf(bucket('b', 3)), 3: full, 6: leaf() }, { highWaterMark: 6 }));
        edit.setU32(edit.at(3, 12), 2);
        return edit.bytes;
      })(),
    ],
    [
      'a bucket on the same page as a value of a megabyte',
      boltFile(
        {
          2: leaf(bucket('b', 3)),
          3: leaf(['a', new Uint8Array(2 ** 20)], bucket('n', 300), inlineBucket('o', leaf(['x', 'y']), 3)),
          300: leaf(['deep', 'value']),
        },
        { pageSize: 4096 },
      ),
    ],
  ];
  test.each(forms)('%s', async (_, source) => {
    expect(checkBolt(source).findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    const { bytes } = await compact(source);
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(listContent(source));
  });

  test('a file whose freelist is damaged gets a new one', async () => {
    const source = boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['a', '1']), 4: freelist(3, 3, 999) }, { freelist: 4 });
    expect(checkBolt(source).verdict).toBe('damaged');
    const { bytes } = await compact(source);
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(listContent(source));
  });

  test('of a file whose newer meta is damaged the older state is taken, and the finding kept', async () => {
    const edit = new BoltEdit(readFixture('bolt/mixed-1024'));
    edit.flip(edit.at(edit.newerMeta, 72), 1);
    const { summary } = await compact(edit.bytes);
    expect(summary.findings.map(({ code }) => code)).toEqual(['BOLT_META_NEWER_INVALID']);
  });
});

describe('damage is refused', () => {
  const fixture = 'etcd/3.6.14/busy/m1';
  const context = { snapshot: new Uint8Array(0) };

  test.each(
    boltRecipes.filter(({ name }) => name !== 'bolt-trailer-kept').map((recipe) => [recipe.name, recipe] as const),
  )('%s: refused if the trees are damaged, else all that the check sees is kept', async (_, recipe) => {
    const source = recipe.apply(readFixture(fixture), 0, context);
    const report = checkBolt(source, { digest: true });
    const damage = report.findings.filter(
      ({ code, severity }) => severity !== 'info' && severity !== 'repairable' && !/^BOLT_FREE(LIST|_PAGE)_/.test(code),
    );
    if (damage.length === 0) {
      const { summary, bytes } = await compact(source);
      expect(summary.digest).toBe(report.bolt?.digest?.value);
      expectBuilt(bytes);
      return;
    }
    const error = await failure(source);
    expect(['BOLT_SOURCE_DAMAGED', 'BOLT_NO_META']).toContain(error.code);
    if (error.code === 'BOLT_SOURCE_DAMAGED') {
      expect(damageReport(error)?.findings.length).toBeGreaterThan(0);
      expect(error.message).toMatch(/^the file is damaged: ./);
    }
  });

  test('random bytes changed: never a crash, never other content than the check sees', async () => {
    const random = seededRandom(20);
    const original = readFixture('bolt/shapes-1024-none');
    const { highWaterMark, pageSize } = new BoltEdit(original);
    const outcomes = { refused: 0, made: 0 };
    for (let round = 0; round < 150; round++) {
      const source = original.slice();
      for (let i = 0; i <= random() * 3; i++) {
        // Among the first bytes of pages, where headers and elements are.
        const at = Math.floor(random() * highWaterMark) * pageSize + Math.floor(random() * 80);
        source[at] = Math.floor(random() * 256);
      }
      const report = checkBolt(source, { digest: true });
      try {
        const { summary } = await compact(source);
        expect(summary.digest).toBe(report.bolt?.digest?.value);
        outcomes.made++;
      } catch (error) {
        if (!isDatadirError(error, 'BOLT_SOURCE_DAMAGED', 'BOLT_NO_META')) throw error;
        expect(report.verdict).not.toBe('healthy');
        outcomes.refused++;
      }
    }
    expect(outcomes.refused).toBeGreaterThan(20);
    expect(outcomes.made).toBeGreaterThan(20);
  });

  test('also when so much is wrong with the freelist that no finding about anything else is kept', async () => {
    // Every second leaf is in the freelist too; the keys of the last one are out of order.
    const key = (i: number): string => `${i}`.padStart(4, '0');
    const leaves = Array.from({ length: 2400 }, (_, i) => 300 + i);
    const source = boltFile(
      {
        2: leaf(bucket('b', 3)),
        3: branch(...leaves.map((page, i) => [key(i), page] as const)),
        200: freelist(...leaves.filter((page) => page % 2 === 0)),
        ...Object.fromEntries(leaves.map((page, i) => [page, leaf([key(i), '1'])])),
        2699: leaf([key(2399), '1'], ['0', '2']),
      },
      { freelist: 200 },
    );
    const others = checkBolt(source).findings.filter(({ code }) => !/^BOLT_FREE(LIST|_PAGE)_/.test(code));
    expect(others).toEqual([]);
    const error = await compact(source).catch((reason: unknown) => reason);
    expect(isDatadirError(error, 'BOLT_SOURCE_DAMAGED')).toBe(true);
  });

  test('a plain key among the top-level buckets', async () => {
    expect(await failure(boltFile({ 2: leaf(['k', 'v']) }))).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED' });
  });

  test('a page that belongs to two buckets', async () => {
    const source = boltFile({ 2: leaf(bucket('a', 3), bucket('b', 3)), 3: leaf(['k', 'v']) });
    expect(damageReport(await failure(source))?.findings[0]?.code).toBe('BOLT_PAGE_REFERENCED_TWICE');
  });

  test('a bucket that is its own ancestor', async () => {
    const source = boltFile({ 2: leaf(bucket('a', 3)), 3: leaf(bucket('b', 3)) });
    expect(await failure(source)).toMatchObject({ code: 'BOLT_SOURCE_DAMAGED' });
  });

  test('what is no bolt file at all', async () => {
    expect(await failure(new Uint8Array(10_000))).toMatchObject({ code: 'BOLT_NO_META' });
    expect(await failure(new Uint8Array(0))).toMatchObject({ code: 'BOLT_NO_META' });
    expect(damageReport(new Error('another'))).toBe(undefined);
  });

  test('what cannot be read is an error of reading, unless it is not needed', async () => {
    const leaves = { 4: leaf(['a', '1']), 6: leaf(['k', '2']), 8: leaf(['p', '3']) };
    const bytes = boltFile({ 2: leaf(bucket('b', 3)), 3: branch(['a', 4], ['k', 6], ['p', 8]), ...leaves });
    const failing = (page: number) => faultySource(memorySource(bytes), { failAt: [[page * 512, page * 512 + 1]] });
    for (const page of [2, 3, 4, 6, 8]) {
      expect(await failure(failing(page))).toMatchObject({ code: 'IO_FAILED', systemCode: 'EIO' });
    }
    for (const page of [5, 7]) {
      expect(listContent((await compact(failing(page))).bytes)).toEqual(listContent(bytes));
    }
  });
});

describe('a source that is written to', () => {
  const first = readFixture('bolt/mixed-1024');
  const states = [first];
  for (let i = 1; i < 60; i++) states.push(nextTransaction(states[i - 1] as Uint8Array));
  const state = (i: number) => states[Math.min(i, states.length - 1)] as Uint8Array;

  test('once: it is read again, and the newest state is what is kept', async () => {
    const source = changingSource((read) => state(read < 12 ? 0 : 1));
    const { summary, bytes } = await compact(source);
    expect(summary.txid).toBe(openReadable(state(1)).txid);
    expectBuilt(bytes);
    expect(listContent(bytes)).toEqual(listContent(first));
  });

  test('again and again: an error', async () => {
    const source = changingSource((read) => state(Math.floor(read / 4)));
    expect(await failure(source)).toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  test('pages that are overwritten meanwhile are not damage', async () => {
    const broken = new BoltEdit(state(1));
    for (const page of broken.treePages().slice(5)) broken.bytes.fill(0xa5, broken.at(page), broken.at(page, 64));
    // What the next transaction overwrites is seen for a while, then another whole state.
    const source = changingSource((read) => (read < 8 ? state(0) : read < 20 ? broken.bytes : state(2)));
    const { summary } = await compact(source);
    expect(summary.txid).toBe(openReadable(state(2)).txid);
  });

  test('a file that becomes shorter', async () => {
    const source = faultySource(memorySource(first), { shrinkTo: 4096, shrinkAfterReads: 12 });
    expect(isDatadirError(await failure(source))).toBe(true);
  });
});

describe('failing writes', () => {
  const source = readFixture('bolt/overflow-4096');

  test('at each write the error is that of the file', () => {
    for (let n = 0; ; n++) {
      const memory = memoryFile();
      const job = new CompactJob(memorySource(source), faultyFile(memory, { failWriteAfter: n }));
      try {
        drain(job);
      } catch (error) {
        expect(isDatadirError(error, 'IO_FAILED') && error.systemCode).toBe('ENOSPC');
        expect(() => job.result).toThrow('not finished');
        // Without metas there is no database.
        expect(() => openReadable(memory)).toThrow('no valid meta');
        continue;
      }
      expect(n).toBeGreaterThan(1);
      break;
    }
  });

  test('a sync that fails', () => {
    const job = new CompactJob(memorySource(source), faultyFile(memoryFile(), { failSyncAt: 0 }));
    expect(() => drain(job)).toThrow('sync gave EIO');
  });

  test('what was written wrongly is found by reading it again', async () => {
    const memory = memoryFile();
    const target = {
      ...faultyFile(memory),
      get size() {
        return memory.size;
      },
      write: (offset: number, bytes: Uint8Array) => {
        const copy = bytes.slice();
        if (offset > 0) copy[4096 + 300] ^= 4;
        memory.write(offset, copy);
      },
    };
    await expect(compactBolt(source, target)).rejects.toMatchObject({ code: 'SELF_CHECK_FAILED' });
  });
});

test('stops when it is told to', async () => {
  const controller = new AbortController();
  const running = compactBolt(readFixture('bolt/mixed-65536'), memoryFile(), { signal: controller.signal });
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});

test('tells how far it has come, up to the end', async () => {
  const source: ByteSource = memorySource(readFixture('bolt/bigfree-1024'));
  const seen: { done: number; total: number }[] = [];
  await compactBolt(source, memoryFile(), { onProgress: (progress) => seen.push(progress) });
  expect(seen.every(({ done }, i) => i === 0 || done >= (seen[i - 1]?.done ?? 0))).toBe(true);
  expect(seen.at(-1)?.done).toBe(seen.at(-1)?.total);
});
