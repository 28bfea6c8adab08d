/**
 * JSON into the fields of a struct, as Go's encoding/json does it. The expected values are what Go 1.26 gave for the same texts.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { parseGoStruct } from '../../src/json/go-struct.ts';

const FIELDS = { id: 'uint64', peerURLs: 'strings', isLearner: 'bool', name: 'string' } as const;
const parse = (text: string | Uint8Array) => parseGoStruct(text, FIELDS);

describe('a JSON object as a Go struct', () => {
  test.each([
    ['{}', {}],
    ['{"id":18446744073709551615}', { id: 18446744073709551615n }],
    ['{"ID":7,"PEERURLS":["a",null]}', { id: 7n, peerURLs: ['a', ''] }],
    ['{"i\u017flearner":true}', { isLearner: true }],
    ['{"unknown":{"a":[1,2,{}]},"name":"\\u0026\\ud800"}', { name: '&\ufffd' }],
    ['{"isLearner":null,"name":null,"id":null,"peerURLs":null}', {}],
    ['{"peerURLs":["a"],"PeerURLs":null}', {}],
    ['{"name":"a","Name":null}', { name: 'a' }],
    ['{"id":7,"id":8}', { id: 8n }],
    ['{"__proto__":1,"constructor":2,"hasOwnProperty":3}', {}],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('null is no object, and no error', () => {
    expect(parse('null')).toBeNull();
  });

  test.each([
    ['{"id":1.0}', '"id" is not an unsigned 64-bit number'],
    ['{"id":1e3}', '"id" is not an unsigned 64-bit number'],
    ['{"id":-1}', '"id" is not an unsigned 64-bit number'],
    ['{"id":18446744073709551616}', '"id" is not an unsigned 64-bit number'],
    ['{"id":"7"}', '"id" is not an unsigned 64-bit number'],
    ['{"peerURLs":"x"}', '"peerURLs" is not a list of texts'],
    ['{"PeerUrls":[1]}', '"peerURLs" is not a list of texts'],
    ['{"isLearner":1}', '"isLearner" is not true or false'],
    ['{"name":["x"]}', '"name" is not a text'],
    ['[]', 'the text is no JSON object'],
    ['7', 'the text is no JSON object'],
    ['{"id":7}x', 'more text behind the document at byte 8'],
    ['', 'the text ends too early at byte 0'],
  ])('%s is an error', (text, words) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'JSON_INVALID', message: words }));
  });

  property.prop([fc.oneof(fc.json(), fc.string(), fc.uint8Array())])(
    'any text gives fields or an error of ours',
    (text) => {
      try {
        parse(text);
      } catch (error) {
        expect(isDatadirError(error, 'JSON_INVALID')).toBe(true);
      }
    },
  );
});
