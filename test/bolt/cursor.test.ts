import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cursor, type Element, openBolt } from '../../src/bolt/index.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { boltFile, branch, bucket, inlineBucket, leaf, type Page } from '../support/bolt-pages.ts';
import { readFixture } from '../support/fixtures.ts';
import { branchFile } from '../support/golden-bolt.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const name = (element: Element | undefined) => element && new TextDecoder().decode(element.key);
const cursorOf = (file: Uint8Array, path = 'b'): Cursor => openBolt(memorySource(file)).requireBucket(path).cursor();
/** A file with one bucket `b` that begins at page 3. */
const file = (pages: Record<number, Page>) => boltFile({ 2: leaf(bucket('b', 3)), ...pages });

function forwards(cursor: Cursor): (string | undefined)[] {
  const keys = [];
  for (let element = cursor.first(); element; element = cursor.next()) keys.push(name(element));
  return keys;
}
function backwards(cursor: Cursor): (string | undefined)[] {
  const keys = [];
  for (let element = cursor.last(); element; element = cursor.prev()) keys.push(name(element));
  return keys;
}

const twoLeaves = () =>
  file({ 3: branch(['b', 4], ['h', 5]), 4: leaf(['b', ''], ['d', '']), 5: leaf(['h', ''], ['k', '']) });

describe('a cursor', () => {
  test('is nowhere at first', () => {
    const cursor = cursorOf(twoLeaves());
    expect([cursor.next(), cursor.prev(), cursor.next()]).toEqual([undefined, undefined, undefined]);
  });

  test('goes over all keys in both directions', () => {
    expect(forwards(cursorOf(twoLeaves()))).toEqual(['b', 'd', 'h', 'k']);
    expect(backwards(cursorOf(twoLeaves()))).toEqual(['k', 'h', 'd', 'b']);
  });

  test('stays on the last key when next finds no more', () => {
    const cursor = cursorOf(twoLeaves());
    expect(name(cursor.last())).toBe('k');
    expect([cursor.next(), cursor.next()]).toEqual([undefined, undefined]);
    expect(name(cursor.prev())).toBe('h');
  });

  test('stays on the first key when prev finds no more, so that next gives the second', () => {
    const cursor = cursorOf(twoLeaves());
    expect(name(cursor.first())).toBe('b');
    expect([cursor.prev(), cursor.prev()]).toEqual([undefined, undefined]);
    expect(name(cursor.next())).toBe('d');
  });

  test.each([
    ['', 'b'],
    ['a', 'b'],
    ['b', 'b'],
    ['c', 'd'],
    ['d\0', 'h'],
    ['g', 'h'],
    ['h', 'h'],
    ['i', 'k'],
    ['k', 'k'],
  ])('seek %j goes to %j', (wanted, found) => {
    expect(name(cursorOf(twoLeaves()).seek(bytes(wanted)))).toBe(found);
  });

  test('seek behind the last key: prev then gives the last one, next nothing', () => {
    const cursor = cursorOf(twoLeaves());
    expect([cursor.seek(bytes('l')), cursor.next()]).toEqual([undefined, undefined]);
    expect(name(cursor.prev())).toBe('k');
  });

  test('turns at any place', () => {
    const cursor = cursorOf(twoLeaves());
    const walk = [cursor.seek(bytes('d')), cursor.next(), cursor.prev(), cursor.prev(), cursor.next(), cursor.next()];
    expect(walk.length).toBe(6);
    expect(name(cursor.next())).toBe('k');
    for (let i = 0; i < 1000; i++) {
      expect(name(cursor.seek(bytes('d')))).toBe('d');
      expect(name(cursor.next())).toBe('h');
      expect(name(cursor.prev())).toBe('d');
    }
  });

  test('may swing between two leaves for ever', () => {
    const cursor = cursorOf(twoLeaves());
    cursor.seek(bytes('d'));
    for (let i = 0; i < 1000; i++) expect([name(cursor.next()), name(cursor.prev())]).toEqual(['h', 'd']);
  });

  test('tells buckets from values', () => {
    const db = openBolt(
      memorySource(boltFile({ 2: leaf(bucket('a', 3), inlineBucket('c', leaf())), 3: leaf(['k', 'v']) })),
    );
    const cursor = db.root.cursor();
    const first = cursor.first()!;
    expect([first.isBucket, first.value(), [...first.valueChunks()], first.valueLength]).toEqual([
      true,
      undefined,
      [],
      16,
    ]);
    expect(cursor.next()?.isBucket).toBe(true);
    expect(db.requireBucket('a').cursor().first()?.copy()).toEqual({
      key: bytes('k'),
      value: bytes('v'),
      isBucket: false,
    });
  });

  test('refuses elements of an earlier position', () => {
    const cursor = cursorOf(twoLeaves());
    const first = cursor.first()!;
    const kept = first.copy();
    cursor.next();
    for (const use of [() => first.key, () => first.value(), () => first.copy(), () => [...first.valueChunks()]]) {
      expect(use).toThrow(expect.objectContaining({ code: 'USAGE' }));
    }
    expect(kept.key).toEqual(bytes('b'));
  });

  test('is nowhere after an error', () => {
    const cursor = cursorOf(file({ 3: branch(['a', 4], ['b', 99]), 4: leaf(['a', '']) }));
    expect(name(cursor.first())).toBe('a');
    expect(() => cursor.next()).toThrow(expect.objectContaining({ code: 'BOLT_DAMAGED' }));
    expect([cursor.next(), cursor.prev()]).toEqual([undefined, undefined]);
    expect(name(cursor.first())).toBe('a');
  });
});

describe('empty leaves', () => {
  const tree = (...leaves: string[]) =>
    file({
      3: branch(...leaves.map((text, i) => [text || `${i}`, i + 4] as const)),
      ...Object.fromEntries(leaves.map((text, i) => [i + 4, leaf(...[...text].map((key) => [key, ''] as const))])),
    });

  test.each([
    ['first', ['', 'ab', 'c']],
    ['in the middle', ['ab', '', '', 'c']],
    ['last', ['ab', 'c', '', '']],
    ['everywhere', ['', 'a', '', 'bc', '']],
  ])('%s are passed over in both directions', (_, leaves) => {
    const cursor = cursorOf(tree(...leaves));
    expect(forwards(cursor)).toEqual(['a', 'b', 'c']);
    expect(backwards(cursor)).toEqual(['c', 'b', 'a']);
    // Both ends, as if the empty leaves were not there.
    expect(name(cursor.last())).toBe('c');
    expect(cursor.next()).toBeUndefined();
    expect(name(cursor.prev())).toBe('b');
    expect(name(cursor.first())).toBe('a');
    expect(cursor.prev()).toBeUndefined();
    expect(name(cursor.next())).toBe('b');
    expect([cursor.seek(bytes('d')), cursor.next()]).toEqual([undefined, undefined]);
    expect(name(cursor.prev())).toBe('c');
  });

  test('only: there is no key, and last ends', () => {
    const cursor = cursorOf(tree('', '', ''));
    expect([cursor.first(), cursor.last(), cursor.next(), cursor.prev(), cursor.seek(bytes('a'))]).toEqual(
      Array(5).fill(undefined),
    );
  });

  test('an empty bucket has no key', () => {
    const cursor = cursorOf(file({ 3: leaf() }));
    expect([cursor.first(), cursor.last(), cursor.seek(bytes('a')), cursor.next(), cursor.prev()]).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('trees that are not as bbolt writes them', () => {
  test('leaves at different depths are all found', () => {
    const uneven = file({
      3: branch(['a', 4], ['c', 5], ['g', 8]),
      4: leaf(['a', ''], ['b', '']),
      5: branch(['c', 6], ['e', 7]),
      6: leaf(['c', '']),
      7: leaf(['e', '']),
      8: leaf(['g', '']),
    });
    expect(forwards(cursorOf(uneven))).toEqual(['a', 'b', 'c', 'e', 'g']);
    expect(backwards(cursorOf(uneven))).toEqual(['g', 'e', 'c', 'b', 'a']);
  });

  test('children in any order of page numbers are read right', () => {
    const pages: Record<number, Page> = {};
    const ids = Array.from({ length: 60 }, (_, i) => 4 + ((i * 37) % 60));
    const keys = ids.map((_, i) => `k${String(i).padStart(2, '0')}`);
    for (const [i, id] of ids.entries()) pages[id] = leaf([keys[i]!, `value ${i}`]);
    const shuffled = boltFile(
      { 2: leaf(bucket('b', 3)), ...pages, 3: branch(...ids.map((id, i) => [keys[i]!, id] as const)) },
      { pageSize: 4096 },
    );
    expect(forwards(cursorOf(shuffled))).toEqual(keys);
    expect(backwards(cursorOf(shuffled))).toEqual(keys.toReversed());
  });
});

describe('against a sorted array', () => {
  const fixtures = ['bolt/mixed-1024', 'bolt/levels-512-none', 'bolt/keys-4096', 'bolt/branch-overflow-1024-none'];

  for (const fixture of fixtures) {
    const db = openBolt(memorySource(readFixture(fixture)));
    let big = db.root;
    for (const each of db.buckets()) if (each.stats().keyN > big.stats().keyN || big === db.root) big = each;
    const keys: Buffer[] = [];
    const values = new Set<string>();
    big.scan((element) => {
      keys.push(Buffer.from(element.key));
      if (!element.isBucket) values.add(keys.at(-1)!.toString('hex'));
    });

    property.prop([
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .tuple(fc.nat(keys.length - 1), fc.nat(3), fc.uint8Array({ maxLength: 2 }))
          .map(([i, cut, tail]) => Buffer.concat([keys[i]!.subarray(0, keys[i]!.length - cut), tail])),
      ),
    ])(`${fixture}: seek is the lower bound, next and prev its neighbours`, (wanted) => {
      const at = keys.findIndex((key) => Buffer.compare(key, wanted) >= 0);
      const expected = at === -1 ? keys.length : at;
      const cursor = big.cursor();
      expect(name(cursor.seek(wanted))).toBe(keys[expected]?.toString());
      expect(big.has(wanted)).toBe(values.has(Buffer.from(wanted).toString('hex')));
      expect(name(cursor.prev())).toBe(expected > 0 ? keys[expected - 1]!.toString() : undefined);
      cursor.seek(wanted);
      expect(name(cursor.next())).toBe(keys[expected + 1]?.toString());
    });
  }

  property.prop([fc.array(fc.constantFrom('first', 'last', 'next', 'prev', 'seek'), { maxLength: 60 }), fc.nat()])(
    'any walk is that of an index into the array',
    (moves, seed) => {
      const cursor = cursorOf(branchFile());
      const keys = Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}`);
      let at: number | undefined;
      for (const [i, move] of moves.entries()) {
        let moved = move !== 'next' && move !== 'prev';
        const wanted = `k${String((seed + i * 7) % 25).padStart(2, '0')}`;
        if (move === 'first') at = 0;
        else if (move === 'last') at = 19;
        else if (move === 'seek') {
          const found = keys.findIndex((key) => key >= wanted);
          at = found === -1 ? 20 : found;
        } else if (at !== undefined && move === 'next') {
          moved = at < 19;
          if (moved) at++;
        } else if (at !== undefined && move === 'prev') {
          moved = at > 0;
          if (moved) at--;
        }
        const got = move === 'seek' ? cursor.seek(bytes(wanted)) : cursor[move as 'first']();
        expect(name(got)).toBe(moved ? keys[at!] : undefined);
      }
    },
  );
});

test('an element outlives nothing but its own position in a scan', () => {
  let kept: Element | undefined;
  openBolt(memorySource(branchFile()))
    .requireBucket('b')
    .scan((element) => {
      kept = element;
      return false;
    });
  try {
    kept?.key;
    expect.unreachable();
  } catch (error) {
    expect(isDatadirError(error, 'USAGE')).toBe(true);
  }
});
