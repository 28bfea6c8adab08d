import { describe, expect, test } from 'vitest';
import { type BoltDb, openBolt } from '../../src/bolt/index.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, freelist, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { listDbFixtures, readFixture, recorded, recordedCommands } from '../support/fixtures.ts';
import { branchFile, widgetsFile } from '../support/golden-bolt.ts';

const open = (bytes: Uint8Array) => openBolt(memorySource(bytes, 'a.db'));
const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const code = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

/** The words of `bbolt pages`. */
function words(db: BoltDb): string {
  const lines = ['ID       TYPE       ITEMS  OVRFLW', '======== ========== ====== ======'];
  for (const { id, type, items, overflow } of db.pages()) {
    const count = type === 'free' ? '' : String(items);
    lines.push(
      [String(id).padEnd(8), type.padEnd(10), count.padEnd(6), (overflow ? String(overflow) : '').padEnd(6)].join(' '),
    );
  }
  return `${lines.join('\n')}\n`;
}

describe('the table of pages', () => {
  const told = listDbFixtures().filter((each) => recorded(each, 'pages')?.exit === 0);

  test('is that of bbolt for every fixture', () => {
    expect(told.length).toBeGreaterThan(200);
    for (const fixture of told) {
      // Compared as a whole: a difference in one of a hundred thousand lines would be printed with all of them.
      expect(words(open(readFixture(fixture))) === recorded(fixture, 'pages')!.text, fixture.name).toBe(true);
    }
  });

  test('skips overflow pages and lists free pages one by one', () => {
    const db = open(boltFile({ 2: leaf(bucket('b', 3)), 3: leaf(['k', 'x'.repeat(1200)]), 8: leaf() }));
    expect([...db.pages()].map(({ id, type, items, overflow }) => [id, type, items, overflow])).toEqual([
      [0, 'meta', 0, 0],
      [1, 'meta', 0, 0],
      [2, 'leaf', 1, 0],
      [3, 'leaf', 1, 2],
      [6, 'free', 0, 0],
      [7, 'free', 0, 0],
      [8, 'free', 0, 0],
    ]);
  });

  test('names flags that no page has', () => {
    const edit = new BoltEdit(branchFile());
    edit.setU16(edit.at(5, 8), 0x1f);
    expect([...open(edit.bytes).pages()][5]).toMatchObject({ id: 5, type: 'unknown<1f>' });
  });

  test('a damaged freelist stops it, unless it is not asked', () => {
    const edit = new BoltEdit(branchFile());
    edit.setU16(edit.at(10, 8), 0x02);
    const db = open(edit.bytes);
    expect(() => [...db.pages()]).toThrow(code('BOLT_DAMAGED', { pageId: 10 }));
    const types = [...db.pages({ ignoreFreelist: true })].map(({ type }) => type);
    expect(types.filter((type) => type === 'free').length).toBe(3);
  });
});

describe('free pages', () => {
  test.each([
    ['bolt/free-ids-65534-512', 65534],
    ['bolt/free-ids-65535-512', 65535],
    ['bolt/free-ids-65536-512', 65536],
    ['bolt/free-ids-509-4096', 509],
    ['bolt/free-ids-510-4096', 510],
    ['bolt/free-ids-511-4096', 511],
  ])('%s: the stored list has %i ids', (name, count) => {
    const db = open(readFixture(name));
    const free = db.freelist();
    expect(free).toMatchObject({ stored: true, count, pageId: Number(db.meta.freelist) });
    const ids = [...free.ids()];
    expect(ids.length).toBe(count);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const list = db.page(free.pageId!).freelist!;
    expect([...list.rawIds()].length).toBe(count);
    expect(list.overflow).toBe(free.overflow);
  });

  test.each(['bolt/mixed-1024', 'bolt/nested-4096', 'bolt/overflow-4096', 'bolt/shapes-16384-stored'])(
    '%s: the stored list and its own pages are what no tree reaches',
    (name) => {
      const bytes = readFixture(name);
      const stored = open(bytes).freelist();
      const edit = new BoltEdit(bytes);
      edit.editMetas((at) => edit.setU64(at + 48, 0xffff_ffff_ffff_ffffn));
      const walked = open(edit.bytes).freelist();
      expect(walked).toMatchObject({ stored: false, complete: true, pageId: undefined });
      const own = Array.from({ length: stored.overflow + 1 }, (_, i) => stored.pageId! + i);
      expect([...walked.ids()]).toEqual([...stored.ids(), ...own].sort((a, b) => a - b));
      expect(walked.count).toBe(stored.count + own.length);
    },
  );

  test('damage makes the walk incomplete, not endless', () => {
    const db = open(
      boltFile({
        2: leaf(bucket('a', 3), bucket('b', 99), bucket('c', 2)),
        3: branch(['a', 4], ['b', 3], ['c', 99], ['d', 5]),
        4: leaf(['a', '']),
        5: leaf(['d', ''], bucket('e', 6)),
        6: leaf(),
        7: leaf(),
      }),
    );
    const free = db.freelist();
    expect([free.complete, [...free.ids()]]).toEqual([false, [7]]);
  });

  test('an id that is no page ends the list', () => {
    const pages = { 2: leaf(), 3: freelist(4, 1, 5) };
    const db = open(boltFile({ ...pages, 4: leaf(), 5: leaf() }, { freelist: 3, root: 2 }));
    expect(() => [...db.freelist().ids()]).toThrow(code('BOLT_DAMAGED', { pageId: 3 }));
    expect([...db.page(3).freelist!.rawIds()]).toEqual([4n, 1n, 5n]);
    expect([...db.pages()].filter(({ type }) => type === 'free').map(({ id }) => id)).toEqual([4, 5]);
  });

  test.each([
    ['a count that does not fit', (edit: BoltEdit) => edit.setU16(edit.at(10, 10), 1000)],
    [
      'an absurd escaped count',
      (edit: BoltEdit) => {
        edit.setU16(edit.at(10, 10), 0xffff);
        edit.setU64(edit.at(10, 16), 2n ** 62n);
      },
    ],
    ['a leaf in its place', (edit: BoltEdit) => edit.editMetas((at) => edit.setU64(at + 48, 4))],
    ['a page beyond the high water mark', (edit: BoltEdit) => edit.editMetas((at) => edit.setU64(at + 48, 11))],
    ['page 0', (edit: BoltEdit) => edit.editMetas((at) => edit.setU64(at + 48, 0))],
    ['another page number', (edit: BoltEdit) => edit.setU64(edit.at(10), 9)],
    ['too many overflow pages', (edit: BoltEdit) => edit.setU32(edit.at(10, 12), 1)],
  ])('%s is damage, and does not touch ordinary reading', (_, damage) => {
    const edit = new BoltEdit(branchFile());
    damage(edit);
    const db = open(edit.bytes);
    expect(() => [...db.freelist().ids()]).toThrow(code('BOLT_DAMAGED'));
    expect(db.requireBucket('b').stats().keyN).toBe(20);
  });
});

describe('a single page', () => {
  test('of each kind has its details', () => {
    const db = open(branchFile());
    expect(db.page(0)).toMatchObject({ type: 'meta', meta: { root: 9n, txid: 2n }, hasItems: false });
    expect(db.page(8)).toMatchObject({ type: 'branch', count: 4, overflow: 0, size: 1024 });
    expect([...db.page(8).items()].map(({ element, child }) => [text(element.key), child])).toEqual([
      ['k00', 4],
      ['k04', 5],
      ['k08', 6],
      ['k12', 7],
    ]);
    expect([...db.page(7).items()].map(({ element }) => text(element.value())?.length)).toEqual(Array(8).fill(100));
    expect(db.page(9).item(0)).toMatchObject({ bucket: { root: 8, sequence: 0n }, child: undefined });
    expect(db.page(10)).toMatchObject({ type: 'freelist', freelist: { count: 2, overflow: 0 } });
    expect([...db.page(10).items(), ...db.page(0).items()]).toEqual([]);
  });

  test('of a bucket inside its parent shows header and page', () => {
    const [item] = [...open(widgetsFile()).page(4).items()];
    expect(item).toMatchObject({ bucket: { root: 0, sequence: 1n }, element: { isBucket: true, valueLength: 54 } });
    expect(item?.element.rawValue().length).toBe(54);
  });

  test('with overflow pages gives all of its elements', () => {
    const db = open(
      boltFile({
        2: leaf(inlineBucket('i', leaf()), bucket('b', 3)),
        3: leaf(['a', 'x'.repeat(3000)], ['b', 'y'.repeat(2000)]),
      }),
    );
    expect(db.page(3)).toMatchObject({ overflow: 9, size: 5120 });
    expect([...db.page(3).items()].map(({ element }) => text(element.copy().value)?.length)).toEqual([3000, 2000]);
  });

  test('that is free shows what it held', () => {
    const db = open(readFixture('bolt/mixed-1024'));
    const said = recordedCommands('bolt/mixed-1024')!.find(({ args }) => args.join(' ') === 'page FILE 6')!;
    expect([...db.freelist().ids()]).toContain(6);
    expect(said.stdout).toMatch(
      `"${text(db.page(6).item(0).element.key)}": ${text(db.page(6).item(0).element.value())}`,
    );
  });

  test.each([11, 12, -1, 0.5, Number.NaN, 2 ** 60])('%d is not in the database', (id) => {
    expect(() => open(branchFile()).page(id)).toThrow(code('BOLT_PAGE_OUT_OF_RANGE', { path: 'a.db' }));
  });

  test.each([-1, 4, 0.5])('has no item %d', (index) => {
    expect(() => open(branchFile()).page(8).item(index)).toThrow(code('USAGE'));
  });

  test('that is a continuation of another one is refused for its number', () => {
    const db = open(boltFile({ 2: leaf(['a', 'x'.repeat(2000)]) }));
    expect(() => db.page(3)).toThrow(code('BOLT_DAMAGED', { pageId: 3 }));
  });

  test('with one bad element still gives the others', () => {
    const edit = new BoltEdit(branchFile());
    edit.setU32(edit.at(4, 16 + 16 + 4), 5000);
    const page = open(edit.bytes).page(4);
    expect(() => page.item(1)).toThrow(code('BOLT_DAMAGED', { pageId: 4, offset: 4 * 1024 + 32 }));
    expect([0, 2, 3].map((i) => text(page.item(i).element.key))).toEqual(['k00', 'k02', 'k03']);
  });
});
