/**
 * Rules for bucket `cluster` and the storage version: which releases can start on the db.
 */
import { ETCD_MINORS, type EtcdMinor } from '../etcd-version.ts';
import type { FindingPlace } from '../finding-table.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { type Downgrade, parseClusterVersion, parseDowngrade } from './cluster.ts';
import { CLUSTER } from './format.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from './go-version.ts';
import type { BackendMeta } from './meta.ts';
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
    const target = asked ?? targetOf(this.version, meta);
    const own = versionOf(target);
    const cluster = this.version === null ? undefined : parseVersion(this.version);
    if (cluster !== undefined && compareMajorMinor(cluster, own) > 0) {
      this.#reporter.report('BACKEND_CLUSTER_VERSION_NEWER', { version: cluster.text, target }, this.#versionPlace);
    }
    const schema = detectStorageVersion(meta);
    const detected = schema.detected === null ? undefined : parseVersion(fullVersion(schema.detected));
    if (schema.by === 'stored' && detected !== undefined) {
      const place = metaRules.place('storageVersion');
      const version = detected.text;
      if (!isSupported(detected, target)) {
        this.#reporter.report('BACKEND_STORAGE_VERSION_UNSUPPORTED', { version, target }, place);
      }
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

function versionOf(minor: EtcdMinor): Pick<EtcdVersion, 'major' | 'minor'> {
  const [major, number] = minor.split('.').map(Number) as [number, number];
  return { major, minor: number };
}

const fullVersion = (text: string): string => (/^\d+\.\d+$/.test(text) ? `${text}.0` : text);

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

/** The release that the db is of: by the cluster version; where that tells none, by the schema; the newest for what is newer. */
function targetOf(clusterVersion: string | null, meta: BackendMeta): EtcdMinor {
  const schema = detectStorageVersion(meta).detected;
  for (const text of [clusterVersion, schema]) {
    const version = text === null ? undefined : parseVersion(fullVersion(text));
    if (version === undefined) continue;
    const minor = ETCD_MINORS.find((known) => compareMajorMinor(versionOf(known), version) === 0);
    if (minor !== undefined) return minor;
    const newest = ETCD_MINORS.at(-1)!;
    if (compareMajorMinor(version, versionOf(newest)) > 0) return newest;
  }
  return ETCD_MINORS[0]!;
}
