/**
 * The command `snapshot`.
 */
import type { Command } from '../command.ts';
import { OUTPUT, REPLAY_OPTIONS, WAL_DIR } from './common.ts';

export const SNAPSHOT_COMMANDS: readonly Command[] = [
  {
    words: ['snapshot'],
    summary: "make a snapshot file from a stopped member's data directory",
    details: [
      'Does what etcd does when it starts: applies to the db the entries that only the log has, and writes the result to OUT with the sha256 that etcdctl snapshot save puts at the end. DIR is only read. OUT gets its name when it is whole, on the disk, and was checked.',
      'A lone voter keeps all entries of its log when it starts. One of several keeps those that a majority has, which its directory does not tell: entries above the stored commit index are counted and left out, unless --tail all takes them. Of several directories of one cluster, take the one whose log has the greatest last term and index.',
      'Without a usable db everything is rebuilt from the log, if that still reaches back to the first entry. Where there is nothing to begin with, the command ends with 1 and writes nothing.',
      'Releases differ in what they do with the same entries: --etcd-version says whose rules to follow. Where that release would panic, OUT has what comes before that entry, and the command ends with 1. So it does, with OUT written, if the log is damaged and committed entries are missing.',
      'A damaged db is refused, with its findings and exit code 1. A running etcd must be stopped: 4.',
    ],
    arguments: [
      { name: 'DIR', summary: 'the data directory: what etcd gets as --data-dir', complete: 'file' },
      { name: 'OUT', summary: 'the new file; it must not exist', complete: 'file', optional: true },
    ],
    options: {
      output: { ...OUTPUT, required: false, summary: 'the same as OUT' },
      tail: {
        type: 'string',
        choices: ['auto', 'committed', 'all'],
        default: 'auto',
        summary:
          'which entries: those that are certain to be kept, those up to the stored commit index, or all of the log',
      },
      ...REPLAY_OPTIONS,
      'without-db': { type: 'boolean', summary: 'rebuild everything from the log, although there is a db' },
      'wal-dir': WAL_DIR,
    },
    example: ['DIR', 'OUT'],
    load: () => import('../commands/snapshot.ts'),
  },
];
