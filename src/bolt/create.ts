/**
 * A new, empty database.
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import { encodeMetaPage } from './encode-meta.ts';
import { writePageHeader } from './encode-page.ts';
import { FLAG_FREELIST, FLAG_LEAF, MAX_PAGE_SIZE, MIN_PAGE_SIZE } from './format.ts';

/** The page size of nearly every machine that runs etcd; bbolt takes that of the machine it runs on. */
export const DEFAULT_PAGE_SIZE = 4096;

const FREELIST_PAGE = 2;
const ROOT_PAGE = 3;
const PAGES = 4;

/** The bytes of an empty database as bbolt makes it: two metas, an empty freelist, an empty root bucket. */
export function encodeEmptyBolt(pageSize: number = DEFAULT_PAGE_SIZE): Uint8Array<ArrayBuffer> {
  assertPageSize(pageSize);
  const bytes = new Uint8Array(PAGES * pageSize);
  const view = new DataView(bytes.buffer);
  for (const page of [0, 1] as const) {
    const meta = encodeMetaPage(page, {
      pageSize,
      root: BigInt(ROOT_PAGE),
      sequence: 0n,
      freelist: BigInt(FREELIST_PAGE),
      highWaterMark: BigInt(PAGES),
      txid: BigInt(page),
    });
    bytes.set(meta, page * pageSize);
  }
  writePageHeader(view, FREELIST_PAGE * pageSize, FREELIST_PAGE, FLAG_FREELIST, 0, 0);
  writePageHeader(view, ROOT_PAGE * pageSize, ROOT_PAGE, FLAG_LEAF, 0, 0);
  return bytes;
}

/** Writes an empty database to an empty file, and syncs it. */
export function writeEmptyBolt(file: ByteFile, pageSize: number | undefined): void {
  const bytes = encodeEmptyBolt(pageSize);
  if (file.size !== 0) {
    const path = file.path === undefined ? {} : { path: file.path };
    throw new DatadirError('TARGET_EXISTS', `the file has ${file.size} bytes already`, path);
  }
  file.write(0, bytes);
  file.sync();
}

/** Throws `USAGE` unless pages can have that size. */
export function assertPageSize(pageSize: number): void {
  if (Number.isInteger(pageSize) && pageSize >= MIN_PAGE_SIZE && pageSize <= MAX_PAGE_SIZE) return;
  throw new DatadirError(
    'USAGE',
    `page size ${pageSize}: must be a whole number from ${MIN_PAGE_SIZE} to ${MAX_PAGE_SIZE}`,
  );
}
