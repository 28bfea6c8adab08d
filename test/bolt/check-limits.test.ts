// Files made to hurt: too deep, too large, full of lies about their size. The answer comes all the same, in bounded time and
// memory.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { describeFinding } from '../../src/findings.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import type { CheckReport } from '../../src/report.ts';
import { nestedBuckets, sparseSource } from '../support/bolt-builder.ts';
import { BoltEdit, BRANCH } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, inlineBucket, leaf, type Page } from '../support/bolt-pages.ts';
import { readFixture } from '../support/fixtures.ts';
import { placesOf } from './damage/catalogue.ts';
import { CountingSource } from './damage/judge.ts';

const codes = (report: CheckReport): string[] => report.findings.map(({ code }) => code);
const words = (report: CheckReport): string =>
  report.findings.map((f) => `${f.severity} ${f.code}: ${describeFinding(f).message}`).join('\n');

/** Checks, and gives up the test when that takes too long or too much memory. */
function checkWithin(input: Uint8Array | ByteSource, limit: { ms: number; mebibytes: number }): CheckReport {
  const before = process.memoryUsage();
  const start = performance.now();
  const report = checkBolt(input);
  const took = performance.now() - start;
  const after = process.memoryUsage();
  expect(took).toBeLessThan(limit.ms);
  // What is not collected yet counts too, so the bound is a generous one.
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  expect(grown / 2 ** 20).toBeLessThan(limit.mebibytes);
  expect(JSON.stringify(report).length).toBeLessThan(1 << 20);
  return report;
}

describe('damage at several places', () => {
  test('in two branches gives both reports, and what is lost below them', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    const { branches, leaves } = placesOf(edit);
    const below = branches.map((page) => edit.branchElements(page).map(({ child }) => child));
    edit.setU16(edit.at(below[1]![0]!, 8), 0x40);
    edit.setU64(edit.branchElements(branches[2]!)[1]!.element + 8, 2n ** 50n);
    edit.setU32(edit.leafElements(edit.at(leaves.at(-1)!))[0]!.element + 8, 0);
    const report = checkBolt(edit.bytes);
    expect(report.verdict).toBe('damaged');
    const roots = report.findings.filter(({ causedBy, severity }) => causedBy === undefined && severity === 'corrupt');
    const places = roots.map(({ code, page }) => `${code} ${page}`);
    expect(places).toContain(`BOLT_PAGE_TYPE ${below[1]![0]}`);
    expect(places).toContain(`BOLT_CHILD_OUT_OF_RANGE ${branches[2]}`);
    expect(places).toContain(`BOLT_KEY_EMPTY ${leaves.at(-1)}`);
    // The child that nobody names any more is the only leak, and it is put down to its cause.
    const leaks = report.findings.filter(({ code }) => code === 'BOLT_PAGE_UNREACHABLE');
    expect(leaks).toHaveLength(1);
    expect(leaks[0]).toMatchObject({ page: below[2]![1], args: { pages: '1' }, causedBy: expect.anything() });
  });

  test('a page that is found damaged does not keep the walk from its neighbours and children', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    const { branches } = placesOf(edit);
    edit.setU64(edit.at(branches[0]!), 999);
    const child = edit.branchElements(branches[0]!)[1]!.child;
    edit.setU16(edit.at(child, 10), 0);
    const report = checkBolt(edit.bytes);
    expect(codes(report)).toContain('BOLT_PAGE_ID');
    expect(report.findings.find(({ code }) => code === 'BOLT_LEAF_EMPTY')).toMatchObject({ page: child });
    expect(codes(report)).not.toContain('BOLT_PAGE_UNREACHABLE');
  });
});

describe('cycles end in one finding each', () => {
  test('of two buckets that hold one another', () => {
    const pages = { 2: leaf(bucket('a', 3)), 3: leaf(bucket('b', 4)), 4: leaf(bucket('a', 3)) };
    const report = checkBolt(boltFile(pages));
    expect(codes(report)).toEqual(['BOLT_PAGE_REFERENCED_TWICE']);
    expect(report.findings[0]).toMatchObject({ page: 3, args: { from: '4' } });
  });

  test('of a branch of an inner bucket to a branch of an outer one', () => {
    const pages: Record<number, Page> = {
      2: leaf(bucket('a', 3)),
      3: branch(['b', 4], ['c', 5]),
      4: leaf(bucket('b', 6)),
      5: leaf(['c', '1']),
      6: branch(['b', 3], ['x', 7]),
      7: leaf(['x', '1']),
    };
    const report = checkBolt(boltFile(pages));
    expect(report.findings.filter(({ causedBy }) => causedBy === undefined)).toMatchObject([
      { code: 'BOLT_PAGE_REFERENCED_TWICE', page: 3, path: [6, 3], bucket: ['"a"', '"b"'] },
    ]);
  });

  test('of many children that are all the same page', () => {
    const children = Array.from({ length: 3000 }, (_, i) => [`k${i.toString().padStart(5, '0')}`, 3] as const);
    const report = checkBolt(boltFile({ 2: leaf(bucket('a', 3)), 3: branch(...children) }));
    expect(report.verdict).toBe('damaged');
    expect(report.counts.corrupt).toBe(3000);
    expect(report.findings.length).toBe(1000);
  });
});

describe('nesting', () => {
  test('100,000 buckets in one another', () => {
    const file = nestedBuckets(100_000);
    const report = checkWithin(file, { ms: 15_000, mebibytes: 200 });
    expect(report).toMatchObject({ verdict: 'healthy', findings: [], bolt: { pagesInUse: 100_003 } });
    expect(report.bytesRead).toBeLessThan(3 * file.length);
  });

  test('damage in the innermost of them is told with the end of its path only', () => {
    const file = nestedBuckets(100_000);
    const page = 100_002;
    new DataView(file.buffer).setUint16(page * 512 + 8, 0x40, true);
    const report = checkWithin(file, { ms: 15_000, mebibytes: 200 });
    expect(report.findings).toMatchObject([{ code: 'BOLT_PAGE_TYPE', page, path: [page] }]);
    expect(report.findings[0]!.bucket).toEqual(['…', ...new Array(16).fill('"b"')]);
  });

  test('trees of more levels than can be are left at level 64, whatever lies below', () => {
    const pages: Record<number, Page> = { 2: leaf(bucket('b', 3)) };
    for (let i = 3; i < 5000; i++) pages[i] = branch(['k', i + 1]);
    pages[5000] = leaf(['k', 'v']);
    const report = checkBolt(boltFile(pages));
    expect(report.findings[0]).toMatchObject({ code: 'BOLT_TREE_TOO_DEEP', page: 3 + 63, args: { depth: '64' } });
  });
});

describe('claims on other pages', () => {
  /** n buckets, whose roots are n leaves that each claim the n pages behind them. */
  function greedyPages(n: number): { input: CountingSource; file: Uint8Array } {
    const items = Array.from({ length: n }, (_, i) => bucket(`b${i.toString().padStart(6, '0')}`, 2));
    const top = leaf(...items);
    const topPages = Math.ceil((16 + top.body.length) / 512);
    const first = 2 + topPages;
    const named = leaf(...items.map(({ key }, i) => bucket(key, first + i)));
    const file = new Uint8Array((first + 2 * n + 1) * 512);
    file.set(boltFile({ 2: named }, { highWaterMark: first + 2 * n + 1 }));
    const one = boltFile({ 2: leaf(['k', 'v']) }).subarray(1024, 1536);
    const view = new DataView(file.buffer);
    for (let i = 0; i < n; i++) {
      file.set(one, (first + i) * 512);
      view.setUint32((first + i) * 512, first + i, true);
      view.setUint32((first + i) * 512 + 12, n, true);
    }
    return { input: new CountingSource(file), file };
  }

  test('n pages that each claim n overflow pages cost no more than n reads', () => {
    const n = 20_000;
    const { input, file } = greedyPages(n);
    const report = checkWithin(input, { ms: 15_000, mebibytes: 200 });
    expect(report.verdict).toBe('damaged');
    expect(report.counts.corrupt).toBe(n);
    expect(input.reads).toBeLessThan(3 * n);
    expect(input.bytesRead).toBeLessThan(4 * file.length);
  });

  test('large pages that claim each other are read once', () => {
    // Elements that point to the far end of the pages claimed, so that those are wanted.
    const n = 2000;
    const { file } = greedyPages(n);
    const view = new DataView(file.buffer);
    const first = file.length / 512 - 1 - 2 * n;
    for (let i = 0; i < n; i++) view.setUint32((first + i) * 512 + 16 + 12, n * 512 - 18, true);
    const input = new CountingSource(file);
    const report = checkWithin(input, { ms: 15_000, mebibytes: 200 });
    expect(report.verdict).toBe('damaged');
    expect(input.bytesRead).toBeLessThan(4 * file.length);
  });

  test('an old boltdb page with one overflow page too many, since its content ends exactly at the end of a page, is let be', () => {
    const value = new Uint8Array(512 - 16 - 16 - 1);
    for (const [overflow, expected] of [
      [0, []],
      [1, []],
      [2, ['BOLT_OVERFLOW_TOO_LARGE']],
    ] as const) {
      const edit = new BoltEdit(boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['k', value]) }, { highWaterMark: 6 }));
      edit.grow(6 * 512);
      edit.setU32(edit.at(3, 12), overflow);
      expect(codes(checkBolt(edit.bytes))).toEqual(expected);
    }
  });
});

describe('numbers that are too large', () => {
  const SIZE = 2 ** 44; // 16 TiB
  const PAGE = 4096;

  function metasOf(fields: { root: number; freelist?: number; highWaterMark: bigint }): Uint8Array {
    const { root, freelist: list, highWaterMark } = fields;
    const pages = { 2: leaf() };
    const edit = new BoltEdit(
      boltFile(pages, { pageSize: PAGE, root, ...(list === undefined ? {} : { freelist: list }) }),
    );
    edit.editMetas((start) => edit.setU64(start + 56, highWaterMark));
    return edit.bytes.subarray(0, 2 * PAGE);
  }
  /** A page of PAGE bytes with its header. */
  function pageOf(id: number, page: Page, overflow = 0): Uint8Array {
    const file = new BoltEdit(boltFile({ 2: page }, { pageSize: PAGE }));
    file.setU64(file.at(2), id);
    file.setU32(file.at(2, 12), overflow);
    return file.bytes.subarray(2 * PAGE, 3 * PAGE);
  }
  const small = { ms: 5000, mebibytes: 100 };

  test('a file of 16 TiB of zeros', () => {
    const source = sparseSource(SIZE, new Map());
    const report = checkWithin(source, small);
    expect(codes(report)).toEqual(['BOLT_META_BOTH_INVALID', 'BOLT_META_BOTH_INVALID']);
    expect(source.bytesRead).toBeLessThan(100 << 20);
  });

  test('a sparse file of 16 TiB with one empty bucket is healthy', () => {
    const highWaterMark = BigInt(SIZE / PAGE);
    const far = SIZE / PAGE - 1;
    const parts = new Map([
      [0, metasOf({ root: far, highWaterMark })],
      [far * PAGE, pageOf(far, leaf())],
    ]);
    const source = sparseSource(SIZE, parts);
    const report = checkWithin(source, small);
    expect(report).toMatchObject({ verdict: 'healthy', findings: [], bolt: { pagesInUse: 3, freePages: far - 2 } });
    expect(source.bytesRead).toBeLessThan(1 << 20);
  });

  test('its pages that an empty freelist does not name are one finding', () => {
    const highWaterMark = BigInt(SIZE / PAGE);
    const parts = new Map([
      [0, metasOf({ root: 2, freelist: 3, highWaterMark })],
      [2 * PAGE, pageOf(2, leaf())],
      [3 * PAGE, pageOf(3, freelist())],
    ]);
    const report = checkWithin(sparseSource(SIZE, parts), small);
    expect(report.findings).toMatchObject([{ code: 'BOLT_PAGE_UNREACHABLE', pages: [4, SIZE / PAGE - 1] }]);
  });

  test('a page, and a freelist, that claim 2^32 - 1 overflow pages of it', () => {
    const highWaterMark = BigInt(2 ** 33);
    const list = 2 ** 32 + 5;
    const parts = new Map([
      [0, metasOf({ root: 2, freelist: list, highWaterMark })],
      [2 * PAGE, pageOf(2, leaf(inlineBucket('b', leaf(['k', 'v']))), 0xffff_ffff)],
      [list * PAGE, pageOf(list, freelist(), 0xffff_ffff)],
    ]);
    const report = checkWithin(sparseSource(2 ** 33 * PAGE, parts), small);
    expect(codes(report)).toContain('BOLT_OVERFLOW_TOO_LARGE');
    expect(report.bolt?.pagesInUse).toBeGreaterThan(2 ** 32);
  });

  test.each([2n ** 31n, 2n ** 32n, 2n ** 52n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])(
    'a high water mark of %s pages with a right checksum',
    (highWaterMark) => {
      for (const name of ['bolt/small-512-stored', 'bolt/small-512-none']) {
        const edit = new BoltEdit(readFixture(name));
        const { leaves } = placesOf(edit);
        edit.editMetas((start) => edit.setU64(start + 56, highWaterMark));
        const whole = checkWithin(edit.bytes, small);
        expect(whole.verdict).toBe('damaged');
        expect(whole.findings[0]).toMatchObject({
          code: 'BOLT_FILE_TRUNCATED',
          args: { highWaterMark: `${highWaterMark}` },
        });
        // Pages of it that claim all the others.
        edit.setU32(edit.at(leaves[1]!, 12), 0xffff_ffff);
        edit.setU32(edit.at(edit.root, 12), 0xffff_fff0);
        if (edit.freelist !== undefined) edit.setU32(edit.at(edit.freelist, 12), 0xffff_ffff);
        expect(checkWithin(edit.bytes, small).verdict).toBe('damaged');
        // Children and buckets far behind the file.
        const child = highWaterMark - 1n;
        edit.setU64(edit.branchElements(placesOf(new BoltEdit(readFixture(name))).branches[1]!)[0]!.element + 8, child);
        expect(checkWithin(edit.bytes, small).verdict).toBe('damaged');
      }
    },
  );
});

describe('long keys and large pages', () => {
  /** Names that agree in their first 66,000 bytes. */
  function longName(end: string, length = 66_000): Uint8Array {
    const name = new Uint8Array(length + end.length).fill(0x6e);
    name.set(new TextEncoder().encode(end), length);
    return name;
  }
  const inner = leaf(['k', 'v']);

  test('names of buckets of more than 64 KiB are compared to their end', () => {
    const file = (...ends: string[]): Uint8Array =>
      boltFile({ 2: leaf(...ends.map((end) => inlineBucket(longName(end), inner))) }, { pageSize: 4096 });
    expect(codes(checkBolt(file('a', 'b', 'ba')))).toEqual([]);
    expect(checkBolt(file('a', 'c', 'b')).findings).toMatchObject([
      { code: 'BOLT_KEY_ORDER', page: 2, element: 2, args: { relation: '<' } },
    ]);
    expect(checkBolt(file('a', 'a')).findings).toMatchObject([{ code: 'BOLT_KEY_ORDER', args: { relation: '=' } }]);
    expect(codes(checkBolt(file('ba', 'b')))).toEqual(['BOLT_KEY_ORDER']);
  });

  test('as bounds in branches they are compared to their end too', () => {
    const file = (first: string[], second: string[], key = second[0]!): Uint8Array =>
      boltFile(
        {
          2: branch([longName(first[0]!), 100], [longName(key), 200]),
          100: leaf(...first.map((end) => inlineBucket(longName(end), inner))),
          200: leaf(...second.map((end) => inlineBucket(longName(end), inner))),
        },
        { pageSize: 4096 },
      );
    expect(words(checkBolt(file(['a', 'b'], ['c', 'd'])))).toBe('');
    expect(checkBolt(file(['a', 'd'], ['c', 'e'])).findings).toMatchObject([
      { code: 'BOLT_KEY_ABOVE_PARENT', page: 100 },
    ]);
    expect(checkBolt(file(['a', 'b'], ['c', 'd'], 'cc')).findings).toMatchObject([
      { code: 'BOLT_KEY_BELOW_PARENT', page: 200 },
    ]);
    expect(checkBolt(file(['a', 'b'], ['d', 'e'], 'c')).findings).toMatchObject([
      { code: 'BOLT_BRANCH_KEY_NOT_FIRST', page: 200 },
    ]);
  });

  test('keys of 32768 bytes make branches of many pages', () => {
    const file = readFixture('bolt/branch-overflow-1024-none');
    const healthy = new BoltEdit(file);
    const large = healthy.treePages().filter((page) => healthy.flags(page) === BRANCH && healthy.overflow(page) > 30);
    expect(large.length).toBeGreaterThan(0);
    for (const page of large) {
      // A late byte of a key is made larger than it is on the child.
      const edit = new BoltEdit(file);
      const { key, child } = edit.branchElements(page).at(-1)!;
      key[key.length - 1]!++;
      const report = checkBolt(edit.bytes);
      expect(report.findings[0], words(report)).toMatchObject({ code: 'BOLT_KEY_BELOW_PARENT', page: child });
    }
  });

  /** A bucket of three large leaves. Every one takes more than a mebibyte, of which only the keys are of interest. */
  function largePages(): BoltEdit {
    const value = (length: number): Uint8Array => new Uint8Array(length).fill(0x77);
    const large = (a: string, b: string, c: string): Page =>
      leaf([a, value(700_000)], [b, value(700_000)], inlineBucket(c, leaf(['x', '1'], ['y', '2'])));
    return new BoltEdit(
      boltFile(
        {
          2: leaf(bucket('b', 3)),
          3: branch(['a', 4], ['d', 400], ['g', 800]),
          4: large('a', 'b', 'c'),
          400: large('d', 'e', 'f'),
          800: large('g', 'h', 'i'),
        },
        { pageSize: 4096 },
      ),
    );
  }

  test('a leaf of more than a mebibyte is read only as far as its keys', () => {
    const source = new CountingSource(largePages().bytes);
    const report = checkBolt(source);
    expect(words(report)).toBe('');
    expect(source.bytesRead).toBeLessThan(1 << 20);
  });

  test.each([4, 400, 800])('damage far down a large leaf, page %d, is found', (page) => {
    const at = (edit: BoltEdit) => edit.leafElements(edit.at(page));
    const expectFound = (change: (edit: BoltEdit) => void, expected: object): void => {
      const edit = largePages();
      change(edit);
      const report = checkBolt(edit.bytes);
      expect(report.findings[0], words(report)).toMatchObject({ page, ...expected });
    };
    expectFound((edit) => at(edit)[2]!.key.fill(0x41), { code: 'BOLT_KEY_ORDER', element: 2 });
    // Behind the last page nothing follows that a key could be above.
    const above = { code: 'BOLT_KEY_ABOVE_PARENT', element: 2 };
    if (page !== 800) expectFound((edit) => at(edit)[2]!.key.fill(0x7a), above);
    expectFound((edit) => edit.setU32(at(edit)[2]!.element + 8, 0), { code: 'BOLT_KEY_EMPTY', element: 2 });
    expectFound((edit) => edit.setU32(at(edit)[1]!.element + 12, 699_999), { code: 'BOLT_ELEMENT_GAP', element: 2 });
    expectFound((edit) => edit.setU32(at(edit)[1]!.element + 12, 700_001), {
      code: 'BOLT_ELEMENT_OVERLAP',
      element: 2,
    });
    expectFound((edit) => edit.setU32(at(edit)[2]!.element, 3), { code: 'BOLT_ELEMENT_FLAGS', element: 2 });
    const inlinePage = (edit: BoltEdit) => at(edit)[2]!.position + 1 + 16;
    expectFound((edit) => edit.setU16(inlinePage(edit) + 8, 1), { code: 'BOLT_INLINE_PAGE', element: 2 });
    expectFound((edit) => edit.leafElements(inlinePage(edit))[1]!.key.fill(0x41), {
      code: 'BOLT_KEY_ORDER',
      element: 2,
      inline: 1,
    });
  });

  test('a leaf that is cut off by the end of the file in the middle of its values', () => {
    const { bytes, highWaterMark, pageSize } = largePages();
    const report = checkBolt(bytes.subarray(0, 900 * pageSize + 7));
    expect(report.findings).toMatchObject([
      { code: 'BOLT_FILE_TRUNCATED' },
      { code: 'BOLT_PAGE_BEYOND_FILE', pages: [900, highWaterMark - 1], causedBy: { code: 'BOLT_FILE_TRUNCATED' } },
    ]);
  });
});
