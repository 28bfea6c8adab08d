/**
 * The hash of a whole db as a server answers it to `Maintenance.Hash`. Unlike HashKV it tells two members apart that agree: it covers
 * their compactions, and, depending on the release, how far they have got.
 */

import { ContentJob } from '../bolt/content-job.ts';
import type { BoltDb } from '../bolt/database.ts';
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import type { BackendFile } from './backend-file.ts';
import { type Cluster, readCluster } from './cluster.ts';
import { DbContent } from './db-content.ts';
import type { DbHashes, HashRule } from './db-hashing.ts';
import { compareMajorMinor, type EtcdVersion, parseVersion } from './go-version.ts';
import { type BackendMeta, readMeta } from './meta.ts';
import { detectStorageVersion } from './storage-version.ts';

/** The hash of a db. */
export interface DbHash {
  /** 32 bits, unsigned. */
  readonly hash: number;
  /** By whose rule. */
  readonly rule: HashRule;
  /** All rules, and the hash of `snapshot status`. */
  readonly hashes: DbHashes;
}

/** Whose hash is asked for. */
export interface DbHashOptions {
  /** The release of the server that hashes. Default: the oldest one that can have written the db. */
  readonly etcdVersion?: EtcdMinor | undefined;
}

/** Hashes everything in a db, which is checked on the way. Throws `BOLT_SOURCE_DAMAGED`, `SOURCE_CHANGED`. */
export class DbHashJob extends ContentJob<DbHash> {
  constructor(file: BackendFile, { etcdVersion }: DbHashOptions = {}) {
    super(file.source, (db, kernel) => {
      const target = new DbContent(kernel);
      const finish = (): DbHash => {
        const hashes = target.hashes();
        const rule = etcdVersion === undefined ? ownHashRule(db) : hashRule(etcdVersion);
        return { hash: hashes.byRule[rule], rule, hashes };
      };
      return { target, finish };
    });
  }
}

/** The rule of a release. */
export function hashRule(minor: EtcdMinor): HashRule {
  if (minor === '3.4' || minor === '3.5') return minor;
  return '3.6';
}

const RULES: readonly (readonly [HashRule, Pick<EtcdVersion, 'major' | 'minor'>])[] = [
  ['3.6', { major: 3, minor: 6 }],
  ['3.5', { major: 3, minor: 5 }],
];

/** The rule of the release that a db says it is of: neither its schema nor the agreed version is newer than its server. */
export function ownHashRule(
  db: BoltDb,
  meta: BackendMeta = readMeta(db),
  cluster: Cluster = readCluster(db),
): HashRule {
  const { detected, by } = detectStorageVersion(meta);
  const schema = ruleOfVersion(by === 'term' ? '3.5.0' : detected);
  const agreed = ruleOfVersion(cluster.version);
  return compareMinors(schema, agreed) > 0 ? schema : agreed;
}

function ruleOfVersion(text: string | null): HashRule {
  const version = text === null ? undefined : parseVersion(text);
  const found = version && RULES.find(([, oldest]) => compareMajorMinor(version, oldest) >= 0);
  return found?.[0] ?? '3.4';
}
