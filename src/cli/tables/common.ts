/**
 * Arguments, options and words that commands of several groups have in common.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { ArgumentSpec, OptionSpec } from '../command.ts';

/** A bolt file to read. */
export const FILE: ArgumentSpec = { name: 'FILE', summary: 'the bolt file', complete: 'file' };

/** How many findings a check lists. */
export const MAX_FINDINGS: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 0 },
  default: '1000',
  summary: 'list at most so many findings, the worst; all are counted',
};

/** Where a new file goes. */
export const OUTPUT: OptionSpec = {
  type: 'string',
  short: 'o',
  aliases: ['out'],
  value: 'PATH',
  required: true,
  summary: 'the new file; it must not exist',
};

/** For bolt files whose metas do not tell it. */
export const PAGE_SIZE: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 256 },
  summary: 'the page size, for a file whose metas do not tell it',
};

/** Where all commands that look at single pages differ from bbolt. */
export const RAW_PAGES: string =
  'bbolt finds pages by meta 0 alone, without looking at its checksum; this command finds them as all others do, by whichever meta is valid';

/** A file or directory with etcd's data. */
export const DATA_PATH: ArgumentSpec = {
  name: 'PATH',
  summary: 'a db file, a snapshot file, or a data directory',
  complete: 'file',
};

/** The output forms of etcdctl and etcdutl. */
export const WRITE_OUT: OptionSpec = {
  type: 'string',
  short: 'w',
  value: 'FORM',
  choices: ['simple', 'json', 'fields', 'table'],
  summary: 'print as etcdctl and etcdutl do; json is --json',
};

/** Whose output is imitated. */
export const FORM_OF_VERSION: OptionSpec = {
  type: 'string',
  value: '3.x',
  choices: ETCD_MINORS,
  default: '3.7',
  summary: 'with -w: the release whose output is imitated',
};

/** Where the log of a data directory is. */
export const WAL_DIR: OptionSpec = {
  type: 'string',
  value: 'DIR',
  summary: "the log of a data directory, if it is not in member/wal: etcd's own --wal-dir",
};

/** How the entries of a log are applied. */
export const REPLAY_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  'etcd-version': {
    type: 'string',
    value: '3.x',
    choices: ETCD_MINORS,
    summary: 'the release whose rules are followed (default: that of the data)',
  },
  'min-lease-ttl': {
    type: 'string',
    value: 'SECONDS',
    integer: { min: 0 },
    default: '2',
    summary: 'the shortest lease that the servers grant; 2 with their default timing',
  },
  'persist-checkpoints': {
    type: 'boolean',
    summary: 'the servers ran with the flag to persist lease checkpoints (3.4 and 3.5)',
  },
};
