/**
 * The pages of a file under surgery, by number: nothing is believed but what the operation at hand needs.
 *
 * Surgery is done on files that the normal reader refuses, so it has this way in of its own. Page numbers are bounded by
 * the file, not by a high water mark, and the page size can be said by the caller when no meta tells it.
 */
import { DatadirError, type ErrorCode } from '../../errors.ts';
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import {
  FIRST_DATA_PAGE,
  MAX_PAGE_SIZE,
  META_END,
  META_MAGIC,
  MIN_PAGE_SIZE,
  NO_FREELIST,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from '../format.ts';
import { type LocatedMetas, locateMetas, noValidMeta } from '../locate.ts';
import { currentMeta, type Meta, parseMeta } from '../meta.ts';
import { type PageType, pageType } from '../pages.ts';

/** What every operation accepts. */
export interface SurgeryOptions {
  /** The page size, for a file whose metas do not tell it. Default: what the metas say, or what they seem to have said. */
  readonly pageSize?: number | undefined;
}

/** An operation that was found possible: what it will have done, and the doing. Nothing is written before `apply`. */
export interface SurgeryPlan<Result> {
  readonly result: Result;
  /** Changes `file`, which must hold the bytes that the plan was made for. */
  apply(file: ByteFile): void;
}

/** The header of a page, as stored. */
export interface RawHeader {
  readonly type: PageType;
  readonly count: number;
  readonly overflow: number;
}

export class RawFile {
  readonly source: ByteSource;
  readonly metas: readonly [Meta, Meta];
  readonly pageSize: number;
  /** The meta in use; undefined when none is valid. */
  readonly current: Meta | undefined;
  /** Whole pages in the file. */
  readonly pageCount: number;

  /** Throws `BOLT_NO_META` when nothing shows that this is a bolt file and no page size is given. */
  constructor(source: ByteSource, options: SurgeryOptions = {}) {
    this.source = source;
    const { metas, pageSize } = findMetas(source, options);
    if (options.pageSize === undefined && metas.every(({ magic }) => magic !== META_MAGIC)) {
      const { message } = noValidMeta(metas, {});
      throw this.error('BOLT_NO_META', `${message}; if this is a bolt file all the same, say its page size`);
    }
    this.metas = metas;
    this.pageSize = pageSize;
    this.current = currentMeta(metas);
    this.pageCount = Math.floor(source.size / pageSize);
  }

  /** Whether the state in use has a list of free pages in the file. */
  get freelistStored(): boolean {
    return this.current !== undefined && this.current.freelist !== NO_FREELIST;
  }

  /** The meta in use, or `BOLT_NO_META`. */
  requireCurrent(): Meta {
    if (this.current === undefined) throw this.error('BOLT_NO_META', noValidMeta(this.metas, {}).message);
    return this.current;
  }

  /** The header of page `id`: `BOLT_PAGE_OUT_OF_RANGE` if the file has no such page, `BOLT_DAMAGED` if it is another's. */
  header(id: number): RawHeader {
    if (id >= this.pageCount) {
      throw this.error('BOLT_PAGE_OUT_OF_RANGE', `there is no page ${id}: the file has ${this.pageCount} pages`);
    }
    const bytes = this.read(id * this.pageSize, PAGE_HEADER_SIZE);
    const view = new DataView(bytes.buffer);
    const storedId = view.getBigUint64(PAGE_ID, true);
    if (storedId !== BigInt(id)) {
      throw this.error('BOLT_DAMAGED', `page ${id} carries the page number ${storedId}: no page begins there`, id);
    }
    return {
      type: pageType(view.getUint16(PAGE_FLAGS, true)),
      count: view.getUint16(PAGE_COUNT, true),
      overflow: view.getUint32(PAGE_OVERFLOW, true),
    };
  }

  /** Exactly `length` bytes from `offset` on; a file that ends before is damaged. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    const got = this.source.readInto(bytes, offset);
    if (got < length) {
      const words = `${length} bytes are needed at offset ${offset}, the file ends at ${offset + got}`;
      throw this.error('BOLT_DAMAGED', words);
    }
    return bytes;
  }

  error(code: ErrorCode, message: string, pageId?: number): DatadirError {
    const { path } = this.source;
    return new DatadirError(code, message, {
      ...(path === undefined ? {} : { path }),
      ...(pageId === undefined ? {} : { pageId }),
    });
  }
}

/** Both metas, found by themselves or by the page size that the caller says. Throws `USAGE` for an impossible one. */
export function findMetas(source: ByteSource, { pageSize }: SurgeryOptions): LocatedMetas {
  if (pageSize === undefined) return locateMetas(source);
  if (!Number.isInteger(pageSize) || pageSize < MIN_PAGE_SIZE || pageSize > MAX_PAGE_SIZE) {
    throw new DatadirError('USAGE', `a page size lies between ${MIN_PAGE_SIZE} and ${MAX_PAGE_SIZE}, not ${pageSize}`);
  }
  const bytes = new Uint8Array(META_END);
  const at = (page: 0 | 1): Meta => parseMeta(bytes.slice(0, source.readInto(bytes, page * pageSize)), page);
  return { metas: [at(0), at(1)], pageSize, claimedPageSize: undefined };
}

/** Throws `USAGE` for a number that cannot be that of a data page. */
export function assertDataPage(id: number): void {
  assertPage(id);
  if (id < FIRST_DATA_PAGE) throw new DatadirError('USAGE', `the page must be at least ${FIRST_DATA_PAGE}, not ${id}`);
}

/** Throws `USAGE` for a number that cannot be that of a page. */
export function assertPage(id: number): void {
  if (!Number.isSafeInteger(id) || id < 0) throw new DatadirError('USAGE', `${id} is not a page number`);
}
