/**
 * A plain reader of segments, for comparison: a whole segment in memory, one record after the other, nothing shared with the
 * readers of the library. Says of a segment what its records are and why they end.
 */
import { referenceCrc } from './wal-edit.ts';

/** A record where it lies. */
export interface ReferenceRecord {
  readonly offset: number;
  readonly type: number;
  readonly crc: number;
  readonly data: Uint8Array | undefined;
}

/** What a segment holds. */
export interface ReferenceSegment {
  readonly records: readonly ReferenceRecord[];
  readonly ended: 'end' | 'zero' | 'short' | 'beyond' | 'unparsable' | 'crc' | 'chain';
  readonly endOffset: number;
  /** The running CRC after the last record. */
  readonly crc: number;
}

/** The record in `body`; undefined if it is none. */
function parse(body: Uint8Array): { type: number; crc: number; data: Uint8Array | undefined } | undefined {
  let at = 0;
  const next = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = body[at++];
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return shift === 63n && byte > 1 ? undefined : BigInt.asUintN(64, value);
    }
    return undefined;
  };
  let type = 0;
  let crc = 0;
  let data: Uint8Array | undefined;
  while (at < body.length) {
    const tag = next();
    if (tag === undefined || tag >> 3n === 0n || tag >> 32n !== 0n) return undefined;
    const field = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (field <= 3 && wireType !== (field === 3 ? 2 : 0)) return undefined;
    if (wireType === 0) {
      const value = next();
      if (value === undefined) return undefined;
      if (field === 1) type = Number(BigInt.asIntN(64, value));
      if (field === 2) crc = Number(BigInt.asUintN(32, value));
    } else if (wireType === 2) {
      const length = next();
      if (length === undefined || length > BigInt(body.length - at)) return undefined;
      if (field === 3) data = body.subarray(at, at + Number(length));
      at += Number(length);
    } else if (wireType === 1 || wireType === 5) {
      at += wireType === 1 ? 8 : 4;
      if (at > body.length) return undefined;
    } else return undefined;
  }
  return { type, crc, data };
}

/** Reads a segment; `seed` is the running CRC before it. A crc record at its head is believed. */
export function referenceSegment(bytes: Uint8Array, seed = 0): ReferenceSegment {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records: ReferenceRecord[] = [];
  let crc = seed;
  let at = 0;
  const end = (ended: ReferenceSegment['ended']): ReferenceSegment => ({ records, ended, endOffset: at, crc });
  for (;;) {
    if (at === bytes.length) return end('end');
    if (bytes.length - at < 8) return end('short');
    const field = view.getBigUint64(at, true);
    if (field === 0n) return end('zero');
    const length = field & 0xff_ffff_ffff_ffffn;
    const padding = field >> 63n === 0n ? 0 : Number((field >> 56n) & 7n);
    if (length > BigInt(bytes.length - at - 8 - padding)) return end('beyond');
    const record = parse(bytes.subarray(at + 8, at + 8 + Number(length)));
    if (record === undefined) return end('unparsable');
    if (record.type === 4) {
      if (records.length > 0 && crc !== 0 && crc !== record.crc) return end('chain');
      crc = record.crc;
    } else {
      const computed = referenceCrc(record.data ?? new Uint8Array(), crc);
      if (computed !== record.crc) return end('crc');
      crc = computed;
    }
    records.push({ offset: at, ...record });
    at += 8 + Number(length) + padding;
  }
}

/** An entry that survives, by index and term. */
export interface ReferenceEntry {
  readonly index: bigint;
  readonly term: bigint;
  readonly type: bigint;
  readonly data: Uint8Array;
}

/** The numbers and bytes in the first four fields of a message. */
function fields(message: Uint8Array): (bigint | Uint8Array | undefined)[] {
  const found: (bigint | Uint8Array | undefined)[] = [];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(next());
    if ((tag & 7) === 0) found[tag >> 3] = next();
    else {
      const length = Number(next());
      found[tag >> 3] = message.subarray(at, at + length);
      at += length;
    }
  }
  return found;
}

/** The entries above `after` that survive, by the rule of etcd's ReadAll, gaps allowed. */
export function referenceEntries(
  records: Iterable<Pick<ReferenceRecord, 'type' | 'data'>>,
  after = 0n,
): ReferenceEntry[] {
  const entries: ReferenceEntry[] = [];
  for (const { type, data } of records) {
    if (type !== 2) continue;
    const [, kind, term, index, payload] = fields(data ?? new Uint8Array());
    const entry = {
      type: (kind as bigint | undefined) ?? 0n,
      term: (term as bigint | undefined) ?? 0n,
      index: (index as bigint | undefined) ?? 0n,
      data: (payload as Uint8Array | undefined) ?? new Uint8Array(),
    };
    if (entry.index <= after) continue;
    while ((entries.at(-1)?.index ?? -1n) >= entry.index) entries.pop();
    entries.push(entry);
  }
  return entries;
}
