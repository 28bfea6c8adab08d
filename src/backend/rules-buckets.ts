/**
 * Rules for the list of buckets: is this a db of etcd, and are its buckets there?
 */
import type { BoltDb } from '../bolt/database.ts';
import { keyText } from '../bolt/key-text.ts';
import { isDatadirError } from '../errors.ts';
import type { BackendReporter } from './check-reporter.ts';
import { BUCKETS } from './format.ts';

/** Every release makes this one last: if it is there, all are. */
const LAST_MADE = 'alarm';
/** Every release makes these two together, `meta` at the latest with `key`. */
const ESSENTIAL: ReadonlySet<string> = new Set(['key', 'meta']);
/** So many of etcd's buckets make a file one of etcd: other programs may have a bucket of such a name too. */
const ENOUGH = 3;

/** Whether a file with these buckets is one of etcd: most of the buckets are, or the two that hold what matters. */
export function isEtcd(names: ReadonlySet<string>): boolean {
  const known = BUCKETS.filter((name) => names.has(name)).length;
  return known >= ENOUGH || (names.has('key') && names.has('meta'));
}

/** Whether a file is one of etcd, as far as its buckets can be listed. */
export function isEtcdFile(db: BoltDb): boolean {
  try {
    return isEtcd(new Set(BUCKETS.filter((name) => db.bucket(name) !== undefined)));
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return false;
  }
}

/** Reports buckets that are missing or unknown. `unknown`: names that are none of etcd's. */
export function checkBuckets(
  names: ReadonlySet<string>,
  unknown: readonly Uint8Array[],
  reporter: BackendReporter,
): void {
  for (const name of unknown) reporter.report('BACKEND_BUCKET_UNKNOWN', { name: keyText(name) });
  for (const name of BUCKETS) {
    if (names.has(name)) continue;
    const made = names.has(LAST_MADE) || (name === 'meta' && names.has('key'));
    if (!made) continue;
    const lost = ESSENTIAL.has(name) || unknown.length > 0;
    reporter.report(
      'BACKEND_BUCKET_MISSING',
      { name: keyText(new TextEncoder().encode(name)) },
      {},
      lost ? 'corrupt' : 'repairable',
    );
  }
}
