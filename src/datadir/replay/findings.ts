/**
 * Every finding of a replay: what applying the entries of a log to a db cannot decide by itself.
 * docs/findings.md is made from this table.
 */
import type { FindingDefinition, FindingPlace, Severity } from '../../finding-table.ts';

/** The arguments of each code. */
export interface ReplayFindingArgs {
  REPLAY_NOT_COMMITTED: { entries: string; first: string; last: string; taken: 'yes' | 'no' };
  REPLAY_PANICS: { index: string; version: string; words: string; left: string };
  REPLAY_LOG_CUT: { lastIndex: string; needed: string };
  REPLAY_LOG_BEHIND: { lastIndex: string; consistentIndex: string };
  REPLAY_NO_START: { version: string; words: string };
  REPLAY_REBUILT: { reason: string };
  REPLAY_RANGES_DECIDE: { transactions: string };
  REPLAY_MEMBER_REMOVED: { index: string; member: string };
  REPLAY_V2_REQUESTS: { requests: string };
  REPLAY_PASSWORDS_HASHED: { users: string };
  REPLAY_MEMBERS_DIFFER: { stored: string; configuration: string };
}

export type ReplayFindingCode = keyof ReplayFindingArgs;

/** A union on `code`, which tells the arguments. */
export type ReplayFinding = {
  [Code in ReplayFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<ReplayFindingArgs[Code]>;
  };
}[ReplayFindingCode];

export const replayFindings: Readonly<Record<ReplayFindingCode, FindingDefinition>> = {
  REPLAY_NOT_COMMITTED: {
    severity: 'info',
    message: ({ args }) =>
      `${args['entries']} entries (${args['first']} to ${args['last']}) are not known to be committed, and ` +
      (args['taken'] === 'yes' ? 'were taken all the same' : 'were left out'),
    remedy: 'take them too with --tail all if this log is the longest of a majority of the members',
    meaning: 'The log of one of several members may end with entries that no majority has: only the others can tell.',
    peer: 'asks the other members, and keeps or replaces them',
  },
  REPLAY_PANICS: {
    severity: 'refuse',
    message: ({ args }) =>
      `etcd ${args['version']} panics at entry ${args['index']}: ${args['words']}; it and what follows, ${args['left']} entries, were not applied`,
    remedy:
      'replay as another release with --etcd-version, or let the release that wrote the log make a snapshot first',
    meaning:
      'The log holds an entry that this release cannot apply, such as a request of the v2 API or of a newer release.',
    peer: 'panics each time it is started',
  },
  REPLAY_LOG_CUT: {
    severity: 'corrupt',
    message: ({ args, severity }) =>
      `the log can be read up to entry ${args['lastIndex']}` +
      (args['needed'] !== args['lastIndex']
        ? `; entry ${args['needed']} was committed or is in the db`
        : severity === 'corrupt'
          ? ', and more was written behind'
          : '; what follows is a torn write'),
    remedy: 'restore from a backup, or take another member of the cluster; wal check tells what is damaged',
    meaning: 'Entries behind a damaged place of the log are never used: what lies between is not known.',
    milder: {
      severity: 'repairable',
      when: 'only a torn last write was cut off, as etcd does',
      remedy: 'nothing to do: what was cut off was never acknowledged',
    },
    peer: 'cuts a torn end off, and does not start on other damage',
  },
  REPLAY_LOG_BEHIND: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the log ends at entry ${args['lastIndex']}, the db has those up to ${args['consistentIndex']}: nothing was applied`,
    remedy: 'the end of the log is lost: restore from a backup, or take another member of the cluster',
    meaning: 'Entries reach the log before the db, so a log that ends earlier has lost its end.',
    peer: 'starts, and does not apply new entries until the log has grown past the index of the db',
  },
  REPLAY_NO_START: {
    severity: 'refuse',
    message: ({ args }) => `etcd ${args['version']} itself does not start on this log: ${args['words']}`,
    remedy: 'check DIR tells what is wrong; the result has what could be read',
    meaning:
      'The result was made from the entries that can be read, although the release gives up on the log as it is.',
    peer: 'does not start',
  },
  REPLAY_REBUILT: {
    severity: 'repairable',
    message: ({ args }) => `everything was rebuilt from the log, because ${args['reason']}`,
    remedy: 'check DIR tells what is wrong with the db; the result can take its place',
    meaning:
      'The db is missing, damaged, or older than the snapshot that the log begins with. A log that reaches back to the first entry has everything that was ever in it.',
    peer: 'without a db it panics, or begins with the first entry; with a damaged one it crashes',
  },
  REPLAY_RANGES_DECIDE: {
    severity: 'info',
    message: ({ args }) =>
      `${args['transactions']} transactions were applied only because a replay leaves out what they read: the lost db may not have had them`,
    remedy: 'compare with another member if there is one',
    meaning:
      'Up to 3.6 a replayed transaction is applied without its reads. One that failed because of a read when it was made is applied then. A db that is rebuilt from the log may have seen it fail.',
    peer: 'applies them too when it has to begin with the first entry',
  },
  REPLAY_MEMBER_REMOVED: {
    severity: 'info',
    message: ({ args }) => `entry ${args['index']} removes the member itself (${args['member']}) from the cluster`,
    remedy: 'take the data from a member that is still in the cluster',
    meaning: 'A member that was removed stops, and gets no further entries.',
    peer: 'applies what it has, and stops',
  },
  REPLAY_V2_REQUESTS: {
    severity: 'info',
    message: ({ args }) => `${args['requests']} requests of the v2 API change nothing in the db and were passed over`,
    remedy: 'nothing to do, unless keys of the v2 API are in use; wal info counts them by kind',
    meaning:
      'The keys of the v2 API are not in the db but in .snap files. Each look at /health of 3.4 leaves such a request.',
    peer: '3.4 and 3.5 apply them to the v2 store',
  },
  REPLAY_PASSWORDS_HASHED: {
    severity: 'info',
    message: ({ args }) => `${args['users']} passwords stand in the log as they are and were hashed anew`,
    remedy: 'nothing to do: the passwords are the same, only the salt differs from that of other members',
    meaning: 'Old releases log the password itself, and each member makes a hash of its own when it applies the entry.',
    peer: 'hashes them anew as well, each time it applies the entry',
  },
  REPLAY_MEMBERS_DIFFER: {
    severity: 'info',
    message: ({ args }) =>
      `bucket members has ${args['stored']}, the configuration of the log ${args['configuration']}`,
    remedy: 'a release from 3.6 on goes by the bucket: check DIR --etcd-version tells whether it starts',
    meaning:
      'Changes of members are applied to the bucket here. 3.4 and 3.5 go by the log and the .snap file; their restore leaves the old members in the bucket.',
    peer: '3.4 and 3.5 do not look at the bucket',
  },
};
