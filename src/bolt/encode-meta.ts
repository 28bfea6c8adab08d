/**
 * Meta pages as bytes.
 */
import { fnv1a64 } from '../checksum/fnv1a64.ts';
import { writePageHeader } from './encode-page.ts';
import {
  FLAG_META,
  META_CHECKSUM_AT,
  META_END,
  META_FLAGS_AT,
  META_FREELIST_AT,
  META_HIGH_WATER_MARK_AT,
  META_MAGIC,
  META_MAGIC_AT,
  META_PAGE_SIZE_AT,
  META_ROOT_AT,
  META_SEQUENCE_AT,
  META_TXID_AT,
  META_VERSION,
  META_VERSION_AT,
} from './format.ts';

/** What a meta page says. */
export interface MetaFields {
  readonly pageSize: number;
  /** Meaningless to bbolt, which writes 0; its surgery leaves 4. */
  readonly flags?: number;
  /** Page of the root bucket, and that bucket's sequence. */
  readonly root: bigint;
  readonly sequence: bigint;
  /** Page of the freelist, or `NO_FREELIST`. */
  readonly freelist: bigint;
  readonly highWaterMark: bigint;
  readonly txid: bigint;
}

/** Page `page` (0 or 1) as a meta page: `pageSize` bytes, with a fresh checksum. */
export function encodeMetaPage(page: 0 | 1, fields: MetaFields): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.pageSize);
  bytes.set(encodeMeta(page, fields));
  return bytes;
}

/** The bytes of a meta page that mean something: header and meta, with a fresh checksum. */
function encodeMeta(page: 0 | 1, fields: MetaFields): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(META_END);
  const view = new DataView(bytes.buffer);
  writePageHeader(view, 0, page, FLAG_META, 0, 0);
  view.setUint32(META_MAGIC_AT, META_MAGIC, true);
  view.setUint32(META_VERSION_AT, META_VERSION, true);
  view.setUint32(META_PAGE_SIZE_AT, fields.pageSize, true);
  view.setUint32(META_FLAGS_AT, fields.flags ?? 0, true);
  view.setBigUint64(META_ROOT_AT, fields.root, true);
  view.setBigUint64(META_SEQUENCE_AT, fields.sequence, true);
  view.setBigUint64(META_FREELIST_AT, fields.freelist, true);
  view.setBigUint64(META_HIGH_WATER_MARK_AT, fields.highWaterMark, true);
  view.setBigUint64(META_TXID_AT, fields.txid, true);
  view.setBigUint64(META_CHECKSUM_AT, fnv1a64(bytes, META_MAGIC_AT, META_CHECKSUM_AT), true);
  return bytes;
}

/** The checksum of a meta with these fields. */
export function metaChecksum(fields: MetaFields): bigint {
  return new DataView(encodeMeta(0, fields).buffer).getBigUint64(META_CHECKSUM_AT, true);
}
