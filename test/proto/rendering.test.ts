// Requests as JSON and as the text of etcd-dump-logs. Equality with the recorded output of the real tool is tested with the
// logs it was recorded from; here are the forms that these do not have, and what must never be shown.
import { describe, expect, test } from 'vitest';
import { compactText } from '../../src/proto/compact-text.ts';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { goQuote } from '../../src/proto/go-quote.ts';
import { type DecodedMessage, encodeMessage } from '../../src/proto/messages.ts';
import { encodeConfChange } from '../../src/proto/raft.ts';
import { messageJson, payloadJson, REMOVED } from '../../src/proto/request-json.ts';
import { payloadText } from '../../src/proto/request-text.ts';
import { isSecretV2Path } from '../../src/proto/secrets.ts';
import { ascii, fromHex } from './golden-records.ts';
import { v2Request } from './v2-request.ts';

const header = { ID: 7n };

function internal(request: DecodedMessage): { json: Record<string, unknown>; text: string } {
  const payload = decodeEntryPayload({
    data: encodeMessage('etcdserverpb.InternalRaftRequest', { header, ...request }),
  });
  return { json: payloadJson(payload), text: payloadText(payload) };
}

describe('JSON', () => {
  test('has names of the .proto files, base64, decimal text and names of enum values', () => {
    const { json } = internal({
      txn: {
        compare: [{ result: 3, target: 4, key: ascii('k'), lease: -1n }],
        success: [{ request_put: { key: ascii('k'), value: fromHex('00ff'), lease: 0x1234n, prev_kv: true } }],
        failure: [{ request_range: { key: ascii('a'), range_end: ascii('b'), sort_target: 9 } }],
      },
    });
    expect(json).toEqual({
      kind: 'internal',
      requestName: 'txn',
      header: { ID: '7' },
      txn: {
        compare: [{ result: 'NOT_EQUAL', target: 'LEASE', key: 'aw==', lease: '-1' }],
        success: [{ request_put: { key: 'aw==', value: 'AP8=', lease: '4660', prev_kv: true } }],
        failure: [{ request_range: { key: 'YQ==', range_end: 'Yg==', sort_target: 9 } }],
      },
    });
  });

  test('of a conf change', () => {
    const data = encodeConfChange({ id: 2n, type: 3, nodeId: 2n ** 64n - 1n, context: ascii('{"id":5}') }, 'gogo');
    expect(payloadJson(decodeEntryPayload({ type: 1, data }))).toEqual({
      kind: 'conf-change',
      id: '2',
      type: 'ConfChangeAddLearnerNode',
      node_id: '18446744073709551615',
      context: 'eyJpZCI6NX0=',
      contextId: '5',
    });
  });

  test('tells of unknown fields only how many bytes they are', () => {
    expect(messageJson('etcdserverpb.PutRequest', { key: ascii('k'), $unknown: ascii('secret') })).toEqual({
      key: 'aw==',
      $unknownBytes: 6,
    });
  });
});

describe('text', () => {
  test('escapes byte by byte, shows zero in a oneof and in lists only', () => {
    expect(internal({ put: { key: fromHex('00097f80220a0d5c'), value: new TextEncoder().encode('ü~') } }).text).toBe(
      'header:<ID:7 > put:<key:"\\000\\t\\177\\200\\"\\n\\r\\\\" value:"\\303\\274~" > ',
    );
    expect(internal({ txn: { compare: [{ target: 0, key: ascii('k'), version: 0n }], success: [{}] } }).text).toBe(
      'header:<ID:7 > txn:<compare:<key:"k" version:0 > success:<> > ',
    );
    expect(internal({ range: { key: ascii('k'), sort_order: 7, serializable: true } }).text).toBe(
      'header:<ID:7 > range:<key:"k" sort_order:7 serializable:true > ',
    );
    expect(compactText('raftpb.HardState', { term: 1n, vote: 0n, commit: 1n })).toBe('term:1 commit:1 ');
    expect(compactText('raftpb.Entry', { Type: 1, Term: 1n, Index: 2n, Data: new Uint8Array(0) })).toBe(
      'Type:EntryConfChange Term:1 Index:2 Data:"" ',
    );
    expect(
      compactText('walpb.Snapshot', { index: 5n, term: 2n, conf_state: { voters: [0n, 3n], auto_leave: false } }),
    ).toBe('index:5 term:2 conf_state:<voters:0 voters:3 > ');
  });

  const v2 = (fields: Record<string, unknown>): string => payloadText(decodeEntryPayload({ data: v2Request(fields) }));

  test('of v2 requests', () => {
    expect(v2({})).toBe('noop');
    expect(v2({ Method: 'QGET', Path: '/a"b' })).toBe('method=QGET path="/a\\"b"');
    expect(v2({ Method: 'DELETE', Path: '/a', Val: 'x' })).toBe('method=DELETE path="/a"');
    expect(v2({ Method: 'PUT', Path: '/0/version', Val: '3.5.0' })).toBe('method=PUT path="/0/version" val="3.5.0"');
    expect(v2({ Method: 'SYNC', Time: 1_700_000_000_500_000_000n })).toBe(
      'method=SYNC time="2023-11-14 22:13:20.5 +0000 UTC"',
    );
    expect(v2({ Method: 'SYNC', Time: 0n })).toBe('method=SYNC time="1970-01-01 00:00:00 +0000 UTC"');
    expect(v2({ Method: 'SYNC', Time: -1n })).toBe('method=SYNC time="1969-12-31 23:59:59.999999999 +0000 UTC"');
    expect(v2({ Method: 'SYNC', Time: -(2n ** 63n) })).toMatch(/time="1677-09-21 00:12:43\.145224192 \+0000 UTC"$/);
  });

  test('of long v2 requests is cut', () => {
    expect(v2({ Method: 'PUT', Path: 'p'.repeat(127), Val: 'v'.repeat(127) })).toBe(
      `method=PUT path="${'p'.repeat(127)}" val="${'v'.repeat(127)}"`,
    );
    expect(v2({ Method: 'PUT', Path: `${'p'.repeat(64)}-${'q'.repeat(64)}`, Val: 'v'.repeat(130) })).toBe(
      `method=PUT path="${'p'.repeat(64)}"..."${'q'.repeat(64)}" val="${'v'.repeat(128)}"...""`,
    );
  });

  test('of conf changes', () => {
    const text = (change: object) =>
      payloadText(decodeEntryPayload({ type: 1, data: encodeConfChange(change, 'gogo') }));
    expect(text({ type: 1, nodeId: 0x64674cd17a494f9en })).toBe('method=ConfChangeRemoveNode id=64674cd17a494f9e');
    expect(text({ type: 9, nodeId: 0n })).toBe('method=9 id=0');
  });

  test('in quotes of Go', () => {
    expect(goQuote(fromHex('07080c0a0d090b 5c22 00 7f'))).toBe('"\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\x00\\x7f"');
    expect(goQuote(new TextEncoder().encode('grün 😀 \u00a0\u200b\u{e0001}'))).toBe(
      '"grün 😀 \\u00a0\\u200b\\U000e0001"',
    );
    expect(goQuote(fromHex('ff c3 e282 61 c0af eda080'))).toBe('"\\xff\\xc3\\xe2\\x82a\\xc0\\xaf\\xed\\xa0\\x80"');
  });
});

describe('secrets', () => {
  const secret = 's3cret-of-somebody';
  test.each([
    ['authenticate', { name: 'n', password: secret, simple_token: secret }],
    ['auth_user_add', { name: 'n', password: secret, hashedPassword: secret }],
    ['auth_user_change_password', { name: 'n', password: secret, hashedPassword: secret }],
  ])('of %s are not shown', (name, request) => {
    const { json, text } = internal({ [name]: request });
    expect(JSON.stringify(json)).not.toContain(secret);
    expect(text).not.toContain(secret);
    expect(JSON.stringify(json)).toContain(`"${Object.keys(request)[1]}":"${REMOVED}"`);
    expect(text).toContain(`password:"<value removed>"`);
    expect(text).toContain('name:"n"');
  });

  test('of users of the v2 API are not shown', () => {
    const data = v2Request({ Method: 'PUT', Path: '/2/users/root', Val: secret, PrevValue: secret });
    const payload = decodeEntryPayload({ data });
    expect(payloadText(payload)).toBe('method=PUT path="/2/users/root" val="<value removed>"');
    expect(JSON.stringify(payloadJson(payload))).not.toContain(secret);
    expect(payloadJson(payload)).toMatchObject({ Val: REMOVED, PrevValue: REMOVED });
  });

  test('below /2, however that is written', () => {
    for (const path of ['/2/users/x', '2/users', '//2/x', '/1/../2/x', '/./2', '/../2/x'])
      expect(isSecretV2Path(path)).toBe(true);
    for (const path of ['/1/2/x', '/0/version', '', '/22/x', '/2/../1/x']) expect(isSecretV2Path(path)).toBe(false);
  });

  test('of what cannot be decoded are not shown', () => {
    const data = encodeMessage('etcdserverpb.InternalRaftRequest', { auth_user_add: { name: 'n', password: secret } });
    for (let end = 1; end < data.length; end++) {
      const payload = decodeEntryPayload({ data: data.subarray(0, end) });
      expect(payload.kind).toBe('undecodable');
      expect(JSON.stringify(payloadJson(payload)) + payloadText(payload)).not.toContain('s3cret');
    }
  });

  test('of a user in the backend are not shown', () => {
    expect(messageJson('authpb.User', { name: ascii('n'), password: ascii(secret), roles: ['r'] })).toEqual({
      name: 'bg==',
      password: REMOVED,
      roles: ['r'],
    });
  });
});
