/**
 * The start of a bucket element's value: which page its tree begins at, and its sequence.
 */
import { BUCKET_HEADER_SIZE, BUCKET_ROOT, BUCKET_SEQUENCE } from './format.ts';
import type { LogicalPage } from './logical-page.ts';

/** The stored header of a bucket. */
export interface BucketHeader {
  /** Root page as stored, 0 for an inline bucket. Not checked: it need not be a page of the database. */
  readonly root: number;
  readonly sequence: bigint;
}

/** Reads the bucket header of the element that `page` decoded last. Throws if the value has no room for one. */
export function readBucketHeader(page: LogicalPage): BucketHeader {
  const at = page.keyStart + page.keyLength;
  if (page.valueLength < BUCKET_HEADER_SIZE) {
    throw page.damaged(`a bucket's value has ${page.valueLength} bytes, its header needs ${BUCKET_HEADER_SIZE}`, at);
  }
  const bytes = page.read(at, BUCKET_HEADER_SIZE);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    root: Number(view.getBigUint64(BUCKET_ROOT, true)),
    sequence: view.getBigUint64(BUCKET_SEQUENCE, true),
  };
}

/** An inline bucket takes a quarter of a page at most, and no page is larger than 64 MiB. */
const INLINE_LIMIT = 1 << 24;

/** A copy of the page inside the inline bucket that `page` decoded last, and where it lies in the file. */
export function readInlinePage(page: LogicalPage): { readonly bytes: Uint8Array; readonly offset: number } {
  const at = page.keyStart + page.keyLength + BUCKET_HEADER_SIZE;
  const length = page.valueLength - BUCKET_HEADER_SIZE;
  if (length > INLINE_LIMIT) throw page.damaged(`an inline bucket of ${length} bytes`, at);
  return { bytes: page.copy(at, length), offset: page.offset + at };
}
