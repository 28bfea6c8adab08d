/**
 * The union of ranges of keys, against a plain model that looks at keys one by one.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { KeyCover } from '../../../src/datadir/replay/permissions.ts';

interface Range {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
}

/** Whether a key is in a range, by its definition. */
function has({ key, rangeEnd }: Range, candidate: Uint8Array): boolean {
  if (rangeEnd.length === 0) return Buffer.compare(key, candidate) === 0;
  if (Buffer.compare(candidate, key) < 0) return false;
  return (rangeEnd.length === 1 && rangeEnd[0] === 0) || Buffer.compare(candidate, rangeEnd) < 0;
}

/** Where something may begin or end: from one of these to the next, all keys are in the same ranges. */
const turns = ({ key, rangeEnd }: Range): Uint8Array[] => [key, Uint8Array.from([...key, 0]), rangeEnd];

/** Whether every key of a range is in one of the others. */
function coveredByModel(given: readonly Range[], asked: Range): boolean {
  const keys = [...given, asked].flatMap(turns).filter((key) => key.length > 0 && has(asked, key));
  return keys.every((key) => given.some((range) => has(range, key)));
}

const LETTERS = [0, 1, 2, 0xff];
const key = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 3 }).map((each) => Uint8Array.from(each));
const range: fc.Arbitrary<Range> = fc.record({
  key,
  rangeEnd: fc.oneof({ weight: 3, arbitrary: key }, fc.constant(new Uint8Array(0)), {
    weight: 1,
    arbitrary: fc.constant(Uint8Array.of(0)),
  }),
});
const ranges = fc.array(range, { maxLength: 8 });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const from = (begin: string, end = ''): Range => ({ key: bytes(begin), rangeEnd: bytes(end) });
const covers = (given: readonly Range[], begin: string, end?: string): boolean =>
  new KeyCover(given).covers(from(begin, end));

describe('keys that a user has a right to', () => {
  test.prop([ranges, range], { numRuns: 5000 })('a range is permitted if each of its keys is', (given, asked) => {
    fc.pre(has(asked, asked.key));
    expect(new KeyCover(given).covers(asked)).toBe(coveredByModel(given, asked));
  });

  test.prop([fc.array(range, { minLength: 1, maxLength: 8 }), fc.nat(7)], { numRuns: 1000 })(
    'what was given is permitted',
    (given, which) => {
      const asked = given[which % given.length] as Range;
      fc.pre(has(asked, asked.key));
      expect(new KeyCover(given).covers(asked)).toBe(true);
    },
  );

  it('ranges that touch one another are one', () => {
    expect(covers([from('a', 'c'), from('c', 'f')], 'b', 'e')).toBe(true);
    expect(covers([from('a', 'c'), from('d', 'f')], 'b', 'e')).toBe(false);
    expect(covers([from('a', 'c'), from('c')], 'a', 'c\0')).toBe(true);
    expect(covers([from('a', 'c'), from('c')], 'a', 'c\0\0')).toBe(false);
  });

  it('to the end of all keys', () => {
    expect(covers([from('m', '\0')], 'm', '\0')).toBe(true);
    expect(covers([from('m', '\0')], 'n', 'z')).toBe(true);
    expect(covers([from('m', '\0')], 'l', '\0')).toBe(false);
    expect(covers([from('m', '\u{10ffff}')], 'n', '\0')).toBe(false);
    expect(covers([from('\0', '\0')], '\0', '\0')).toBe(true);
  });

  it('a permission without keys, as 3.4 stores it, gives no right', () => {
    expect(covers([from('c', 'a')], 'b')).toBe(false);
    expect(covers([from('c', 'a')], 'c')).toBe(false);
    expect(covers([from('c', 'c')], 'c')).toBe(false);
    expect(covers([from('', 'z')], 'b')).toBe(false);
    expect(covers([from('', '\0')], 'b')).toBe(false);
    expect(covers([from('')], '')).toBe(false);
    expect(covers([from('c', 'a'), from('a', 'z')], 'b', 'd')).toBe(true);
  });

  it('of a range without keys the first one counts', () => {
    expect(covers([from('b', 'd')], 'c', 'a')).toBe(true);
    expect(covers([from('b', 'd')], 'd', 'a')).toBe(false);
  });

  it('the empty key is nobody’s', () => {
    expect(covers([from('\0', '\0')], '')).toBe(false);
    expect(covers([from('\0', '\0')], '', 'z')).toBe(false);
  });
});
