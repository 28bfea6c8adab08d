/**
 * The lines of `export`, as bytes in one buffer that is used again and again: there may be millions of lines, of any length.
 */
import type { KeyRecord } from '../../backend/record.ts';
import { allocate } from '../../bolt/page-loader.ts';
import { base64Length } from '../../io/base64.ts';
import { base64 } from './base64.ts';

const FIRST_LENGTH = 1 << 16;
/** A buffer that has grown beyond this is not kept. */
const KEPT_LENGTH = 4 << 20;
/** More than the marks and numbers of a line take. */
const REST_LENGTH = 512;

export class ExportLines {
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_LENGTH);
  #length = 0;

  /** Adds the line of a record. Nothing in it needs an escape. */
  add(record: KeyRecord): void {
    const { bytes, userKeyStart, userKeyEnd, userValueStart, userValueEnd } = record;
    const length = base64Length(userKeyEnd - userKeyStart) + base64Length(userValueEnd - userValueStart) + REST_LENGTH;
    this.#reserve(length);
    this.#append('{"key":"');
    this.#append(base64(bytes.subarray(userKeyStart, userKeyEnd)));
    this.#append('","value":"');
    this.#append(base64(bytes.subarray(userValueStart, userValueEnd)));
    this.#append(numbersOf(record));
  }

  #append(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'latin1');
  }

  /** Everything that was added since the last call; valid until the next line is added. */
  take(): Uint8Array {
    const lines = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    if (this.#bytes.length > KEPT_LENGTH) this.#bytes = Buffer.allocUnsafeSlow(FIRST_LENGTH);
    return lines;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const { buffer } = allocate(Math.max(needed, this.#bytes.length * 2));
    const larger = Buffer.from(buffer);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function numbersOf(record: KeyRecord): string {
  const { main, sub } = record.exact ? record : record.revision();
  const { createRevision, version } = record.exact ? record : record.keyValue();
  const revisions = `","createRevision":"${createRevision}","modRevision":"${main}","sub":"${sub}"`;
  return `${revisions},"version":"${version}","lease":"${record.lease()}","deleted":${record.tombstone}}\n`;
}
