/**
 * Meta pages: their fields, whether they are valid, and which of the two is current.
 */
import { fnv1a64 } from '../checksum/fnv1a64.ts';
import {
  META_CHECKSUM_AT,
  META_END,
  META_FLAGS_AT,
  META_FREELIST_AT,
  META_HIGH_WATER_MARK_AT,
  META_MAGIC,
  META_MAGIC_AT,
  META_MAGIC_SWAPPED,
  META_PAGE_SIZE_AT,
  META_ROOT_AT,
  META_SEQUENCE_AT,
  META_TXID_AT,
  META_VERSION,
  META_VERSION_AT,
  PAGE_FLAGS,
  PAGE_ID,
} from './format.ts';
import type { MetaProblem } from './meta-problem.ts';

/** The fields of a meta page, as stored. Nothing in it has been checked but what `problem` says. */
export interface Meta {
  /** The page it was read from: 0 or 1. */
  readonly page: 0 | 1;
  /** Header of the page; bbolt ignores both when it opens a file. */
  readonly headerId: bigint;
  readonly headerFlags: number;
  readonly magic: number;
  readonly version: number;
  readonly pageSize: number;
  readonly flags: number;
  /** Page of the root bucket. */
  readonly root: bigint;
  readonly sequence: bigint;
  /** Page of the freelist, or `NO_FREELIST`. */
  readonly freelist: bigint;
  /** The first page number never allocated. */
  readonly highWaterMark: bigint;
  readonly txid: bigint;
  readonly checksum: bigint;
  readonly computedChecksum: bigint;
  /** Why the meta is not valid; undefined when it is. */
  readonly problem: MetaProblem | undefined;
  /** No checksum was stored, as boltdb before 1.2 left it in a new file. Counts as valid. */
  readonly withoutChecksum: boolean;
}

/** Parses the meta page that `bytes` begins with; fewer than 80 bytes give the problem `missing`. */
export function parseMeta(bytes: Uint8Array, page: 0 | 1, whenShort: 'missing' | 'unreadable' = 'missing'): Meta {
  const short = bytes.length < META_END;
  const view = short
    ? new DataView(new ArrayBuffer(META_END))
    : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(META_MAGIC_AT, true);
  const version = view.getUint32(META_VERSION_AT, true);
  const txid = view.getBigUint64(META_TXID_AT, true);
  const checksum = view.getBigUint64(META_CHECKSUM_AT, true);
  const computedChecksum = short ? 0n : fnv1a64(bytes, META_MAGIC_AT, META_CHECKSUM_AT);
  // Only the metas that boltdb 1.0 and 1.1 wrote when creating a file (txid 0 and 1) have no checksum.
  const withoutChecksum = !short && magic === META_MAGIC && version === META_VERSION && checksum === 0n && txid <= 1n;
  let problem: MetaProblem | undefined;
  if (short) problem = whenShort;
  else if (magic === META_MAGIC_SWAPPED) problem = 'byte-order';
  else if (magic !== META_MAGIC) problem = 'magic';
  else if (version !== META_VERSION) problem = 'version';
  else if (checksum !== computedChecksum && !withoutChecksum) problem = 'checksum';
  return {
    page,
    headerId: view.getBigUint64(PAGE_ID, true),
    headerFlags: view.getUint16(PAGE_FLAGS, true),
    magic,
    version,
    pageSize: view.getUint32(META_PAGE_SIZE_AT, true),
    flags: view.getUint32(META_FLAGS_AT, true),
    root: view.getBigUint64(META_ROOT_AT, true),
    sequence: view.getBigUint64(META_SEQUENCE_AT, true),
    freelist: view.getBigUint64(META_FREELIST_AT, true),
    highWaterMark: view.getBigUint64(META_HIGH_WATER_MARK_AT, true),
    txid,
    checksum,
    computedChecksum,
    problem,
    withoutChecksum,
  };
}

/** The meta that bbolt goes by: the valid one with the larger txid, page 0 when they are equal. */
export function currentMeta(metas: readonly [Meta, Meta]): Meta | undefined {
  const [first, second] = metas[1].txid > metas[0].txid ? [metas[1], metas[0]] : [metas[0], metas[1]];
  if (first.problem === undefined) return first;
  return second.problem === undefined ? second : undefined;
}
