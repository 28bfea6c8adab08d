import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BoltDb, openBolt } from '../../src/bolt/index.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { BoltEdit, boundaryValues } from '../support/bolt-edit.ts';
import { boltFile, branch, bucket, inlineBucket, leaf, type Page } from '../support/bolt-pages.ts';
import { readFixture } from '../support/fixtures.ts';
import { branchFile, widgetsFile } from '../support/golden-bolt.ts';

const open = (bytes: Uint8Array) => openBolt(memorySource(bytes));
const key = (text: string) => new TextEncoder().encode(text);
const damaged = (more: object = {}) => expect.objectContaining({ code: 'BOLT_DAMAGED', ...more });
/** A file with one bucket `b` that begins at page 3. */
const file = (pages: Record<number, Page>) => open(boltFile({ 2: leaf(bucket('b', 3)), ...pages }));

/** Everything that can be asked of a database. Each answer is a value or one of our errors; anything else is thrown on. */
function askEverything(bytes: Uint8Array): void {
  let db: BoltDb;
  try {
    db = open(bytes);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return;
  }
  const ask = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (!isDatadirError(error) || error.code === 'INTERNAL' || error.code === 'USAGE') throw error;
    }
  };
  const limit = { buckets: 200 };
  const askBucket = (path: readonly Uint8Array[]) => {
    if (limit.buckets-- <= 0) return;
    ask(() => {
      const found = db.requireBucket(path);
      const cursor = found.cursor();
      ask(() => found.forEach(() => {}));
      ask(() => {
        for (let element = cursor.first(); element; element = cursor.next()) element.valueLength;
      });
      ask(() => {
        for (let element = cursor.last(); element; element = cursor.prev()) element.value();
      });
      for (const wanted of ['', 'a', 'k05', 'k13', '\xff']) {
        ask(() => cursor.seek(key(wanted))?.copy());
        ask(() => found.get(wanted));
      }
      ask(() => found.stats());
      const names: Uint8Array[] = [];
      ask(() => found.scan(({ isBucket, key }) => isBucket && names.length < 100 && names.push(key.slice())));
      if (path.length < 20) for (const name of names) askBucket([...path, name]);
    });
  };
  askBucket([]);
  ask(() => db.stats());
  ask(() => db.inspect());
  ask(() => [...db.freelist().ids()]);
  ask(() => [...db.pages()]);
  ask(() => [...db.pages({ ignoreFreelist: true })]);
  for (let id = 0; id < Math.min(db.highWaterMark, 40); id++) {
    ask(() => {
      const page = db.page(id);
      for (let i = 0; i < page.count; i++) ask(() => page.hasItems && page.item(i).element.copy());
      ask(() => page.freelist && [...page.freelist.rawIds()]);
    });
  }
}

describe('pages that point to each other', () => {
  test('a branch that is its own child ends in an error', () => {
    const db = file({ 3: branch(['a', 3], ['b', 4]), 4: leaf(['b', '']) });
    const cursor = db.requireBucket('b').cursor();
    expect(() => cursor.first()).toThrow(damaged({ pageId: 3 }));
    expect(() => cursor.seek(key('a'))).toThrow(damaged());
    expect(cursor.seek(key('b'))?.keyLength).toBe(1);
    expect(() => db.stats()).toThrow(damaged());
    expect(() => db.inspect()).toThrow(damaged());
  });

  test('two branches that are each other’s children end in an error, behind what comes first', () => {
    const db = file({
      3: branch(['a', 5], ['m', 4]),
      4: branch(['m', 6], ['n', 3]),
      5: leaf(['a', '']),
      6: leaf(['m', '']),
    });
    const seen: number[] = [];
    expect(() => db.requireBucket('b').scan((element) => seen.push(element.key[0]!))).toThrow(damaged({ pageId: 4 }));
    expect(seen).toEqual([97, 109]);
    expect(() => db.requireBucket('b').cursor().last()).toThrow(damaged());
  });

  test('a page under many parents is not read over and over', () => {
    // Sixty branches, each with the next one twice: 2^60 leaves for whoever believes them.
    const levels = 60;
    const pages: Record<number, Page> = { [3 + levels]: leaf() };
    for (let i = 0; i < levels; i++) pages[3 + i] = branch(['a', 4 + i], ['b', 4 + i]);
    const db = file(pages);
    const cursor = db.requireBucket('b').cursor();
    expect(() => cursor.first()).toThrow(damaged());
    expect(() => cursor.last()).toThrow(damaged());
    expect(() => db.stats()).toThrow(damaged());
    expect([...db.freelist().ids()]).toEqual([]);
  });

  test('a tree of more than 64 levels ends in an error', () => {
    const pages: Record<number, Page> = { 73: leaf(['a', '']) };
    for (let i = 0; i < 70; i++) pages[3 + i] = branch(['a', 4 + i]);
    expect(() => file(pages).requireBucket('b').cursor().first()).toThrow(damaged({ pageId: 66 }));
  });

  test('a bucket whose root is that of a bucket above it cannot be opened', () => {
    const db = file({ 3: leaf(bucket('inner', 4)), 4: leaf(bucket('again', 3), ['k', 'v']) });
    expect(db.get(['b', 'inner'], 'k')).toBeDefined();
    expect(() => db.bucket(['b', 'inner', 'again'])).toThrow(damaged({ pageId: 3 }));
    expect(() => db.stats()).toThrow(damaged());
    expect(() => db.inspect()).toThrow(damaged());
  });

  test('many buckets with one root are not counted over and over', () => {
    const names = Array.from({ length: 2000 }, (_, i) => bucket(`b${String(i).padStart(4, '0')}`, 3));
    const db = open(boltFile({ 2: leaf(['-', '']), 3: leaf(['k', 'v']), 4: leaf(...names) }, { root: 4 }));
    expect(() => db.stats()).toThrow(damaged());
    expect(() => db.inspect()).toThrow(damaged());
    expect(db.get('b1234', 'k')).toBeDefined();
  });
});

describe('pages that are not what they should be', () => {
  const edited = (edit: (edit: BoltEdit) => void) => {
    const changed = new BoltEdit(branchFile());
    edit(changed);
    return open(changed.bytes).requireBucket('b');
  };
  const cases: Record<string, readonly [(edit: BoltEdit) => void, string, number]> = {
    'a branch without children': [(e) => e.setU16(e.at(8, 10), 0), 'a branch without children', 8],
    'a child beyond the high water mark': [(e) => e.setU64(e.at(8, 24), 11), 'child 0 is page 11', 8],
    'an absurd child': [(e) => e.setU64(e.at(8, 24), 2n ** 60n), 'child 0 is page', 8],
    'a meta page as a child': [(e) => e.setU64(e.at(8, 24), 1), 'child 0 is page 1', 8],
    'a freelist as a child': [(e) => e.setU64(e.at(8, 24), 10), 'flags 0x10', 10],
    'another page number': [(e) => e.setU64(e.at(4), 5), 'carries the page number 5', 4],
    'a page of zeros': [(e) => e.bytes.fill(0, e.at(4), e.at(5)), 'carries the page number 0', 4],
    'unknown flags': [(e) => e.setU16(e.at(4, 8), 0x20), 'flags 0x20', 4],
    'two flags': [(e) => e.setU16(e.at(4, 8), 0x03), 'flags 0x03', 4],
    'overflow beyond the high water mark': [(e) => e.setU32(e.at(4, 12), 7), 'claims 7 overflow pages', 4],
    'huge overflow': [(e) => e.setU32(e.at(4, 12), 0xffff_ffff), 'claims 4294967295 overflow pages', 4],
    'more elements than fit': [(e) => e.setU16(e.at(4, 10), 64), '64 elements do not fit', 4],
    'a key before the data': [(e) => e.setU32(e.at(4, 20), 63), 'element 0 lies at 79', 4],
    'a key behind the page': [(e) => e.setU32(e.at(4, 20), 2000), 'element 0 lies at 2016', 4],
    'a key that runs out of the page': [(e) => e.setU32(e.at(4, 24), 1000), 'element 0 lies at 80', 4],
    'a value that runs out of the page': [(e) => e.setU32(e.at(4, 28), 1000), 'element 0 lies at 80', 4],
    'sizes whose sum passes 2^32': [(e) => e.setU32(e.at(4, 28), 0xffff_ffff), 'element 0 lies at 80', 4],
    'a key of no bytes': [(e) => e.setU32(e.at(4, 24), 0), 'element 0 has a key of no bytes', 4],
  };

  test.each(Object.entries(cases))('%s', (_, [edit, message, pageId]) => {
    expect(() => edited(edit).forEach(() => {})).toThrow(
      damaged({ pageId, message: expect.stringContaining(message) }),
    );
    expect(() => edited(edit).cursor().first()).toThrow(damaged({ pageId }));
    expect(() => edited(edit).get('k00')).toThrow(damaged({ pageId }));
  });

  test('elsewhere they do no harm', () => {
    for (const [name, [edit]] of Object.entries(cases)) {
      if (name === 'a branch without children') continue;
      expect(edited(edit).get('k13')?.length, name).toBe(100);
      expect(edited(edit).cursor().last()?.keyLength, name).toBe(3);
    }
  });

  test('the root bucket at no page of the database', () => {
    for (const root of [0n, 1n, 11n, 2n ** 63n]) {
      const edit = new BoltEdit(branchFile());
      edit.editMetas((at) => edit.setU64(at + 32, root));
      const db = open(edit.bytes);
      expect(() => db.bucket('b')).toThrow(damaged());
      expect(db.freelist().count).toBe(2);
    }
  });
});

describe('buckets that are not what they should be', () => {
  const withValue = (value: Uint8Array) =>
    open(boltFile({ 2: leaf({ key: 'b', value, bucket: true }, bucket('c', 3)), 3: leaf(['k', 'v']) }));
  const inline = (page: Page) => withValue(inlineBucket('b', page).value as Uint8Array);

  test.each([0, 1, 15])('a value of %i bytes has no header', (length) => {
    expect(() => withValue(new Uint8Array(length)).bucket('b')).toThrow(damaged({ pageId: 2 }));
  });
  test.each([16, 31])('an inline bucket of %i bytes has no page header', (length) => {
    const db = withValue(new Uint8Array(length));
    expect(() => db.bucket('b')?.get('k')).toThrow(damaged({ pageId: 2 }));
    expect(() => db.stats()).toThrow(damaged());
  });
  test('an inline page must be a leaf', () => {
    expect(() => inline({ ...leaf(['k', 'v']), flags: 1 }).get('b', 'k')).toThrow(damaged({ pageId: 2 }));
  });
  test('an inline page has room for its elements', () => {
    expect(() => inline({ ...leaf(['k', 'v']), count: 200 }).get('b', 'k')).toThrow(damaged({ pageId: 2 }));
  });
  test('keys and values of an inline page lie in it', () => {
    const page = leaf(['k', 'v']);
    new DataView(page.body.buffer).setUint32(12, 2, true);
    expect(() => inline(page).get('b', 'k')).toThrow(damaged({ pageId: 2 }));
  });
  test('the root of a bucket is a page of the database', () => {
    const far = new Uint8Array(16).fill(0xff);
    expect(() => withValue(far).get('b', 'k')).toThrow(damaged());
    expect([...withValue(far).buckets()].map(({ name }) => name[0])).toEqual([98, 99]);
  });
  test('the others can be read', () => {
    expect(withValue(new Uint8Array(3)).get('c', 'k')).toEqual(key('v'));
  });
});

describe('whatever the bytes', () => {
  test('every field at every boundary gives an answer or one of our errors', () => {
    for (const original of [branchFile(), widgetsFile()]) {
      const edit = new BoltEdit(original);
      for (const field of edit.fields()) {
        const old = edit.getField(field);
        for (const value of boundaryValues(field.size, old, BigInt(edit.highWaterMark), BigInt(edit.pageSize))) {
          edit.setField(field, value);
          if (field.structure === 'meta' && field.field !== 'checksum') edit.sealMeta(field.page as 0 | 1);
          askEverything(edit.bytes);
        }
        edit.setField(field, old);
        if (field.structure === 'meta' && field.field !== 'checksum') edit.sealMeta(field.page as 0 | 1);
      }
      expect(Buffer.compare(edit.bytes, original)).toBe(0);
    }
  });

  test('a file cut anywhere gives an answer or one of our errors', () => {
    const whole = branchFile();
    for (let length = 0; length <= 11 * 1024; length += 97) askEverything(whole.slice(0, length));
  });

  const small = readFixture('bolt/small-512-none');
  const damage = fc.array(
    fc.record({
      at: fc.nat(small.length - 1),
      byte: fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 16, 127, 255), fc.nat(255)),
    }),
    { minLength: 1, maxLength: 30 },
  );
  property.prop([damage], { numRuns: 150 })('damaged bytes give an answer or one of our errors', (changes) => {
    const bytes = small.slice();
    // Metas stay whole in most runs: what hangs on them is to be reached.
    for (const { at, byte } of changes) if (at >= 1024 || at % 7 === 0) bytes[at] = byte;
    askEverything(bytes);
  });

  property.prop([fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 6 })], { numRuns: 100 })(
    'pages in each other’s places give an answer or one of our errors',
    (swaps) => {
      const bytes = branchFile();
      for (const [from, to] of swaps) {
        const page = bytes.slice(from * 1024, (from + 1) * 1024);
        bytes.set(page, (to + 1) * 1024);
        new DataView(bytes.buffer).setBigUint64((to + 1) * 1024, BigInt(to + 1), true);
      }
      askEverything(bytes);
    },
  );
});
