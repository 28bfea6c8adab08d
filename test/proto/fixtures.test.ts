// The logs of real servers: hand-written and generated decoders agree on every record, and encoding gives the same bytes.
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { EntryHead, HardStateHead } from '../../src/proto/entry-head.ts';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { decodeMessage, encodeMessage } from '../../src/proto/messages.ts';
import { encodePutRequest, parsePutRequest } from '../../src/proto/put-request.ts';
import {
  type Entry,
  encodeConfChange,
  encodeEntry,
  encodeHardState,
  encodeRaftSnapshot,
  parseConfChange,
  parseEntry,
  parseHardState,
  parseRaftSnapshot,
} from '../../src/proto/raft.ts';
import type { MessageName } from '../../src/proto/schema.ts';
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
import { logFixtures } from '../support/log-fixtures.ts';
import { recordsOf, toHex } from './golden-records.ts';

/** The long logs hold nothing that the others do not. */
const LONG = new Set(['segments', 'underload', 'k8s']);
const fixtures = logFixtures().filter(({ scenario }) => !LONG.has(scenario));

/** Both ways there and back. Style `google` writes what is there; `gogo` must give the same for what a gogo wrote. */
function roundTrip<T>(
  name: MessageName,
  bytes: Uint8Array,
  parse: (bytes: Uint8Array) => T,
  encode: (value: T, style: ProtoStyle) => Uint8Array,
  gogo: boolean,
): T {
  const value = parse(bytes);
  expectSame(encode(value, 'google'), bytes);
  if (gogo) expectSame(encode(value, 'gogo'), bytes);
  expectSame(encodeMessage(name, decodeMessage(name, bytes)), bytes);
  return value;
}

function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) !== 0) expect(toHex(actual)).toBe(toHex(expected));
}

function checkEntry(entry: Entry, data: Uint8Array, gogo: boolean): void {
  const head = new EntryHead();
  expect(head.parse(data, 0, data.length)).toBe(true);
  expect([head.type, head.term, head.index]).toEqual([entry.type ?? 0, Number(entry.term), Number(entry.index)]);
  expect(head.dataStart === -1 ? undefined : head.dataEnd - head.dataStart).toBe(entry.data?.length);
  const payload = decodeEntryPayload(entry);
  if (payload.kind === 'conf-change')
    roundTrip('raftpb.ConfChange', entry.data!, parseConfChange, encodeConfChange, gogo);
  else if (payload.kind === 'v2') expectSame(encodeMessage('etcdserverpb.Request', payload.request), entry.data!);
  else if (payload.kind === 'internal') {
    const again = encodeMessage('etcdserverpb.InternalRaftRequest', payload.message);
    // 3.7 writes the fields of a oneof behind the others, which shows where a comparison is of a range.
    if (gogo || payload.requestName !== 'txn') expectSame(again, entry.data!);
    else expect(again).toHaveLength(entry.data!.length);
    if (payload.requestName === 'put') {
      const put = encodeMessage('etcdserverpb.PutRequest', payload.request);
      expectSame(encodePutRequest(parsePutRequest(put)), put);
    }
  } else expect(payload.kind).toBe('noop');
}

function checkRecord(bytes: Uint8Array, gogo: boolean): void {
  const { type, data } = roundTrip('walpb.Record', bytes, parseWalRecord, encodeWalRecord, gogo);
  if (type === 1n) roundTrip('etcdserverpb.Metadata', data!, parseMetadata, encodeMetadata, gogo);
  else if (type === 2n) {
    // An entry may come from a member of another version.
    checkEntry(roundTrip('raftpb.Entry', data!, parseEntry, encodeEntry, false), data!, gogo);
  } else if (type === 3n) {
    const state = roundTrip('raftpb.HardState', data!, parseHardState, encodeHardState, gogo);
    const head = new HardStateHead();
    expect(head.parse(data!, 0, data!.length)).toBe(true);
    expect([head.term, head.vote, head.commit]).toEqual([Number(state.term), state.vote, Number(state.commit)]);
  } else if (type === 5n) roundTrip('walpb.Snapshot', data!, parseWalSnapshot, encodeWalSnapshot, gogo);
  else expect(type).toBe(4n);
}

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
  const gogo = !fixture.version.startsWith('3.7.');

  test('records', () => {
    let count = 0;
    for (const { name, bytes } of fixture.walFiles) {
      if (!name.endsWith('.wal')) continue;
      // The fixture's bytes end with the last that is not zero, which may be before the end of the last record.
      const padded = new Uint8Array(bytes.length + 16);
      padded.set(bytes);
      for (const record of recordsOf(padded)) {
        checkRecord(record, gogo);
        count++;
      }
    }
    expect(count).toBeGreaterThan(4);
  });

  test('snap files', () => {
    for (const { name, bytes } of fixture.snapFiles) {
      if (!name.endsWith('.snap')) continue;
      const { crc, data } = roundTrip('snappb.snapshot', bytes, parseSnapEnvelope, encodeSnapEnvelope, gogo);
      expect(crc32c(data!)).toBe(crc);
      const snapshot = roundTrip('raftpb.Snapshot', data!, parseRaftSnapshot, encodeRaftSnapshot, gogo);
      expect(snapshot.metadata?.index).toBe(BigInt(`0x${name.slice(17, 33)}`));
    }
  });
});
