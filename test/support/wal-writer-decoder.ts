// Reads a log for tests of the writer: an implementation of its own, so that it does not share a mistake with the library.
import { createHash } from 'node:crypto';

export interface DecodedRecord {
  readonly segment: string;
  readonly offset: number;
  readonly type: number;
  readonly crc: number;
  readonly data: Uint8Array | undefined;
}

export interface DecodedLog {
  readonly records: readonly DecodedRecord[];
  /** Why reading stopped: `end` at the end of the last segment or at its zeros. */
  readonly stop: 'end' | 'cut off' | 'crc' | 'not a record';
  /** Where in the last segment that was read. */
  readonly offset: number;
}

/** Everything that can be read from the first segment on, up to the first thing that is wrong. */
export function decodeLog(files: ReadonlyMap<string, Uint8Array>): DecodedLog {
  const records: DecodedRecord[] = [];
  let running = 0;
  let offset = 0;
  for (const segment of segmentsOf(files)) {
    const bytes = files.get(segment) as Uint8Array;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    offset = 0;
    while (offset < bytes.length) {
      if (bytes.length - offset < 8) return { records, stop: 'cut off', offset };
      const field = view.getBigUint64(offset, true);
      if (field === 0n) break;
      const length = field & 0xff_ffff_ffff_ffffn;
      const padding = field >> 63n === 1n ? (field >> 56n) & 7n : 0n;
      if (length + padding > BigInt(bytes.length - offset - 8)) return { records, stop: 'cut off', offset };
      const record = decodeRecord(bytes.subarray(offset + 8, offset + 8 + Number(length)));
      if (record === undefined) return { records, stop: 'not a record', offset };
      if (record.type === 4) {
        if (running !== 0 && running !== record.crc) return { records, stop: 'crc', offset };
        running = record.crc;
      } else {
        running = castagnoli(record.data ?? new Uint8Array(0), running);
        if (running !== record.crc) return { records, stop: 'crc', offset };
      }
      records.push({ segment, offset, ...record });
      offset += 8 + Number(length + padding);
    }
  }
  return { records, stop: 'end', offset };
}

export function segmentsOf(files: ReadonlyMap<string, Uint8Array>): string[] {
  return [...files.keys()].filter((name) => /^[0-9a-f]{16}-[0-9a-f]{16}\.wal$/.test(name)).sort();
}

/** The three fields in the order in which all versions write them, and nothing else. */
function decodeRecord(bytes: Uint8Array): { type: number; crc: number; data: Uint8Array | undefined } | undefined {
  let at = 0;
  const varint = (tag: number): number | undefined => {
    if (bytes[at++] !== tag) return undefined;
    let value = 0;
    for (let scale = 1; at < bytes.length && scale < 2 ** 40; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  const type = varint(0x08);
  const crc = varint(0x10);
  if (type === undefined || crc === undefined) return undefined;
  if (at === bytes.length) return { type, crc, data: undefined };
  const length = varint(0x1a);
  if (length === undefined || at + length !== bytes.length) return undefined;
  return { type, crc, data: bytes.subarray(at) };
}

function castagnoli(bytes: Uint8Array, seed: number): number {
  let crc = ~seed;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}

/** Name, size and digest (without zeros at the end) of each segment: two logs with the same listing are the same bytes. */
export function listLog(files: ReadonlyMap<string, Uint8Array>): string[] {
  return segmentsOf(files).map((name) => {
    const bytes = files.get(name) as Uint8Array;
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    return `${name} ${bytes.length} ${createHash('sha256').update(bytes.subarray(0, end)).digest('hex')}`;
  });
}
