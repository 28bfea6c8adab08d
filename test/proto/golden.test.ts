// Bytes of real etcds: decoded, compared with what is known of them, encoded again in the style of the writer.
import { describe, expect, test } from 'vitest';
import { encodeKeyValue, parseKeyValue } from '../../src/proto/mvcc.ts';
import { encodePutRequest, parsePutRequest } from '../../src/proto/put-request.ts';
import {
  encodeConfChange,
  encodeConfState,
  encodeEntry,
  encodeHardState,
  encodeRaftSnapshot,
  encodeSnapshotMetadata,
  parseConfChange,
  parseConfState,
  parseEntry,
  parseHardState,
  parseRaftSnapshot,
  parseSnapshotMetadata,
} from '../../src/proto/raft.ts';
import { encodeSnapEnvelope, parseSnapEnvelope } from '../../src/proto/snap.ts';
import type { ProtoStyle } from '../../src/proto/style.ts';
import {
  encodeMetadata,
  encodeWalRecord,
  encodeWalSnapshot,
  parseMetadata,
  parseWalRecord,
  parseWalSnapshot,
} from '../../src/proto/wal.ts';
import {
  ascii,
  fromHex,
  LOG_OF_3_4,
  LOG_OF_3_6,
  LOG_OF_3_7,
  PACKAGE_GOGO,
  PACKAGE_GOOGLE,
  PACKAGE_HEAD,
  PACKAGE_SNAPSHOT_3_4,
  PACKAGE_SNAPSHOT_3_5,
  RESTORED_GOGO,
  RESTORED_GOOGLE,
  RESTORED_MEMBER_JSON,
  RESTORED_THREE_GOGO,
  RESTORED_THREE_GOOGLE,
  recordsOf,
  toHex,
} from './golden-records.ts';

/** Decodes a record and what is in it, and encodes both again. */
function again(record: Uint8Array, style: ProtoStyle): Uint8Array {
  const parsed = parseWalRecord(record);
  return encodeWalRecord({ ...parsed, data: parsed.data && innerAgain(parsed.type!, parsed.data, style) }, style);
}

function innerAgain(type: bigint, data: Uint8Array, style: ProtoStyle): Uint8Array {
  if (type === 1n) return encodeMetadata(parseMetadata(data), style);
  if (type === 3n) return encodeHardState(parseHardState(data), style);
  if (type === 5n) return encodeWalSnapshot(parseWalSnapshot(data), style);
  const entry = parseEntry(data);
  const change = entry.type === 1 ? encodeConfChange(parseConfChange(entry.data!), style) : entry.data;
  return encodeEntry({ ...entry, data: change }, style);
}

describe.each([
  ['3.4', 'gogo', LOG_OF_3_4],
  ['3.6', 'gogo', LOG_OF_3_6],
  ['3.7', 'google', LOG_OF_3_7],
  ['the wal package, head, as 3.6', 'gogo', PACKAGE_HEAD],
  ['the wal package, head, as 3.7', 'google', PACKAGE_HEAD],
  ['the wal package of 3.6', 'gogo', PACKAGE_GOGO],
  ['the wal package of 3.7', 'google', PACKAGE_GOOGLE],
  ['the wal package of 3.4, snapshot', 'gogo', PACKAGE_SNAPSHOT_3_4],
  ['the wal package of 3.5, snapshot', 'gogo', PACKAGE_SNAPSHOT_3_5],
  ['a restore of 3.5', 'gogo', RESTORED_GOGO],
  ['a restore of 3.7', 'google', RESTORED_GOOGLE],
  ['a restore of three members of 3.5', 'gogo', RESTORED_THREE_GOGO],
  ['a restore of three members of 3.7', 'google', RESTORED_THREE_GOOGLE],
] as const)('records of %s', (_, style, hex) => {
  test('encode to the same bytes', () => {
    for (const record of recordsOf(hex)) expect(toHex(again(record, style))).toBe(toHex(record));
  });
});

test('the log of 3.4 says what is in it', () => {
  const [crc, metadata, snapshot, change, state, noop, lastState] = recordsOf(LOG_OF_3_4).map((r) => parseWalRecord(r));
  expect(crc).toEqual({ type: 4n, crc: 0 });
  expect(parseMetadata(metadata!.data!)).toEqual({ nodeId: 0x2e1259d415f2a040n, clusterId: 0x048276a8f75b6a87n });
  expect(parseWalSnapshot(snapshot!.data!)).toEqual({ index: 0n, term: 0n });
  const entry = parseEntry(change!.data!);
  expect(entry).toMatchObject({ type: 1, term: 1n, index: 1n });
  expect(parseConfChange(entry.data!)).toEqual({
    id: 0n,
    type: 0,
    nodeId: 0x2e1259d415f2a040n,
    context: ascii('{"id":3319814642761637952,"peerURLs":["http://127.0.0.1:23800"],"name":"n1"}'),
  });
  expect(parseHardState(state!.data!)).toEqual({ term: 1n, vote: 0n, commit: 1n });
  expect(parseEntry(noop!.data!)).toEqual({ type: 0, term: 2n, index: 2n });
  expect(parseHardState(lastState!.data!)).toEqual({ term: 2n, vote: 0x2e1259d415f2a040n, commit: 2n });
});

test('an entry of 3.7 has no type, and absent is not zero', () => {
  const noop = parseWalRecord(recordsOf(LOG_OF_3_7)[6]!);
  expect(parseEntry(noop.data!)).toStrictEqual({
    type: undefined,
    term: 2n,
    index: 2n,
    data: undefined,
    unknown: undefined,
  });
});

test('a restore can be built from values', () => {
  const id = 0x7048467a862dd57dn;
  for (const [style, hex] of [
    ['gogo', RESTORED_GOGO],
    ['google', RESTORED_GOOGLE],
  ] as const) {
    const [metadata, entry, state, snapshot] = recordsOf(hex).map((record) => parseWalRecord(record).data!);
    const change = encodeConfChange({ type: 0, nodeId: id, context: ascii(RESTORED_MEMBER_JSON) }, style);
    const confState = { voters: [id], learners: [], votersOutgoing: [], learnersNext: [] };
    expect(encodeMetadata({ nodeId: id, clusterId: 0x5addfab2a7055944n }, style)).toEqual(metadata);
    expect(encodeEntry({ type: 1, term: 1n, index: 1n, data: change }, style)).toEqual(entry);
    expect(encodeHardState({ term: 1n, vote: id, commit: 1n }, style)).toEqual(state);
    expect(encodeWalSnapshot({ index: 1n, term: 1n, confState }, style)).toEqual(snapshot);
  }
});

test('a snapshot record with a voter and a learner', () => {
  const bytes = fromHex('080d 1002 1a16 08 9e9fa5d2979ad3b364 10 f9fb8bdea2b5a9d815 2800');
  const snapshot = parseWalSnapshot(bytes);
  expect(snapshot).toEqual({
    index: 13n,
    term: 2n,
    confState: {
      voters: [0x64674cd17a494f9en],
      learners: [0x15b0a5aa2bc2fdf9n],
      votersOutgoing: [],
      learnersNext: [],
      autoLeave: false,
    },
  });
  expect(encodeWalSnapshot(snapshot, 'gogo')).toEqual(bytes);
});

test('a snap file: envelope, snapshot, metadata', () => {
  const metadata = fromHex('0a 16 08 c0c0caafc1ba96892e 10 c8f3e585e2f9c3e540 28 00 10 16 18 02');
  expect(parseSnapshotMetadata(metadata)).toMatchObject({ index: 22n, term: 2n, confState: { autoLeave: false } });
  expect(encodeSnapshotMetadata(parseSnapshotMetadata(metadata), 'gogo')).toEqual(metadata);
  const snapshot = encodeRaftSnapshot({ data: ascii('{}'), metadata: parseSnapshotMetadata(metadata) }, 'gogo');
  expect(toHex(snapshot)).toBe(`0a027b7d121c${toHex(metadata)}`);
  expect(encodeRaftSnapshot(parseRaftSnapshot(snapshot), 'gogo')).toEqual(snapshot);
  const envelope = encodeSnapEnvelope({ crc: 0xffff_ffff, data: snapshot }, 'gogo');
  expect(toHex(envelope)).toBe(`08ffffffff0f12${snapshot.length.toString(16)}${toHex(snapshot)}`);
  expect(parseSnapEnvelope(envelope)).toEqual({ crc: 0xffff_ffff, data: snapshot });
});

test('gogo writes zeros and empty messages, google what is there', () => {
  expect(toHex(encodeEntry({}, 'gogo'))).toBe('080010001800');
  expect(toHex(encodeEntry({}, 'google'))).toBe('');
  expect(toHex(encodeEntry({ type: 0, data: new Uint8Array(0) }, 'google'))).toBe('08002200');
  expect(toHex(encodeRaftSnapshot({}, 'gogo'))).toBe('12080a02280010001800');
  expect(toHex(encodeRaftSnapshot({}, 'google'))).toBe('');
  const nobody = { voters: [], learners: [], votersOutgoing: [], learnersNext: [] };
  expect(toHex(encodeConfState(nobody, 'gogo'))).toBe('2800');
  expect(toHex(encodeConfState(nobody, 'google'))).toBe('');
  expect(toHex(encodeMetadata({}, 'gogo'))).toBe('08001000');
  expect(toHex(encodeWalRecord({}, 'gogo'))).toBe('08001000');
  expect(toHex(encodeWalSnapshot({}, 'gogo'))).toBe('08001000');
  expect(toHex(encodeSnapEnvelope({}, 'gogo'))).toBe('0800');
  expect(toHex(encodeConfChange({}, 'gogo'))).toBe('080010001800');
});

test('a revision, a tombstone, a revision with a negative lease', () => {
  const put = fromHex('0a0162 1003 1803 2001 2a0132');
  expect(parseKeyValue(put)).toEqual({
    key: ascii('b'),
    createRevision: 3n,
    modRevision: 3n,
    version: 1n,
    value: ascii('2'),
    lease: 0n,
  });
  expect(encodeKeyValue(parseKeyValue(put))).toEqual(put);
  const tombstone = fromHex('0a027431');
  expect(encodeKeyValue(parseKeyValue(tombstone))).toEqual(tombstone);
  const negative = fromHex('0a0162 30 ffffffffffffffffff01');
  expect(parseKeyValue(negative).lease).toBe(-1n);
  expect(encodeKeyValue(parseKeyValue(negative))).toEqual(negative);
  expect(parseKeyValue(new Uint8Array(0)).key).toHaveLength(0);
});

test('a put', () => {
  const bytes = fromHex('0a026b31 12027631 18b424 2001 2801 3001');
  const request = parsePutRequest(bytes);
  expect(request).toMatchObject({ key: ascii('k1'), value: ascii('v1'), lease: 0x1234n, prevKv: true });
  expect(encodePutRequest(request)).toEqual(bytes);
  expect(toHex(encodePutRequest(parsePutRequest(fromHex('0a026b31'))))).toBe('0a026b31');
});

test('packed and unpacked lists, in any order', () => {
  const state = parseConfState(fromHex('28 01 0a 03 01 8001 08 05 12 00 1802'));
  expect(state).toEqual({
    voters: [1n, 128n, 5n],
    learners: [],
    votersOutgoing: [2n],
    learnersNext: [],
    autoLeave: true,
  });
});

test('of single fields the last value counts; messages that come twice are joined', () => {
  expect(parseEntry(fromHex('1001 1002 22 01 61 22 01 62'))).toEqual({ term: 2n, data: ascii('b') });
  const snapshot = parseWalSnapshot(fromHex('1a 04 0801 2801 1a 04 0802 2800'));
  expect(snapshot.confState).toMatchObject({ voters: [1n, 2n], autoLeave: false });
  // Each half is broken, joined they would be whole.
  expect(() => parseWalSnapshot(fromHex('1a 01 08 1a 01 05'))).toThrow('message ends inside a varint at byte 3');
});

test('unknown fields survive', () => {
  const unknown = '2a0101 30ffff03 3d01020304 41 0102030405060708 4b 0801 53 54 4c';
  const entry = parseEntry(fromHex(`1001 2a0101 30ffff03 1802 3d01020304 41 0102030405060708 4b 0801 53 54 4c`));
  expect(toHex(entry.unknown!)).toBe(toHex(fromHex(unknown)));
  expect(toHex(encodeEntry(entry, 'google'))).toBe(toHex(fromHex(`1001 1802 ${unknown}`)));
});
