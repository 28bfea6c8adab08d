/**
 * The version that a db stores of its schema, brought to that of another release: the steps of etcd's own migration, of which only the one
 * between 3.5 and 3.6 changes anything but the version itself. docs/formats/backend.md has them.
 */
import { META } from '../../backend/format.ts';
import { compareMajorMinor, parseVersion } from '../../backend/go-version.ts';
import { fullVersion, versionOf } from '../../backend/own-minor.ts';
import { DatadirError } from '../../errors.ts';
import { compareMinors, ETCD_MINORS, type EtcdMinor } from '../../etcd-version.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';

/** The first release that stores it. */
const FIRST_TO_STORE: EtcdMinor = '3.6';
const NEWEST = ETCD_MINORS.at(-1) as EtcdMinor;

const encoder = new TextEncoder();

/** What a release stores; null for one that stores none. */
export function storedVersionOf(target: EtcdMinor): string | null {
  return compareMinors(target, FIRST_TO_STORE) < 0 ? null : `${target}.0`;
}

/** Throws `EDIT_REFUSED` for a stored version from which no steps are known. */
export function assertKnownSchema(stored: string): void {
  const version = parseVersion(fullVersion(stored));
  const newest = versionOf(NEWEST);
  if (version !== undefined && version.major === newest.major && compareMajorMinor(version, newest) <= 0) return;
  throw new DatadirError(
    'EDIT_REFUSED',
    `the storage version of the db is ${stored}: no steps from there to another one are known here`,
  );
}

/** Adds to the changes of a db. */
export function changeStoredVersion(changes: DbChanges, stored: string | null): void {
  const key = encoder.encode(META.storageVersion);
  if (stored === null) changes.bucket('meta').delete(key);
  else changes.bucket('meta').put(key, encoder.encode(stored));
}
