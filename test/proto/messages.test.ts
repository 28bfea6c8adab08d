// Hand-written decoders against generated ones, which share no code. Where they differ on purpose, and nowhere else:
//
// - A known field with a wrong wire type is refused by hand, as etcd up to 3.6 does, and unknown to the generated code.
// - Tags and lengths of more than five bytes (padded with zero bits) are read by hand, as etcd does, and refused by protobufjs.
// - A value that an enum of proto2 does not know is kept by hand, as Go does, and an unknown field to the generated code.
import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { EntryHead, HardStateHead } from '../../src/proto/entry-head.ts';
import { type DecodedMessage, decodeMessage, encodeMessage } from '../../src/proto/messages.ts';
import { encodeKeyValue, parseKeyValue } from '../../src/proto/mvcc.ts';
import { encodePutRequest, parsePutRequest } from '../../src/proto/put-request.ts';
import {
  encodeConfChange,
  encodeConfChangeV2,
  encodeConfState,
  encodeEntry,
  encodeHardState,
  encodeRaftSnapshot,
  parseConfChange,
  parseConfChangeV2,
  parseConfState,
  parseEntry,
  parseHardState,
  parseRaftSnapshot,
} from '../../src/proto/raft.ts';
import { MESSAGES, type MessageName } from '../../src/proto/schema.ts';
import { encodeSnapEnvelope, parseSnapEnvelope } from '../../src/proto/snap.ts';
import {
  encodeMetadata,
  encodeWalRecord,
  encodeWalSnapshot,
  parseMetadata,
  parseWalRecord,
  parseWalSnapshot,
} from '../../src/proto/wal.ts';
import { WireWriter } from '../../src/proto/wire.ts';
import { fromHex, LOG_OF_3_4, LOG_OF_3_6, LOG_OF_3_7, RESTORED_GOGO, recordsOf, toHex } from './golden-records.ts';

/** The hand-written ones, encoding in google's style, which is that of the generated code. */
const PAIRS: Partial<Record<MessageName, [(bytes: Uint8Array) => object, (value: never) => Uint8Array]>> = {
  'walpb.Record': [parseWalRecord, (value) => encodeWalRecord(value, 'google')],
  'walpb.Snapshot': [parseWalSnapshot, (value) => encodeWalSnapshot(value, 'google')],
  'etcdserverpb.Metadata': [parseMetadata, (value) => encodeMetadata(value, 'google')],
  'raftpb.Entry': [parseEntry, (value) => encodeEntry(value, 'google')],
  'raftpb.HardState': [parseHardState, (value) => encodeHardState(value, 'google')],
  'raftpb.ConfState': [parseConfState, (value) => encodeConfState(value, 'google')],
  'raftpb.Snapshot': [parseRaftSnapshot, (value) => encodeRaftSnapshot(value, 'google')],
  'raftpb.ConfChange': [parseConfChange, (value) => encodeConfChange(value, 'google')],
  'raftpb.ConfChangeV2': [parseConfChangeV2, (value) => encodeConfChangeV2(value, 'google')],
  'snappb.snapshot': [parseSnapEnvelope, (value) => encodeSnapEnvelope(value, 'google')],
  'mvccpb.KeyValue': [parseKeyValue, encodeKeyValue],
  'etcdserverpb.PutRequest': [parsePutRequest, encodePutRequest],
};
const HAND_WRITTEN = Object.keys(PAIRS) as MessageName[];

const number64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 300n }));

/** Whole fields of any wire type, mostly with numbers that messages have. */
const field: fc.Arbitrary<Uint8Array> = fc
  .record({
    number: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 7 }) },
      fc.integer({ min: 1, max: 2 ** 29 - 1 }),
    ),
    wireType: fc.constantFrom(0, 0, 0, 2, 2, 1, 3, 5),
    value: number64,
    content: fc.uint8Array({ maxLength: 12 }),
  })
  .map(({ number, wireType, value, content }) => {
    const writer = new WireWriter();
    if (wireType === 0) writer.varint(number, value);
    else if (wireType === 2) writer.bytes(number, content);
    else {
      writer.varint(number, 0);
      const tag = writer.finish().slice(0, -1);
      tag[0]! |= wireType;
      const end = tag.slice();
      end[0]! ^= 7;
      const rest = wireType === 1 ? new Uint8Array(8) : wireType === 5 ? new Uint8Array(4) : end;
      return Uint8Array.from([...tag, ...rest]);
    }
    return writer.finish();
  });

/** Messages of such fields, sometimes nested, sometimes damaged. */
const message: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(field, { maxLength: 8 }),
    fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(field, { maxLength: 4 })), { nil: undefined }),
    fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean()), { nil: undefined }),
  )
  .map(([fields, nested, damage]) => {
    const writer = new WireWriter();
    for (const each of fields) writer.raw(each);
    if (nested !== undefined) writer.message(nested[0], Uint8Array.from(nested[1].flatMap((each) => [...each])));
    const bytes = writer.finish();
    if (damage === undefined || bytes.length === 0) return bytes;
    const at = damage[0] % bytes.length;
    if (damage[2]) return bytes.slice(0, at);
    bytes[at] = damage[1];
    return bytes;
  });

/** What decoding gives, or the error. */
function outcome<T>(decode: () => T): { value: T; error?: undefined } | { error: string; value?: undefined } {
  try {
    return { value: decode() };
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return { error: error.message };
  }
}

function compare(name: MessageName, bytes: Uint8Array): void {
  const [parse, encode] = PAIRS[name]!;
  const byHand = outcome(() => parse(bytes));
  const generated = outcome(() => decodeMessage(name, bytes));
  if (byHand.error !== undefined && generated.error === undefined) {
    expect(byHand.error).toMatch(/^field \d+ has wire type \d/);
  } else if (byHand.error === undefined && generated.error !== undefined) {
    expect(generated.error).toMatch(/invalid (tag|length) encoding/);
  } else if (byHand.error === undefined && !hasForeignEnum(byHand.value as never)) {
    expect(toHex(encode(byHand.value as never))).toBe(toHex(encodeMessage(name, generated.value as DecodedMessage)));
  }
}

/** Whether an enum may have a value without a name; 3 is one for some. */
function hasForeignEnum(value: {
  type?: unknown;
  transition?: number;
  changes?: readonly { type?: number }[];
}): boolean {
  const { type, transition = 0, changes = [] } = value;
  return [type, transition, ...changes.map((change) => change.type)].some(
    (each) => typeof each === 'number' && (each < 0 || each > 2),
  );
}

describe('both decoders', () => {
  property.prop([fc.constantFrom(...HAND_WRITTEN), message], { numRuns: 3000 })('agree on messages', compare);
  property.prop([fc.constantFrom(...HAND_WRITTEN), fc.uint8Array({ maxLength: 40 })], { numRuns: 1000 })(
    'agree on any bytes',
    compare,
  );

  test('agree on the bytes of real logs, whole, cut anywhere and with any bit flipped', () => {
    const inner: MessageName[] = ['etcdserverpb.Metadata', 'raftpb.Entry', 'raftpb.HardState', 'walpb.Snapshot'];
    const types = [1n, 2n, 3n, 5n];
    for (const hex of [LOG_OF_3_4, LOG_OF_3_6, LOG_OF_3_7, RESTORED_GOGO]) {
      for (const record of recordsOf(hex)) {
        everyDamage('walpb.Record', record);
        const { type, data } = parseWalRecord(record);
        const name = inner[types.indexOf(type!)];
        if (name !== undefined) everyDamage(name, data!);
        const entry = name === 'raftpb.Entry' ? parseEntry(data!) : undefined;
        if (entry?.type === 1) everyDamage('raftpb.ConfChange', entry.data!);
      }
    }
  });
});

function everyDamage(name: MessageName, bytes: Uint8Array): void {
  compare(name, bytes);
  for (let end = 0; end < bytes.length; end++) compare(name, bytes.subarray(0, end));
  for (let bit = 0; bit < Math.min(bytes.length, 40) * 8; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    compare(name, flipped);
  }
}

describe('heads', () => {
  property.prop([message, fc.integer({ min: 0, max: 5 })], { numRuns: 3000 })(
    'say what the parsers say',
    (bytes, shift) => {
      // Not at the beginning of the memory, with other bytes behind.
      const memory = new Uint8Array(bytes.length + 20).fill(0x10);
      memory.set(bytes, shift);
      const end = shift + bytes.length;
      const entry = outcome(() => parseEntry(memory, shift, end)).value;
      const fits = entry !== undefined && safe(entry.term) && safe(entry.index);
      const head = new EntryHead();
      expect(head.parse(memory, shift, end)).toBe(fits);
      if (fits) {
        expect([head.type, head.term, head.index]).toEqual([
          entry.type ?? 0,
          Number(entry.term ?? 0),
          Number(entry.index ?? 0),
        ]);
        expect(head.dataStart === -1 ? undefined : memory.subarray(head.dataStart, head.dataEnd)).toEqual(entry.data);
      }
      const state = outcome(() => parseHardState(memory, shift, end)).value;
      const stateFits = state !== undefined && safe(state.term) && safe(state.commit);
      const stateHead = new HardStateHead();
      expect(stateHead.parse(memory, shift, end)).toBe(stateFits);
      if (stateFits) {
        expect([stateHead.term, stateHead.vote, stateHead.commit]).toEqual([
          Number(state.term ?? 0),
          state.vote ?? 0n,
          Number(state.commit ?? 0),
        ]);
      }
    },
  );

  test('one object serves for one entry after another', () => {
    const head = new EntryHead();
    const withData = encodeEntry({ type: 1, term: 3n, index: 2n ** 53n - 1n, data: fromHex('0102') }, 'gogo');
    expect(head.parse(withData, 0, withData.length)).toBe(true);
    expect(head).toMatchObject({ type: 1, term: 3, index: 2 ** 53 - 1, dataEnd: withData.length });
    const without = encodeEntry({ term: 4n }, 'google');
    expect(head.parse(without, 0, without.length)).toBe(true);
    expect(head).toMatchObject({ type: 0, term: 4, index: 0, dataStart: -1, dataEnd: -1 });
    const large = encodeEntry({ term: 2n ** 53n }, 'google');
    expect(head.parse(large, 0, large.length)).toBe(false);
    const negative = encodeEntry({ type: -1, term: 4n }, 'google');
    expect(head.parse(negative, 0, negative.length)).toBe(true);
    expect(head.type).toBe(-1);
  });

  test('a vote uses all 64 bits', () => {
    const head = new HardStateHead();
    const bytes = encodeHardState({ term: 1n, vote: 0xfe9c64eaf3991d47n, commit: 2n }, 'gogo');
    expect(head.parse(bytes, 0, bytes.length)).toBe(true);
    expect(head.vote).toBe(0xfe9c64eaf3991d47n);
    expect([head.voteHigh, head.voteLow]).toEqual([0xfe9c64ea, 0xf3991d47]);
  });
});

function safe(value: bigint | undefined): boolean {
  return value === undefined || value <= BigInt(Number.MAX_SAFE_INTEGER);
}

describe('generated messages', () => {
  property.prop([fc.constantFrom(...(Object.keys(MESSAGES) as MessageName[])), message], { numRuns: 2000 })(
    'encode to what they were decoded from, or to what decodes to the same',
    (name, bytes) => {
      const decoded = outcome(() => decodeMessage(name, bytes)).value;
      if (decoded === undefined) return;
      const encoded = encodeMessage(name, decoded);
      expect(decodeMessage(name, encoded)).toEqual(decoded);
      expect(toHex(encodeMessage(name, decodeMessage(name, encoded)))).toBe(toHex(encoded));
    },
  );

  test('keep 64 bits and unknown fields, and give no Buffer', () => {
    const bytes = fromHex('0a026b31 12027631 18ffffffffffffffffff01 4a0178');
    const decoded = decodeMessage('etcdserverpb.PutRequest', Buffer.from(bytes));
    expect(decoded).toStrictEqual({
      key: fromHex('6b31'),
      value: fromHex('7631'),
      lease: -1n,
      $unknown: fromHex('4a0178'),
    });
    expect(Object.getPrototypeOf(decoded['key'])).toBe(Uint8Array.prototype);
    expect(encodeMessage('etcdserverpb.PutRequest', decoded)).toEqual(bytes);
    expect(Object.getPrototypeOf(encodeMessage('etcdserverpb.PutRequest', decoded))).toBe(Uint8Array.prototype);
  });

  test('refuse with the place', () => {
    expect(outcome(() => decodeMessage('etcdserverpb.PutRequest', fromHex('0a056b31'))).error).toMatch(
      /^no etcdserverpb\.PutRequest: index out of range.* at byte \d+$/,
    );
  });

  test('refuse transactions nested too deeply', () => {
    let bytes: Uint8Array = new Uint8Array(0);
    for (let i = 0; i < 5000; i++) {
      const writer = new WireWriter();
      writer.message(i % 2 === 0 ? 4 : 2, bytes);
      bytes = writer.finish();
    }
    expect(outcome(() => decodeMessage('etcdserverpb.TxnRequest', bytes)).error).toContain('max depth exceeded');
  });
});

describe('memory', () => {
  test('is not filled by a message of millions of fields', () => {
    const operations = new Uint8Array(2_000_002).map((_, i) => (i % 2 === 0 ? 0x12 : 0));
    expect(outcome(() => decodeMessage('etcdserverpb.TxnRequest', operations)).error).toMatch(
      /^more than 1000000 fields/,
    );
    const unknown = new Uint8Array(2_000_002).map((_, i) => (i % 2 === 0 ? 0x78 : 0));
    expect(outcome(() => decodeMessage('etcdserverpb.PutRequest', unknown)).error).toMatch(/^more than 1000000 fields/);
    const writer = new WireWriter();
    writer.message(6, operations);
    expect(outcome(() => decodeMessage('etcdserverpb.InternalRaftRequest', writer.finish())).error).toMatch(
      /^more than/,
    );
    expect(outcome(() => decodeMessage('etcdserverpb.PutRequest', new Uint8Array(2_000_001).fill(0x80))).error).toMatch(
      /^varint of more than 10 bytes/,
    );
  });

  test('holds large values', () => {
    const value = new Uint8Array(3_000_000).fill(7);
    const encoded = encodeMessage('etcdserverpb.InternalRaftRequest', { header: { ID: 1n }, put: { value } });
    const { put } = decodeMessage('etcdserverpb.InternalRaftRequest', encoded) as { put: { value: Uint8Array } };
    expect(Buffer.compare(put.value, value)).toBe(0);
  });

  test('is not filled by lists of members', () => {
    expect(() => parseConfState(new Uint8Array(200_002).map((_, i) => (i % 2 === 0 ? 0x08 : 1)))).toThrow(
      'more than 100000 members',
    );
    const packed = new WireWriter();
    packed.bytes(1, new Uint8Array(100_001));
    expect(() => parseConfState(packed.finish())).toThrow('more than 100000 members');
    expect(() => parseConfChangeV2(new Uint8Array(200_002).map((_, i) => (i % 2 === 0 ? 0x12 : 0)))).toThrow(
      'more than 100000 members',
    );
  });
});
