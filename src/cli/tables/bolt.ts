/**
 * The commands for bolt files, in the words of the bbolt tool.
 */
import type { Command, OptionSpec } from '../command.ts';
import { FILE, MAX_FINDINGS, OUTPUT, PAGE_SIZE, RAW_PAGES } from './common.ts';

const FORMATS = ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'] as const;
const META: OptionSpec = {
  type: 'string',
  choices: ['0', '1'],
  summary: 'read at this meta page, current or not (default: the current one)',
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

/** In the order in which help lists them. */
export const BOLT_COMMANDS: readonly Command[] = [
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
    load: () => import('../commands/bolt-check.ts'),
  },
  {
    words: ['bolt', 'info'],
    summary: 'print the page size; with --json also both metas',
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-info.ts'),
  },
  {
    words: ['bolt', 'stats'],
    summary: 'add up the statistics of the top-level buckets',
    details: ['Reads every page of the buckets.'],
    arguments: [FILE, { name: 'PREFIX', summary: 'only buckets whose name begins with this', optional: true }],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-stats.ts'),
  },
  {
    words: ['bolt', 'buckets'],
    summary: 'list the top-level buckets',
    details: ['One name a line, as its bytes are.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-buckets.ts'),
  },
  {
    words: ['bolt', 'inspect'],
    summary: 'print the tree of buckets with the number of keys in each, as JSON',
    details: ['Reads every page of the buckets. With --json each bucket also has its name in hex.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-inspect.ts'),
  },
  {
    words: ['bolt', 'pages'],
    summary: 'list all pages with type, number of items and overflow',
    details: ['Pages that continue another are left out; free pages have a line each.'],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-pages.ts'),
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
    load: () => import('../commands/bolt-page.ts'),
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
    load: () => import('../commands/bolt-page-item.ts'),
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
    load: () => import('../commands/bolt-keys.ts'),
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
    load: () => import('../commands/bolt-get.ts'),
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
    load: () => import('../commands/bolt-dump.ts'),
  },
  {
    words: ['bolt', 'export'],
    summary: 'print all buckets, keys and values as JSON lines',
    details: [
      'One line for each bucket, {"bucket":[NAME,...],"sequence":"N"}, and after it one for each key in it, {"bucket":[NAME,...],"key":KEY,"value":VALUE}: depth first, in order of key. Names, keys and values are base64. --json makes no difference.',
      'Where the file cannot be read the export ends with a line {"error":{...}} and exit code 1; if another program has written to the file meanwhile, with such a line and exit code 4. `bolt import` takes neither.',
    ],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('../commands/bolt-export.ts'),
  },
  {
    words: ['bolt', 'import'],
    summary: 'make a new bolt file of the JSON lines of an export',
    details: [
      'Lines must come in the order of `bolt export`: each bucket before what is in it, keys ascending. The new file has full pages, and is checked before it gets its name.',
    ],
    arguments: [
      {
        name: 'LINES',
        summary: 'file with JSON lines; default, or -: standard input',
        optional: true,
        complete: 'file',
      },
    ],
    options: {
      output: OUTPUT,
      'page-size': {
        type: 'string',
        value: 'N',
        integer: { min: 256 },
        default: '4096',
        summary: 'page size of the new file',
      },
      'fill-percent': {
        type: 'string',
        value: 'PERCENT',
        integer: { min: 10 },
        default: '100',
        summary: 'how full pages are made, from 10 to 100',
      },
      freelist: {
        type: 'string',
        choices: ['stored', 'none'],
        default: 'stored',
        summary: 'whether a list of free pages is stored, as bbolt does; etcd stores none',
      },
    },
    example: ['--output', 'OUT'],
    load: () => import('../commands/bolt-import.ts'),
  },
  {
    words: ['bolt', 'compact'],
    summary: 'write everything in a bolt file to a new one without free pages',
    details: [
      'SRC is only read, also while etcd uses it. DST gets its name when it is whole, on the disk, and was read again and compared: keys, values, buckets and sequences.',
      'A damaged SRC is refused, with its findings and exit code 1. A SRC that another program writes to all the time ends it with 4.',
    ],
    differences: [
      'one bulk build in place of many transactions: `--tx-max-size` is taken and has no effect',
      'pages are as large as those of SRC, and a freelist is stored if SRC stores one; bbolt takes the page size of the machine and stores one always',
      'a DST that exists is refused; bbolt opens it and adds to it',
      'DST is readable for its owner only (mode 0600); bbolt gives it the permissions of SRC',
      'an SRC that etcd has open can be compacted; bbolt waits for its lock',
      'damage is found before anything is made of it; bbolt copies what it can reach, or crashes',
    ],
    arguments: [{ name: 'SRC', summary: 'the bolt file', complete: 'file' }],
    options: {
      output: { ...OUTPUT, value: 'DST' },
      'no-sync': { type: 'boolean', summary: 'do not wait until DST is on the disk' },
      'tx-max-size': { type: 'string', value: 'N', integer: { min: 0 }, summary: 'no effect; taken as bbolt takes it' },
      'page-size': { ...PAGE_SIZE, summary: 'the page size of DST (default: that of SRC)' },
      'fill-percent': { type: 'string', value: 'X', default: '1', summary: 'how full pages get, from 0.1 to 1' },
      freelist: {
        type: 'string',
        choices: ['stored', 'none'],
        summary: 'whether DST stores a list of free pages (default: as SRC)',
      },
    },
    example: ['FILE', '--output', 'OUT'],
    load: () => import('../commands/bolt-compact.ts'),
  },
];
