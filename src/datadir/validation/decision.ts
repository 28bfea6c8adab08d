/**
 * The decision from everything that was found out: one report, with the recommendation, the reference's status and what follows from it.
 */
import type { Severity } from '../../finding-table.ts';
import type { Finding } from '../../findings.ts';
import { type CheckReport, FindingList } from '../../report.ts';
import { type Verdict, verdictOf } from '../../verdict.ts';
import type { DataDir } from '../data-dir.ts';
import type { StopReason, ValidationExpectations, ValidationSituation } from './inputs.ts';
import { planOf } from './member-plan.ts';
import { type Recommendation, recommend } from './recommendation.ts';
import { actionOf, agreedAction, filterForMultiNode, type ReferenceStatus, statusOf } from './reference-status.ts';
import type { ValidationRaft, ValidationReport, ValidationRevisions } from './report.ts';
import type { RevisionOutcome } from './revision-check.ts';
import type { StoreState } from './store-state.ts';
import { structureOf } from './structure.ts';
import type { ValidationTools } from './tools.ts';

/** Everything that is known. */
export interface DecisionInputs {
  readonly dir: DataDir;
  readonly situation: ValidationSituation;
  readonly expected: ValidationExpectations;
  readonly tools: ValidationTools;
  /** Undefined where it did not come to a check. */
  readonly check: CheckReport | undefined;
  readonly revision: RevisionOutcome | undefined;
  /** Findings that are not those of the check. */
  readonly findings: readonly Finding[];
  readonly stopped: StopReason | undefined;
  readonly elapsedMs: number;
}

/** The report, but for how long each step took. */
export function decide(inputs: DecisionInputs): Omit<ValidationReport, 'steps'> {
  const { situation, check, revision, expected, stopped } = inputs;
  const { mode, modeReason, guard, marker, store } = situation;
  const { findings, counts } = mergeFindings(inputs);
  const recommendation = recommendationOf(inputs, counts);
  const status = referenceStatus(inputs, counts);
  const { multiNode = false, othersReachable, inCluster, referenceActions = false } = expected;
  const inputsOfAction = {
    multiNode,
    storeHasBackups: store.state === 'found',
    inCluster: inCluster ?? store.state === 'found',
  };
  const theirs = actionOf(status, inputsOfAction);
  const action = referenceActions ? theirs : agreedAction(theirs, recommendation);
  return {
    ...(check ?? emptyReport(inputs)),
    path: expected.path ?? inputs.dir.path,
    verdict: verdict(counts, stopped, recommendation),
    findings,
    counts,
    ...examined(inputs),
    elapsedMs: Math.round(inputs.elapsedMs),
    mode,
    modeReason,
    revision: revision?.revision ?? { ...NO_REVISIONS, store: store.revision },
    raft: raftOf(check),
    recommendation,
    status,
    action,
    plan: planOf({ multiNode, othersReachable, inCluster, action }),
    guard,
    marker,
    store,
  };
}

type Counts = CheckReport['counts'];

function mergeFindings({ check, findings, expected }: DecisionInputs): { findings: Finding[]; counts: Counts } {
  const list = new FindingList(expected.maxFindings);
  for (const finding of [...findings, ...(check?.findings ?? [])]) list.add(finding);
  // The check counts also those that it did not keep.
  const counts: Partial<Record<Severity, number>> = { ...check?.counts };
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  return { findings: list.findings, counts };
}

function verdict(counts: Counts, stopped: StopReason | undefined, recommendation: Recommendation): Verdict {
  if (stopped === 'in-use') return 'in-use';
  if (stopped === 'missing' && recommendation !== 'start' && recommendation !== 'refuse') return 'unreadable';
  return verdictOf(counts);
}

function recommendationOf({ check, revision, stopped, situation, expected, tools }: DecisionInputs, counts: Counts) {
  const { multiNode = false, othersReachable, etcdVersion } = expected;
  const isOnlyRepairable = verdictOf(counts) === 'repairable';
  return recommend({
    counts,
    inUse: stopped === 'in-use',
    missing: stopped === 'missing',
    mendedByEtcd:
      isOnlyRepairable &&
      check !== undefined &&
      tools.startsWithoutLoss(check, etcdVersion ?? check.dataDir?.etcdVersion ?? ''),
    usableBase: isUsable(situation.store, revision?.reached ?? null, counts),
    multiNode,
    othersReachable,
  });
}

/** Whether a restore gives more than the directory has. */
function isUsable({ restorable }: StoreState, reached: bigint | null, counts: Counts): boolean {
  if (restorable === null) return false;
  const isLost = (counts.corrupt ?? 0) > 0;
  return isLost || reached === null || BigInt(restorable) > reached;
}

const GUARD_CODES: readonly string[] = ['VALIDATE_GUARD_DIFFERS', 'VALIDATE_GUARD_UNREADABLE'];

function referenceStatus(inputs: DecisionInputs, counts: Counts): ReferenceStatus {
  const { dir, stopped, findings, revision, situation, expected } = inputs;
  const has = (code: string): boolean => findings.some((finding) => finding.code === code);
  const { invalid, unreadable } = structureOf(dir);
  const folderUnreadable = unreadable.length > 0;
  const guardRefuses = GUARD_CODES.some(has);
  const belowRevision = has('VALIDATE_BELOW_REVISION');
  const named = findings.filter(({ severity }) => severity === 'refuse').length;
  const dbRevision = revision?.dbRevision ?? 'read';
  const status = statusOf({
    guardRefuses,
    inUse: stopped === 'in-use',
    missing: stopped === 'missing',
    invalidStructure: invalid,
    folderUnreadable,
    belowRevision,
    refused: (counts.refuse ?? 0) > named,
    corrupt: (counts.corrupt ?? 0) > 0,
    dbRevision,
    stale: (counts.stale ?? 0) > 0,
    unknown: (counts.unknown ?? 0) > 0,
  });
  if (expected.multiNode !== true || situation.store.state !== 'found') return status;
  return filterForMultiNode(status, { fromContent: dbRevision === 'read', folderUnreadable });
}

function examined({
  check,
  situation,
  stopped,
  revision,
}: DecisionInputs): Pick<CheckReport, 'examined' | 'notExamined'> {
  const done = [...(check?.examined ?? [])];
  const left = [...(check?.notExamined ?? [])];
  const { guard, store } = situation;
  if (guard.state === 'skipped') left.push('whether it is the right volume: no owner was named');
  else done.push('guard file of the volume');
  if (stopped !== undefined) left.push('everything else');
  else if (store.state === 'none') left.push('whether it is older than its backups: no store was named');
  else if (revision?.reached === null || store.state === 'unreadable')
    left.push('whether it is older than its backups');
  else done.push('revision compared with the backups');
  return { examined: done, notExamined: left };
}

function emptyReport({ dir, situation }: DecisionInputs): CheckReport {
  return {
    schema: 1,
    path: dir.path,
    kind: 'data-dir',
    level: situation.mode,
    verdict: 'healthy',
    findings: [],
    counts: {},
    examined: [],
    notExamined: [],
    bytesRead: 0,
    elapsedMs: 0,
  };
}

const NO_REVISIONS: ValidationRevisions = {
  db: null,
  compactFinished: null,
  compactScheduled: null,
  effective: null,
  afterWalReplay: null,
  atMost: null,
  store: null,
};

function raftOf(check: CheckReport | undefined): ValidationRaft {
  const { clusterId = null, memberId = null, term = null, vote = null, commit = null } = check?.dataDir ?? {};
  const { firstIndex = null, lastIndex = null, consistentIndex = null, dbTerm = null } = check?.dataDir ?? {};
  const { snapshots = [] } = check?.dataDir ?? {};
  return { clusterId, memberId, term, vote, commit, firstIndex, lastIndex, consistentIndex, dbTerm, snapshots };
}
