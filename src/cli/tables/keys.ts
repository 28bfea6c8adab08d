/**
 * The commands for reading keys: at a revision, through time, and all of them.
 */
import type { Command, OptionSpec } from '../command.ts';
import { DATA_PATH, FORM_OF_VERSION, WAL_DIR, WRITE_OUT } from './common.ts';

const KEY_FORMAT: OptionSpec = {
  type: 'string',
  choices: ['text', 'hex', 'base64'],
  default: 'text',
  summary: 'how keys are given on the command line',
};

const revision = (summary: string): OptionSpec => ({ type: 'string', value: 'REV', summary });

const LIMIT: OptionSpec = { type: 'string', value: 'N', integer: { min: 0 }, summary: '' };

const PREFIX: OptionSpec = { type: 'string', value: 'PREFIX', summary: 'keys that begin so only' };

const COMPACTED =
  'Up to the revision that was compacted, changes are incomplete: of each key at most the last one is left.';

/** In the order in which help lists them. */
export const KEYS_COMMANDS: readonly Command[] = [
  {
    words: ['get'],
    summary: 'read keys at any revision, as etcdctl get does',
    details: [
      'KEY alone is one key, KEY and END are all keys from KEY on that come before END, --prefix all that begin with KEY, --from-key all from KEY on; without KEY all keys are meant. Nothing found is no failure. A revision that was compacted or is yet to come gives the error of etcd, and exit code 1.',
      'Options and output are those of etcdctl get (-w simple unless told otherwise; there is no table). As on a server, --sort-by with --limit but without --order takes the first keys by name, not by what is sorted by.',
      'Memory: for ranges the bytes of the keys in them and 32 bytes for each, 8 more with --sort-by, and 12 bytes for each page of 4096; with --sort-by VALUE also all the values.',
    ],
    arguments: [
      DATA_PATH,
      { name: 'KEY', summary: 'the key, or where the range begins (default: all keys)', optional: true },
      { name: 'END', summary: 'the first key behind the range', optional: true },
    ],
    options: {
      prefix: { type: 'boolean', summary: 'all keys that begin with KEY' },
      'from-key': { type: 'boolean', summary: 'all keys from KEY on' },
      rev: revision('the revision to read at (default: the current one)'),
      limit: { ...LIMIT, summary: 'as many keys at most; 0 for all' },
      order: {
        type: 'string',
        choices: ['ASCEND', 'DESCEND'],
        anyCase: true,
        summary: 'the order of the results',
      },
      'sort-by': {
        type: 'string',
        choices: ['CREATE', 'KEY', 'MODIFY', 'VALUE', 'VERSION'],
        anyCase: true,
        summary: 'what the results are sorted by',
      },
      'keys-only': { type: 'boolean', summary: 'without the values' },
      'count-only': { type: 'boolean', summary: 'only how many keys there are' },
      'print-value-only': { type: 'boolean', summary: 'without the keys' },
      'min-mod-rev': revision('what was last changed at this revision or later'),
      'max-mod-rev': revision('what was last changed at this revision or before'),
      'min-create-rev': revision('what was created at this revision or later'),
      'max-create-rev': revision('what was created at this revision or before'),
      hex: { type: 'boolean', summary: 'keys and values in hex, as etcdctl --hex does' },
      'key-format': KEY_FORMAT,
      'write-out': WRITE_OUT,
      'etcd-version': FORM_OF_VERSION,
      'wal-dir': WAL_DIR,
    },
    example: ['DB', '/', '--prefix'],
    load: () => import('../commands/get.ts'),
  },
  {
    words: ['history'],
    summary: 'show every version of a key that is left, oldest first',
    details: [`Deletions are shown too. ${COMPACTED}`],
    arguments: [DATA_PATH, { name: 'KEY', summary: 'the key' }],
    options: {
      limit: { ...LIMIT, summary: 'only the newest so many; 0 for all' },
      'key-format': KEY_FORMAT,
      'wal-dir': WAL_DIR,
    },
    example: ['DB', '/empty/5'],
    load: () => import('../commands/history.ts'),
  },
  {
    words: ['log'],
    summary: 'show the changes of keys in the order in which they happened',
    details: [
      `Shows what was put and deleted in each revision. ${COMPACTED}`,
      '--prefix shows the changes of some keys only; --whole-revisions everything else, too, that was changed together with them, and marks with a star what was asked for.',
    ],
    arguments: [DATA_PATH],
    options: {
      from: revision('the first revision (default: all)'),
      to: revision('the last revision (default: all)'),
      prefix: PREFIX,
      'whole-revisions': { type: 'boolean', summary: 'with --prefix: all changes of the revisions it is changed in' },
      'key-format': KEY_FORMAT,
      'wal-dir': WAL_DIR,
    },
    // Nothing that was compacted, which would be told.
    example: ['DB', '--from', '300'],
    load: () => import('../commands/log.ts'),
  },
  {
    words: ['export'],
    summary: 'write all keys with their values as JSON lines',
    details: [
      'One line for each key, in the order in which they were last changed: {"key","value","createRevision","modRevision","sub","version","lease","deleted"}; key and value are base64, numbers are text. Should the file turn out to be damaged, the last line is {"error"}, and the exit code is not 0.',
      `Without --all-revisions the live keys at a revision; with it every version that is left, deletions included, in one pass. ${COMPACTED}`,
      'Memory: the bytes of the keys and 24 bytes for each; with --all-revisions none.',
    ],
    arguments: [DATA_PATH],
    options: {
      prefix: PREFIX,
      rev: revision('the revision to read at (default: the current one)'),
      'all-revisions': { type: 'boolean', summary: 'every version of every key, up to the revision' },
      'key-format': KEY_FORMAT,
      'wal-dir': WAL_DIR,
    },
    example: ['DB'],
    load: () => import('../commands/export.ts'),
  },
];
