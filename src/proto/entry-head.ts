/**
 * Entries and hard states read without making an object each: for scanning gigabytes of log.
 *
 * What etcd writes is decoded in one plain loop. Everything unusual (unknown fields, padded varints, large numbers) goes
 * through the parsers of `raft.ts`, so both always agree.
 */
import { isDatadirError } from '../errors.ts';
import { parseEntry, parseHardState } from './raft.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** An entry's fields but for its data, of which only the place is kept. One object serves for all entries. */
export class EntryHead {
  /** 0 when absent, like all numbers here. */
  type = 0;
  term = 0;
  index = 0;
  /** Where the data is in the bytes given to `parse`: `[dataStart, dataEnd)`, or -1 when the entry has none. */
  dataStart = -1;
  dataEnd = -1;

  /** Reads the entry in `bytes[start, end)`. False if it does not parse, or a number is above 2^53 - 1. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    let type = 0;
    let term = 0;
    let index = 0;
    let dataStart = -1;
    let dataEnd = -1;
    let at = start;
    while (at < end) {
      const tag = bytes[at++]!;
      // A varint of at most seven bytes: 49 bits.
      let value = 0;
      let scale = 1;
      let byte = 0x80;
      const limit = at + 7 < end ? at + 7 : end;
      while (at < limit) {
        byte = bytes[at++]!;
        value += (byte & 0x7f) * scale;
        if (byte < 0x80) break;
        scale *= 128;
      }
      if (byte >= 0x80) return this.#parseSlowly(bytes, start, end);
      if (tag === 0x10) term = value;
      else if (tag === 0x18) index = value;
      else if (tag === 0x22) {
        if (value > end - at) return false;
        dataStart = at;
        at += value;
        dataEnd = at;
      } else if (tag === 0x08 && value < 0x8000_0000) type = value;
      else return this.#parseSlowly(bytes, start, end);
    }
    this.type = type;
    this.term = term;
    this.index = index;
    this.dataStart = dataStart;
    this.dataEnd = dataEnd;
    return true;
  }

  #parseSlowly(bytes: Uint8Array, start: number, end: number): boolean {
    const entry = parsed(parseEntry, bytes, start, end);
    if (entry === undefined) return false;
    const { type = 0, term = 0n, index = 0n, data } = entry;
    if (term > MAX_SAFE || index > MAX_SAFE) return false;
    this.type = type;
    this.term = Number(term);
    this.index = Number(index);
    // The data is a view of `bytes`.
    this.dataStart = data === undefined ? -1 : data.byteOffset - bytes.byteOffset;
    this.dataEnd = data === undefined ? -1 : this.dataStart + data.length;
    return true;
  }
}

/** A hard state. The vote is a member id, which uses all 64 bits: it is kept in two halves. */
export class HardStateHead {
  term = 0;
  voteLow = 0;
  voteHigh = 0;
  commit = 0;

  get vote(): bigint {
    return (BigInt(this.voteHigh) << 32n) | BigInt(this.voteLow);
  }

  /** Reads the state in `bytes[start, end)`. False if it does not parse, or term or commit is above 2^53 - 1. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    let term = 0;
    let voteLow = 0;
    let voteHigh = 0;
    let commit = 0;
    let at = start;
    while (at < end) {
      const tag = bytes[at++]!;
      let low = 0;
      let high = 0;
      let byte = 0x80;
      let shift = 0;
      while (at < end && shift < 70) {
        byte = bytes[at++]!;
        const bits = byte & 0x7f;
        if (shift < 28) low |= bits << shift;
        else if (shift === 28) {
          low |= bits << 28;
          high = bits >>> 4;
        } else high |= bits << (shift - 32);
        if (byte < 0x80) break;
        shift += 7;
      }
      if (byte >= 0x80) return this.#parseSlowly(bytes, start, end);
      if (tag === 0x10) {
        voteLow = low >>> 0;
        voteHigh = high >>> 0;
        continue;
      }
      if (high >>> 0 > 0x1f_ffff || (tag !== 0x08 && tag !== 0x18)) return this.#parseSlowly(bytes, start, end);
      const value = high * 0x1_0000_0000 + (low >>> 0);
      if (tag === 0x08) term = value;
      else commit = value;
    }
    this.term = term;
    this.voteLow = voteLow;
    this.voteHigh = voteHigh;
    this.commit = commit;
    return true;
  }

  #parseSlowly(bytes: Uint8Array, start: number, end: number): boolean {
    const state = parsed(parseHardState, bytes, start, end);
    if (state === undefined) return false;
    const { term = 0n, vote = 0n, commit = 0n } = state;
    if (term > MAX_SAFE || commit > MAX_SAFE) return false;
    this.term = Number(term);
    this.voteLow = Number(vote & 0xffff_ffffn);
    this.voteHigh = Number(vote >> 32n);
    this.commit = Number(commit);
    return true;
  }
}

/** What `parse` gives, or undefined if the bytes are no such message. */
function parsed<T>(
  parse: (bytes: Uint8Array, start: number, end: number) => T,
  bytes: Uint8Array,
  start: number,
  end: number,
): T | undefined {
  try {
    return parse(bytes, start, end);
  } catch (error) {
    if (isDatadirError(error, 'PROTO_INVALID')) return undefined;
    throw error;
  }
}
