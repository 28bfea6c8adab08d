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
  'bolt surgery': 'change single pages of a bolt file, always in a copy',
  'bolt surgery freelist': 'the list of free pages, in a copy',
  'bolt surgery meta': 'the two meta pages',
  wal: 'look into write-ahead logs',
  snap: 'look into .snap files, where raft snapshots are kept up to etcd 3.7',
};

const FORMATS = ['auto', 'ascii-encoded', 'hex', 'bytes', 'redacted'] as const;

const FILE: ArgumentSpec = { name: 'FILE', summary: 'the bolt file', complete: 'file' };

const SNAP_PATH: ArgumentSpec = {
  name: 'PATH',
  summary: 'a .snap file, a member/snap folder, or a data directory',
  complete: 'file',
};

const WAL: ArgumentSpec = {
  name: 'PATH',
  summary: 'the directory of a log, a data directory, or one segment',
  complete: 'file',
};
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

const OUTPUT: OptionSpec = {
  type: 'string',
  short: 'o',
  aliases: ['out'],
  value: 'PATH',
  required: true,
  summary: 'the new file; it must not exist',
};
const PAGE_SIZE: OptionSpec = {
  type: 'string',
  value: 'N',
  integer: { min: 256 },
  summary: 'the page size, for a file whose metas do not tell it',
};
const PAGE_ID: OptionSpec = {
  type: 'string',
  aliases: ['page-id'],
  value: 'ID',
  integer: { min: 2 },
  required: true,
  summary: 'the page',
};
const SURGERY = [
  'what is not possible is refused before anything is copied; bbolt leaves the copy behind',
  'the copy is checked, and the verdict, its worst finding and the next command are printed too; the exit code is 0 whatever the verdict is',
  'the copy is readable for its owner only (mode 0600); bbolt makes one that all may read',
  'a FILE that another program writes to meanwhile is found out, with exit code 4',
] as const;
const SURGERY_PAGES = [
  ...SURGERY,
  RAW_PAGES,
  'whether a page lies in the file is told by the size of the file; bbolt goes by the high water mark of meta 0',
] as const;

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    words: ['check'],
    summary: 'run all checks that apply to a file and report findings',
    details: [
      'The report gives the verdict first, then the worst finding with its place and what to do about it, then the others, and what was and was not examined.',
      'Levels: sanity looks at both metas and the sizes, full at every page, deep also at what etcd keeps in the records.',
    ],
    arguments: [
      {
        name: 'PATH',
        summary: 'a bolt db or snapshot file, the directory of a log, a segment, a .snap file or a snap folder',
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
    words: ['bolt', 'export'],
    summary: 'print all buckets, keys and values as JSON lines',
    details: [
      'One line for each bucket, {"bucket":[NAME,...],"sequence":"N"}, and after it one for each key in it, {"bucket":[NAME,...],"key":KEY,"value":VALUE}: depth first, in order of key. Names, keys and values are base64. --json makes no difference.',
      'Where the file cannot be read the export ends with a line {"error":{...}} and exit code 1; if another program has written to the file meanwhile, with such a line and exit code 4. `bolt import` takes neither.',
    ],
    arguments: [FILE],
    options: { meta: META },
    example: ['FILE'],
    load: () => import('./commands/bolt-export.ts'),
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
    load: () => import('./commands/bolt-import.ts'),
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
    load: () => import('./commands/bolt-compact.ts'),
  },
  {
    words: ['bolt', 'surgery', 'revert-meta-page'],
    summary: 'go back to the state before the last transaction',
    details: [
      'Puts the older meta page in the place of the newer one. Pages of the older state may have been overwritten since: the check of the copy tells.',
    ],
    differences: [
      ...SURGERY,
      'an older meta that is not valid is refused; bbolt copies it over the valid one, and nothing can open the file any more',
      'a wrong number in the header of a meta page is put right; bbolt refuses the file',
    ],
    arguments: [FILE],
    options: { output: OUTPUT, 'page-size': PAGE_SIZE },
    example: ['FILE', '--output', 'OUT'],
    load: () => import('./commands/bolt-surgery-revert-meta-page.ts'),
  },
  {
    words: ['bolt', 'surgery', 'copy-page'],
    summary: 'put a copy of a page in the place of another',
    details: [
      'Overflow pages are copied too, and overwrite what lies behind the place. The copy gets the number of its place.',
    ],
    differences: [
      ...SURGERY_PAGES,
      'nothing but a meta page can be copied over a meta page, and nothing behind the end of the file; bbolt does both',
    ],
    arguments: [FILE],
    options: {
      output: OUTPUT,
      'from-page': {
        type: 'string',
        value: 'ID',
        integer: { min: 0 },
        required: true,
        summary: 'the page to be copied',
      },
      'to-page': {
        type: 'string',
        value: 'ID',
        integer: { min: 0 },
        required: true,
        summary: 'the place it is copied to',
      },
      'page-size': PAGE_SIZE,
    },
    example: ['FILE', '--output', 'OUT', '--from-page', 'ROOT', '--to-page', '3'],
    load: () => import('./commands/bolt-surgery-copy-page.ts'),
  },
  {
    words: ['bolt', 'surgery', 'clear-page'],
    summary: 'remove all elements of a leaf or branch page',
    differences: [
      ...SURGERY_PAGES,
      'elements may be damaged in any way, and the page may claim overflow pages that the file does not have; bbolt panics or refuses',
      'the freelist is said to need abandoning only where one is stored',
    ],
    arguments: [FILE],
    options: { output: OUTPUT, pageId: PAGE_ID, 'page-size': PAGE_SIZE },
    example: ['FILE', '--output', 'OUT', '--pageId', 'ROOT'],
    load: () => import('./commands/bolt-surgery-clear-page.ts'),
  },
  {
    words: ['bolt', 'surgery', 'clear-page-elements'],
    summary: 'remove some elements of a leaf or branch page',
    details: [
      'Elements are counted from 0, as `bolt page` shows them. Those that stay must be sound; those that go need not.',
    ],
    differences: [
      ...SURGERY_PAGES,
      'when the range reaches the end of the page, bbolt may cut the last overflow page off though data is left in it; here the page keeps what it needs',
      'elements that go may be damaged in any way; bbolt panics at a key of no bytes, wherever it is',
      'an element that stays but lies outside the page is refused; bbolt copies neighbouring bytes or crashes',
      'the freelist is said to need abandoning only where one is stored',
    ],
    arguments: [FILE],
    options: {
      output: OUTPUT,
      pageId: PAGE_ID,
      'from-index': {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        required: true,
        summary: 'the first to be removed',
      },
      'to-index': {
        type: 'string',
        value: 'N',
        integer: { min: -1 },
        required: true,
        summary: 'the one after the last to be removed; -1 is the end of the page',
      },
      'page-size': PAGE_SIZE,
    },
    example: ['FILE', '--output', 'OUT', '--pageId', 'ROOT', '--from-index', '0', '--to-index', '-1'],
    load: () => import('./commands/bolt-surgery-clear-page-elements.ts'),
  },
  {
    words: ['bolt', 'surgery', 'freelist', 'abandon'],
    summary: 'forget the stored list of free pages',
    details: [
      'Programs that open the file for writing then find its free pages by a walk over all trees, as they do with every db of etcd on Linux.',
    ],
    differences: [
      ...SURGERY,
      'a meta that is not valid is left as it is; bbolt gives it a checksum, and the file may be opened by a torn meta',
    ],
    arguments: [FILE],
    options: { output: OUTPUT, 'page-size': PAGE_SIZE },
    example: ['FILE', '--output', 'OUT'],
    load: () => import('./commands/bolt-surgery-freelist-abandon.ts'),
  },
  {
    words: ['bolt', 'surgery', 'freelist', 'rebuild'],
    summary: 'store a list of the free pages in a file that has none',
    details: [
      'Reads all trees. Makes a transaction, which changes nothing else; ends with 1 when a list is stored already.',
    ],
    differences: [
      ...SURGERY,
      'a tree with damage that hides other pages is refused, with exit code 1: pages in use would be called free. bbolt panics at most of it, and takes the children of an empty branch page for free',
      'keys out of order do not matter here; bbolt panics at them',
      'a file that is shorter than its high water mark is refused; bbolt may crash',
    ],
    arguments: [FILE],
    options: { output: OUTPUT, 'page-size': PAGE_SIZE },
    example: ['UNLISTED', '--output', 'OUT'],
    load: () => import('./commands/bolt-surgery-freelist-rebuild.ts'),
  },
  {
    words: ['bolt', 'surgery', 'meta', 'validate'],
    summary: 'tell whether both meta pages are valid',
    differences: [
      'ends with 1 when one of them is not valid; bbolt ends with 0',
      'meta 1 is found also when meta 0 is damaged; bbolt looks where meta 0 says, valid or not',
      'reasons are given in words of its own',
    ],
    arguments: [FILE],
    options: { 'page-size': PAGE_SIZE },
    example: ['FILE'],
    load: () => import('./commands/bolt-surgery-meta-validate.ts'),
  },
  {
    words: ['bolt', 'surgery', 'meta', 'update'],
    summary: 'set fields of a meta page and make it valid',
    details: [
      'Magic number, version and checksum are made right whatever the fields are. Setting the root sets the sequence of the root bucket to 0. freelist:18446744073709551615 is no freelist.',
    ],
    differences: [
      ...SURGERY,
      'meta 1 is found also when meta 0 is damaged, or where --page-size says; bbolt looks where meta 0 says, valid or not',
      'a wrong header of the meta page is put right too; bbolt leaves it, and its own check fails at it',
      'a file of which neither meta begins with the magic number is refused unless --page-size is given',
      'a page size of 2^32 or more is refused; bbolt drops the upper bits',
    ],
    arguments: [FILE],
    options: {
      output: OUTPUT,
      'meta-page': { type: 'string', choices: ['0', '1'], default: '0', summary: 'the meta page to be changed' },
      fields: {
        type: 'string',
        value: 'NAME:NUMBER,...',
        list: true,
        summary: 'the fields: pageSize, root, freelist, pgid (the high water mark); may be given more than once',
      },
      'page-size': PAGE_SIZE,
    },
    example: ['FILE', '--output', 'OUT', '--meta-page', '1', '--fields', 'pageSize:1024'],
    load: () => import('./commands/bolt-surgery-meta-update.ts'),
  },
  {
    words: ['wal', 'check'],
    summary: 'verify a write-ahead log, and tell what each etcd would do with it',
    details: [
      'Reads every record once: frames, CRCs, the CRC chain from segment to segment, indexes and terms. A torn last write is told from damage; behind damage, good records are searched for and counted.',
      'Only the log is looked at. Whether the db has got further, and whether each snapshot has its .snap file, is listed under what was not examined.',
    ],
    arguments: [WAL],
    options: { 'max-findings': MAX_FINDINGS },
    example: ['WAL'],
    load: () => import('./commands/wal-check.ts'),
  },
  {
    words: ['wal', 'repair'],
    summary: 'make a repaired copy of a write-ahead log, where nothing is lost by it',
    details: [
      'Cuts off a torn last write, leaves out segments that the newest snapshot does not need and empty ones, gives segments their right names and numbers, and writes a wrong crc record at the head of a segment anew. Records themselves are copied as they are. The new log is checked before it gets its name; PATH is never touched.',
      'Refuses, with exit code 1 and without writing anything, where entries would be lost that were committed or that the db has applied, or good records behind damage. How far the db has got is read from member/snap/db of a data directory, or from --db.',
      'PATH is a data directory, a member directory, or the directory of a log itself. DIR takes the place of the member/wal directory. If nothing is to be repaired, nothing is written, with exit code 0.',
    ],
    arguments: [WAL],
    options: {
      output: {
        type: 'string',
        short: 'o',
        aliases: ['out'],
        value: 'DIR',
        required: true,
        summary: 'the new directory; it must not exist',
      },
      db: {
        type: 'string',
        value: 'FILE',
        summary: 'the db that belongs to the log (default: member/snap/db of PATH)',
      },
      'without-db': { type: 'boolean', summary: 'go by the log alone: writes that the db has applied may be cut off' },
      'accept-loss': { type: 'boolean', summary: 'cut the log also where something is lost by it, and tell what' },
      'without-snap': {
        type: 'boolean',
        summary:
          'leave old segments out also where the .snap file of the snapshot is missing, which etcd up to 3.6 needs',
      },
      'ignore-lock': { type: 'boolean', summary: 'go on although an etcd seems to have the log open' },
    },
    example: ['WAL', '--output', 'OUT', '--without-db'],
    load: () => import('./commands/wal-repair.ts'),
  },
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
    load: () => import('./commands/snap-show.ts'),
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
    load: () => import('./commands/snap-check.ts'),
  },
  {
    words: ['wal', 'dump'],
    summary: 'print the records of a log: by index, term, type or key',
    details: [
      'Prints the entries of the whole log in the form of etcd-dump-logs, one a row; with --json all records, one JSON object a line. Entries that were overwritten later are shown too, and marked.',
      'Types: records are metadata, entry, state, crc, snapshot; entries are ConfigChange, Normal, Request (of the v2 API), InternalRaftRequest, IRRRange, IRRPut, IRRDeleteRange, IRRTxn, IRRCompaction, IRRLeaseGrant, IRRLeaseRevoke, IRRLeaseCheckpoint.',
      '--key and --prefix find puts and deletes, of ranges too and inside transactions. Keys that went with a lease are not known to the log.',
      'Passwords, their hashes and tokens are never shown.',
      'Unlike etcd-dump-logs it begins with the first entry of the log, not behind the newest snapshot. -start-index, -end-index, -entry-type and -raw are taken as that of etcd 3.7 takes them: the first index is shown, the last is not.',
      'Ends with 1 if damage ended the dump, or, with --raw, if any was met.',
    ],
    arguments: [WAL],
    options: {
      from: {
        type: 'string',
        value: 'N',
        aliases: ['start-index'],
        singleDash: ['start-index'],
        summary: 'entries and snapshots from this index on',
      },
      to: { type: 'string', value: 'N', summary: 'entries and snapshots up to this index, itself included' },
      'end-index': { type: 'string', value: 'N', singleDash: ['end-index'], summary: 'the same, itself not included' },
      term: { type: 'string', value: 'N', summary: 'entries, hard states and snapshots of this term' },
      type: {
        type: 'string',
        value: 'LIST',
        list: true,
        aliases: ['entry-type'],
        singleDash: ['entry-type'],
        summary: 'records of these types only; may be given more than once',
      },
      key: { type: 'string', value: 'KEY', summary: 'entries that write or delete this key' },
      prefix: { type: 'string', value: 'PREFIX', summary: 'entries that write or delete keys that begin so' },
      raw: {
        type: 'boolean',
        singleDash: ['raw'],
        summary: 'every record as it lies in its file, also behind damage, with its place',
      },
    },
    example: ['WAL'],
    load: () => import('./commands/wal-dump.ts'),
  },
  {
    words: ['wal', 'info'],
    summary: 'tell what a log holds: segments, indexes, hard state, snapshots, kinds of entries',
    details: [
      'The version is the lowest one of etcd that understands the entries behind the newest snapshot: what etcd 3.6 and later look at before a downgrade.',
      'Ends with 1 if the log is damaged; wal check tells what that means.',
    ],
    arguments: [WAL],
    options: {},
    example: ['WAL'],
    load: () => import('./commands/wal-info.ts'),
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
