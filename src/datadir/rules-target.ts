/**
 * Rules that depend on the release which is to be started (X7b, X7c, X8, X15): what each one refuses, panics at or cannot start from.
 */
import { versionRefusals } from '../backend/rules-versions.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { FindingPlace } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import type { DirFacts } from './cross-facts.ts';
import { dirFinding } from './cross-reporter.ts';
import { membersFindings } from './rules-membership.ts';
import { startFindings } from './rules-snapshots.ts';
import { proxyFinding } from './rules-structure.ts';

/** What a release says to versions that are stored in the db (X15). The check of the db has them for its target. */
export function versionFindings({ dir, db }: DirFacts, target: EtcdMinor): Finding[] {
  if (db.meta === undefined) return [];
  return versionRefusals(db.clusterVersion ?? null, db.meta, target).map(({ code, args }) => {
    const bucket = code === 'BACKEND_CLUSTER_VERSION_NEWER' ? '"cluster"' : '"meta"';
    const place: FindingPlace = { file: dir.dbPath, bucket: [bucket] };
    return { code, severity: 'refuse', ...place, args };
  });
}

/** What else it says. */
export function targetFindings(facts: DirFacts, target: EtcdMinor): Finding[] {
  return [
    ...proxyFinding(facts.dir, target),
    ...membersFindings(facts, target),
    ...requestFindings(facts, target),
    ...contentFindings(facts, target),
    ...startFindings(facts, target),
  ];
}

/** Requests of the v2 API that it would have to apply again (X7b). */
function requestFindings({ dir, log, wal }: DirFacts, target: EtcdMinor): Finding[] {
  if (log === undefined || (target !== '3.6' && target !== '3.7')) return [];
  const { any, other } = log.lastV2;
  const last = target === '3.6' ? other : any;
  const start = wal?.etcd.find(({ version }) => version === target);
  if (start === undefined || last <= Number(start.snapshot?.index ?? 0)) return [];
  // An entry that was overwritten later does no harm: the simulated start knows.
  if (start.outcome !== 'panics' || start.stage !== 'apply') return [];
  return [dirFinding('DIR_V2_REQUESTS', { target, index: `${last}` }, { file: dir.files.wal.path })];
}

/** Keys of the v2 API in the file that 3.6 would start from. */
function contentFindings({ dir, snap, wal }: DirFacts, target: EtcdMinor): Finding[] {
  const { newest } = snap ?? {};
  if (target !== '3.6' || newest?.customContent === undefined || newest.customContent.length === 0) return [];
  const start = wal?.etcd.find(({ version }) => version === target)?.snapshot;
  if (start?.index !== newest.index) return [];
  const args = { target, paths: newest.customContent.join(', ') };
  return [dirFinding('DIR_V2_CONTENT', args, { file: `${dir.files.snap.path}/${newest.name}` })];
}
