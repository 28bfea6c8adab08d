/**
 * The commands that change a copy: of a data directory, or of a db.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { ArgumentSpec, Command, OptionSpec } from '../command.ts';
import { DATA_PATH, OUTPUT, REPLAY_OPTIONS, WAL_DIR } from './common.ts';

const OUT_DIR: OptionSpec = { ...OUTPUT, summary: 'the new data directory; it must not exist, or be empty' };
const OUT_ANY: OptionSpec = {
  ...OUTPUT,
  summary: 'the copy; a file must not exist, a directory must not exist or be empty',
};

const COPY_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  'wal-dir': WAL_DIR,
  'output-wal-dir': {
    type: 'string',
    value: 'DIR',
    summary: 'the new directory of the log (default: in the new data directory)',
  },
};

const DATA_DIR: OptionSpec = {
  type: 'string',
  value: 'DIR',
  required: true,
  summary: 'the data directory of the only member that votes; it is only read',
};

const DATA_DIR_AS_PATH: OptionSpec = { type: 'string', value: 'DIR', summary: 'the same as PATH, as etcdutl takes it' };

const PEER_URLS: OptionSpec = {
  type: 'string',
  value: 'URLS',
  required: true,
  summary: 'its peer URLs, separated by commas',
};

const MEMBER_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  'data-dir': DATA_DIR,
  output: OUT_DIR,
  ...COPY_OPTIONS,
  ...REPLAY_OPTIONS,
};

const MEMBER_ID: ArgumentSpec = {
  name: 'ID',
  summary: 'the id of the member in hexadecimal digits, as members lists it',
};

const ALONE =
  'Only where the member of the directory is the only one that votes: the logs of others would not have the change. Otherwise change members of the running cluster, or, if its quorum is lost, take recluster first.';

const A_COPY =
  'The original is only read. The copy gets its name when it is whole, on the disk, and was checked; then start etcd on it, or put it in the place of the original.';

const PATH: ArgumentSpec = { ...DATA_PATH, optional: true };

/** In the order in which help lists them. */
export const CHANGE_COMMANDS: readonly Command[] = [
  {
    words: ['recluster'],
    summary: 'make a member the only one of its cluster, in a copy of its data directory: for a lost quorum',
    details: [
      "Does what etcd's --force-new-cluster does, without a server: keeps the ids of member and cluster and all data, and removes all other members. All entries of the log count as committed, so that every acknowledged write is there that this member had. The copy starts without any flag, on the release whose data it is.",
      'Take the directory of the member whose log has the greatest last term and index (wal info tells them). The other members must not be started again: they join anew, with empty directories.',
      A_COPY,
    ],
    arguments: [{ name: 'DIR', summary: 'the data directory: what etcd gets as --data-dir', complete: 'file' }],
    options: { output: OUT_DIR, ...COPY_OPTIONS, ...REPLAY_OPTIONS },
    example: ['DIR', '-o', 'OUT'],
    load: () => import('../commands/recluster.ts'),
  },
  {
    words: ['member', 'add'],
    summary: 'add a member as learner, in a copy of a data directory',
    details: [
      ALONE,
      'The new member is a learner until it is promoted (etcdctl member promote). With --voter it votes at once: then nothing can be written until it runs.',
      A_COPY,
    ],
    arguments: [{ name: 'NAME', summary: 'the name that it will have; only for what is printed', optional: true }],
    options: {
      'peer-urls': PEER_URLS,
      learner: { type: 'boolean', summary: 'accepted, as etcdctl takes it: it is a learner anyway' },
      voter: { type: 'boolean', summary: 'it votes at once' },
      ...MEMBER_OPTIONS,
    },
    example: ['--data-dir', 'DIR', '-o', 'OUT', '--peer-urls', 'http://127.0.0.1:1'],
    load: () => import('../commands/member-add.ts'),
  },
  {
    words: ['member', 'remove'],
    summary: 'remove a member, in a copy of a data directory',
    details: [ALONE, A_COPY],
    arguments: [MEMBER_ID],
    options: MEMBER_OPTIONS,
    example: ['MEMBER', '--data-dir', 'DIR', '-o', 'OUT'],
    load: () => import('../commands/member-remove.ts'),
  },
  {
    words: ['member', 'update'],
    summary: 'give a member other peer URLs, in a copy of a data directory',
    details: [ALONE, A_COPY],
    arguments: [MEMBER_ID],
    options: { 'peer-urls': PEER_URLS, ...MEMBER_OPTIONS },
    example: ['MEMBER', '--data-dir', 'DIR', '-o', 'OUT', '--peer-urls', 'http://127.0.0.1:1'],
    load: () => import('../commands/member-update.ts'),
  },
  {
    words: ['defrag'],
    summary: 'copy a db, a snapshot file or a data directory without free pages in the db',
    details: [`Nothing else changes. A snapshot file gets a new sha256. ${A_COPY}`],
    arguments: [PATH],
    options: { output: OUT_ANY, 'data-dir': DATA_DIR_AS_PATH, ...COPY_OPTIONS },
    example: ['DB', '-o', 'OUT'],
    load: () => import('../commands/defrag.ts'),
  },
  {
    words: ['compact'],
    summary: 'compact the history of keys, in a copy of a db, a snapshot file or a data directory',
    details: [
      'As etcdctl compact, with what the server then takes away: of each key the newest record at or below the revision stays, unless it is a deletion, and everything above. The db has no free pages then.',
      'Of a data directory only where the member is the only one that votes and the db has all entries of the log: what is compacted is agreed on by all members.',
      A_COPY,
    ],
    arguments: [DATA_PATH],
    options: {
      rev: { type: 'string', value: 'N', integer: { min: 1 }, required: true, summary: 'the revision to compact at' },
      output: OUT_ANY,
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary:
          'whose rule for a deletion at the very revision: 3.4 takes it away, later ones keep it (default: that of the data)',
      },
      ...COPY_OPTIONS,
    },
    example: ['DB', '--rev', 'REVISION', '-o', 'OUT'],
    load: () => import('../commands/compact.ts'),
  },
  {
    words: ['migrate'],
    summary: 'bring the storage version of a db to that of another release, in a copy',
    details: [
      'As etcdutl migrate, for every release from 3.5 on: going down needs a log without entries that the target does not understand. The version of the cluster is another thing, and stays as it is: the command tells if the target does not start on the copy yet.',
      A_COPY,
    ],
    arguments: [PATH],
    options: {
      'target-version': { type: 'string', value: '3.x', choices: ETCD_MINORS, required: true, summary: 'the release' },
      force: { type: 'boolean', summary: 'go on where the target might not understand something' },
      output: OUT_ANY,
      'data-dir': DATA_DIR_AS_PATH,
      ...COPY_OPTIONS,
    },
    example: ['DB', '--target-version', '3.6', '-o', 'OUT'],
    load: () => import('../commands/migrate.ts'),
  },
  {
    words: ['alarm', 'disarm'],
    summary: 'take back alarms, in a copy of a db, a snapshot file or a data directory',
    details: [
      'What raised an alarm is still there: after NOSPACE compact and defrag come first, after CORRUPT find out which member is wrong.',
      'Of a data directory only where the member is the only one that votes and the db has all entries of the log: with an alarm that others still have, members would come to differ.',
      A_COPY,
    ],
    arguments: [DATA_PATH],
    options: {
      type: { type: 'string', choices: ['NOSPACE', 'CORRUPT'], anyCase: true, summary: 'only alarms of this type' },
      member: { type: 'string', value: 'ID', summary: 'only alarms of this member, in hexadecimal digits' },
      output: OUT_ANY,
      ...COPY_OPTIONS,
    },
    example: ['DB', '-o', 'OUT'],
    load: () => import('../commands/alarm-disarm.ts'),
  },
];
