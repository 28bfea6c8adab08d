/**
 * Buckets `meta` and `cluster` of a db, for people and as JSON.
 */
import type { Cluster } from '../../backend/cluster.ts';
import { META } from '../../backend/format.ts';
import type { BackendMeta, StoredConfState } from '../../backend/meta.ts';
import type { Revisions } from '../../backend/revisions.ts';
import type { StorageVersion } from '../../backend/storage-version.ts';
import { formatBytes } from './bytes-format.ts';
import { byteFields } from './json-bytes.ts';
import { grouped } from './size.ts';
import { storageVersionWords } from './status.ts';
import { unreadableFields } from './unreadable-values.ts';
import { visible } from './visible.ts';

/** Everything that `meta` tells. */
export interface MetaFacts {
  readonly meta: BackendMeta;
  readonly revisions: Revisions;
  readonly storageVersion: StorageVersion;
  readonly cluster: Cluster;
}

/** So many bytes of a value that cannot be read are shown. */
const SHOWN = 64;

/** The text of `meta`. */
export function metaText(path: string, { meta, revisions, storageVersion, cluster }: MetaFacts): string {
  const { confState, unreadable } = meta;
  const { downgrade } = cluster;
  const or = (value: bigint | string | null, absent = 'not stored'): string =>
    value === null ? absent : typeof value === 'bigint' ? grouped(value) : value;
  const lines = [
    meta.present ? path : `${path}: there is no bucket meta`,
    `consistent index:      ${or(meta.consistentIndex)}`,
    `term:                  ${or(meta.term)}`,
    `configuration:         ${confState === null ? 'not stored' : confStateWords(confState)}`,
    `storage version:       ${storageVersionWords(storageVersion)}`,
    `cluster version:       ${or(cluster.version)}`,
    `downgrade:             ${downgrade?.enabled === true ? `to ${downgrade.targetVersion} is under way` : 'none'}`,
    `compaction asked for:  ${or(revisions.scheduledCompact, 'never')}`,
    `compaction finished:   ${or(revisions.finishedCompact, 'never')}`,
    `readable revisions:    ${readableWords(revisions)}`,
  ];
  for (const [field, value] of unreadable) lines.push(`cannot be read:        ${META[field]}: ${shown(value)}`);
  return lines.map((line) => `${visible(line)}\n`).join('');
}

function readableWords({ compact, current }: Revisions): string {
  return `${grouped(compact < 1n ? 1n : compact)} to ${grouped(current)}`;
}

function confStateWords({ voters, learners, votersOutgoing, learnersNext }: StoredConfState): string {
  const groups: [string, readonly bigint[]][] = [
    ['voters', voters],
    ['learners', learners],
    ['outgoing voters', votersOutgoing],
    ['next learners', learnersNext],
  ];
  const named = groups.filter(([name, ids]) => name === 'voters' || ids.length > 0);
  return named.map(([name, ids]) => `${name} ${ids.map((id) => id.toString(16)).join(' ') || 'none'}`).join(', ');
}

function shown(value: Uint8Array): string {
  const bytes = formatBytes(value.subarray(0, SHOWN), 'hex') as string;
  return `${value.length} bytes, ${bytes}${value.length > SHOWN ? '…' : ''}`;
}

/** The fields of `meta --json`. */
export function metaFields({ meta, revisions, storageVersion, cluster }: MetaFacts): Record<string, unknown> {
  return {
    present: meta.present,
    consistentIndex: meta.consistentIndex,
    term: meta.term,
    confState: meta.confState,
    storedVersion: meta.storageVersion,
    storageVersion: storageVersion.detected,
    storageVersionBy: storageVersion.by,
    storageVersionByEtcd34: storageVersion.byEtcd34,
    scheduledCompactRevision: revisions.scheduledCompact,
    finishedCompactRevision: revisions.finishedCompact,
    compactRevision: revisions.compact,
    compactionPending: revisions.compactionPending,
    currentRevision: revisions.current,
    clusterVersion: cluster.version,
    downgrade: cluster.downgrade,
    unreadable: {
      count: meta.unreadable.size + cluster.unreadable.count,
      listed: [...unreadableMeta(meta), ...(unreadableFields(cluster.unreadable)['listed'] as unknown[])],
    },
  };
}

function unreadableMeta({ unreadable }: BackendMeta): Record<string, unknown>[] {
  return [...unreadable].map(([field, value]) => ({
    bucket: 'meta',
    ...byteFields('key', new TextEncoder().encode(META[field])),
    reason: shown(value),
  }));
}
