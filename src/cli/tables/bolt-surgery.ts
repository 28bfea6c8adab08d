/**
 * The commands that operate on a copy of a bolt file.
 */
import type { Command, OptionSpec } from '../command.ts';
import { FILE, OUTPUT, PAGE_SIZE, RAW_PAGES } from './common.ts';

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

/** In the order in which help lists them. */
export const SURGERY_COMMANDS: readonly Command[] = [
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
    load: () => import('../commands/bolt-surgery-revert-meta-page.ts'),
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
    load: () => import('../commands/bolt-surgery-copy-page.ts'),
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
    load: () => import('../commands/bolt-surgery-clear-page.ts'),
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
    load: () => import('../commands/bolt-surgery-clear-page-elements.ts'),
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
    load: () => import('../commands/bolt-surgery-freelist-abandon.ts'),
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
    load: () => import('../commands/bolt-surgery-freelist-rebuild.ts'),
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
    load: () => import('../commands/bolt-surgery-meta-validate.ts'),
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
    load: () => import('../commands/bolt-surgery-meta-update.ts'),
  },
];
