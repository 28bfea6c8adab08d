/**
 * Checks what can be told from the two metas and the length of the file alone.
 */
import type { Cause, CheckReporter } from './check-reporter.ts';
import { metaChecksum } from './encode-meta.ts';
import { FIRST_DATA_PAGE, FLAG_META, META_MAGIC, META_VERSION, SNAPSHOT_TRAILER_SIZE } from './format.ts';
import type { LocatedMetas } from './locate.ts';
import { currentMeta, type Meta } from './meta.ts';

/** What the rest of a check goes by. */
export interface CheckedMetas {
  /** The meta in use; undefined when there is none, so that nothing more can be examined. */
  readonly current: Meta | undefined;
  readonly previous: Meta | undefined;
  /** High water mark as a number, cut to what a file of this length can be asked about. */
  readonly highWaterMark: number;
  readonly truncated: Cause | undefined;
}

/** So many pages behind the end of the file are still told apart. */
const MAX_PAGES_BEYOND = 2 ** 32;

/** Reports on both metas and the file's length. */
export function checkMetas(
  { metas, pageSize, claimedPageSize }: LocatedMetas,
  size: number,
  reporter: CheckReporter,
): CheckedMetas {
  const nothing: CheckedMetas = { current: undefined, previous: undefined, highWaterMark: 0, truncated: undefined };
  if (
    metas.every((meta) => meta.problem === 'byte-order' || meta.problem === 'missing') &&
    metas[0].problem === 'byte-order'
  ) {
    reporter.report('BOLT_BIG_ENDIAN', {});
    return nothing;
  }
  if (size < 2 * pageSize) {
    reporter.report('BOLT_FILE_TOO_SMALL', { size: `${size}`, needed: `${2 * pageSize}` });
    return nothing;
  }
  const current = currentMeta(metas);
  if (current === undefined) {
    for (const meta of metas) reporter.report('BOLT_META_BOTH_INVALID', reasonOf(meta), placeOf(meta, pageSize));
    return nothing;
  }
  const other = metas[1 - current.page] as Meta;
  reportOther(other, current, pageSize, reporter);
  for (const meta of metas) if (meta.problem === undefined) reportOddities(meta, pageSize, reporter);
  if (claimedPageSize !== undefined) {
    const wrong = metas.find((meta) => meta.problem === undefined && meta.pageSize === claimedPageSize) as Meta;
    reportPageSize(wrong, pageSize, reporter);
  } else if ((pageSize & (pageSize - 1)) !== 0) reporter.report('BOLT_PAGE_SIZE_ODD', { pageSize: `${pageSize}` });

  const { highWaterMark } = current;
  if (highWaterMark <= BigInt(FIRST_DATA_PAGE)) {
    const args = { highWaterMark: `${highWaterMark}` };
    reporter.report('BOLT_HIGH_WATER_MARK_TOO_LOW', args, placeOf(current, pageSize));
    return { ...nothing, current };
  }
  const truncated = checkLength(current, size, pageSize, reporter);
  return {
    current,
    previous: other.problem === undefined ? other : undefined,
    highWaterMark: usableHighWaterMark(highWaterMark, size, pageSize),
    truncated,
  };
}

/** Reports what is wrong with a valid meta of a file with pages of this size: its page size, or its high water mark. */
export function checkMetaAgainstFile(meta: Meta, size: number, pageSize: number, reporter: CheckReporter): void {
  if (meta.pageSize !== pageSize) reportPageSize(meta, pageSize, reporter);
  checkLength(meta, size, pageSize, reporter);
}

function checkLength(
  { highWaterMark }: Meta,
  size: number,
  pageSize: number,
  reporter: CheckReporter,
): Cause | undefined {
  const needed = highWaterMark * BigInt(pageSize);
  if (needed <= BigInt(size)) return undefined;
  const args = { size: `${size}`, needed: `${needed}`, highWaterMark: `${highWaterMark}` };
  return reporter.report('BOLT_FILE_TRUNCATED', args, { offset: size });
}

function reportPageSize(meta: Meta, pageSize: number, reporter: CheckReporter): void {
  const args = { claimed: `${meta.pageSize}`, found: `${pageSize}` };
  reporter.report('BOLT_PAGE_SIZE_WRONG', args, placeOf(meta, pageSize));
}

/** A high water mark as a number that a bitmap can be made for, whatever the file claims. */
export function usableHighWaterMark(highWaterMark: bigint, size: number, pageSize: number): number {
  const limit = Math.ceil(size / pageSize) + MAX_PAGES_BEYOND;
  return highWaterMark > BigInt(limit) ? limit : Number(highWaterMark);
}

/** The meta that is not in use: it may be damaged, or have the same transaction number. */
function reportOther(other: Meta, current: Meta, pageSize: number, reporter: CheckReporter): void {
  if (other.problem === undefined) {
    if (other.txid === current.txid) reporter.report('BOLT_META_SAME_TXID', { txid: `${current.txid}` });
    return;
  }
  const args = { ...reasonOf(other), txid: `${current.txid}` };
  const place = placeOf(other, pageSize);
  const age = ageOf(other, current);
  if (age === 'older') reporter.report('BOLT_META_OLDER_INVALID', args, place);
  else {
    const newer = age === 'newer' ? 'surely' : 'perhaps';
    reporter.report('BOLT_META_NEWER_INVALID', { ...args, newer }, place);
  }
}

/** Whether an invalid meta was that of the transaction after or before the valid one, as far as its bytes can be believed. */
function ageOf(other: Meta, current: Meta): 'newer' | 'older' | 'unknown' {
  const after = BigInt.asUintN(64, current.txid + 1n);
  const before = BigInt.asUintN(64, current.txid - 1n);
  // Should nothing but its transaction number be damaged, the checksum tells what it was.
  if (metaChecksum({ ...other, txid: after }) === other.checksum) return 'newer';
  if (metaChecksum({ ...other, txid: before }) === other.checksum) return 'older';
  if (other.magic !== META_MAGIC && other.version !== META_VERSION) return 'unknown';
  return other.txid === after ? 'newer' : other.txid === before ? 'older' : 'unknown';
}

function reportOddities(meta: Meta, pageSize: number, reporter: CheckReporter): void {
  const place = placeOf(meta, pageSize);
  if (meta.headerId !== BigInt(meta.page) || meta.headerFlags !== FLAG_META) {
    const args = { id: `${meta.headerId}`, flags: `0x${meta.headerFlags.toString(16)}` };
    reporter.report('BOLT_META_HEADER', args, place);
  }
  if (meta.flags !== 0) reporter.report('BOLT_META_FLAGS', { flags: `0x${meta.flags.toString(16)}` }, place);
  if (meta.withoutChecksum) reporter.report('BOLT_META_WITHOUT_CHECKSUM', { txid: `${meta.txid}` }, place);
}

function reasonOf(meta: Meta): { reason: string; expected: string; actual: string } {
  const reason = meta.problem ?? '';
  switch (meta.problem) {
    case 'magic':
    case 'byte-order':
      return { reason, expected: hex(BigInt(META_MAGIC)), actual: hex(BigInt(meta.magic)) };
    case 'version':
      return { reason, expected: `${META_VERSION}`, actual: `${meta.version}` };
    case 'checksum':
      return { reason, expected: hex(meta.computedChecksum), actual: hex(meta.checksum) };
    default:
      return { reason, expected: '', actual: '' };
  }
}

function placeOf(meta: Meta, pageSize: number): { page: number; offset: number } {
  return { page: meta.page, offset: meta.page * pageSize };
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Whether what follows the last page is the sha256 that etcd puts behind a snapshot. */
export function hasTrailer(size: number, end: number): boolean {
  return size - end === SNAPSHOT_TRAILER_SIZE && size % 512 === SNAPSHOT_TRAILER_SIZE;
}
