/**
 * The hot copy of a bolt file, as bbolt's `Tx.WriteTo` makes it: both metas describe the transaction that was copied, all
 * pages below the high water mark follow as they are, free ones too.
 */
import { Crc32cStream } from '../checksum/crc32c-stream.ts';
import { DatadirError } from '../errors.ts';
import { type ByteFile, type ByteSource, readBuffer } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import { selfCheckFailed } from './bulk-check.ts';
import { type BoltDb, openReadable } from './database.ts';
import { encodeMetaPage, type MetaFields } from './encode-meta.ts';
import { FIRST_DATA_PAGE } from './format.ts';
import { changedError, MAX_ATTEMPTS } from './live-source.ts';

/** How a file is copied. */
export interface CopyOptions {
  /** Leaves the new file unsynced. */
  readonly noSync?: boolean | undefined;
}

/** What was copied. */
export interface CopySummary {
  /** The transaction that the copy holds. */
  readonly txid: bigint;
  /** Length of the copy. */
  readonly size: number;
  /** The CRC-32C of the whole copy. */
  readonly crc32c: number;
}

/**
 * Copies a bolt file, which may be in use, into an empty `ByteFile`, in slices, and compares the copy with what was read. The
 * source is left open, and as it was. Throws `SOURCE_CHANGED` if a writer never let it be read as a whole,
 * `BOLT_NO_META`, `BOLT_DAMAGED` for a file that ends before its pages do; damage inside of pages is copied as it is.
 */
export async function copyBolt(
  input: Input,
  target: ByteFile,
  options: CopyOptions & RunOptions = {},
): Promise<CopySummary> {
  const summary = await runSliced(new CopyJob(toSource(input), target, options), options);
  await runSliced(new CompareJob(target, summary), { signal: options.signal });
  return summary;
}

const PIECE = 1 << 20;

/** A copy in steps. It is written and, unless `noSync` is given, synced, but not read again. */
export class CopyJob implements Job<CopySummary> {
  readonly #source: ByteSource;
  readonly #file: ByteFile;
  readonly #options: CopyOptions;
  readonly #buffer: Uint8Array = readBuffer(PIECE);
  #attempt = 1;
  #db: BoltDb | undefined;
  #metas = new Uint8Array(0);
  #crc = new Crc32cStream();
  #offset = 0;
  #most = 0;
  #result: CopySummary | undefined;

  /** `file` must be empty. */
  constructor(source: ByteSource, file: ByteFile, options: CopyOptions = {}) {
    this.#source = source;
    this.#file = file;
    this.#options = options;
  }

  get progress(): Progress {
    const total = this.#db === undefined ? this.#source.size : this.#end(this.#db);
    this.#most = Math.min(total, Math.max(this.#most, this.#offset));
    return { done: this.#most, total };
  }

  get result(): CopySummary {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the copy has not finished');
    return this.#result;
  }

  step(): boolean {
    this.#db ??= this.#begin();
    const end = this.#end(this.#db);
    if (this.#offset < end) {
      this.#copyPiece(end);
      return false;
    }
    if (this.#db.hasChanged()) {
      if (this.#attempt++ === MAX_ATTEMPTS) throw changedError(this.#source);
      this.#db = undefined;
      return false;
    }
    // Last, so that there is no database before it is whole.
    this.#file.write(0, this.#metas);
    if (this.#options.noSync !== true) this.#file.sync();
    this.#result = { txid: this.#db.txid, size: end, crc32c: this.#crc.value() };
    return true;
  }

  #end({ highWaterMark, pageSize }: BoltDb): number {
    return highWaterMark * pageSize;
  }

  #begin(): BoltDb {
    const source = this.#source;
    const db = openReadable(source);
    const { path } = source;
    const size = source.currentSize?.() ?? source.size;
    const problem =
      this.#end(db) > size
        ? `the file has ${size} bytes, its pages ${this.#end(db)}`
        : db.meta.pageSize === db.pageSize
          ? undefined
          : `meta ${db.meta.page} says pages of ${db.meta.pageSize} bytes, they have ${db.pageSize}`;
    if (problem !== undefined) {
      const words = path === undefined ? problem : `${path}: ${problem}`;
      throw new DatadirError('BOLT_DAMAGED', words, path === undefined ? {} : { path });
    }
    if (this.#file.size > 0) this.#file.truncate(0);
    this.#crc = new Crc32cStream();
    this.#metas = copiedMetas(db);
    this.#crc.update(this.#metas);
    this.#offset = this.#metas.length;
    return db;
  }

  #copyPiece(end: number): void {
    const piece = this.#buffer.subarray(0, Math.min(PIECE, end - this.#offset));
    if (this.#source.readInto(piece, this.#offset) < piece.length) {
      throw new DatadirError('FILE_SHRANK', 'the file became shorter while it was copied', { offset: this.#offset });
    }
    this.#file.write(this.#offset, piece);
    this.#crc.update(piece);
    this.#offset += piece.length;
  }
}

/** Both metas with the state of the newer one; meta 1 gets the transaction id before it, whatever its parity. */
function copiedMetas({ meta, pageSize }: BoltDb): Uint8Array<ArrayBuffer> {
  const { flags, root, sequence, freelist, highWaterMark, txid } = meta;
  const fields: MetaFields = { pageSize, flags, root, sequence, freelist, highWaterMark, txid };
  const bytes = new Uint8Array(FIRST_DATA_PAGE * pageSize);
  bytes.set(encodeMetaPage(0, fields));
  // As unsigned 64 bits: the one before 0 is the largest, as with bbolt.
  bytes.set(encodeMetaPage(1, { ...fields, txid: BigInt.asUintN(64, txid - 1n) }), pageSize);
  return bytes;
}

/** Reads a copy again and ends with `SELF_CHECK_FAILED` unless it is what was written. */
export class CompareJob implements Job<undefined> {
  readonly result: undefined = undefined;
  readonly #source: ByteSource;
  readonly #expected: CopySummary;
  readonly #name: string | undefined;
  readonly #buffer: Uint8Array = readBuffer(PIECE);
  readonly #crc = new Crc32cStream();
  #offset = 0;

  /** `name`: of the file, for the error. */
  constructor(source: ByteSource, expected: CopySummary, name?: string) {
    this.#source = source;
    this.#expected = expected;
    this.#name = name;
  }

  get progress(): Progress {
    return { done: this.#offset, total: this.#expected.size };
  }

  step(): boolean {
    const { size, crc32c } = this.#expected;
    if (this.#source.size !== size) throw this.#failed(`${this.#source.size} bytes, ${size} were written`);
    const piece = this.#buffer.subarray(0, Math.min(PIECE, size - this.#offset));
    const length = this.#source.readInto(piece, this.#offset);
    this.#crc.update(piece, 0, length);
    this.#offset += piece.length;
    if (this.#offset < size) return false;
    const found = this.#crc.value();
    if (found !== crc32c) throw this.#failed(`CRC-32C ${hex(found)}, ${hex(crc32c)} was written`);
    return true;
  }

  #failed(words: string): DatadirError {
    return selfCheckFailed(words, this.#name);
  }
}

function hex(crc: number): string {
  return (crc >>> 0).toString(16).padStart(8, '0');
}
