/**
 * `surgery meta update`: sets fields of a meta page and makes it valid.
 */
import { DatadirError } from '../../errors.ts';
import type { ByteFile, ByteSource } from '../../io/byte-source.ts';
import { writePageHeader } from '../encode-page.ts';
import {
  FLAG_META,
  META_END,
  META_FLAGS_AT,
  META_FREELIST_AT,
  META_HIGH_WATER_MARK_AT,
  META_MAGIC,
  META_MAGIC_AT,
  META_PAGE_SIZE_AT,
  META_ROOT_AT,
  META_SEQUENCE_AT,
  META_VERSION,
  META_VERSION_AT,
} from '../format.ts';
import { type Meta, parseMeta } from '../meta.ts';
import { RawFile, type SurgeryOptions, type SurgeryPlan } from './raw-file.ts';
import { sealMeta } from './seal-meta.ts';

/** Fields to be set; those not given stay as they are. */
export interface MetaUpdate {
  readonly pageSize?: number | undefined;
  /** Page of the root bucket, whose sequence becomes 0. */
  readonly root?: bigint | undefined;
  /** Page of the freelist; 2^64−1 for none. */
  readonly freelist?: bigint | undefined;
  /** bbolt calls it pgid. */
  readonly highWaterMark?: bigint | undefined;
}

/** What `updateMeta` did. */
export interface UpdatedMeta {
  readonly operation: 'update-meta';
  readonly page: 0 | 1;
  /** False when the meta was just so already. */
  readonly changed: boolean;
  readonly before: Meta;
  readonly after: Meta;
  /** Whether number or flags of the page's header were wrong, and were put right. */
  readonly headerCorrected: boolean;
  /** The page size that the other meta, or else the place of meta 1, speaks for; undefined when it is that of `after`. */
  readonly otherPageSize: number | undefined;
}

const U64 = 1n << 64n;

/** Throws `BOLT_DAMAGED` when the file ends before the meta page. */
export function planUpdateMeta(
  source: ByteSource,
  page: 0 | 1,
  fields: MetaUpdate,
  options: SurgeryOptions = {},
): SurgeryPlan<UpdatedMeta> {
  assertFields(page, fields);
  const raw = new RawFile(source, options);
  const offset = page * raw.pageSize;
  const bytes = raw.read(offset, META_END);
  const before = parseMeta(bytes, page);
  const old = bytes.slice();
  const view = new DataView(bytes.buffer);
  const { pageSize, root, freelist, highWaterMark } = fields;
  if (pageSize !== undefined) view.setUint32(META_PAGE_SIZE_AT, pageSize, true);
  if (root !== undefined) {
    view.setBigUint64(META_ROOT_AT, root, true);
    view.setBigUint64(META_SEQUENCE_AT, 0n, true);
  }
  if (freelist !== undefined) view.setBigUint64(META_FREELIST_AT, freelist, true);
  if (highWaterMark !== undefined) view.setBigUint64(META_HIGH_WATER_MARK_AT, highWaterMark, true);
  view.setUint32(META_MAGIC_AT, META_MAGIC, true);
  view.setUint32(META_VERSION_AT, META_VERSION, true);
  // bbolt's surgery leaves this, though it means nothing there.
  view.setUint32(META_FLAGS_AT, FLAG_META, true);
  const headerCorrected = before.headerId !== BigInt(page) || before.headerFlags !== FLAG_META;
  if (headerCorrected) writePageHeader(view, 0, page, FLAG_META, 0, 0);
  sealMeta(bytes);
  const after = parseMeta(bytes, page);
  const other = raw.metas[page === 0 ? 1 : 0];
  const otherPageSize = other.magic === META_MAGIC ? other.pageSize : raw.pageSize;
  return {
    result: {
      operation: 'update-meta',
      page,
      changed: bytes.some((byte, i) => byte !== old[i]),
      before,
      after,
      headerCorrected,
      otherPageSize: otherPageSize === after.pageSize ? undefined : otherPageSize,
    },
    apply: (file) => file.write(offset, bytes),
  };
}

/**
 * Sets fields of a meta page. Whatever they are, it is a valid meta afterwards, with magic number, version and checksum
 * as they must be; whether its fields make sense only a check can tell.
 */
export function updateMeta(file: ByteFile, page: 0 | 1, fields: MetaUpdate, options: SurgeryOptions = {}): UpdatedMeta {
  const plan = planUpdateMeta(file, page, fields, options);
  plan.apply(file);
  return plan.result;
}

function assertFields(page: number, { pageSize, root, freelist, highWaterMark }: MetaUpdate): void {
  if (page !== 0 && page !== 1) throw new DatadirError('USAGE', `the meta page must be 0 or 1, not ${page}`);
  if (pageSize !== undefined && (!Number.isInteger(pageSize) || pageSize < 0 || pageSize >= 2 ** 32)) {
    throw new DatadirError('USAGE', `a page size has 32 bits, ${pageSize} does not fit`);
  }
  for (const [name, value] of Object.entries({ root, freelist, highWaterMark })) {
    if (value !== undefined && (value < 0n || value >= U64)) {
      throw new DatadirError('USAGE', `${name} has 64 bits, ${value} does not fit`);
    }
  }
}
