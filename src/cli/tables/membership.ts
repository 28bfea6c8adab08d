/**
 * The commands for members, leases, users and alarms.
 */
import type { Command } from '../command.ts';
import { DATA_PATH, FORM_OF_VERSION, WAL_DIR, WRITE_OUT } from './common.ts';

/** In the order in which help lists them. */
export const MEMBERSHIP_COMMANDS: readonly Command[] = [
  {
    words: ['members'],
    summary: 'list the members of the cluster, and those that were removed',
    details: [
      'Also tells the version of the cluster and whether a downgrade is under way. The id of the cluster is in the log only: it is known for a data directory, not for a db or a snapshot file.',
      'Servers of 3.6 and later go by these records. Those of 3.4 and 3.5 write them, but go by the log and the .snap files: a restore by 3.4 leaves the members of the old cluster here.',
      '--json is the JSON of `etcdctl member list`, with more fields behind it: removed, clusterId, clusterVersion, downgrade, authoritative (whether servers go by these records) and unreadable. The header has the ids and the last term of the log; without a log it is empty, and zero in the other forms.',
    ],
    arguments: [DATA_PATH],
    options: { 'write-out': WRITE_OUT, 'etcd-version': FORM_OF_VERSION, 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/members.ts'),
  },
  {
    words: ['leases'],
    summary: 'list the leases with their time to live and the keys attached to them',
    details: [
      'When a lease ends is not stored: a server counts anew when it becomes the leader, from the time to live or, if there was a checkpoint, from what was left then.',
      'Keys that name a lease which is not there are listed too: they never expire.',
      'Reads all of the keys once. Memory grows with the keys that have a lease.',
    ],
    arguments: [DATA_PATH],
    options: { 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/leases.ts'),
  },
  {
    words: ['auth'],
    summary: 'list users, roles and permissions, and tell whether they matter',
    details: [
      'Hashes of passwords are never shown, only whether there is one. Role root may do everything, whatever is stored for it.',
    ],
    arguments: [DATA_PATH],
    options: { 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/auth.ts'),
  },
  {
    words: ['alarms'],
    summary: 'list the alarms that were raised and not disarmed',
    details: [
      'Alarms survive a restore, with the ids of the old members: a restored cluster may refuse writes until it is told `etcdctl alarm disarm`.',
    ],
    arguments: [DATA_PATH],
    options: { 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/alarms.ts'),
  },
];
