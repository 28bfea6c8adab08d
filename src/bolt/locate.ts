/**
 * Finds the two metas of a bolt file, and with them the page size.
 *
 * bbolt takes the page size from meta 0, or, when that is damaged, from a meta at a power of two from 1 KiB to 16 MiB. This
 * probe finds a page size wherever bbolt does, and also where it does not: page sizes that are no power of two with meta 0
 * lost, files shorter than 4096 bytes, and metas whose page size field disagrees with the place of meta 1.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import {
  FLAG_META,
  MAX_PAGE_SIZE,
  META_END,
  META_MAGIC,
  META_MAGIC_AT,
  META_PAGE_SIZE_AT,
  META_PROBE_END,
  META_PROBE_STEP,
  META_VERSION,
  META_VERSION_AT,
  MIN_PAGE_SIZE,
} from './format.ts';
import { type Meta, parseMeta } from './meta.ts';
import { META_PROBLEMS } from './meta-problem.ts';

/** The metas of a file and the page size that goes with them. */
export interface LocatedMetas {
  readonly metas: readonly [Meta, Meta];
  /** The size that pages have, or, when neither meta is valid, the best guess. */
  readonly pageSize: number;
  /** Set when a valid meta names another page size than the one found. */
  readonly claimedPageSize: number | undefined;
}

/** A page size when nothing in the file tells: what nearly every machine that runs etcd uses. */
const USUAL_PAGE_SIZE = 4096;
const PROBE_PIECE = 1 << 20;

/** Reads at most 80 bytes per meta from a healthy file; up to 32 MiB when meta 1 has to be looked for. Never throws. */
export function locateMetas(source: ByteSource): LocatedMetas {
  const meta0 = readMeta(source, 0, 0);
  if (meta0.problem === undefined && isPlausiblePageSize(meta0.pageSize)) {
    const meta1 = readMeta(source, meta0.pageSize, 1);
    if (meta1.problem === undefined) return located(meta0, meta1, meta0.pageSize);
    // Meta 1 is damaged, or the page size field of meta 0 is: a good meta 1 elsewhere tells which.
    const found = probeMeta1(source);
    if (found === undefined) return located(meta0, meta1, meta0.pageSize);
    return located(meta0, found.meta, found.offset);
  }
  const found = probeMeta1(source) ?? metaWhere(source, meta0.pageSize);
  if (found !== undefined) return located(meta0, found.meta, found.offset);
  const guess = guessPageSize(source, meta0);
  return located(meta0, readMeta(source, guess, 1), guess);
}

function located(meta0: Meta, meta1: Meta, pageSize: number): LocatedMetas {
  const claims = [meta0, meta1].filter((meta) => meta.problem === undefined && meta.pageSize !== pageSize);
  return { metas: [meta0, meta1], pageSize, claimedPageSize: claims[0]?.pageSize };
}

function isPlausiblePageSize(pageSize: number): boolean {
  return pageSize >= MIN_PAGE_SIZE && pageSize <= MAX_PAGE_SIZE;
}

/** Reads one meta. One that is not valid is read again: a running writer may have been in the middle of it. */
function readMeta(source: ByteSource, offset: number, page: 0 | 1): Meta {
  const bytes = new Uint8Array(META_END);
  let meta: Meta | undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      meta = parseMeta(bytes.subarray(0, source.readInto(bytes, offset)), page);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      meta = parseMeta(bytes.subarray(0, 0), page, 'unreadable');
    }
    if (meta.problem === undefined) break;
  }
  return meta as Meta;
}

/**
 * Looks for a valid meta 1 at every multiple of 512 bytes. One that names its own offset as the page size is believed at
 * once; one that names another must at least be a whole meta page with number 1.
 */
function probeMeta1(source: ByteSource): { meta: Meta; offset: number } | undefined {
  const piece = readBuffer(Math.min(PROBE_PIECE, source.size));
  const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
  let second: { meta: Meta; offset: number } | undefined;
  const end = Math.min(source.size, META_PROBE_END + META_END);
  for (let base = 0; base < end; base += PROBE_PIECE) {
    let length = 0;
    try {
      length = source.readInto(piece, base);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
    }
    for (let at = base === 0 ? META_PROBE_STEP : 0; at + META_END <= length; at += META_PROBE_STEP) {
      if (view.getUint32(at + META_MAGIC_AT, true) !== META_MAGIC) continue;
      const offset = base + at;
      const meta = parseMeta(piece.subarray(at, at + META_END), 1);
      if (meta.problem !== undefined || offset > META_PROBE_END) continue;
      if (meta.pageSize === offset) return { meta, offset };
      if (meta.headerId === 1n && meta.headerFlags === FLAG_META) second ??= { meta, offset };
    }
  }
  return second;
}

/** An odd page size (1000) lies at no multiple of 512: the page size field of a damaged meta 0 may still be right. */
function metaWhere(source: ByteSource, offset: number): { meta: Meta; offset: number } | undefined {
  if (!isPlausiblePageSize(offset)) return undefined;
  const meta = readMeta(source, offset, 1);
  return meta.problem === undefined && meta.pageSize === offset ? { meta, offset } : undefined;
}

/** With both metas damaged: what meta 0 claims if that is possible, or else the usual size. */
function guessPageSize(source: ByteSource, meta0: Meta): number {
  if (isPlausiblePageSize(meta0.pageSize) && (meta0.pageSize & (meta0.pageSize - 1)) === 0) return meta0.pageSize;
  // Meta 1's checksum may be wrong too, while its magic still shows where it lies.
  const bytes = new Uint8Array(META_END);
  const view = new DataView(bytes.buffer);
  for (let offset = META_PROBE_STEP; offset <= META_PROBE_END && offset < source.size; offset *= 2) {
    try {
      if (source.readInto(bytes, offset) < META_END) break;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      continue;
    }
    const known =
      view.getUint32(META_MAGIC_AT, true) === META_MAGIC || view.getUint32(META_VERSION_AT, true) === META_VERSION;
    if (known && view.getUint32(META_PAGE_SIZE_AT, true) === offset) return offset;
  }
  return USUAL_PAGE_SIZE;
}

/** The error for a file of which neither meta is valid. */
export function noValidMeta(metas: readonly [Meta, Meta], place: { readonly path?: string }): DatadirError {
  const reasons = metas
    .map((each) => `meta ${each.page}: ${each.problem === undefined ? 'valid' : META_PROBLEMS[each.problem]}`)
    .join('; ');
  return new DatadirError('BOLT_NO_META', `no valid meta page: ${reasons}`, place);
}
