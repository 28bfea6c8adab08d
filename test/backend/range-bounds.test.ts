/**
 * Which keys prefixes and ends of ranges mean.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { fromKeyRange, type KeyRange, prefixEnd, prefixRange, RangeBounds } from '../../src/backend/range-bounds.ts';
import { code } from '../support/writer-db.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.of(...values);

function contains(range: KeyRange, key: Uint8Array): boolean {
  // As in a page: the key lies among other bytes.
  const page = Uint8Array.from([...bytes(0xff, 0), ...key, ...bytes(0, 0xff)]);
  return new RangeBounds(range).contains(page, 2, 2 + key.length);
}

describe('range bounds', () => {
  test.each([
    ['61', '62'],
    ['61ff', '62'],
    ['6161', '6162'],
    ['fe', 'ff'],
    ['feffff', 'ff'],
    ['ff', '00'],
    ['ffff', '00'],
    ['', '00'],
  ])('the end of prefix %s is %s', (prefix, end) => {
    expect(Buffer.from(prefixEnd(new Uint8Array(Buffer.from(prefix, 'hex')))).toString('hex')).toBe(end);
  });

  test('a prefix that is a Buffer stays what it is', () => {
    const prefix = Buffer.from('pod');
    expect(new TextDecoder().decode(prefixRange(prefix).rangeEnd)).toBe('poe');
    expect(prefix.toString()).toBe('pod');
  });

  test('without an end, or with an empty one, it is one key', () => {
    for (const rangeEnd of [undefined, bytes()]) {
      expect(contains({ key: bytes(1), rangeEnd }, bytes(1))).toBe(true);
      expect(contains({ key: bytes(1), rangeEnd }, bytes(1, 0))).toBe(false);
      expect(contains({ key: bytes(1, 2), rangeEnd }, bytes(1))).toBe(false);
    }
  });

  test('an end of one zero byte is none; an end before the key makes it empty', () => {
    expect(contains({ key: bytes(1), rangeEnd: bytes(0) }, bytes(0xff, 0xff))).toBe(true);
    expect(contains({ key: bytes(1), rangeEnd: bytes(0) }, bytes(0, 9))).toBe(false);
    expect(contains({ key: bytes(1), rangeEnd: bytes(0, 0) }, bytes(1))).toBe(false);
    expect(contains({ key: bytes(1), rangeEnd: bytes(1) }, bytes(1))).toBe(false);
  });

  test('a key of no bytes is refused in the words of etcd; from it on, or as a prefix, it means all keys', () => {
    expect(() => new RangeBounds({ key: bytes() })).toThrow(code('USAGE'));
    expect(() => new RangeBounds({ key: bytes() })).toThrow('etcdserver: key is not provided');
    for (const range of [fromKeyRange(bytes()), prefixRange(bytes())]) {
      expect(range).toEqual({ key: bytes(0), rangeEnd: bytes(0) });
      // The record that --bump-revision leaves has no key.
      expect(contains(range, bytes())).toBe(false);
      expect(contains(range, bytes(0))).toBe(true);
    }
  });

  const anyKey = fc.array(fc.constantFrom(0, 1, 0x61, 0xfe, 0xff), { maxLength: 4 }).map((list) => bytes(...list));

  test.prop([anyKey, anyKey])('a prefix means the keys that begin so', (prefix, key) => {
    const begins = key.length > 0 && prefix.every((byte, i) => key[i] === byte);
    expect(contains(prefixRange(prefix), key)).toBe(begins);
  });

  test.prop([anyKey, anyKey, anyKey])(
    'a range means the keys from its start on to before its end',
    (start, end, key) => {
      fc.pre(start.length > 0 && end.length > 0 && !(end.length === 1 && end[0] === 0));
      const inside = Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0;
      expect(contains({ key: start, rangeEnd: end }, key)).toBe(inside);
      expect(contains(fromKeyRange(start), key)).toBe(Buffer.compare(key, start) >= 0);
    },
  );
});
