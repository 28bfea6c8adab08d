/**
 * The table of commands: help, docs/cli.md, shell completion, the parsing of arguments and some tests are made from it.
 */
import { ETCD_MINORS } from '../etcd-version.ts';
import type { Command, OptionSpec } from './command.ts';
import { BOLT_COMMANDS } from './tables/bolt.ts';
import { SURGERY_COMMANDS } from './tables/bolt-surgery.ts';
import { CHANGE_COMMANDS } from './tables/change.ts';
import { MAX_FINDINGS, WAL_DIR } from './tables/common.ts';
import { COMPARE_COMMANDS } from './tables/compare.ts';
import { CREATE_COMMANDS } from './tables/create.ts';
import { EXPLAIN_COMMANDS } from './tables/explain.ts';
import { KEYS_COMMANDS } from './tables/keys.ts';
import { MEMBERSHIP_COMMANDS } from './tables/membership.ts';
import { SNAP_COMMANDS } from './tables/snap.ts';
import { SNAPSHOT_COMMANDS } from './tables/snapshot.ts';
import { STATE_COMMANDS } from './tables/state.ts';
import { VALIDATE_COMMANDS } from './tables/validate.ts';
import { WAL_COMMANDS } from './tables/wal.ts';

/** Options that every command takes. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', summary: 'print one JSON document' },
  quiet: { type: 'boolean', short: 'q', summary: 'no progress and no hints on standard error' },
  'no-color': { type: 'boolean', summary: 'no colours (NO_COLOR and FORCE_COLOR are heeded too)' },
  help: { type: 'boolean', short: 'h', summary: 'show help' },
  version: { type: 'boolean', summary: 'show the version' },
};

/** Groups of commands, for the list in the help text. */
export const GROUPS: Readonly<Record<string, string>> = {
  bolt: 'look into any bolt (bbolt) file, in the words of the bbolt tool',
  'bolt surgery': 'change single pages of a bolt file, always in a copy',
  'bolt surgery freelist': 'the list of free pages, in a copy',
  'bolt surgery meta': 'the two meta pages',
  wal: 'look into write-ahead logs, and repair them in a copy',
  member: 'change the members of a cluster offline, always in a copy of a data directory',
  alarm: 'take back alarms, in a copy',
  snap: 'look into .snap files, where raft snapshots are kept up to etcd 3.7',
};

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    words: ['check'],
    summary: 'run all checks that apply to a file or a data directory and report findings',
    details: [
      'The report gives the verdict first, then the worst finding with its place and what to do about it, then the others, and what was and was not examined.',
      'Levels: sanity looks at both metas and the sizes, full at every page and the sha256 of a snapshot file, deep also at what etcd keeps in the records.',
      'Of a data directory sanity looks at the folders, what the db says of itself and the last segment of the log, full also at all segments, .snap files and pages, deep also at all records; and on each level at whether these parts fit one another.',
      'Level deep of a db remembers every key: memory for the bytes of all keys and 40 bytes a key.',
    ],
    arguments: [
      {
        name: 'PATH',
        summary:
          'a data directory, a bolt db or snapshot file, the directory of a log, a segment, a .snap file or a snap folder',
        complete: 'file',
      },
    ],
    options: {
      level: {
        type: 'string',
        choices: ['sanity', 'full', 'deep'],
        default: 'full',
        summary: 'how much is looked at',
      },
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary:
          'the release that is to be started, for rules that depend on it (data directory; db on level deep; default: the one it is of)',
      },
      'wal-dir': WAL_DIR,
      snapshot: { type: 'boolean', summary: 'the file is a snapshot file: its sha256 must be there' },
      'max-findings': MAX_FINDINGS,
    },
    example: ['FILE'],
    load: () => import('./commands/check.ts'),
  },
  ...VALIDATE_COMMANDS,
  ...EXPLAIN_COMMANDS,
  ...SNAPSHOT_COMMANDS,
  ...CREATE_COMMANDS,
  ...CHANGE_COMMANDS,
  ...STATE_COMMANDS,
  ...KEYS_COMMANDS,
  ...COMPARE_COMMANDS,
  ...MEMBERSHIP_COMMANDS,
  ...BOLT_COMMANDS,
  ...SURGERY_COMMANDS,
  ...WAL_COMMANDS,
  ...SNAP_COMMANDS,
  {
    words: ['completion'],
    summary: 'print a script that completes commands and options in a shell',
    details: ['For bash, put this into ~/.bashrc: eval "$(etcd-datadir completion bash)"'],
    arguments: [{ name: 'SHELL', summary: 'bash, zsh or fish', complete: ['bash', 'zsh', 'fish'] }],
    options: {},
    example: ['bash'],
    load: () => import('./commands/completion.ts'),
  },
  {
    words: ['help'],
    summary: 'show help for a command',
    arguments: [{ name: 'COMMAND', summary: 'the words of the command', optional: true, repeat: true }],
    options: {},
    example: ['bolt', 'check'],
    load: () => import('./commands/help.ts'),
  },
];

/** The group that the given words begin with, the longest match first. */
export function findGroup(words: readonly string[]): string | undefined {
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    if (GROUPS[name] !== undefined && name.split(' ').length === length) return name;
  }
  return undefined;
}

/** The command that the given words begin with, the longest match first. */
export function findCommand(words: readonly string[]): Command | undefined {
  let found: Command | undefined;
  for (const command of COMMANDS) {
    const matches = command.words.every((word, i) => word === words[i]);
    if (matches && command.words.length > (found?.words.length ?? 0)) found = command;
  }
  return found;
}
