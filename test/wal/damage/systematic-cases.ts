/**
 * Systematic damage: one small log, broken at every byte and in every field. Ids and bytes depend on nothing but this
 * file and its helpers, so that what others say of a case can be stored by its id.
 */
import {
  addNodeEntry,
  buildLog,
  emptyEntry,
  metadata,
  putEntry,
  type SegmentPlan,
  type SmallSegment,
  snapshot,
  state,
} from '../../support/small-log.ts';
import { type Frame, SegmentEdit } from '../../support/wal-edit.ts';

/** A log as its segments, in order of name. */
export interface DamageCase {
  readonly id: string;
  readonly segments: readonly SmallSegment[];
}

const SECTOR = 512;
const ZEROS_AT_END = 40;
const NAMES = [
  '0000000000000000-0000000000000000.wal',
  '0000000000000001-0000000000000004.wal',
  '0000000000000002-0000000000000006.wal',
];
const NEXT_NAME = '0000000000000003-0000000000000009.wal';

/**
 * A log of three segments: bootstrap and a write; two writes, one of them over a sector boundary, and a snapshot; writes
 * of which the leader of a new term replaced the second, the last of them with a whole sector inside.
 */
function plan(node: bigint, text: string): SegmentPlan[] {
  const head = metadata(node, 0x2000n);
  const [first, second, third] = NAMES as [string, string, string];
  return [
    {
      name: first,
      records: [
        head,
        snapshot(0n, 0n),
        addNodeEntry(1n, 1n, node),
        state(1n, 0n, 1n),
        emptyEntry(2n, 2n),
        putEntry(2n, 3n, 'a', `${text}3`),
        state(2n, node, 3n),
      ],
    },
    {
      name: second,
      records: [
        head,
        state(2n, node, 3n),
        putEntry(2n, 4n, 'b', text.repeat(560)),
        putEntry(2n, 5n, 'c', `${text}5`),
        state(2n, node, 5n),
        snapshot(5n, 2n, node),
      ],
    },
    {
      name: third,
      records: [
        head,
        state(2n, node, 5n),
        putEntry(2n, 6n, 'd', `${text}6`),
        putEntry(2n, 7n, 'e', 'lost'),
        emptyEntry(3n, 7n),
        putEntry(3n, 8n, 'e', text.repeat(900)),
        state(3n, node, 8n),
      ],
    },
  ];
}

/** The log without damage. */
export const systematicLog = (): SmallSegment[] => buildLog(plan(0x1000n, 'v'), ZEROS_AT_END);
/** The log of another member of the same cluster, of the same shape. */
const otherLog = (): SmallSegment[] => buildLog(plan(0x1001n, 'w'), ZEROS_AT_END);

/** Bytes of a record's head: its length field, and the fields up to the first byte of data. */
function headFields(
  { at, dataAt, end, padding }: Frame,
  bytes: Uint8Array,
): [field: string, start: number, end: number][] {
  const record = at + 8;
  let crcEnd = record + 3;
  while (bytes[crcEnd]! >= 0x80) crcEnd++;
  crcEnd++;
  const fields: [string, number, number][] = [
    ['length', at, record],
    ['type-tag', record, record + 1],
    ['type', record + 1, record + 2],
    ['crc-tag', record + 2, record + 3],
    ['crc', record + 3, crcEnd],
  ];
  if (dataAt !== undefined) fields.push(['data-tag', crcEnd, crcEnd + 1], ['data-length', crcEnd + 1, dataAt]);
  if (padding > 0) fields.push(['padding', end - padding, end - padding + 1]);
  return fields;
}

/** A record of the log: its segment, its number there, and its bytes. */
interface Place {
  readonly segment: number;
  readonly frame: Frame;
  readonly label: string;
  readonly bytes: Uint8Array;
}

/** Every case; about 6000 logs of 2.3 kB. Segments that a case leaves alone are shared. */
export function* systematicCases(): Generator<DamageCase> {
  const log = systematicLog();
  const other = otherLog();
  const places: Place[] = log.flatMap(({ bytes }, segment) =>
    new SegmentEdit({ bytes, size: bytes.length }).frames.map((frame, n) => ({
      segment,
      frame,
      label: `${segment}.${n}`,
      bytes: bytes.subarray(frame.at, frame.end),
    })),
  );
  const replace = (segment: number, bytes: Uint8Array): SmallSegment[] =>
    log.map((old, i) => (i === segment ? { name: old.name, bytes } : old));
  const zeroed = (segment: number, start: number, end: number): SmallSegment[] =>
    replace(segment, log[segment]!.bytes.slice().fill(0, start, end));
  /** The log of these records, taken as they are: nothing is put right. */
  const rearranged = (order: readonly Place[][]): SmallSegment[] =>
    log.map(({ name }, i) => ({ name, bytes: joined(order[i]!, i === log.length - 1 ? ZEROS_AT_END : 0) }));
  const records = log.map((_, i) => places.filter(({ segment }) => segment === i));

  yield { id: 'none', segments: log };

  for (const [i, { bytes }] of log.entries()) {
    for (let length = 0; length < bytes.length; length++) {
      yield { id: `truncate:${i}:${length}`, segments: replace(i, bytes.subarray(0, length)) };
    }
  }
  // The same as a torn write in preallocated space: the file keeps its length.
  for (const [i, { bytes }] of log.entries()) {
    for (let at = 0; at < bytes.length; at += 16)
      yield { id: `zero-from:${i}:${at}`, segments: zeroed(i, at, bytes.length) };
  }
  for (const [i, { bytes }] of log.entries()) {
    for (let at = 0; at < bytes.length; at += SECTOR) {
      yield { id: `zero-sector:${i}:${at / SECTOR}`, segments: zeroed(i, at, at + SECTOR) };
    }
  }
  for (const { segment, frame, label } of places) {
    yield { id: `zero-record:${label}`, segments: zeroed(segment, frame.at, frame.end) };
    yield { id: `zero-length:${label}`, segments: zeroed(segment, frame.at, frame.at + 8) };
  }

  // What tells a torn write from other damage: whether all of a record's bytes in one sector are zero.
  for (const { segment, frame, label } of places) {
    let start = frame.at + 8;
    for (let n = 0; start < frame.end; n++) {
      const end = Math.min(frame.end, (Math.floor(start / SECTOR) + 1) * SECTOR);
      yield { id: `zero-piece:${label}:${n}`, segments: zeroed(segment, start, end) };
      yield { id: `zero-piece:${label}:${n}:but-first`, segments: zeroed(segment, start + 1, end) };
      yield { id: `zero-piece:${label}:${n}:but-last`, segments: zeroed(segment, start, end - 1) };
      start = end;
    }
  }

  for (const { segment, frame, label } of places) {
    const { bytes } = log[segment]!;
    for (const [field, start, end] of headFields(frame, bytes)) {
      for (let bit = 0; bit < (end - start) * 8; bit++) {
        const flipped = bytes.slice();
        flipped[start + (bit >> 3)]! ^= 1 << (bit & 7);
        yield { id: `flip:${label}:${field}:${bit}`, segments: replace(segment, flipped) };
      }
    }
    if (frame.dataAt !== undefined) {
      const middle = frame.dataAt + (frame.data!.length >> 1);
      const flipped = bytes.slice();
      flipped[middle]! ^= 0x10;
      yield { id: `flip:${label}:data`, segments: replace(segment, flipped) };
    }
  }

  for (const a of places) {
    for (const b of places.slice(places.indexOf(a) + 1)) {
      const order = records.map((list) => list.map((place) => (place === a ? b : place === b ? a : place)));
      yield { id: `swap-records:${a.label}:${b.label}`, segments: rearranged(order) };
    }
  }
  for (const gone of places) {
    yield {
      id: `drop-record:${gone.label}`,
      segments: rearranged(records.map((list) => list.filter((place) => place !== gone))),
    };
    yield {
      id: `repeat-record:${gone.label}`,
      segments: rearranged(records.map((list) => list.flatMap((place) => (place === gone ? [gone, gone] : [place])))),
    };
  }

  for (let a = 0; a < log.length; a++) {
    for (let b = a + 1; b < log.length; b++) {
      const swapped = log.map(({ name }, i) => ({ name, bytes: log[i === a ? b : i === b ? a : i]!.bytes }));
      yield { id: `swap-segments:${a}:${b}`, segments: swapped };
      yield { id: `same-segment:${a}:${b}`, segments: replace(b, log[a]!.bytes) };
    }
  }
  for (let mask = 1; mask < 1 << log.length; mask++) {
    const gone = log.flatMap((_, i) => (mask & (1 << i) ? [i] : []));
    yield { id: `missing:${gone.join('+')}`, segments: log.filter((_, i) => !gone.includes(i)) };
  }
  for (const [i, { bytes }] of other.entries()) {
    yield { id: `stale:${i}`, segments: replace(i, bytes) };
    yield { id: `stale-behind:${i}`, segments: [...log, { name: NEXT_NAME, bytes }] };
  }
  yield { id: 'empty-behind', segments: [...log, { name: NEXT_NAME, bytes: new Uint8Array() }] };
  yield { id: 'zeros-behind', segments: [...log, { name: NEXT_NAME, bytes: new Uint8Array(SECTOR) }] };
}

function joined(places: readonly Place[], zeros: number): Uint8Array {
  const whole = new Uint8Array(places.reduce((sum, { bytes }) => sum + bytes.length, zeros));
  let at = 0;
  for (const { bytes } of places) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
