/**
 * The status of a db by the plainest means: cursors, strings and a map. What the quick pass must come to.
 */
import { parseRevision } from '../../src/backend/revision.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { isDatadirError } from '../../src/errors.ts';
import { parseKeyValue } from '../../src/proto/mvcc.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const IGNORED = {
  everything: [],
  '3.4': ['consistent_index'],
  '3.5': ['consistent_index', 'term'],
  '3.6': ['consistent_index', 'term', 'storageVersion'],
} as const;

/** Whether a record makes its key live; undefined if it is none. */
function recordOf(key: Uint8Array, value: Uint8Array): { readonly key: string; readonly live: boolean } | undefined {
  const revision = parseRevision(key);
  if ('problem' in revision) return undefined;
  try {
    return { key: text(parseKeyValue(value, 0, value.length).key), live: !revision.tombstone };
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return undefined;
  }
}

const RULES = Object.entries(IGNORED) as [keyof typeof IGNORED, readonly string[]][];
const NOTHING = new Uint8Array(0);

/** Reads a healthy file bucket by bucket. */
export function modelStatus(file: Uint8Array) {
  const hashes = { everything: 0, '3.4': 0, '3.5': 0, '3.6': 0 };
  const live = new Set<string>();
  const counts = { records: 0, keyRecords: 0, members: 0, unreadable: 0 };
  const add = (bytes: Uint8Array, ignoredAs: string | undefined) => {
    // Up to bucket meta all are the same, so one has to be computed only.
    const same = new Set(Object.values(hashes)).size === 1 && ignoredAs === undefined;
    const common = same ? crc32c(bytes, 0, bytes.length, hashes.everything) : 0;
    for (const [rule, ignored] of RULES) {
      if (same) hashes[rule] = common;
      else if (ignoredAs === undefined || !ignored.includes(ignoredAs)) {
        hashes[rule] = crc32c(bytes, 0, bytes.length, hashes[rule]);
      }
    }
  };
  for (const bucket of openReadable(file).buckets()) {
    const name = text(bucket.name);
    add(bucket.name, undefined);
    for (const { key, value } of bucket.entries()) {
      const ignoredAs = name === 'meta' ? text(key) : undefined;
      add(key, ignoredAs);
      add(value ?? NOTHING, ignoredAs);
      counts.records++;
      if (name === 'members') counts.members++;
      if (name !== 'key') continue;
      counts.keyRecords++;
      const record = value === undefined ? undefined : recordOf(key, value);
      if (record === undefined) counts.unreadable++;
      else if (record.live) live.add(record.key);
      else live.delete(record.key);
    }
  }
  const { everything, ...byRule } = hashes;
  return { hashes: { everything, byRule }, totalKey: live.size, ...counts };
}
