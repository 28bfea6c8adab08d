/**
 * What damage of the bolt file does to a start. Servers store no freelist, so that opening a db walks through all its pages; what
 * that walk looks at differs between releases, and what it does not look at is met by chance later: few of these are certain.
 */
import type { BoltFindingCode } from '../../bolt/findings.ts';
import type { MetaProblem } from '../../bolt/meta-problem.ts';
import type { EtcdMinor } from '../../etcd-version.ts';
import { type Effect, type EffectRule, NONE } from './effect.ts';
import { FAULT, fileTooSmall, freePages, openDbFailed } from './words.ts';

const opening = (outcome: Effect['outcome'], words: string, certain: boolean): Effect => ({
  stage: 'open-db',
  outcome,
  words,
  certain,
});

/** Most likely the walk over all pages panics in these words; 3.4 looks at less of a page. */
function walk(words: (page: number | undefined) => string, words3_4?: string): EffectRule {
  return {
    effect: ({ page, pages }, minor) =>
      opening('panics', minor === '3.4' && words3_4 !== undefined ? words3_4 : words(page ?? pages?.[0]), false),
  };
}

const fixed = (words: string): EffectRule => walk(() => words);
/** 3.4 does not look at it, and may come by it later. */
function since3_5(words: (page: number | undefined) => string): EffectRule {
  return {
    effect: ({ page }, minor) =>
      minor === '3.4'
        ? { stage: 'content', outcome: 'goes-on', words: '', certain: false }
        : opening('panics', words(page), false),
  };
}

/** What is wrong lies where nobody looks while opening the file; reading the keys may meet it. */
const PERHAPS_LATER: EffectRule = {
  effect: () => ({ stage: 'content', outcome: 'goes-on', words: '', certain: false }),
};
/** It starts, and may crash as soon as it writes. */
const WHEN_WRITING: EffectRule = {
  effect: () => ({ stage: 'serve', outcome: 'goes-on', words: '', certain: false }),
};

const META_WORDS: Readonly<Record<MetaProblem, string>> = {
  missing: 'invalid database',
  unreadable: 'invalid database',
  'byte-order': 'invalid database',
  magic: 'invalid database',
  version: 'version mismatch',
  checksum: 'checksum error',
};

const PAGE_ASSERTION = (page: number | undefined): string => `assertion failed: Page expected to be: ${page}, but`;
const KEY_ORDER = (): string => freePages('');
const REFERENCED_TWICE = (page: number | undefined): string => freePages(`page ${page}: multiple references`);
const INDEX_OUT_OF_RANGE = 'runtime error: index out of range';

const PAGE_TYPES: ReadonlyMap<number, string> = new Map([
  [0x01, 'branch'],
  [0x02, 'leaf'],
  [0x04, 'meta'],
]);

/** Pages of less than this were never written by bbolt on any machine: a shorter file has no page size that could be read. */
const SMALLEST_PAGE = 4096;

function tooSmall(size: string, minor: EtcdMinor): Effect | undefined {
  // An empty file is taken for a new one.
  if (size === '0') return undefined;
  if (Number(size) >= SMALLEST_PAGE) return opening('panics', fileTooSmall(minor, size), true);
  return opening('panics', openDbFailed(minor, 'invalid database'), false);
}

export const boltEffects: Readonly<Record<BoltFindingCode, EffectRule>> = {
  BOLT_FILE_TOO_SMALL: {
    effect: ({ args }, minor) => tooSmall(args['size'] ?? '0', minor),
    explains: ['db-behind'],
  },
  BOLT_META_BOTH_INVALID: {
    // bbolt tells what is wrong with meta 0.
    effect: ({ args, page }, minor) =>
      page === 0 ? opening('panics', openDbFailed(minor, META_WORDS[args['reason'] as MetaProblem]), true) : undefined,
  },
  BOLT_META_NEWER_INVALID: { explains: ['db-behind'] },
  BOLT_META_OLDER_INVALID: NONE,
  BOLT_META_HEADER: NONE,
  BOLT_META_FLAGS: NONE,
  BOLT_META_SAME_TXID: NONE,
  BOLT_META_WITHOUT_CHECKSUM: {
    effect: (_finding, minor) => (minor === '3.4' ? undefined : opening('goes-on', '', false)),
  },
  BOLT_BIG_ENDIAN: { effect: (_finding, minor) => opening('panics', openDbFailed(minor, 'invalid database'), true) },
  BOLT_PAGE_SIZE_WRONG: fixed('assertion failed: Page expected to be'),
  BOLT_PAGE_SIZE_ODD: NONE,
  BOLT_HIGH_WATER_MARK_TOO_LOW: fixed(freePages('')),
  BOLT_FILE_TRUNCATED: fixed(FAULT),
  BOLT_TAIL_NOT_ZERO: NONE,
  BOLT_TRAILER: NONE,
  BOLT_ROOT_OUT_OF_RANGE: fixed(FAULT),
  BOLT_PAGE_ZEROED: walk(PAGE_ASSERTION, freePages('page 0: invalid type: unknown<00>')),
  BOLT_PAGE_ID: since3_5(PAGE_ASSERTION),
  BOLT_PAGE_TYPE: walk((page) => `assertion failed: page ${page}: has unexpected type/flags`, freePages('')),
  BOLT_PAGE_UNREADABLE: fixed(FAULT),
  BOLT_PAGE_BEYOND_FILE: fixed(FAULT),
  BOLT_PAGE_COUNT: fixed('runtime error: slice bounds out of range'),
  BOLT_PAGE_CYCLE: walk(REFERENCED_TWICE),
  BOLT_PAGE_REFERENCED_TWICE: walk(REFERENCED_TWICE),
  BOLT_PAGE_UNREACHABLE: NONE,
  BOLT_CHILD_OUT_OF_RANGE: fixed(freePages('')),
  // Later ones go through all the pages that are claimed, before they see that there are not so many.
  BOLT_OVERFLOW_OUT_OF_RANGE: {
    effect: (_finding, minor) =>
      minor === '3.4' ? opening('panics', freePages(''), false) : opening('hangs', '', false),
  },
  BOLT_OVERFLOW_TOO_LARGE: walk(REFERENCED_TWICE),
  BOLT_BRANCH_EMPTY: fixed(INDEX_OUT_OF_RANGE),
  BOLT_BRANCH_ONE_CHILD: NONE,
  BOLT_BRANCH_KEY_NOT_FIRST: NONE,
  BOLT_LEAF_EMPTY: NONE,
  BOLT_TREE_TOO_DEEP: fixed(freePages('')),
  BOLT_DEPTH_UNEVEN: PERHAPS_LATER,
  BOLT_ELEMENT_OUT_OF_PAGE: fixed(FAULT),
  BOLT_ELEMENT_OVERLAP: PERHAPS_LATER,
  BOLT_ELEMENT_GAP: PERHAPS_LATER,
  BOLT_ELEMENT_FLAGS: PERHAPS_LATER,
  BOLT_STALE_BYTES: NONE,
  BOLT_KEY_EMPTY: PERHAPS_LATER,
  BOLT_KEY_TOO_LONG: PERHAPS_LATER,
  BOLT_KEY_ORDER: since3_5(KEY_ORDER),
  BOLT_KEY_BELOW_PARENT: since3_5(KEY_ORDER),
  BOLT_KEY_ABOVE_PARENT: since3_5(KEY_ORDER),
  BOLT_ROOT_PLAIN_KEY: PERHAPS_LATER,
  BOLT_BUCKET_VALUE_SIZE: PERHAPS_LATER,
  BOLT_BUCKET_ROOT_OUT_OF_RANGE: fixed(freePages('')),
  BOLT_INLINE_PAGE: PERHAPS_LATER,
  BOLT_INLINE_NESTED: PERHAPS_LATER,
  BOLT_FREELIST_OUT_OF_RANGE: fixed(FAULT),
  BOLT_FREELIST_PAGE: {
    effect: ({ args, page }) => {
      const type = PAGE_TYPES.get(Number(args['flags']));
      const isKnown = type !== undefined && args['id'] === `${page}`;
      return opening('panics', `invalid freelist page: ${page}${isKnown ? `, page type is ${type}` : ''}`, isKnown);
    },
  },
  BOLT_FREELIST_COUNT: fixed(''),
  BOLT_FREELIST_UNSORTED: NONE,
  BOLT_FREELIST_DUPLICATE: WHEN_WRITING,
  BOLT_FREELIST_ID_OUT_OF_RANGE: WHEN_WRITING,
  BOLT_FREELIST_OWN_PAGE: WHEN_WRITING,
  BOLT_FREE_PAGE_IN_USE: WHEN_WRITING,
  BOLT_FREE_PAGE_IN_OVERFLOW: WHEN_WRITING,
  BOLT_PREVIOUS_DAMAGED: NONE,
  BOLT_PREVIOUS_HEALTHY: NONE,
  BOLT_CHANGED_WHILE_READ: { effect: () => opening('unknown', '', false) },
};
