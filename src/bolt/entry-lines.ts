/**
 * JSON lines that come in chunks of any size, as entries. Memory is that of a chunk, or of a line if one is longer.
 */
import { DatadirError } from '../errors.ts';
import type { BuildEntry } from './build.ts';
import { beginsWell, isBlank, lineError, MAX_LINE, parseLine } from './json-lines.ts';

/** An entry, and the number of the line it was on, from 1. */
export interface EntryLine {
  readonly entry: BuildEntry;
  readonly line: number;
}

const LINE_FEED = 0x0a;

/**
 * Puts lines together and parses them. Chunks are not kept: they may be reused after `push` has come to its end. Throws
 * `LINE_INVALID` at the first line that is not one, and then no more is to be pushed.
 */
export class EntryLines {
  /** The line in the making, in pieces. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  #line = 1;

  /** The entries of all lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<EntryLine, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = this.#endLine(chunk.subarray(start, end));
      if (line !== undefined) yield line;
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.slice(start));
  }

  /** The entry of a last line without a line feed. */
  end(): EntryLine | undefined {
    return this.#endLine(new Uint8Array(0));
  }

  #endLine(rest: Uint8Array): EntryLine | undefined {
    let bytes = rest;
    if (this.#length > 0) {
      this.#pieces.push(rest);
      bytes = this.#joined(this.#length + rest.length);
      this.#pieces = [];
      this.#length = 0;
    }
    const line = this.#line++;
    return isBlank(bytes) ? undefined : { entry: parseLine(bytes, line), line };
  }

  #keep(piece: Uint8Array): void {
    // What is not a line at all is found out before all of it is in memory.
    if (this.#length === 0 && beginsWell(piece) === false) parseLine(piece, this.#line);
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_LINE) throw lineError(this.#line, MAX_LINE, 'the line is longer than that of any entry');
  }

  #joined(length: number): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(length);
    } catch (cause) {
      const line = this.#line;
      throw new DatadirError('UNSUPPORTED', `line ${line}: ${length} bytes do not fit into memory`, { line, cause });
    }
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
