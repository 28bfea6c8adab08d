/**
 * Records of a log read without making an object each: for scanning gigabytes of log, and for finding records among other bytes.
 *
 * `readPlain` takes a record that is just as every etcd writes it, `parse` any that is one.
 */
import { isDatadirError } from '../errors.ts';
import { parseWalRecord } from './wal.ts';

/** A record's fields but for its data, of which only the place is kept. One object serves for all records. */
export class RecordHead {
  /** 0 when absent. */
  type = 0;
  crc = 0;
  /** Where the data is in the bytes given: `[dataStart, dataEnd)`, or -1 when the record has none. */
  dataStart = -1;
  dataEnd = -1;

  /** Reads the record in `bytes[start, end)`. False if it does not parse. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.readPlain(bytes, start, end, end)) return true;
    try {
      const { type = 0n, crc = 0, data } = parseWalRecord(bytes, start, end);
      this.type = Number(type);
      this.crc = crc;
      this.dataStart = data === undefined ? -1 : data.byteOffset - bytes.byteOffset;
      this.dataEnd = data === undefined ? -1 : this.dataStart + data.length;
      return true;
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      return false;
    }
  }

  /**
   * Reads the record in `bytes[start, end)`, of which only the bytes up to `limit` need be there. False if it is not
   * `08 type 10 crc [1a length data]` and nothing else.
   */
  readPlain(bytes: Uint8Array, start: number, end: number, limit: number): boolean {
    const stop = end < limit ? end : limit;
    if (stop - start < 4 || bytes[start] !== 0x08 || bytes[start + 2] !== 0x10) return false;
    const type = bytes[start + 1]!;
    if (type >= 0x80) return false;
    let at = start + 3;
    let crc = 0;
    let byte = 0x80;
    for (let shift = 0; shift < 35 && at < stop; shift += 7) {
      byte = bytes[at++]!;
      crc |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (byte >= 0x80) return false;
    this.type = type;
    this.crc = crc >>> 0;
    if (at === end) {
      this.dataStart = this.dataEnd = -1;
      return true;
    }
    if (at >= stop || bytes[at++] !== 0x1a) return false;
    let length = 0;
    let scale = 1;
    byte = 0x80;
    for (let i = 0; i < 5 && at < stop; i++) {
      byte = bytes[at++]!;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
    }
    if (byte >= 0x80 || at + length !== end) return false;
    this.dataStart = at;
    this.dataEnd = end;
    return true;
  }
}
