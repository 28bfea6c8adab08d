/**
 * Marks records of a pass by their number: one bit each, in chunks, so that growing copies nothing.
 */

import { DatadirError } from '../errors.ts';
import { Uint8Column } from './column.ts';

/** Columns take numbers of 32 bits. */
const MAX_NUMBER = 0xffff_ffff;

export class RecordMarks {
  readonly #bits = new Uint8Column();

  set(number: number): void {
    if (number > MAX_NUMBER)
      throw new DatadirError('UNSUPPORTED', `more than ${MAX_NUMBER} records do not fit into an index`);
    const at = number >>> 3;
    this.#bits.set(at, this.#bits.get(at) | (1 << (number & 7)));
  }

  clear(number: number): void {
    const at = number >>> 3;
    this.#bits.set(at, this.#bits.get(at) & ~(1 << (number & 7)));
  }

  has(number: number): boolean {
    return (this.#bits.get(number >>> 3) & (1 << (number & 7))) !== 0;
  }
}
