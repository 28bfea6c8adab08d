/**
 * Rules for one record of bucket `key` alone: what its revision key and its message must say together.
 */
import { keyText } from '../bolt/key-text.ts';
import type { FindingPlace } from '../finding-table.ts';
import type { BackendReporter, Cause } from './check-reporter.ts';
import { MARK_AT } from './format.ts';
import type { KeyRecord } from './record.ts';
import { parseRevision } from './revision.ts';

/** A lease id is the last field: a tag and at most ten bytes. */
const MAX_LEASE_FIELD = 11;
const LEASE_TAG = 0x30;

const REVISION_PROBLEMS = {
  length: 'it is neither 17 nor 18 bytes long',
  separator: 'its ninth byte is not an underscore',
  negative: 'a number in it is negative',
} as const;

/** Where a record lies. */
export function recordPlace(record: KeyRecord, causedBy?: Cause): FindingPlace {
  return {
    page: record.pageId,
    offset: record.offset,
    bucket: ['"key"'],
    key: keyText(record.revisionKey()),
    ...(causedBy === undefined ? {} : { causedBy }),
  };
}

/** The revision as text: `7_0`, and `7_0t` for a tombstone. */
export function revisionText(record: KeyRecord): string {
  const { main, sub } = record.revision();
  return `${main}_${sub}${record.tombstone ? 't' : ''}`;
}

/** What findings about a record have in common. */
export function recordArgs(record: KeyRecord): { revision: string; userKey: string } {
  const { bytes, userKeyStart, userKeyEnd } = record;
  return { revision: revisionText(record), userKey: keyText(bytes.subarray(userKeyStart, userKeyEnd)) };
}

/** Reports a record that could not be read. */
export function reportUnreadable(record: KeyRecord, reporter: BackendReporter): Cause {
  const { problem } = record;
  if (problem === 'value' || problem === undefined) {
    const parsed = parseRevision(record.revisionKey());
    if (!('problem' in parsed)) {
      const revision = `${parsed.main}_${parsed.sub}${parsed.tombstone ? 't' : ''}`;
      return reporter.report('BACKEND_RECORD_UNREADABLE', { revision }, recordPlace(record));
    }
    return reporter.report('BACKEND_REVISION_KEY', { reason: REVISION_PROBLEMS[parsed.problem] }, recordPlace(record));
  }
  return reporter.report('BACKEND_REVISION_KEY', { reason: REVISION_PROBLEMS[problem] }, recordPlace(record));
}

/** Whether this is what a revision bump leaves: an empty value, and a compaction at its revision. */
export function isBump(record: KeyRecord, compact: number): boolean {
  return record.valueStart === record.end && !record.tombstone && record.sub === 0 && record.main <= compact;
}

/** Reports what is wrong with a record that could be read; undefined if nothing is. `compact`: the effective compact revision. */
export function checkRecord(record: KeyRecord, compact: number, reporter: BackendReporter): Cause | undefined {
  if (record.oddMark) {
    const mark = `0x${record.bytes[record.start + MARK_AT]!.toString(16).padStart(2, '0')}`;
    return reporter.report('BACKEND_TOMBSTONE_MARK', { revision: revisionText(record), mark }, recordPlace(record));
  }
  if (record.main < 1) {
    return reporter.report('BACKEND_REVISION_KEY', { reason: 'its main revision is 0' }, recordPlace(record));
  }
  if (record.valueStart === record.end) {
    if (isBump(record, compact)) return undefined;
    return reporter.report('BACKEND_RECORD_EMPTY', { revision: revisionText(record) }, recordPlace(record));
  }
  if (record.userKeyStart === record.userKeyEnd) {
    return reporter.report('BACKEND_USER_KEY_EMPTY', { revision: revisionText(record) }, recordPlace(record));
  }
  return record.tombstone ? checkTombstone(record, reporter) : checkPut(record, reporter);
}

function checkTombstone(record: KeyRecord, reporter: BackendReporter): Cause | undefined {
  const { createRevision, modRevision, version, userValueStart, userValueEnd, hasLease } = record;
  if (createRevision !== 0 || modRevision !== 0 || version !== 0 || userValueEnd !== userValueStart || hasLease) {
    return reporter.report('BACKEND_TOMBSTONE_FIELDS', recordArgs(record), recordPlace(record));
  }
  return checkEncoding(record, reporter);
}

function checkPut(record: KeyRecord, reporter: BackendReporter): Cause | undefined {
  const { main, createRevision, modRevision, version } = record;
  if (!record.exact) {
    // Rounded numbers can look equal.
    const { modRevision: mod } = record.keyValue();
    if (mod !== record.revision().main) return reportMod(record, reporter);
  } else if (modRevision !== main) return reportMod(record, reporter);
  if (createRevision < 1 || createRevision > modRevision) {
    const { createRevision: create, modRevision: mod } = record.keyValue();
    const args = { ...recordArgs(record), createRevision: `${create}`, modRevision: `${mod}` };
    return reporter.report('BACKEND_CREATE_REVISION', args, recordPlace(record));
  }
  if (
    version < 1 ||
    (version === 1) !== (createRevision === modRevision) ||
    version > modRevision - createRevision + 1
  ) {
    const { version: stored, createRevision: create, modRevision: mod } = record.keyValue();
    const numbers = { version: `${stored}`, createRevision: `${create}`, modRevision: `${mod}` };
    return reporter.report('BACKEND_VERSION', { ...recordArgs(record), ...numbers }, recordPlace(record));
  }
  return checkEncoding(record, reporter);
}

function reportMod(record: KeyRecord, reporter: BackendReporter): Cause {
  const modRevision = `${record.keyValue().modRevision}`;
  return reporter.report('BACKEND_MOD_REVISION', { ...recordArgs(record), modRevision }, recordPlace(record));
}

/** etcd writes each field once, in the shortest form, and none that is empty: so the length is known beforehand. */
function checkEncoding(record: KeyRecord, reporter: BackendReporter): Cause | undefined {
  const { bytes, end, valueStart } = record;
  const keyLength = record.userKeyEnd - record.userKeyStart;
  const valueLength = record.userValueEnd - record.userValueStart;
  let length = 1 + varintLength(keyLength) + keyLength;
  if (record.createRevision !== 0) length += 1 + varintLength(record.createRevision);
  if (record.modRevision !== 0) length += 1 + varintLength(record.modRevision);
  if (record.version !== 0) length += 1 + varintLength(record.version);
  if (valueLength !== 0) length += 1 + varintLength(valueLength) + valueLength;
  const rest = end - valueStart - length;
  if (record.hasLease ? rest >= 2 && rest <= MAX_LEASE_FIELD && bytes[end - rest] === LEASE_TAG : rest === 0) {
    return undefined;
  }
  return reporter.report('BACKEND_RECORD_ENCODING', recordArgs(record), recordPlace(record));
}

function varintLength(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  let length = 3;
  for (let rest = value / 0x20_0000; rest >= 1; rest /= 128) length++;
  return length;
}
