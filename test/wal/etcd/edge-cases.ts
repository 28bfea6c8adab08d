/**
 * Logs that no writer leaves behind but that a reader may be given: unusual length fields, forms of protocol buffers,
 * places where a rule has an edge. Each is there in the last segment and, where it may matter, in one before the last.
 */
import type { SnapshotId } from '../../../src/wal/etcd/parse-record.ts';
import { varint } from '../../support/wal-edit.ts';
import type { JudgedCase } from './answers.ts';
import {
  bytes,
  bytesToZero,
  entry,
  frame,
  METADATA,
  number,
  RawLog,
  record,
  SEGMENT_0,
  SEGMENT_1,
  snapshot,
  state,
  tag,
  text,
} from './raw-log.ts';

const ZERO: SnapshotId = { index: 0n, term: 0n };
const AT_ZERO: readonly SnapshotId[] = [ZERO];
const AT_ONE: readonly SnapshotId[] = [ZERO, { index: 1n, term: 1n }];
const TOP = 1n << 63n;
const MAX = (1n << 64n) - 1n;

type Build = (log: RawLog) => RawLog;

/** The place in the last segment, and in the first of two. */
function both(id: string, build: Build, at = AT_ONE): JudgedCase[] {
  const last = build(RawLog.started()).ending();
  const first = build(RawLog.started()).begin(SEGMENT_1).head().ending();
  return [
    { id: `${id}:last`, segments: last.segments, at },
    { id: `${id}:first`, segments: first.segments, at },
  ];
}

/** At the very end of the log, with nothing behind, and with a segment behind. */
function atEnd(id: string, build: Build, at = AT_ONE): JudgedCase[] {
  const end = build(RawLog.started());
  const before = build(RawLog.started()).begin(SEGMENT_1).head().ending();
  return [
    { id: `${id}:end`, segments: end.segments, at },
    { id: `${id}:before`, segments: before.segments, at },
  ];
}

function* lengthFields(): Generator<JudgedCase> {
  const empty = (field: bigint) => frame(bytes(), { field });
  for (const [id, field] of Object.entries({
    top: TOP,
    'top-and-unused': TOP | (0xfn << 59n),
    padding: 7n << 56n,
    unused: 1n << 59n,
    'padding-7': TOP | (7n << 56n),
  })) {
    yield* both(`empty-record:${id}`, (log) => log.raw(empty(field)));
    yield* atEnd(`empty-record:${id}`, (log) => log.raw(empty(field)));
    const fresh = new RawLog().raw(empty(field)).head().ending(1n);
    yield { id: `empty-record:${id}:running-0`, segments: fresh.segments, at: AT_ZERO };
  }
  const body = (crc: number) => record(2, crc, entry(2n, 'edge'));
  const data = entry(2n, 'edge');
  const length = BigInt(body(0x1000_0000).length);
  yield* both('length:padding-without-top', (log) =>
    log.body(body, data, { field: length | (3n << 56n), padding: bytes() }),
  );
  yield* both('length:unused-bits', (log) => log.body(body, data, { field: length | (0xfn << 59n), padding: bytes() }));
  yield* both('length:top-without-padding', (log) => log.body(body, data, { field: length | TOP, padding: bytes() }));
  yield* both('length:unpadded', (log) => log.add(2, data, { padding: bytes() }));
  yield* both('length:needless-padding', (log) => log.add(2, data, { padding: bytes([1, 2, 3, 4, 5, 6, 7]) }));
  for (const field of [1n << 53n, (1n << 53n) + 1n, (1n << 56n) - 1n, 10n << 20n, (10n << 20n) - 1n, 1n << 31n]) {
    yield* both(`length:${field}`, (log) => log.raw(frame(bytes(), { field })));
    yield* both(`length:${field}:padded`, (log) => log.raw(frame(bytes(), { field: field | TOP | (5n << 56n) })));
  }
  // Around what is left of the file.
  for (let left = 0; left < 20; left++) {
    for (const padding of [0n, 7n]) {
      yield* atEnd(`length:left-${left}:${padding}`, (log) => {
        const form = { field: BigInt(left) | (padding === 0n ? 0n : TOP | (padding << 56n)), padding: bytes() };
        return log.raw(frame(new Uint8Array(10).fill(0xff), form));
      });
    }
  }
}

function* tails(): Generator<JudgedCase> {
  for (let count = 1; count <= 17; count++) {
    yield* atEnd(`tail:${count}-zeros`, (log) => log.zeros(count));
    yield* atEnd(`tail:${count}-ones`, (log) => log.raw(new Uint8Array(count).fill(1)));
  }
  yield* atEnd('tail:zeros-garbage', (log) => log.zeros(8).raw(new Uint8Array(20).fill(0xaa)));
  yield* atEnd('tail:page-of-zeros', (log) => log.zeros(4096));
  yield* atEnd('tail:old-records', (log) =>
    log
      .zeros(8)
      .add(2, entry(2n))
      .add(3, state(1n, 1n, 2n)),
  );
  const log = RawLog.started;
  yield { id: 'segment:empty', segments: log().begin(SEGMENT_1).segments };
  yield { id: 'segment:zeros', segments: log().begin(SEGMENT_1).zeros(4096).segments };
  yield { id: 'segment:seven-zeros', segments: log().begin(SEGMENT_1).zeros(7).segments };
  yield { id: 'segment:head-only', segments: log().begin(SEGMENT_1).head().segments };
  yield { id: 'segment:crc-only', segments: log().begin(SEGMENT_1).chain(log().crc).segments };
  yield { id: 'segment:no-head', segments: log().begin(SEGMENT_1).ending().segments, at: AT_ONE };
  yield { id: 'segment:no-head-torn', segments: log().begin(SEGMENT_1).ending(2n, 0).zeros(3).segments, at: AT_ONE };
  yield { id: 'segment:no-head-alone', segments: log().begin(SEGMENT_1).ending().segments.slice(1), at: AT_ONE };
  yield { id: 'only:empty', segments: new RawLog().segments };
  yield { id: 'only:zeros', segments: new RawLog().zeros(512).segments };
  yield { id: 'only:crc', segments: new RawLog().chain(0).segments };
  yield { id: 'only:metadata', segments: new RawLog().head().segments };
  yield { id: 'only:head', segments: new RawLog().head().add(5, snapshot(0n, 0n)).segments };
}

function* checksums(): Generator<JudgedCase> {
  // A value of exactly 0 lets any crc record pass.
  const zeroed = (log: RawLog): RawLog => {
    const data = bytes(entry(2n, 'zero'), [0x2a, 4]);
    return log.add(2, bytes(data, bytesToZero(crcAfter(log, data))));
  };
  yield* both('crc:zero', (log) => zeroed(log));
  yield* both('crc:zero-then-any', (log) => zeroed(log).chain(0x1234));
  yield* both('crc:zero-then-zero', (log) => zeroed(log).chain(0));
  yield* both('crc:zero-then-empty', (log) => zeroed(log).raw(frame(bytes(), { field: TOP })));
  yield* both('crc:again', (log) => log.chain(log.crc));
  yield* both('crc:other', (log) => log.raw(frame(record(4, 77))));
  yield* both('crc:to-zero', (log) => log.raw(frame(record(4, 0))));
  yield* both('crc:no-field', (log) => log.raw(frame(number(1, 4))));
  yield* both('crc:with-data', (log) => log.raw(frame(record(4, log.crc, bytes([1, 2, 3])))));
  yield* both('crc:empty-data', (log) => log.body((crc) => record(2, crc, bytes()), bytes()));
  yield* both('crc:wrong', (log) => log.raw(frame(record(2, 1, entry(2n)))));
  yield { id: 'crc:start-any', segments: new RawLog().chain(0xabcd).add(1, METADATA).ending(1n).segments };
  yield { id: 'crc:none-at-all', segments: new RawLog().add(1, METADATA).ending(1n).segments };
  yield { id: 'crc:twice-at-start', segments: new RawLog().chain(0).chain(5).add(1, METADATA).ending(1n).segments };
}

function crcAfter(log: RawLog, data: Uint8Array): number {
  const copy = new RawLog();
  copy.crc = log.crc;
  return copy.add(2, data).crc;
}

function* contents(): Generator<JudgedCase> {
  const nil = undefined;
  const other = bytes(number(1, 0x11), number(2, 0x20));
  for (const [id, first, second] of [
    ['nil-then-some', nil, METADATA],
    ['some-then-nil', METADATA, nil],
    ['nil-then-nil', nil, nil],
    ['empty-then-some', bytes(), METADATA],
    ['some-then-empty', METADATA, bytes()],
    ['empty-then-nil-then-some', bytes(), nil],
    ['same', METADATA, METADATA],
    ['other', METADATA, other],
    ['garbage', bytes([0xff]), bytes([0xff])],
  ] as const) {
    const log = new RawLog().chain(0).add(1, first).add(5, snapshot(0n, 0n)).add(1, second).add(1, second);
    yield { id: `metadata:${id}`, segments: log.ending(1n).segments, at: AT_ZERO };
  }

  const at = [
    ZERO,
    { index: 1n, term: 1n },
    { index: 3n, term: 1n },
    { index: 3n, term: 2n },
    { index: MAX, term: 1n },
  ];
  const entries = (log: RawLog, ...indexes: bigint[]): RawLog =>
    indexes.reduce((chained, index) => chained.add(2, entry(index, `e${index}`)), log);
  yield* both('snapshot:before-entries', (log) => log.add(5, snapshot(3n, 1n)), at);
  yield* both('snapshot:twice', (log) => log.add(5, snapshot(1n, 1n)).add(5, snapshot(1n, 1n)), at);
  yield* both('snapshot:two-terms', (log) => log.add(5, snapshot(1n, 1n)).add(5, snapshot(1n, 2n)), at);
  yield* both('snapshot:back', (log) => entries(log, 2n, 3n).add(5, snapshot(3n, 1n)).add(5, snapshot(1n, 1n)), at);
  yield* both('snapshot:zero-term-1', (log) => log.add(5, snapshot(0n, 1n)), at);
  yield* both('snapshot:max', (log) => log.add(5, snapshot(MAX, 1n)), at);
  yield* both('snapshot:no-data', (log) => log.add(5), at);
  yield* both('snapshot:no-index', (log) => log.add(5, number(2, 0)), at);
  for (const [id, confState] of Object.entries({
    packed: text(1, bytes([1, 2, 3])),
    'packed-beyond': bytes(text(1, bytes([0x80])), number(2, 1)),
    'packed-cut': text(1, bytes([0x80])),
    'packed-empty': text(1, bytes()),
    mixed: bytes(number(1, 1), text(1, bytes([2])), number(2, 3), number(5, 1)),
    fixed: tag(1, 5),
    'bool-as-bytes': text(5, bytes([1])),
    unknown: bytes(number(9, 1), text(10, 'x')),
    cut: bytes([0x08]),
    garbage: bytes([0xff, 0xff]),
  })) {
    const data = bytes(snapshot(1n, 1n), text(3, confState));
    yield* both(`snapshot:conf-state-${id}`, (log) => log.add(5, data), at);
  }
  yield* both(
    'snapshot:conf-state-twice',
    (log) => log.add(5, bytes(snapshot(1n, 1n), text(3, bytes()), text(3, ''))),
    at,
  );
  yield* both('snapshot:conf-state-varint', (log) => log.add(5, bytes(snapshot(1n, 1n), number(3, 1))), at);

  for (const [id, indexes] of Object.entries({
    zero: [0n],
    max: [MAX],
    'max-1': [MAX - 1n],
    gap: [3n],
    again: [1n],
    'again-and-again': [1n, 1n, 1n],
    overwritten: [2n, 3n, 4n, 2n, 3n],
    'overwritten-below': [2n, 3n, 4n, 5n, 1n, 6n],
    'overwritten-below-then-on': [2n, 3n, 4n, 1n],
    'gap-after-overwrite': [2n, 3n, 4n, 2n, 4n],
    long: [2n, 3n, 4n, 5n, 6n, 7n],
  })) {
    yield* both(`entry:${id}`, (log) => entries(log, ...indexes), [...at, { index: 2n, term: 1n }]);
  }
  for (const [id, data] of Object.entries({
    'without-type': bytes(number(2, 1), number(3, 2), text(4, 'x')),
    'without-data': bytes(number(1, 0), number(2, 1), number(3, 2)),
    reversed: bytes(text(4, 'x'), number(3, 2), number(2, 1), number(1, 0)),
    'twice-each': bytes(entry(9n, 'old'), entry(2n, 'new')),
    'data-emptied': bytes(entry(2n, 'old'), text(4, '')),
    unknown: bytes(number(7, 7), entry(2n), text(8, 'u')),
    'type-large': bytes(number(1, (1n << 32n) + 1n), number(2, 1), number(3, 2)),
    'type-negative': bytes(number(1, -1), number(2, 1), number(3, 2)),
    'type-7': bytes(number(1, 7), number(2, 1), number(3, 2)),
    empty: bytes(),
    cut: entry(2n, 'cut').subarray(0, -1),
    'cut-varint': bytes([0x10, 0x80]),
    'wrong-wire-type': bytes(entry(2n), text(3, 'x')),
    'wrong-wire-type-data': bytes(entry(2n), number(4, 1)),
    group: bytes(entry(2n), tag(9, 3), number(1, 1), tag(9, 4)),
    'group-in-known': bytes(entry(2n), tag(3, 3), tag(3, 4)),
    'field-0': bytes([0x00, 0x00]),
  })) {
    yield* both(`entry:${id}`, (log) => log.add(2, data), at);
  }
  yield* both('entry:no-data', (log) => log.add(2));

  for (const [id, data] of Object.entries({
    empty: bytes(),
    'commit-only': number(3, 1),
    'term-only': number(1, 9),
    'vote-only': number(2, 9),
    reversed: bytes(number(3, 1), number(2, 2), number(1, 3)),
    large: state(MAX, MAX, MAX),
    unknown: bytes(state(1n, 1n, 1n), number(4, 4)),
    'wrong-wire-type': bytes(state(1n, 1n, 1n), text(3, 'x')),
    cut: bytes([0x08, 0x80]),
  })) {
    // Alone it shows whether a field that is absent keeps its value.
    yield* both(`state:${id}`, (log) => log.add(3, data));
    yield* atEnd(`state:${id}`, (log) => log.add(3, data));
  }
  yield* both('state:no-data', (log) => log.add(3));
  yield { id: 'state:none', segments: new RawLog().head().add(5, snapshot(0n, 0n)).add(2, entry(1n)).segments };
}

function* records(): Generator<JudgedCase> {
  const data = entry(2n, 'edge');
  const body =
    (make: (crc: number) => Uint8Array): Build =>
    (log) =>
      log.body(make, data);
  for (const type of [0n, 6n, 9n, 127n, -1n, -(1n << 63n), (1n << 32n) + 2n, (1n << 31n) + 2n, MAX >> 1n]) {
    yield* both(`type:${type}`, (log) => log.add(type, data));
  }
  yield* both(
    'type:absent',
    body((crc) => bytes(number(2, crc), text(3, data))),
  );

  const extras: Record<string, Uint8Array> = {
    varint: number(4, 1),
    fixed64: bytes(tag(4, 1), new Uint8Array(8)),
    'fixed64-cut': bytes(tag(4, 1), new Uint8Array(7)),
    bytes: text(4, 'x'),
    'bytes-cut': bytes(tag(4, 2), 5, 1),
    fixed32: bytes(tag(4, 5), new Uint8Array(4)),
    'fixed32-cut': bytes(tag(4, 5), new Uint8Array(3)),
    'wire-6': tag(4, 6),
    'wire-7': tag(4, 7),
    group: bytes(tag(4, 3), tag(4, 4)),
    'group-with-fields': bytes(tag(4, 3), number(1, 2), text(2, 'x'), tag(4, 4)),
    'group-nested': bytes(tag(4, 3), tag(5, 3), tag(5, 4), tag(4, 4)),
    'group-crossed': bytes(tag(4, 3), tag(5, 3), tag(4, 4), tag(5, 4)),
    'group-other-end': bytes(tag(4, 3), tag(5, 4)),
    'group-open': tag(4, 3),
    'group-open-with-field': bytes(tag(4, 3), number(1, 1)),
    'group-field-0': bytes(tag(4, 3), tag(0, 0), 0, tag(4, 4)),
    'group-wire-6': bytes(tag(4, 3), tag(1, 6), tag(4, 4)),
    'group-fixed64-cut': bytes(tag(4, 3), tag(1, 1), 0, tag(4, 4)),
    'group-large-number': bytes(tag(4, 3), number(1n << 30n, 1), tag(4, 4)),
    'group-larger-number': bytes(tag(4, 3), number(1n << 31n, 1), tag(4, 4)),
    'group-bytes-beyond': bytes(tag(4, 3), tag(1, 2), varint(1000)),
    'group-bytes-huge': bytes(tag(4, 3), tag(1, 2), varint((1n << 63n) - 1n)),
    'group-bytes-huge-fitting': bytes(tag(4, 3), tag(1, 2), varint((1n << 63n) - 40n)),
    'group-bytes-negative': bytes(tag(4, 3), tag(1, 2), varint(MAX)),
    'group-end': tag(4, 4),
    'known-group-end': tag(3, 4),
    'known-group': bytes(tag(3, 3), tag(3, 4)),
    'bytes-negative': bytes(tag(4, 2), varint(MAX)),
    'bytes-huge': bytes(tag(4, 2), varint((1n << 63n) - 1n)),
    'bytes-huge-fitting': bytes(tag(4, 2), varint((1n << 63n) - 100n)),
    'bytes-4g': bytes(tag(4, 2), varint(1n << 32n)),
    'data-negative': bytes(tag(3, 2), varint(MAX)),
    'data-huge': bytes(tag(3, 2), varint((1n << 63n) - 1n)),
    'data-huge-fitting': bytes(tag(3, 2), varint((1n << 63n) - 100n)),
    'data-beyond': bytes(tag(3, 2), varint(1)),
    'data-4g': bytes(tag(3, 2), varint(1n << 32n)),
    'field-0': bytes([0x00]),
    'field-0-bytes': bytes([0x02]),
    'field-0-group-end': bytes([0x04]),
    'field-0-wire-7': bytes([0x07]),
    'field-largest': number((1n << 29n) - 1n, 1),
    'field-too-large': number(1n << 29n, 1),
    'field-negative': number(1n << 31n, 1),
    'field-alias-of-0': number(1n << 32n, 1),
    'field-alias-of-type': number((1n << 32n) | 1n, 2),
    'field-alias-of-data': text((1n << 32n) | 3n, data),
    'tag-ten-bytes': bytes([0xa0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1),
    'tag-ten-bytes-high': bytes([0xa0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02], 1),
    'tag-eleven-bytes': bytes(new Uint8Array(10).fill(0x80), 0),
    'tag-cut': bytes([0x80]),
    'tag-cut-after-9': new Uint8Array(9).fill(0x80),
    'tag-cut-after-10': new Uint8Array(10).fill(0x80),
    'varint-ten-bytes': bytes(tag(4, 0), new Uint8Array(9).fill(0xff), 0x01),
    'varint-ten-bytes-high': bytes(tag(4, 0), new Uint8Array(9).fill(0xff), 0x02),
    'varint-ten-bytes-higher': bytes(tag(4, 0), new Uint8Array(9).fill(0xff), 0x7f),
    'varint-eleven-bytes': bytes(tag(4, 0), new Uint8Array(10).fill(0x80), 0),
    'varint-cut': bytes(tag(4, 0), [0x80, 0x80]),
    'varint-absent': tag(4, 0),
    'type-again': number(1, 2),
    'type-padded': bytes(tag(1, 0), [0x82, 0x80, 0x80, 0x80, 0x00]),
    'type-high-bits-dropped': bytes(tag(1, 0), [0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7e]),
    'type-other-at-last': number(1, 3),
    'data-again': text(3, data),
    'data-emptied': text(3, ''),
  };
  for (let field = 1; field <= 3; field++) {
    for (let wire = 0; wire < 8; wire++) {
      if (wire === (field === 3 ? 2 : 0)) continue;
      extras[`wrong-${field}-${wire}`] = bytes(tag(field, wire), new Uint8Array(wire === 1 ? 8 : wire === 5 ? 4 : 1));
    }
  }
  for (const [id, extra] of Object.entries(extras)) {
    yield* both(
      `record:${id}`,
      body((crc) => bytes(record(2, crc, data), extra)),
    );
    yield* both(
      `record:${id}:first`,
      body((crc) => bytes(extra, record(2, crc, data))),
    );
  }
  yield* both(
    'record:crc-33-bits',
    body((crc) => bytes(number(1, 2), number(2, BigInt(crc) | (1n << 32n)), text(3, data))),
  );
  yield* both(
    'record:crc-64-bits',
    body((crc) => bytes(number(1, 2), number(2, BigInt(crc) - (1n << 32n)), text(3, data))),
  );
  yield* both(
    'record:reversed',
    body((crc) => bytes(text(3, data), number(2, crc), number(1, 2))),
  );
  const whole = record(2, 0x7fff_ffff, data);
  for (let length = 1; length < whole.length; length++) {
    yield* both(`record:cut-${length}`, (log) => log.raw(frame(whole.subarray(0, length))));
  }
}

function* sectors(): Generator<JudgedCase> {
  const value = new Uint8Array(1500).fill(0x77);
  const data = entry(2n, value);
  const zeroed = (start: number, end: number, from: number) => (log: RawLog) => {
    const at = log.offset;
    const copy = new RawLog();
    copy.crc = log.crc;
    const whole = copy.add(2, data, { padding: from === 0 ? undefined : new Uint8Array(from) }).segments[0]!.bytes;
    log.crc = copy.crc;
    return log.raw(whole.fill(0, Math.max(8, start - at), Math.max(8, end - at)));
  };
  for (const [start, end] of [
    [512, 1024],
    [513, 1024],
    [512, 1023],
    [1024, 1536],
    [0, 512],
    [0, 300],
    [1536, 1800],
    [1540, 1700],
    [700, 701],
  ] as const) {
    yield* both(`sector:${start}-${end}`, zeroed(start, end, 0));
    yield* atEnd(`sector:${start}-${end}`, zeroed(start, end, 0));
  }
  // The record so that its padding, or one byte of it, is alone in the last sector it touches.
  for (const [fill, id] of [
    [0x77, 'crc'],
    [0x00, 'zeros'],
  ] as const) {
    for (let length = 300; length < 340; length++) {
      const wrong = record(2, 99, entry(2n, new Uint8Array(length).fill(fill)));
      yield* atEnd(`sector:padding-alone-${id}-${length}`, (log) => log.raw(frame(wrong)));
      const unparsable = bytes(tag(1, 2), varint(0), number(0, 1), new Uint8Array(length).fill(fill));
      if (length % 8 === 0) yield* atEnd(`sector:unparsable-${id}-${length}`, (log) => log.raw(frame(unparsable)));
    }
  }
}

function* names(): Generator<JudgedCase> {
  const build = (...list: string[]): JudgedCase => {
    const log = RawLog.started();
    for (const [i, name] of list.slice(1).entries())
      log
        .begin(name)
        .head()
        .ending(BigInt(i + 2), 0);
    const segments = log.segments.map(({ bytes: content }, i) => ({ name: list[i]!, bytes: content }));
    return { id: `names:${list.join('+')}`, segments, at: AT_ONE };
  };
  const name = (sequence: string, index: string): string =>
    `${sequence.padStart(16, '0')}-${index.padStart(16, '0')}.wal`;
  yield build(name('0', '0'), name('5', '2'));
  yield build(name('0', '0'), name('1', '2'), name('5', '3'));
  yield build(name('1', '0'), name('5', '2'));
  yield build(name('1', '0'), name('2', '2'));
  yield build(name('0', '2'), name('1', '3'));
  yield build(name('0', '0'), name('1', '9'), name('2', '1'));
  yield build(name('0', '0'), name('1', '1'), name('2', '1'));
  yield build(name('1', '0'), name('ffffffffffffffff', '1'));
  yield build(name('ffffffffffffffff', '0'));
  yield build(name('0', 'ffffffffffffffff'));
  yield build('0-0.wal');
  yield build('0-0.wal', '1-1.wal');
  yield build('00-00.wal', name('A', '1'));
  yield build(SEGMENT_0, `${name('1', '1')}.wal`);
  yield build('0000000000000000-0000000000000000.wal.copy.wal');
  yield build('foo.wal');
  yield build('foo.txt');
  yield build(SEGMENT_0, 'foo.wal');
  yield build(SEGMENT_0, '0.tmp');
  yield build('00000000000000000-0000000000000000.wal');
  yield build('0000000000000000-00000000000000000.wal');
  yield build('0x0-0x0.wal');
  yield { id: 'names:none', segments: [] };
}

/** All of them. */
export function* edgeCases(): Generator<JudgedCase> {
  yield* lengthFields();
  yield* tails();
  yield* checksums();
  yield* contents();
  yield* records();
  yield* sectors();
  yield* names();
}
