/**
 * Reports of data directories, made up: what a check would say, without a directory.
 */
import type { DataDirSummary } from '../../src/datadir/summary.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import type { AnyFinding, Severity } from '../../src/finding-table.ts';
import { type Finding, findingTable } from '../../src/findings.ts';
import type { CheckReport } from '../../src/report.ts';
import type { SnapSummary } from '../../src/snap/summary.ts';
import { verdictOf } from '../../src/verdict.ts';
import type { StartSummary, WalSummary } from '../../src/wal/summary.ts';

const MEMBER_ID = 0xdc97_9401_4da7_8a91n;

/** A finding of that code; its severity is the usual one unless `place` says otherwise. */
export function madeFinding(
  code: string,
  args: Readonly<Record<string, string>> = {},
  place: Partial<AnyFinding> = {},
): Finding {
  const severity = place.severity ?? (findingTable[code]?.severity as Severity);
  return { ...place, code, severity, args } as AnyFinding as Finding;
}

/** What may differ from a healthy directory whose log goes from snapshot 303 to entry 380, all of it in the db. */
export interface Made {
  readonly findings?: readonly Finding[];
  readonly dataDir?: Partial<DataDirSummary>;
  readonly log?: Partial<StartSummary>;
  readonly snap?: Partial<SnapSummary>;
  readonly level?: CheckReport['level'];
}

const SNAP_NAME = '0000000000000002-000000000000012f.snap';

export function madeReport({
  findings = [],
  dataDir = {},
  log = {},
  snap = {},
  level = 'deep',
}: Made = {}): CheckReport {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  const snapshot = { index: '303', term: '2' };
  const etcd = ETCD_MINORS.map(
    (version): StartSummary => ({
      version,
      outcome: 'starts',
      words: '',
      snapshot,
      lastIndex: '380',
      entries: 77,
      ...log,
    }),
  );
  const confState = {
    voters: [`${MEMBER_ID}`],
    learners: [],
    votersOutgoing: [],
    learnersNext: [],
    autoLeave: false,
  };
  return {
    schema: 1,
    path: 'DIR',
    kind: 'data-dir',
    level,
    verdict: verdictOf(counts),
    findings,
    counts,
    examined: [],
    notExamined: [],
    bytesRead: 0,
    elapsedMs: 0,
    wal: { etcd } as unknown as WalSummary,
    snap: {
      newest: { name: SNAP_NAME, ...snapshot, crc: 1, confState, dataKind: 'v2-store' },
      files: [{ name: SNAP_NAME, size: 100, usable: true, ...snapshot }],
      ...snap,
    },
    dataDir: {
      layout: 'member',
      inUse: false,
      etcdVersion: '3.6',
      memberId: `${MEMBER_ID}`,
      clusterId: '1',
      hasDb: true,
      hasWal: true,
      receivedDbs: [],
      consistentIndex: '380',
      dbTerm: '2',
      term: '2',
      vote: '1',
      commit: '380',
      firstIndex: '1',
      lastIndex: '380',
      notInDb: '0',
      snapshots: [],
      versions: ETCD_MINORS.map((version) => ({ version, findings: [] })),
      ...dataDir,
    } as DataDirSummary,
  };
}
