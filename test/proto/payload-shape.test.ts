// The shape of payloads from outside, and whether an entry can be applied.
import { describe, expect, test } from 'vitest';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { payloadShape } from '../../src/proto/payload-shape.ts';
import { parseEntry } from '../../src/proto/raft.ts';
import { judgePayload } from '../../src/wal/entry-payload-check.ts';
import { readWal } from '../../src/wal/reader.ts';
import { logFixtures, segments } from '../support/log-fixtures.ts';
import { bytes, number, tag, text } from '../wal/etcd/raw-log.ts';
import { put } from '../wal/log-maker.ts';

const shape = (payload: Uint8Array): string => payloadShape(payload, 0, payload.length);

describe('the shape of a payload', () => {
  test.each([
    ['a put with a header', put('k', 'v'), 'request'],
    ['a request with an id alone', bytes(number(1, 5), text(4, 'x')), 'request'],
    ['a request without id and header', text(4, 'x'), 'without-id'],
    ['a v2 request', bytes(number(1, 1), text(2, 'PUT'), text(3, '/x'), number(5, 0)), 'v2'],
    ['a v2 request whose fields come in another order', bytes(number(7, 1), number(1, 1)), 'v2'],
    [
      'fields of four and eight bytes',
      bytes(number(1, 1), tag(20, 5), [1, 2, 3, 4], tag(21, 1), new Uint8Array(8)),
      'request',
    ],
    ['a field number of three bytes of tag', bytes(number(1, 1), number(5000, 1)), 'request'],
    ['a tag that does not end', bytes([0x80]), 'bad'],
    ['a tag of six bytes', bytes([0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0]), 'bad'],
    ['field 0', bytes([0x00, 0x00]), 'bad'],
    ['a varint that does not end', bytes([0x08, 0x80]), 'bad'],
    ['a varint of eleven bytes', bytes([0x08], new Uint8Array(10).fill(0x80), 1), 'bad'],
    ['a length past the end', bytes(tag(4, 2), 5, 1), 'bad'],
    ['a length that does not end', bytes(tag(4, 2), 0x80), 'bad'],
    ['a length of 2^31 and more', bytes(tag(4, 2), [0xff, 0xff, 0xff, 0xff, 0x7f]), 'bad'],
    ['a group', bytes(tag(4, 3), tag(4, 4)), 'bad'],
    ['wire type 6', tag(4, 6), 'bad'],
    ['eight bytes that are seven', bytes(tag(4, 1), new Uint8Array(7)), 'bad'],
    ['four bytes that are three', bytes(tag(4, 5), new Uint8Array(3)), 'bad'],
  ] as const)('%s', (_, payload, expected) => {
    expect(shape(payload)).toBe(expected);
    // Wherever it lies.
    const around = bytes([1, 2, 3], payload, [4, 5]);
    expect(payloadShape(around, 3, 3 + payload.length)).toBe(expected);
  });
});

const judge = (type: number, payload: Uint8Array): string => judgePayload(type, payload, 0, payload.length);
const change = (type: number, node: bigint, context?: string): Uint8Array =>
  bytes(number(2, type), number(3, node), context === undefined ? [] : text(4, context));

describe('whether an entry can be applied', () => {
  test.each([
    ['an empty payload', 0, bytes(), 'fine'],
    ['a put', 0, put('k', 'v'), 'fine'],
    ['a v2 request', 0, bytes(number(1, 1), number(5, 0)), 'v2'],
    ['garbage', 0, bytes([0xff, 0xff]), 'no protobuf message'],
    ['a put without a header', 0, text(4, 'x'), 'a request without an id'],
    ['a member that is added', 1, change(0, 16n, '{"id":16,"peerURLs":[]}'), 'fine'],
    ['an id above 2^53', 1, change(0, 0xc0c0caafc1ba9689n, `{"id":${0xc0c0caafc1ba9689n}}`), 'fine'],
    [
      'another id in the description',
      1,
      change(0, 16n, '{"id":17}'),
      'a change of one member with the description of another',
    ],
    ['no id in the description', 1, change(0, 16n, '{}'), 'a change of one member with the description of another'],
    [
      'a description that is no object',
      1,
      change(0, 16n, '3'),
      'a change of one member with the description of another',
    ],
    ['a description that is no JSON', 1, change(0, 16n, '{'), 'no change of members'],
    ['a member that is removed', 1, change(1, 16n), 'fine'],
    ['a change without description', 1, change(0, 16n), 'fine'],
    ['a change that is garbage', 1, bytes([0xff]), 'no change of members'],
    ['an empty change', 1, bytes(), 'fine'],
  ] as const)('%s', (_, type, payload, expected) => {
    expect(judge(type, payload)).toBe(expected);
  });
});

test('the entries of all stored logs can be applied, and those of the v2 API are told apart', () => {
  let v2 = 0;
  let all = 0;
  for (const fixture of logFixtures().filter(({ scenario }) => scenario !== 'segments')) {
    for (const item of readWal({ segments: segments(fixture) }).records()) {
      if (item.kind !== 'record' || item.type !== 2) continue;
      const entry = parseEntry(item.data!);
      const { type = 0, data = new Uint8Array() } = entry;
      const judgement = judge(type, data);
      expect(['fine', 'v2'], `${fixture.name} ${item.offset}`).toContain(judgement);
      const { kind } = decodeEntryPayload(entry);
      expect(judgement === 'v2', `${fixture.name} ${entry.index} ${kind}`).toBe(kind === 'v2');
      all++;
      if (judgement === 'v2') v2++;
    }
  }
  expect(all).toBeGreaterThan(5000);
  expect(v2).toBeGreaterThan(50);
});
