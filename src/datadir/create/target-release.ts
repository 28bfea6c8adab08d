/**
 * What has to change in a db so that a release starts on it: versions that are newer than the release, and a downgrade that was under way.
 */
import { readCluster } from '../../backend/cluster.ts';
import { CLUSTER } from '../../backend/format.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from '../../backend/go-version.ts';
import { readMeta } from '../../backend/meta.ts';
import { fullVersion, versionOf } from '../../backend/own-minor.ts';
import type { BoltDb } from '../../bolt/database.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DbChanges } from '../rewrite/db-changes.ts';
import { assertKnownSchema, changeStoredVersion, storedVersionOf } from './storage-migration.ts';

/** What was changed, and why: sentences for the report. */
export type ReleaseNotes = readonly string[];

/** How the db is changed. */
export interface ReleaseOptions {
  /** The release that is to start; undefined: that of the data, or a newer one. */
  readonly target?: EtcdMinor | undefined;
  /** A downgrade that is under way stays so. Default false. */
  readonly keepDowngrade?: boolean | undefined;
}

/** The versions that a db holds; a replay may have changed those of the cluster. */
export interface DbVersions {
  readonly storageVersion: string | null;
  readonly clusterVersion: string | null;
  /** The version that a downgrade which is under way leads to. */
  readonly downgradeTo: string | null;
}

const encoder = new TextEncoder();

/** Reads them. */
export function readDbVersions(db: BoltDb): DbVersions {
  const { version, downgrade } = readCluster(db);
  return {
    storageVersion: readMeta(db).storageVersion,
    clusterVersion: version,
    downgradeTo: downgrade?.enabled === true ? downgrade.targetVersion : null,
  };
}

/** Adds to the changes of a db; tells what they are. Throws `EDIT_REFUSED` where no way leads to the release. */
export function changeForRelease(
  changes: DbChanges,
  { storageVersion, clusterVersion, downgradeTo }: DbVersions,
  { target, keepDowngrade = false }: ReleaseOptions,
): ReleaseNotes {
  const notes: string[] = [];
  const cluster = changes.bucket('cluster');
  if (downgradeTo !== null && !keepDowngrade) {
    cluster.delete(encoder.encode(CLUSTER.downgrade));
    notes.push(`the downgrade to ${downgradeTo} that was under way is left out: a new cluster begins without one`);
  }
  if (target === undefined) return notes;
  if (storageVersion !== null && (isNewer(storageVersion, target) || storedVersionOf(target) === null)) {
    assertKnownSchema(storageVersion);
    const stored = storedVersionOf(target);
    changeStoredVersion(changes, stored);
    notes.push(
      `the storage version ${storageVersion} is ${stored === null ? 'left out' : `now ${stored}`}, for ${target}`,
    );
  }
  if (clusterVersion !== null && isNewer(clusterVersion, target)) {
    cluster.delete(encoder.encode(CLUSTER.version));
    notes.push(`the cluster version ${clusterVersion} is left out, for ${target}: the servers agree on a new one`);
  }
  return notes;
}

function isNewer(text: string, target: EtcdMinor): boolean {
  const version: EtcdVersion | undefined = parseVersion(fullVersion(text));
  return version === undefined || compareMajorMinor(version, versionOf(target)) > 0;
}
