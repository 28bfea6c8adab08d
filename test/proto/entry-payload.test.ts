import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEntryPayload, isV2Request } from '../../src/proto/entry-payload.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { encodeConfChange, encodeConfChangeV2, parseEntry } from '../../src/proto/raft.ts';
import { payloadJson } from '../../src/proto/request-json.ts';
import { payloadText } from '../../src/proto/request-text.ts';
import { parseWalRecord } from '../../src/proto/wal.ts';
import { ascii, fromHex, LOG_OF_3_4, LOG_OF_3_7, recordsOf } from './golden-records.ts';
import { v2Request } from './v2-request.ts';

const HEADER = 'a206 0a 08 81aef9d4a9bce88347';

describe('the data of an entry', () => {
  test('nothing at all is the first entry of a leader', () => {
    expect(decodeEntryPayload({})).toEqual({ kind: 'noop' });
    expect(decodeEntryPayload({ type: 0, data: new Uint8Array(0) })).toEqual({ kind: 'noop' });
  });

  test.each([
    ['put', '22 08 0a026b31 12027631', { key: ascii('k1'), value: ascii('v1') }],
    ['compaction', '3a02 0804', { revision: 4n }],
    ['lease_grant', '4206 08d804 10b424', { TTL: 600n, ID: 0x1234n }],
    ['alarm', '5200', {}],
    ['alarm', '5206 0801 1007 1801', { action: 1, memberID: 7n, alarm: 1 }],
    ['auth_role_add', '824b03 0a0172', { name: 'r' }],
    ['auth_enable', 'c23e00', {}],
    ['cluster_version_set', 'a25107 0a05332e362e30', { ver: '3.6.0' }],
    ['downgrade_info_set', 'b25109 0801 1205332e352e30', { enabled: true, ver: '3.5.0' }],
    ['downgrade_info_set', 'b25100', {}],
  ])('a request: %s', (requestName, hex, request) => {
    const data = fromHex(`${hex} ${HEADER}`);
    expect(decodeEntryPayload({ data })).toEqual({
      kind: 'internal',
      requestName,
      request,
      message: { header: { ID: 5118237496158607105n }, [requestName]: request },
      data,
    });
  });

  test('a header alone is no request', () => {
    expect(decodeEntryPayload({ data: fromHex(HEADER) })).toMatchObject({ requestName: undefined, request: {} });
  });

  test('of real logs', () => {
    const payloads = recordsOf(LOG_OF_3_7)
      .map((record) => parseWalRecord(record))
      .filter(({ type }) => type === 2n)
      .map(({ data }) => decodeEntryPayload(parseEntry(data!)));
    expect(payloads.map(({ kind }) => kind)).toEqual(['conf-change', 'noop', 'internal', 'internal']);
    expect(payloads[0]).toMatchObject({ contextId: 0xb5aa2546e8364707n, change: { nodeId: 0xb5aa2546e8364707n } });
    expect(payloads.map(payloadText)).toEqual([
      'method=ConfChangeAddNode id=b5aa2546e8364707',
      '',
      'header:<ID:5118237496158607105 > cluster_member_attr_set:<member_ID:13090316253379577607 ' +
        'member_attributes:<name:"m1" client_urls:"http://127.0.0.1:24200" > > ',
      'header:<ID:5118237496158607106 > cluster_version_set:<ver:"3.7.0" > ',
    ]);
    const change = parseEntry(parseWalRecord(recordsOf(LOG_OF_3_4)[3]!).data!);
    expect(decodeEntryPayload(change)).toMatchObject({ kind: 'conf-change', contextId: 3319814642761637952n });
  });

  test('a v2 request, bare or wrapped', () => {
    const data = v2Request({ Method: 'PUT', Path: '/0/version', Val: '3.5.0' });
    expect(isV2Request(data)).toBe(true);
    expect(decodeEntryPayload({ data })).toMatchObject({ kind: 'v2', wrapped: false, request: { Val: '3.5.0' } });
    const wrapped = encodeMessage('etcdserverpb.InternalRaftRequest', { v2: { Method: 'QGET', Path: '' } });
    expect(isV2Request(wrapped)).toBe(false);
    expect(decodeEntryPayload({ data: wrapped })).toMatchObject({
      kind: 'v2',
      wrapped: true,
      request: { Method: 'QGET' },
    });
  });

  test('a conf change whose context is missing, no JSON, or without an id', () => {
    for (const context of [undefined, '', '{', '[]', '{"id":"5"}', '{"id":1.5}', 'null']) {
      const data = encodeConfChange(
        { type: 1, nodeId: 5n, context: context === undefined ? undefined : ascii(context) },
        'gogo',
      );
      expect(decodeEntryPayload({ type: 1, data })).toMatchObject({ kind: 'conf-change', contextId: undefined });
    }
    const promote = ascii('{"id":18446744073709551615,"peerURLs":null,"isPromote":true}');
    const data = encodeConfChange({ context: promote }, 'google');
    expect(decodeEntryPayload({ type: 1, data })).toMatchObject({ contextId: 2n ** 64n - 1n });
  });

  test('a conf change of several members', () => {
    const change = { transition: 1, changes: [{ type: 3, nodeId: 7n }], context: ascii('x') };
    const payload = decodeEntryPayload({ type: 2, data: encodeConfChangeV2(change, 'gogo') });
    expect(payload).toEqual({ kind: 'conf-change-v2', change });
    expect(payloadText(payload)).toBe('???');
    expect(payloadJson(payload)).toEqual({
      kind: 'conf-change-v2',
      transition: 'ConfChangeTransitionJointImplicit',
      changes: [{ type: 'ConfChangeAddLearnerNode', node_id: '7' }],
      context: 'eA==',
    });
  });

  test('what cannot be decoded says where and why', () => {
    expect(decodeEntryPayload({ data: fromHex('22 08 0a02') })).toMatchObject({
      kind: 'undecodable',
      offset: 2,
      reason: expect.stringMatching(/^no etcdserverpb\.InternalRaftRequest: index out of range.* at byte 2$/),
    });
    expect(decodeEntryPayload({ type: 1, data: fromHex('0a') })).toEqual({
      kind: 'undecodable',
      offset: 0,
      reason: 'field 1 has wire type 2 at byte 0',
    });
    expect(decodeEntryPayload({ type: 3 })).toMatchObject({
      kind: 'undecodable',
      reason: 'entry type 3 does not exist',
    });
  });

  property.prop([fc.integer({ min: -1, max: 3 }), fc.uint8Array({ maxLength: 60 })], { numRuns: 2000 })(
    'whatever it is, gets an answer',
    (type, data) => {
      const payload = decodeEntryPayload({ type, data });
      expect(JSON.parse(JSON.stringify(payloadJson(payload)))).toMatchObject({ kind: payload.kind });
      expect(typeof payloadText(payload)).toBe('string');
    },
  );
});
