/**
 * Rules for bucket `cluster` and the storage version: which releases can start on the db.
 */
import type { EtcdMinor } from '../etcd-version.ts';
import type { FindingPlace } from '../finding-table.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { type Downgrade, parseClusterVersion, parseDowngrade } from './cluster.ts';
import { CLUSTER } from './format.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from './go-version.ts';
import type { BackendMeta } from './meta.ts';
import { fullVersion, minorOf, versionOf } from './own-minor.ts';
import type { MetaRules } from './rules-meta.ts';
import { detectStorageVersion } from './storage-version.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const FIRST_WITH_SCHEMA: EtcdMinor = '3.6';
/** The oldest schema from which 3.6 and later have a way to their own. */
const OLDEST_SCHEMA = { major: 3, minor: 5 };

export class ClusterRules implements BucketRules {
  readonly bucket = 'cluster';
  version: string | null = null;
  readonly #reporter: BackendReporter;
  #versionPlace: FindingPlace = { bucket: ['"cluster"'] };
  #downgrade: { readonly value: Downgrade; readonly place: FindingPlace } | undefined;

  constructor(reporter: BackendReporter) {
    this.#reporter = reporter;
  }

  take(record: StoredRecord): void {
    const name = decoder.decode(record.key);
    const place = placeOf('cluster', record);
    if (name === CLUSTER.version) {
      const parsed = parseClusterVersion(record.value);
      this.#versionPlace = place;
      if ('problem' in parsed) this.takeNone(record, parsed.problem);
      else this.version = parsed.value;
    } else if (name === CLUSTER.downgrade) {
      const parsed = parseDowngrade(record.value);
      if ('problem' in parsed) this.takeNone(record, parsed.problem);
      else this.#downgrade = { value: parsed.value, place };
    } else this.#reporter.report('BACKEND_KEY_UNKNOWN', {}, place);
  }

  takeNone(record: StoredRecord, reason: string): void {
    this.#reporter.report('BACKEND_CLUSTER_UNREADABLE', { reason }, placeOf('cluster', record));
  }

  /** Whether the cluster has agreed on a version of at least that minor release. */
  isAtLeast(minor: EtcdMinor): boolean {
    const version = this.version === null ? undefined : parseVersion(this.version);
    return version !== undefined && compareMajorMinor(version, versionOf(minor)) >= 0;
  }

  /** Rules that depend on the release which is to start; gives that release. `asked`: the one that the caller named. */
  finish(meta: BackendMeta, metaRules: MetaRules, asked: EtcdMinor | undefined): EtcdMinor {
    const target = asked ?? minorOf(this.version, meta);
    for (const { code, args } of versionRefusals(this.version, meta, target)) {
      const isCluster = code === 'BACKEND_CLUSTER_VERSION_NEWER';
      this.#reporter.report(code, args, isCluster ? this.#versionPlace : metaRules.place('storageVersion'));
    }
    const cluster = this.version === null ? undefined : parseVersion(this.version);
    const schema = detectStorageVersion(meta);
    const detected = schema.detected === null ? undefined : parseVersion(fullVersion(schema.detected));
    if (schema.by === 'stored' && detected !== undefined) {
      const place = metaRules.place('storageVersion');
      const version = detected.text;
      if (meta.term === null && !meta.unreadable.has('term')) {
        this.#reporter.report('BACKEND_STORAGE_VERSION_WITHOUT_TERM', { version }, place);
      }
    }
    if (cluster !== undefined && detected !== undefined && differ(cluster, detected, schema.by)) {
      const args = { schema: schema.detected as string, version: cluster.text };
      this.#reporter.report('BACKEND_VERSIONS_DIFFER', args, this.#versionPlace);
    }
    if (this.#downgrade?.value.enabled === true) {
      const { targetVersion } = this.#downgrade.value;
      this.#reporter.report('BACKEND_DOWNGRADE_ENABLED', { targetVersion }, this.#downgrade.place);
    }
    return target;
  }
}

/** Why a release does not start on a db. */
export interface VersionRefusal {
  readonly code: 'BACKEND_CLUSTER_VERSION_NEWER' | 'BACKEND_STORAGE_VERSION_UNSUPPORTED';
  readonly args: { readonly version: string; readonly target: string };
}

/** What makes a release refuse a db, by the versions that are stored in it. */
export function versionRefusals(clusterVersion: string | null, meta: BackendMeta, target: EtcdMinor): VersionRefusal[] {
  const found: VersionRefusal[] = [];
  const cluster = clusterVersion === null ? undefined : parseVersion(clusterVersion);
  if (cluster !== undefined && compareMajorMinor(cluster, versionOf(target)) > 0) {
    found.push({ code: 'BACKEND_CLUSTER_VERSION_NEWER', args: { version: cluster.text, target } });
  }
  const schema = detectStorageVersion(meta);
  const stored =
    schema.by === 'stored' && schema.detected !== null ? parseVersion(fullVersion(schema.detected)) : undefined;
  if (stored !== undefined && !isSupported(stored, target)) {
    found.push({ code: 'BACKEND_STORAGE_VERSION_UNSUPPORTED', args: { version: stored.text, target } });
  }
  return found;
}

/** A db without a storage version has a schema of 3.5, which no later cluster version contradicts for long. */
function differ(cluster: EtcdVersion, schema: EtcdVersion, by: 'stored' | 'term' | 'nothing'): boolean {
  const order = compareMajorMinor(cluster, schema);
  return by === 'stored' ? order !== 0 : order < 0;
}

/** Servers of 3.6 and later know a way from each schema up to their own. */
function isSupported(schema: EtcdVersion, target: EtcdMinor): boolean {
  if (compareMajorMinor(versionOf(target), versionOf(FIRST_WITH_SCHEMA)) < 0) return true;
  const own = versionOf(target);
  return (
    schema.major === own.major && compareMajorMinor(schema, own) <= 0 && compareMajorMinor(schema, OLDEST_SCHEMA) >= 0
  );
}
