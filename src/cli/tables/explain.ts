/**
 * The command `explain`.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { Command } from '../command.ts';

export const EXPLAIN_COMMANDS: readonly Command[] = [
  {
    words: ['explain'],
    summary: 'tell what each release of etcd does when it is started on a data directory',
    details: [
      'Which snapshot it begins with, which files it renames, what it cuts off the log, which entries it applies, whether it starts at all, and if not in which words it says so. Nothing is started and nothing is changed.',
      'The findings of a check are the reasons; --level deep also reads every record of the db, in which there may be more of them.',
      'The exit code is 0 if the release starts: the one that --etcd-version names, otherwise that of the directory itself.',
    ],
    arguments: [{ name: 'DIR', summary: 'the data directory', complete: 'file' }],
    options: {
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary: 'tell it for this release only (default: for all)',
      },
      level: {
        type: 'string',
        value: 'LEVEL',
        choices: ['full', 'deep'],
        default: 'full',
        summary: 'how much is looked at: pages, log and snap files; or also every record of the db',
      },
      'wal-dir': { type: 'string', value: 'PATH', summary: 'where the log is, if not in member/wal' },
    },
    example: ['DIR'],
    load: () => import('../commands/explain.ts'),
  },
];
