/**
 * The commands for `.snap` files.
 */
import type { ArgumentSpec, Command } from '../command.ts';
import { MAX_FINDINGS } from './common.ts';

const SNAP_PATH: ArgumentSpec = {
  name: 'PATH',
  summary: 'a .snap file, a member/snap folder, or a data directory',
  complete: 'file',
};

/** In the order in which help lists them. */
export const SNAP_COMMANDS: readonly Command[] = [
  {
    words: ['snap', 'show'],
    summary: 'print what a .snap file holds: index, term, raft configuration, members',
    details: [
      'Of a directory the newest file is shown; whether the log has a record of it is not looked at.',
      'Values of v2 keys are not shown, nor anything of v2 users but their number.',
    ],
    arguments: [SNAP_PATH],
    options: {
      'max-keys': {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        default: '100',
        summary: 'list at most so many keys of the v2 API; all are counted',
      },
    },
    example: ['SNAP'],
    load: () => import('../commands/snap-show.ts'),
  },
  {
    words: ['snap', 'check'],
    summary: 'verify a .snap file, or all that a member has',
    details: [
      'Nothing is renamed: etcd up to 3.6 sets files aside that it cannot read, this command only tells which.',
      'Only the newest file matters to a start, so damage of an older one is for information.',
    ],
    arguments: [SNAP_PATH],
    options: { 'max-findings': MAX_FINDINGS },
    example: ['SNAP'],
    load: () => import('../commands/snap-check.ts'),
  },
];
