/**
 * `surgery copy-page`: puts a copy of a page, with its overflow pages, in the place of another.
 */
import { DatadirError } from '../../errors.ts';
import { type ByteFile, type ByteSource, readBuffer } from '../../io/byte-source.ts';
import { FIRST_DATA_PAGE, PAGE_ID } from '../format.ts';
import type { PageType } from '../pages.ts';
import { assertPage, RawFile, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';

/** What `copyPage` did. */
export interface CopiedPage {
  readonly operation: 'copy-page';
  readonly from: number;
  readonly to: number;
  readonly type: PageType;
  /** How many pages were overwritten: the page and its overflow pages. */
  readonly pages: number;
  /** Whether a freelist is stored. It may name the pages wrongly now. */
  readonly freelistStored: boolean;
}

/**
 * Finds out what is to be copied. Throws `BOLT_PAGE_OUT_OF_RANGE` if the file lacks one of the pages, `BOLT_DAMAGED` if no
 * page begins at `from` or its overflow leaves the file, and `BOLT_INCOMPATIBLE_VALUE` if a meta page would be overwritten
 * with something else.
 */
export function planCopyPage(
  source: ByteSource,
  from: number,
  to: number,
  options: SurgeryOptions = {},
): SurgeryPlan<CopiedPage> {
  assertPage(from);
  assertPage(to);
  if (from === to) throw new DatadirError('USAGE', `a page cannot be copied to itself: both are page ${from}`);
  const raw = new RawFile(source, options);
  const { pageSize, pageCount } = raw;
  const { type, overflow } = raw.header(from);
  const pages = overflow + 1;
  if (from + pages > pageCount) {
    const words = `page ${from} claims ${overflow} overflow pages; the file has ${pageCount} pages`;
    throw raw.error('BOLT_DAMAGED', words, from);
  }
  if (to + pages > pageCount) {
    const last = pages === 1 ? '' : ` to ${to + overflow}`;
    throw raw.error('BOLT_PAGE_OUT_OF_RANGE', `there is no page ${to}${last}: the file has ${pageCount} pages`);
  }
  if (to < FIRST_DATA_PAGE && (type !== 'meta' || overflow > 0)) {
    throw raw.error(
      'BOLT_INCOMPATIBLE_VALUE',
      `page ${from} is a ${type} page: it cannot take the place of meta ${to}`,
    );
  }
  return {
    result: { operation: 'copy-page', from, to, type, pages, freelistStored: raw.freelistStored },
    apply(file) {
      moveBytes(file, from * pageSize, to * pageSize, pages * pageSize);
      const id = new Uint8Array(8);
      new DataView(id.buffer).setBigUint64(0, BigInt(to), true);
      file.write(to * pageSize + PAGE_ID, id);
    },
  };
}

/** Copies a page with its overflow pages over another place. What was there, and in the pages behind it, is gone. */
export function copyPage(file: ByteFile, from: number, to: number, options: SurgeryOptions = {}): CopiedPage {
  const plan = planCopyPage(file, from, to, options);
  plan.apply(file);
  return plan.result;
}

const PIECE = 1 << 20;

/** Copies bytes within a file in pieces; the two ranges may overlap. */
export function moveBytes(file: ByteFile, from: number, to: number, length: number): void {
  const buffer = readBuffer(Math.min(PIECE, length));
  for (let done = 0; done < length; ) {
    const piece = buffer.subarray(0, Math.min(PIECE, length - done));
    // From the end when moving towards it, so that nothing is overwritten before it was read.
    const at = to > from ? length - done - piece.length : done;
    const got = file.readInto(piece, from + at);
    if (got < piece.length) throw new DatadirError('FILE_SHRANK', `the file ends at ${from + at + got}`);
    file.write(to + at, piece);
    done += piece.length;
  }
}
