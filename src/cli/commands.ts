/**
 * The table of commands: help, docs/cli.md, shell completion, the parsing of arguments and some tests are made from it.
 */
import type { ArgumentSpec, Command, OptionSpec } from './command.ts';

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
};

const FORMATS = ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'] as const;

const FILE: ArgumentSpec = { name: 'FILE', summary: 'the bolt file', complete: 'file' };

const META: OptionSpec = {
  type: 'string',
  choices: ['0', '1'],
  summary: 'read at this meta page, current or not (default: the current one)',
};
const MAX_FINDINGS: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 0 },
  default: '1000',
  summary: 'list at most so many findings, the worst; all are counted',
};
const FORMAT: OptionSpec = { type: 'string', choices: FORMATS, default: 'auto', summary: 'how bytes are printed' };
const BUCKET_FORMAT: OptionSpec = {
  type: 'string',
  choices: ['ascii-encoded', 'hex'],
  default: 'ascii-encoded',
  summary: 'how the names of buckets are given',
};
const FORMAT_DETAILS =
  'Formats: auto (text if all of it is printable, else hex), ascii-encoded (quoted as in Go), hex, bytes (as they are), redacted (length and sha256 only).';
const RAW_PAGES =
  'bbolt finds pages by meta 0 alone, without looking at its checksum; this command finds them as all others do, by whichever meta is valid';

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    words: ['check'],
    summary: 'run all checks that apply to a file and report findings',
    details: [
      'The report gives the verdict first, then the worst finding with its place and what to do about it, then the others, and what was and was not examined.',
      'Levels: sanity looks at both metas and the sizes, full at every page, deep also at what etcd keeps in the records.',
    ],
    arguments: [{ name: 'PATH', summary: 'a bolt db or snapshot file', complete: 'file' }],
    options: {
      level: {
        type: 'string',
        choices: ['sanity', 'full', 'deep'],
        default: 'full',
        summary: 'how much is looked at',
      },
      'max-findings': MAX_FINDINGS,
    },
    example: ['FILE'],
    load: () => import('./commands/check.ts'),
  },
  {
    words: ['bolt', 'check'],
    summary: 'verify the structure of a bolt file',
    details: ['Prints one line for each finding above info, then OK or the number of errors found.'],
    differences: [
      'finds more than bbolt does, words findings in its own way, and goes on after damage that makes bbolt panic, hang or stop',
      'one finding for a run of consecutive pages, where bbolt prints a line for each page',
      'the bbolt tool ends with 2 when it panics; this one with 1 for damage, however bad it is',
      '`--from-page` of a free page, where no freelist is stored: bbolt walks all trees first and says that it is free; this one looks at the tree below the page only',
    ],
    arguments: [FILE],
    options: {
      'from-page': {
        type: 'string',
        value: 'ID',
        integer: { min: 0 },
        default: '0',
        summary: 'check the tree below this page only; 0 checks everything',
      },
      'max-findings': MAX_FINDINGS,
    },
    example: ['FILE'],
    load: () => import('./commands/bolt-check.ts'),
  },
  {
    words: ['bolt', 'info'],
    summary: 'print the page size; with --json also both metas',
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-info.ts'),
  },
  {
    words: ['bolt', 'stats'],
    summary: 'add up the statistics of the top-level buckets',
    details: ['Reads every page of the buckets.'],
    arguments: [FILE, { name: 'PREFIX', summary: 'only buckets whose name begins with this', optional: true }],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-stats.ts'),
  },
  {
    words: ['bolt', 'buckets'],
    summary: 'list the top-level buckets',
    details: ['One name a line, as its bytes are.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-buckets.ts'),
  },
  {
    words: ['bolt', 'inspect'],
    summary: 'print the tree of buckets with the number of keys in each, as JSON',
    details: ['Reads every page of the buckets. With --json each bucket also has its name in hex.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-inspect.ts'),
  },
  {
    words: ['bolt', 'pages'],
    summary: 'list all pages with type, number of items and overflow',
    details: ['Pages that continue another are left out; free pages have a line each.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-pages.ts'),
  },
  {
    words: ['bolt', 'page'],
    summary: 'print pages and what is on them',
    details: [FORMAT_DETAILS],
    differences: [
      RAW_PAGES,
      '--all goes up to the high water mark of the current meta; bbolt stops at that of meta 0, which may be older',
      'whether a page claims too many overflow pages is told by the size of the file; bbolt goes by the high water mark of meta 0',
      'ends with 1 when a page that was asked for by number is not in the file, with 3 when it is not a page; bbolt ends with 0',
      'elements that reach beyond their page are shown as errors; bbolt prints neighbouring bytes or crashes',
    ],
    arguments: [FILE, { name: 'ID', summary: 'numbers of pages', optional: true, repeat: true }],
    options: {
      all: { type: 'boolean', summary: 'all pages' },
      'format-value': { ...FORMAT, summary: 'how values on leaf pages are printed' },
      meta: META,
    },
    example: ['FILE', '0', '1', '2'],
    load: () => import('./commands/bolt-page.ts'),
  },
  {
    words: ['bolt', 'page-item'],
    summary: 'print key and value of one item of a leaf page',
    details: [FORMAT_DETAILS],
    differences: [RAW_PAGES, 'item 65536 and above is out of range; bbolt counts modulo 65536 and prints another item'],
    arguments: [
      FILE,
      { name: 'PAGE', summary: 'the number of the page' },
      { name: 'ITEM', summary: 'the index of the item, from 0' },
    ],
    options: {
      'key-only': { type: 'boolean', summary: 'only the key' },
      'value-only': { type: 'boolean', summary: 'only the value' },
      format: FORMAT,
      meta: META,
    },
    example: ['FILE', 'ROOT', '0'],
    load: () => import('./commands/bolt-page-item.ts'),
  },
  {
    words: ['bolt', 'keys'],
    summary: 'list the keys of a bucket',
    details: ['One key a line; names of sub-buckets are listed among them.', FORMAT_DETAILS],
    arguments: [
      FILE,
      { name: 'BUCKET', summary: 'name of the bucket, after those of the buckets it lies in', repeat: true },
    ],
    options: { format: { ...FORMAT, short: 'f' }, 'bucket-format': BUCKET_FORMAT, meta: META },
    example: ['FILE', 'BUCKET'],
    load: () => import('./commands/bolt-keys.ts'),
  },
  {
    words: ['bolt', 'get'],
    summary: 'print the value of a key',
    details: ['Ends with 1 when there is no such bucket or key.', FORMAT_DETAILS],
    arguments: [
      FILE,
      { name: 'BUCKET', summary: 'name of the bucket, after those of the buckets it lies in', repeat: true },
      { name: 'KEY', summary: 'the key' },
    ],
    options: {
      'parse-format': {
        type: 'string',
        choices: ['ascii-encoded', 'hex'],
        default: 'ascii-encoded',
        summary: 'how the key is given',
      },
      format: { ...FORMAT, short: 'f' },
      'bucket-format': BUCKET_FORMAT,
      meta: META,
    },
    example: ['FILE', 'BUCKET', 'KEY'],
    load: () => import('./commands/bolt-get.ts'),
  },
  {
    words: ['bolt', 'dump'],
    summary: 'print pages as hex',
    details: [
      'One page of the file for each number, without the pages that continue it. Lines that repeat are shown as *.',
    ],
    differences: [
      RAW_PAGES,
      'pages whose size is not a multiple of 16 end with a shorter line; bbolt panics there',
      'a page that the end of the file cuts off is printed as far as it goes; bbolt prints nothing of it',
    ],
    arguments: [FILE, { name: 'ID', summary: 'numbers of pages', repeat: true }],
    options: { meta: META },
    example: ['FILE', '0', '2'],
    load: () => import('./commands/bolt-dump.ts'),
  },
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

/** The command that the given words begin with, the longest match first. */
export function findCommand(words: readonly string[]): Command | undefined {
  let found: Command | undefined;
  for (const command of COMMANDS) {
    const matches = command.words.every((word, i) => word === words[i]);
    if (matches && command.words.length > (found?.words.length ?? 0)) found = command;
  }
  return found;
}
