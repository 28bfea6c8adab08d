/**
 * What findings about a directory as a whole do to a start.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';
import type { DataDirFindingCode } from '../findings.ts';
import { type Effect, type EffectRule, NONE } from './effect.ts';
import {
  dbLocked,
  folderIsNone,
  MEMBER_REMOVED,
  MEMBER_UNKNOWN,
  NO_VOTERS_LEFT,
  publishFailed,
  V2_CONTENT,
} from './words.ts';

const LAYOUT: EffectRule = { explains: ['layout', 'no-log'] };
const NO_LOG: EffectRule = { explains: ['no-log'] };
const DB_BEHIND: EffectRule = { explains: ['db-behind'] };
const DB_AHEAD: EffectRule = { explains: ['db-ahead'] };
const IN_LOG: EffectRule = { explains: ['log'] };

/** Nobody votes for it, or its own vote does not count: no leader, so nothing is ever applied. */
const leaderless = (minor: EtcdMinor, certain: boolean): Effect => ({
  stage: 'serve',
  outcome: 'hangs',
  words: publishFailed(minor),
  certain,
  serves: 'nobody',
});

const IN_LOG_TOO = 'its log';

/**
 * 3.6 panics as soon as it sets its own attributes, 3.7 counts votes by the members of the db; but that is a matter of how the
 * member is missing there, which only the level `deep` looks at. Older ones do not go by these members.
 */
function notInDb(minor: EtcdMinor, { level }: CheckReport): Effect | undefined {
  if (minor === '3.7') return leaderless(minor, level === 'deep');
  return minor === '3.6' ? { stage: 'apply', outcome: 'panics', words: MEMBER_UNKNOWN, certain: true } : undefined;
}

/** Whoever has no vote by its own log never gets to apply anything. */
function notAMember({ args }: AnyFinding, minor: EtcdMinor, report: CheckReport): Effect | undefined {
  if (args['where'] === IN_LOG_TOO) return leaderless(minor, true);
  return hasNoVote(report) ? undefined : notInDb(minor, report);
}

function hasNoVote({ findings }: CheckReport): boolean {
  return (findings as readonly AnyFinding[]).some(
    ({ code, args }) => code === 'DIR_NOT_A_MEMBER' && args['where'] === IN_LOG_TOO,
  );
}

/** Members of the db that raft does not have: 3.6 lists them, 3.7 waits for their votes. */
function unfit({ args }: AnyFinding, minor: EtcdMinor, report: CheckReport): Effect | undefined {
  if (args['reason']?.includes('is not among them') === true) return notInDb(minor, report);
  return minor === '3.7' ? leaderless(minor, false) : undefined;
}

/** A file where a folder should be; that of the log is replaced by a new one. */
function notADirectory({ file = '' }: AnyFinding, minor: EtcdMinor): Effect | undefined {
  const name = file.endsWith('snap') ? 'snap' : file.endsWith('member') ? 'member' : undefined;
  if (name === undefined) return undefined;
  return { stage: 'layout', outcome: 'refuses', words: folderIsNone(minor, name), certain: true };
}

export const dirEffects: Readonly<Partial<Record<DataDirFindingCode, EffectRule>>> = {
  DIR_IN_USE: {
    effect: (_finding, minor) => ({ stage: 'open-db', outcome: 'hangs', words: dbLocked(minor), certain: true }),
  },
  DIR_NOTHING_THERE: LAYOUT,
  DIR_LAYOUT_2_0: LAYOUT,
  DIR_PROXY: LAYOUT,
  DIR_PROXY_BESIDE_MEMBER: LAYOUT,
  DIR_NOT_A_DIRECTORY: { effect: notADirectory, explains: ['no-log'] },
  DIR_UNREADABLE: { effect: () => ({ stage: 'layout', outcome: 'refuses', words: '', certain: false }) },
  DIR_NAMES_STRANGE: NONE,
  DIR_LEFTOVERS: NONE,
  DIR_DB_MISSING: DB_BEHIND,
  DIR_WAL_MISSING: NO_LOG,
  DIR_WAL_NOT_BEGUN: NO_LOG,
  DIR_INDEX_BEYOND_LOG: DB_AHEAD,
  DIR_INDEX_BEYOND_COMMIT: NONE,
  DIR_TERM_BEYOND_LOG: NONE,
  DIR_TERM_DIFFERS: NONE,
  DIR_DB_BEHIND_SNAPSHOT: DB_BEHIND,
  DIR_DB_RECEIVED: NONE,
  DIR_INDEX_TOO_LOW: NONE,
  DIR_INDEX_TOO_HIGH: NONE,
  DIR_RESTORED_DIFFERS: NONE,
  DIR_NOT_A_MEMBER: { effect: notAMember },
  DIR_MEMBER_NOT_YET_ADDED: NONE,
  DIR_MEMBER_REMOVED: {
    effect: () => ({ stage: 'serve', outcome: 'refuses', words: MEMBER_REMOVED, certain: false }),
  },
  DIR_MEMBERS_DIFFER: NONE,
  DIR_MEMBERS_UNFIT: { effect: unfit },
  DIR_MEMBERS_AGAIN: {
    effect: () => ({ stage: 'members', outcome: 'panics', words: NO_VOTERS_LEFT, certain: true }),
  },
  DIR_V2_REQUESTS: IN_LOG,
  DIR_V2_CONTENT: {
    effect: (_finding, minor) =>
      minor === '3.6' ? { stage: 'snapshot', outcome: 'refuses', words: V2_CONTENT, certain: true } : undefined,
  },
  DIR_SNAP_ORPHAN: NONE,
  DIR_SNAP_RECORDS_MISSING: NONE,
  DIR_SNAP_FILE_MISSING: NONE,
  DIR_NO_SNAPSHOT: IN_LOG,
};
