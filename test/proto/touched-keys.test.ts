import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { type DecodedMessage, encodeMessage } from '../../src/proto/messages.ts';
import { dataTouches, type KeyMatcher, requestTouches } from '../../src/proto/touched-keys.ts';
import { WireWriter } from '../../src/proto/wire.ts';
import { ascii, fromHex } from './golden-records.ts';
import { v2Request } from './v2-request.ts';

const key = (text: string): KeyMatcher => ({ key: ascii(text) });
const prefix = (text: string): KeyMatcher => ({ prefix: ascii(text) });

function touches(request: DecodedMessage, matcher: KeyMatcher): readonly string[] {
  const data = encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: 1n }, ...request });
  return requestTouches(decodeEntryPayload({ data }), matcher);
}

const put = (text: string): DecodedMessage => ({ key: ascii(text), value: ascii('value') });
const range = (from: string, end: string): DecodedMessage => ({ key: ascii(from), range_end: ascii(end) });

describe('a request touches a key', () => {
  test('when it puts it', () => {
    expect(touches({ put: put('b') }, key('b'))).toEqual(['put']);
    expect(touches({ put: put('bc') }, key('b'))).toEqual([]);
    expect(touches({ put: put('bc') }, prefix('b'))).toEqual(['put']);
    expect(touches({ put: put('b') }, prefix('bc'))).toEqual([]);
    expect(touches({ put: put('b') }, prefix(''))).toEqual(['put']);
  });

  test('when it deletes it, alone or in a range', () => {
    expect(touches({ delete_range: { key: ascii('b') } }, key('b'))).toEqual(['delete']);
    expect(touches({ delete_range: { key: ascii('b') } }, key('bb'))).toEqual([]);
    expect(touches({ delete_range: range('a', 'c') }, key('b'))).toEqual(['delete']);
    expect(touches({ delete_range: range('a', 'b') }, key('b'))).toEqual([]);
    expect(touches({ delete_range: range('b', 'c') }, key('b'))).toEqual(['delete']);
    expect(touches({ delete_range: range('b', '\0') }, key('zzz'))).toEqual(['delete']);
    expect(touches({ delete_range: range('b', '\0') }, key('a'))).toEqual([]);
    expect(touches({ delete_range: range('c', 'a') }, key('b'))).toEqual([]);
    expect(touches({ delete_range: range('', '\0') }, key('a'))).toEqual(['delete']);
  });

  test('in a transaction, at any depth and in both branches', () => {
    const inner = { request_txn: { success: [{ request_delete_range: range('a', 'c') }] } };
    const request = { txn: { success: [{ request_put: put('b') }], failure: [{ request_put: put('x') }, inner] } };
    expect([...touches(request, key('b'))].sort()).toEqual(['txn-delete', 'txn-put']);
    expect(touches(request, key('x'))).toEqual(['txn-put']);
    expect(touches(request, key('y'))).toEqual([]);
  });

  test('but not when it reads, compares, or is something else', () => {
    const request = { txn: { compare: [{ key: ascii('b') }], success: [{ request_range: { key: ascii('b') } }] } };
    expect(touches(request, key('b'))).toEqual([]);
    expect(touches({ range: { key: ascii('b') } }, key('b'))).toEqual([]);
    expect(touches({ auth_role_revoke_permission: { role: 'r', key: ascii('b') } }, key('b'))).toEqual([]);
    expect(requestTouches({ kind: 'noop' }, prefix(''))).toEqual([]);
    // The value of this v2 request is also a put of the key b.
    const v2 = v2Request({ Method: 'PUT', Path: '/1/x', Val: '\n\u0001b' });
    expect(dataTouches(v2, prefix(''))).toEqual([]);
  });
});

test('transactions nested without end are searched to their ground', () => {
  let bytes = encodeMessage('etcdserverpb.RequestOp', { request_put: put('b') });
  // From the inside out: a branch of a transaction, an operation, a branch …, at last the request.
  for (let depth = 0; depth < 1000; depth++) bytes = wrap(4, wrap(depth % 2 === 0 ? 2 : 3, bytes));
  expect(dataTouches(wrap(6, wrap(2, bytes)), key('b'))).toEqual(['txn-put']);
});

function wrap(field: number, message: Uint8Array): Uint8Array {
  const writer = new WireWriter();
  writer.message(field, message);
  return writer.finish();
}

test('damage is told', () => {
  expect(() => dataTouches(fromHex('22 05 0a'), key('b'))).toThrow('length 5 reaches beyond the message at byte 1');
  expect(() => dataTouches(fromHex('22 02 0a05'), key('b'))).toThrow('length 5 reaches beyond the message at byte 3');
});

/** Every key of up to three of these letters. */
const LETTERS = ['a', 'b', '\xff'];
const KEYS = LETTERS.flatMap((a) => ['', ...LETTERS].flatMap((b) => ['', ...LETTERS].map((c) => a + b + c)));
const word = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 2 });
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

property.prop([word, word, word], { numRuns: 500 })(
  'a range delete touches a prefix as it touches its keys',
  (from, end, start) => {
    const request = { key: bytesOf(from), range_end: bytesOf(end) };
    const data = encodeMessage('etcdserverpb.InternalRaftRequest', { delete_range: request });
    const deleted = (text: string): boolean => (end === '' ? text === from : text >= from && text < end);
    for (const text of KEYS) expect(dataTouches(data, { key: bytesOf(text) }).length > 0).toBe(deleted(text));
    // There may be longer keys than those tried, so this holds in one direction only.
    if (KEYS.some((text) => text.startsWith(start) && deleted(text))) {
      expect(dataTouches(data, { prefix: bytesOf(start) })).toEqual(['delete']);
    }
    if (dataTouches(data, { prefix: bytesOf(start) }).length > 0) {
      const witness = from.startsWith(start) ? from : start;
      expect(witness.startsWith(start) && deleted(witness)).toBe(true);
    }
  },
);
