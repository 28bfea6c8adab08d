/**
 * JSON as values: exact, as strict as Go's decoder, and never more than an error of ours.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { asObject, asStrings, type JsonValue, parseJson } from '../../src/json/parse.ts';
import { JsonTokens, MAX_JSON_DEPTH } from '../../src/json/tokens.ts';

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** As `JSON.parse` gives it, for values without integers beyond 2^53. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return new Map([...value].map(([name, member]) => [name, plain(member)]));
  return value;
}
function maps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maps);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([name, member]) => [name, maps(member)]));
  }
  return Object.is(value, -0) ? 0 : value;
}

describe('values', () => {
  test('integers keep every digit', () => {
    expect(parseJson('{"id":3319814642761637952,"n":-18446744073709551616}')).toEqual(
      new Map([
        ['id', 3319814642761637952n],
        ['n', -18446744073709551616n],
      ]),
    );
  });

  test.each([
    ['1.5', 1.5],
    ['1e3', 1000],
    ['-0.25E-2', -0.0025],
    ['0', 0n],
    ['-0', 0n],
  ])('%s is a number', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  test('the last of two members with the same name counts', () => {
    expect(parseJson('{"a":1,"b":2,"a":3}')).toEqual(
      new Map([
        ['a', 3n],
        ['b', 2n],
      ]),
    );
  });

  test('names that mean something to JavaScript are names like any other', () => {
    const value = asObject(parseJson('{"__proto__":{"x":1},"constructor":2}'));
    expect([...(value ?? [])].map(([name]) => name)).toEqual(['__proto__', 'constructor']);
  });

  test('escapes', () => {
    expect(parseJson(String.raw`"\"\\\/\b\f\n\r\t\u00E9\u4e16\ud83d\ude00\u003c"`)).toBe('"\\/\b\f\n\r\té世😀<');
  });

  test('what is not Unicode becomes U+FFFD', () => {
    expect(parseJson(String.raw`"\ud800x"`)).toBe('\ufffdx');
    expect(parseJson(String.raw`"\udc00\ud83d\ud83d\ude00"`)).toBe('\ufffd\ufffd😀');
    expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toBe('\ufffd');
  });

  test('a byte order mark inside a string stays', () => {
    expect(parseJson('"\ufeffx"')).toBe('\ufeffx');
  });

  test('lists of strings, where null is none', () => {
    expect(asStrings(parseJson('["a","b"]'))).toEqual(['a', 'b']);
    expect(asStrings(null)).toEqual([]);
    expect(asStrings(parseJson('["a",1]'))).toBeUndefined();
    expect(asStrings(undefined)).toBeUndefined();
  });

  property.prop([fc.jsonValue()])('as JSON.parse gives them', (value) => {
    const text = JSON.stringify(value);
    expect(plain(parseJson(text))).toEqual(maps(JSON.parse(text)));
    expect(plain(parseJson(JSON.stringify(value, null, '\t')))).toEqual(maps(JSON.parse(text)));
  });
});

describe('what is not JSON', () => {
  test.each([
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['[1,]', 3],
    ['[,1]', 1],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['{"a":}', 5],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['01', 0],
    ['-', 0],
    ['1.', 0],
    ['1e', 0],
    ['.5', 0],
    ['+1', 0],
    ['tru', 0],
    ['nulL', 0],
    ['"a', 0],
    ['"\n"', 1],
    [String.raw`"\x"`, 1],
    [String.raw`"\u12g4"`, 1],
    ['1 2', 2],
    ['{}}', 2],
    ['\ufeff{}', 0],
    ["'a'", 0],
    ['NaN', 0],
  ])('%j', (text, offset) => {
    expect(errorOf(() => parseJson(text))).toMatchObject({ code: 'JSON_INVALID', offset });
  });

  test('deeper than Go goes', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(MAX_JSON_DEPTH))).toHaveLength(1);
    expect(errorOf(() => parseJson(nested(MAX_JSON_DEPTH + 1)))).toMatchObject({
      code: 'JSON_INVALID',
      offset: 10_000,
    });
  });

  test('numbers of endless digits, and texts that are too long', () => {
    expect(errorOf(() => parseJson('9'.repeat(1001)))).toMatchObject({ code: 'JSON_INVALID' });
    expect(parseJson('9'.repeat(1000))).toBe(BigInt('9'.repeat(1000)));
    expect(errorOf(() => parseJson('[1,2]', { maxLength: 4 }))).toMatchObject({ code: 'JSON_INVALID', offset: 4 });
  });

  property.prop([fc.uint8Array({ maxLength: 60 })])('any bytes give a value or our error', (bytes) => {
    const error = errorOf(() => parseJson(bytes));
    if (error !== undefined) expect(isDatadirError(error, 'JSON_INVALID')).toBe(true);
  });

  // Strings of the alphabet of JSON come much closer to it than random bytes do.
  property.prop([fc.string({ unit: fc.constantFrom(...'{}[]",:\\ u0a1e-.tnl') })])(
    'as JSON.parse judges it',
    (text) => {
      let expected: unknown;
      const foreign = errorOf(() => {
        expected = maps(JSON.parse(text));
      });
      if (foreign === undefined) expect(plain(parseJson(text))).toEqual(expected);
      else expect(errorOf(() => parseJson(text))).toMatchObject({ code: 'JSON_INVALID' });
    },
  );
});

describe('tokens', () => {
  test('come with their places, and the end as often as it is asked for', () => {
    const tokens = new JsonTokens(new TextEncoder().encode(' { "k" : [ true , "s" , -1 ] } '));
    const seen: unknown[] = [];
    for (let token = tokens.next(); token !== 'end'; token = tokens.next())
      seen.push([token, tokens.start, tokens.end]);
    expect(seen).toEqual([
      ['{', 1, 2],
      ['key', 3, 6],
      ['[', 9, 10],
      ['true', 11, 15],
      ['string', 18, 21],
      ['number', 24, 26],
      [']', 27, 28],
      ['}', 29, 30],
    ]);
    expect([tokens.next(), tokens.next(), tokens.depth]).toEqual(['end', 'end', 0]);
  });

  test('a value can be passed over whole', () => {
    const tokens = new JsonTokens(new TextEncoder().encode('[{"a":[1,{"b":[]}]},"next"]'));
    tokens.next();
    tokens.skip(tokens.next());
    expect(tokens.next()).toBe('string');
    expect(tokens.text()).toBe('next');
    tokens.skip('string');
    expect(tokens.next()).toBe(']');
  });
});
