/**
 * What damage of what etcd keeps in the db does to a start. Most of it is never looked at: a server starts, and serves what is there.
 */
import type { BackendFindingCode } from '../../backend/findings.ts';
import { AUTH, CLUSTER, META } from '../../backend/format.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';
import { type Effect, type EffectRule, goesByDb, NONE, type Stage } from './effect.ts';
import { clusterVersionNewer, discoveryFailed, MEMBER_UNKNOWN } from './words.ts';

const panic = (stage: Stage, words: string, certain = true): Effect => ({ stage, outcome: 'panics', words, certain });
const refusal = (stage: Stage, words: string, certain = true): Effect => ({
  stage,
  outcome: 'refuses',
  words,
  certain,
});

/** Only 3.6 and later read it, and panic. */
const since3_6 = (stage: Stage, words: string): EffectRule => ({
  effect: (_finding, minor) => (goesByDb(minor) ? panic(stage, words) : undefined),
});

/** Keys in findings are printable text in quotes. */
const hasKey = ({ key }: AnyFinding, name: string): boolean => key === `"${name}"`;

const UNMARSHAL_RECORD = (minor: EtcdMinor): string =>
  minor === '3.4' ? 'mvcc: cannot unmarshal event: ' : 'failed to unmarshal mvccpb.KeyValue ';

/** A revision that is not 17 bytes with an underscore: 3.6 and later look at its form, older ones read what is there. */
function revisionForm({ args }: AnyFinding, minor: EtcdMinor): Effect | undefined {
  const isSeparator = args['reason']?.includes('underscore') === true;
  if (goesByDb(minor)) return panic('content', isSeparator ? 'invalid separator in bucket key: ' : '', isSeparator);
  return isSeparator ? undefined : { stage: 'content', outcome: 'goes-on', words: '', certain: false };
}

function metaUnreadable(finding: AnyFinding, minor: EtcdMinor): Effect | undefined {
  if (finding.severity !== 'corrupt') return undefined;
  if (hasKey(finding, META.finishedCompact) || hasKey(finding, META.scheduledCompact)) {
    // How it is wrong is not in the finding: by its length, its separator, or its sub revision.
    return goesByDb(minor) ? panic('content', '', false) : undefined;
  }
  const isNumber = hasKey(finding, META.consistentIndex) || hasKey(finding, META.term);
  return isNumber ? panic('open-db', 'runtime error: index out of range', false) : undefined;
}

function authUnreadable(finding: AnyFinding): Effect | undefined {
  return hasKey(finding, AUTH.revision)
    ? panic('content', 'runtime error: index out of range [7] with length ')
    : undefined;
}

/** Users are read at the start only where authentication is enabled. */
const isAuthEnabled = ({ backend }: CheckReport): boolean => backend?.authEnabled === true;

function userUnreadable(_finding: AnyFinding, minor: EtcdMinor, report: CheckReport): Effect {
  const words = minor === '3.4' ? 'failed to unmarshal user struct: ' : "failed to unmarshal 'authpb.User' ";
  return panic('content', words, isAuthEnabled(report));
}

function newerCluster(_finding: AnyFinding, minor: EtcdMinor, { snap }: CheckReport): Effect {
  const words = clusterVersionNewer(minor);
  if (goesByDb(minor)) return panic('members', words);
  // Older ones go by the v2 store: what the newest .snap file says of it, or entries behind it.
  const version = snap?.newest?.version;
  const isSure = typeof version === 'string' && isNewer(version, minor);
  return refusal('members', words, isSure);
}

function isNewer(version: string, minor: EtcdMinor): boolean {
  const [major = 0, own = 0] = version.split('.').map(Number);
  const [, theirs = 0] = minor.split('.').map(Number);
  return major > 3 || (major === 3 && own > theirs);
}

function ownMemberId({ key }: AnyFinding, minor: EtcdMinor, { dataDir }: CheckReport): Effect | undefined {
  if (!goesByDb(minor)) return undefined;
  const id = dataDir?.memberId;
  const isOwn = typeof id === 'string' && key === `"${BigInt(id).toString(16)}"`;
  return panic('apply', MEMBER_UNKNOWN, isOwn);
}

/** Members that the cluster takes at most without a vote, unless told otherwise. */
const MAX_LEARNERS = 1;

export const backendEffects: Readonly<Record<BackendFindingCode, EffectRule>> = {
  BACKEND_BUCKET_MISSING: { explains: ['db-behind'] },
  BACKEND_BUCKET_UNKNOWN: NONE,
  BACKEND_KEY_UNKNOWN: NONE,
  BACKEND_REVISION_KEY: { effect: revisionForm },
  BACKEND_TOMBSTONE_MARK: NONE,
  BACKEND_RECORD_UNREADABLE: { effect: (_finding, minor) => refusal('content', UNMARSHAL_RECORD(minor)) },
  BACKEND_RECORD_EMPTY: NONE,
  BACKEND_RECORD_ENCODING: NONE,
  BACKEND_USER_KEY_EMPTY: NONE,
  BACKEND_MOD_REVISION: NONE,
  BACKEND_CREATE_REVISION: NONE,
  BACKEND_VERSION: NONE,
  BACKEND_TOMBSTONE_FIELDS: NONE,
  BACKEND_REVISION_TWICE: NONE,
  BACKEND_REVISION_GAP: NONE,
  BACKEND_SUB_REVISION_GAP: NONE,
  BACKEND_KEY_TWICE: NONE,
  BACKEND_KEY_BEGINNING: NONE,
  BACKEND_KEY_SIMILAR: NONE,
  BACKEND_VERSION_JUMP: NONE,
  BACKEND_GENERATION: NONE,
  BACKEND_TOMBSTONE_WITHOUT_KEY: NONE,
  BACKEND_COMPACTION_LEFTOVER: NONE,
  BACKEND_META_UNREADABLE: { effect: metaUnreadable, explains: ['db-behind'] },
  BACKEND_CONSISTENT_INDEX: { explains: ['db-behind'] },
  BACKEND_TERM_ZERO: NONE,
  BACKEND_COMPACT_ORDER: NONE,
  BACKEND_COMPACT_UNSCHEDULED: NONE,
  BACKEND_COMPACT_PENDING: NONE,
  BACKEND_COMPACT_BEYOND_LAST: NONE,
  BACKEND_CONF_STATE_DIFFERS: NONE,
  BACKEND_CLUSTER_UNREADABLE: {
    effect: (finding, minor) => {
      if (goesByDb(minor)) return panic('members', '');
      return minor === '3.5' && hasKey(finding, CLUSTER.downgrade) ? panic('members', '', false) : undefined;
    },
  },
  BACKEND_CLUSTER_VERSION_NEWER: { effect: newerCluster },
  BACKEND_STORAGE_VERSION_UNSUPPORTED: {
    effect: ({ args }, minor) =>
      goesByDb(minor) ? refusal('schema', discoveryFailed(`version "${args['version']}" is not supported`)) : undefined,
  },
  BACKEND_STORAGE_VERSION_WITHOUT_TERM: NONE,
  BACKEND_VERSIONS_DIFFER: NONE,
  BACKEND_DOWNGRADE_ENABLED: {
    effect: ({ args }, minor) =>
      minor === '3.5' && args['targetVersion']?.startsWith('3.5.') !== true
        ? refusal('members', 'not allowed to join when downgrade is enabled', false)
        : undefined,
  },
  BACKEND_LEASE_UNREADABLE: { effect: () => panic('content', 'failed to Unmarshal lease proto item') },
  BACKEND_LEASE_ID: NONE,
  BACKEND_LEASE_TTL: NONE,
  BACKEND_LEASE_REMAINING: NONE,
  BACKEND_LEASE_MISSING: NONE,
  BACKEND_AUTH_UNREADABLE: { effect: authUnreadable },
  BACKEND_AUTH_REVISION_MISSING: NONE,
  BACKEND_AUTH_ROOT_MISSING: NONE,
  BACKEND_USER_UNREADABLE: { effect: userUnreadable },
  BACKEND_ROLE_UNREADABLE: {
    effect: (_finding, minor, report) =>
      minor === '3.4' ? panic('content', 'failed to unmarshal role struct: ', isAuthEnabled(report)) : undefined,
  },
  BACKEND_AUTH_NAME: NONE,
  BACKEND_USER_ROLES_UNSORTED: NONE,
  BACKEND_USER_ROLE_UNKNOWN: NONE,
  BACKEND_MEMBER_UNREADABLE: since3_6('members', "couldn't read members from backend"),
  BACKEND_MEMBER_ID: { effect: ownMemberId },
  BACKEND_MEMBER_KEY_FORM: NONE,
  BACKEND_MEMBER_REMOVED: {
    effect: (_finding, minor) =>
      goesByDb(minor) ? { stage: 'serve', outcome: 'goes-on', words: '', certain: false } : undefined,
  },
  BACKEND_MEMBER_PECULIAR: NONE,
  BACKEND_LEARNERS: {
    effect: ({ args }, minor) =>
      goesByDb(minor) && Number(args['learners']) > MAX_LEARNERS ? refusal('members', '', false) : undefined,
  },
  BACKEND_ALARM_UNREADABLE: { effect: () => panic('content', '', false) },
  BACKEND_ALARM_CORRUPT: {
    effect: ({ severity }) =>
      severity === 'corrupt'
        ? { stage: 'serve', outcome: 'goes-on', words: '', certain: true, serves: 'nobody' }
        : undefined,
  },
  BACKEND_ALARM: {
    effect: ({ args }) =>
      args['type'] === 'NOSPACE'
        ? { stage: 'serve', outcome: 'goes-on', words: '', certain: true, serves: 'reads' }
        : undefined,
  },
  BACKEND_TRAILER_WRONG: NONE,
  BACKEND_TRAILER_CUT: NONE,
  BACKEND_TRAILER_MISSING: NONE,
};
