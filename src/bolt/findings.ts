/**
 * Every finding about a bolt file: code, severity, typed arguments, sentence, remedy and explanation.
 * docs/findings.md is made from this table.
 */
import type { AnyFinding, FindingDefinition, FindingPlace, Severity } from '../finding-table.ts';
import { META_PROBLEMS, type MetaProblem } from './meta-problem.ts';

/** The arguments of each code. Numbers read from damaged bytes are decimal text. */
export interface BoltFindingArgs {
  BOLT_FILE_TOO_SMALL: { size: string; needed: string };
  BOLT_META_BOTH_INVALID: { reason: string; expected: string; actual: string };
  BOLT_META_NEWER_INVALID: { reason: string; expected: string; actual: string; txid: string; newer: string };
  BOLT_META_OLDER_INVALID: { reason: string; expected: string; actual: string; txid: string };
  BOLT_META_HEADER: { id: string; flags: string };
  BOLT_META_FLAGS: { flags: string };
  BOLT_META_SAME_TXID: { txid: string };
  BOLT_META_WITHOUT_CHECKSUM: { txid: string };
  BOLT_BIG_ENDIAN: Record<never, never>;
  BOLT_PAGE_SIZE_WRONG: { claimed: string; found: string };
  BOLT_PAGE_SIZE_ODD: { pageSize: string };
  BOLT_HIGH_WATER_MARK_TOO_LOW: { highWaterMark: string };
  BOLT_FILE_TRUNCATED: { size: string; needed: string; highWaterMark: string };
  BOLT_TAIL_NOT_ZERO: { from: string };
  BOLT_TRAILER: { length: string };
  BOLT_ROOT_OUT_OF_RANGE: { root: string; highWaterMark: string };
  BOLT_PAGE_ZEROED: Record<never, never>;
  BOLT_PAGE_ID: { id: string };
  BOLT_PAGE_TYPE: { flags: string };
  BOLT_PAGE_UNREADABLE: { reason: string };
  BOLT_PAGE_BEYOND_FILE: { size: string };
  BOLT_PAGE_COUNT: { count: string; room: string };
  BOLT_PAGE_CYCLE: { from: string };
  BOLT_PAGE_REFERENCED_TWICE: { from: string };
  BOLT_PAGE_UNREACHABLE: { pages: string; runs: string };
  BOLT_CHILD_OUT_OF_RANGE: { child: string; highWaterMark: string; times: string };
  BOLT_OVERFLOW_OUT_OF_RANGE: { overflow: string; highWaterMark: string };
  BOLT_OVERFLOW_TOO_LARGE: { overflow: string; needed: string };
  BOLT_BRANCH_EMPTY: Record<never, never>;
  BOLT_BRANCH_ONE_CHILD: Record<never, never>;
  BOLT_BRANCH_KEY_NOT_FIRST: { key: string; parentKey: string };
  BOLT_LEAF_EMPTY: { root: string };
  BOLT_TREE_TOO_DEEP: { depth: string };
  BOLT_DEPTH_UNEVEN: { depth: string; expected: string };
  BOLT_ELEMENT_OUT_OF_PAGE: { start: string; end: string; room: string; times: string };
  BOLT_ELEMENT_OVERLAP: { start: string; free: string; times: string };
  BOLT_ELEMENT_GAP: { start: string; expected: string; times: string };
  BOLT_ELEMENT_FLAGS: { flags: string; times: string };
  BOLT_STALE_BYTES: { from: string };
  BOLT_KEY_EMPTY: { times: string };
  BOLT_KEY_TOO_LONG: { length: string; times: string };
  BOLT_KEY_ORDER: { key: string; previous: string; relation: string; times: string };
  BOLT_KEY_BELOW_PARENT: { key: string; parentKey: string };
  BOLT_KEY_ABOVE_PARENT: { key: string; bound: string; times: string };
  BOLT_ROOT_PLAIN_KEY: { key: string; times: string };
  BOLT_BUCKET_VALUE_SIZE: { size: string };
  BOLT_BUCKET_ROOT_OUT_OF_RANGE: { root: string; highWaterMark: string };
  BOLT_INLINE_PAGE: { reason: string };
  BOLT_INLINE_NESTED: { key: string };
  BOLT_FREELIST_OUT_OF_RANGE: { freelist: string; highWaterMark: string };
  BOLT_FREELIST_PAGE: { id: string; flags: string };
  BOLT_FREELIST_COUNT: { count: string; room: string };
  BOLT_FREELIST_UNSORTED: { id: string; previous: string };
  BOLT_FREELIST_DUPLICATE: { times: string };
  BOLT_FREELIST_ID_OUT_OF_RANGE: { id: string; highWaterMark: string; times: string };
  BOLT_FREELIST_OWN_PAGE: Record<never, never>;
  BOLT_FREE_PAGE_IN_USE: Record<never, never>;
  BOLT_FREE_PAGE_IN_OVERFLOW: { owner: string };
  BOLT_PREVIOUS_DAMAGED: { txid: string; finding: string };
  BOLT_PREVIOUS_HEALTHY: { txid: string };
  BOLT_CHANGED_WHILE_READ: { txid: string; attempts: string };
}

export type BoltFindingCode = keyof BoltFindingArgs;

/** A finding about a bolt file: a union on `code`, which tells the arguments. */
export type BoltFinding = {
  [Code in BoltFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<BoltFindingArgs[Code]>;
  };
}[BoltFindingCode];

// What `bbolt check` makes of a kind of damage. The last two matter for comparisons: it never says a word about those.
const REPORTS = 'bbolt reports it';
const DIES = 'bbolt panics, faults or hangs, or stops at the first one';
const SILENT = 'bbolt does not look';
const REFUSES = 'bbolt does not open the file';

// The few remedies that most findings share.
const RESTORE =
  'do not let etcd write to this file; restore the member from a snapshot, or remove it from the cluster and add it again so that it is sent the data; keep a copy of the file for salvage';
const NOTHING = 'nothing needs to be done';
const COMPACT = 'compact the file into a new one (etcd-datadir bolt compact); nothing is lost';

const at = (finding: AnyFinding): string => {
  const { page, pages, element } = finding;
  const where =
    pages === undefined
      ? `page ${page}`
      : pages[0] === pages[1]
        ? `page ${pages[0]}`
        : `pages ${pages[0]} to ${pages[1]}`;
  return element === undefined ? where : `${where}, element ${element}`;
};
const again = (finding: AnyFinding): string =>
  Number(finding.args['times']) > 1 ? ` (${finding.args['times']} such on this page)` : '';
const inlineNote = (finding: AnyFinding): string =>
  finding.inline === undefined ? '' : ` of the inline bucket there, item ${finding.inline}`;

const metaReason = ({ args }: AnyFinding): string => {
  const reason = META_PROBLEMS[args['reason'] as MetaProblem];
  return args['expected'] === '' ? `${reason}` : `${reason} (expected ${args['expected']}, found ${args['actual']})`;
};

export const boltFindings: Readonly<Record<BoltFindingCode, FindingDefinition>> = {
  BOLT_FILE_TOO_SMALL: {
    severity: 'corrupt',
    message: ({ args }) => `the file has ${args['size']} bytes; two meta pages need ${args['needed']}`,
    remedy: RESTORE,
    meaning:
      'The file is empty or cut so short that not even its two meta pages are there. Typical after a crash while the file was being created, or a copy that was broken off.',
    peer: REFUSES,
  },
  BOLT_META_BOTH_INVALID: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: meta is not valid, and neither is the other one: ${metaReason(f)}`,
    remedy: RESTORE,
    meaning: 'Both meta pages are damaged, so that the root of the data is not known. The data pages may be whole.',
    peer: REFUSES,
  },
  BOLT_META_NEWER_INVALID: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: ${f.args['newer'] === 'surely' ? 'the newer meta' : 'a meta, perhaps the newer one,'} is not valid: ${metaReason(f)}; readers use transaction ${f.args['txid']}`,
    remedy:
      'etcd opens the file at the transaction before and replays the rest from its WAL; do not separate this file from its WAL',
    meaning:
      'The meta page of the last transaction is damaged, or it cannot be told which of the two was the last one. The meta before it is valid, and bbolt uses it: one transaction is undone. etcd has its entries in the WAL.',
    peer: SILENT,
  },
  BOLT_META_OLDER_INVALID: {
    severity: 'info',
    message: (f) =>
      `${at(f)}: the older meta is not valid: ${metaReason(f)}; the current one, transaction ${f.args['txid']}, is`,
    remedy: 'nothing needs to be done: the next transaction writes this page anew',
    meaning:
      'The meta page of the transaction before the last one is damaged. It is not needed, and is the next to be overwritten.',
    peer: SILENT,
  },
  BOLT_META_HEADER: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: a meta page whose header says number ${f.args['id']}, flags ${f.args['flags']} (4 expected)`,
    remedy: 'bbolt and etcd read the file all the same; the next transactions write both meta pages anew',
    meaning:
      'The meta itself is valid, but the header of its page has a wrong page number or type. bbolt does not look at the header when it opens a file. A meta page that was copied over the other one looks like this; the last transaction is then lost (etcd has its entries in the WAL).',
    peer: `${DIES} for wrong flags; ${SILENT.toLowerCase()} at the number`,
  },
  BOLT_META_FLAGS: {
    severity: 'info',
    message: (f) => `${at(f)}: meta flags are ${f.args['flags']}, normally 0`,
    remedy: NOTHING,
    meaning: '`bbolt surgery meta update` leaves 4 in the flags field of the meta. No program reads it.',
    peer: SILENT,
  },
  BOLT_META_SAME_TXID: {
    severity: 'info',
    message: ({ args }) => `both metas have transaction number ${args['txid']}`,
    remedy: NOTHING,
    meaning: '`bbolt surgery revert-meta-page` copies one meta over the other. Both then name the same transaction.',
    peer: SILENT,
  },
  BOLT_META_WITHOUT_CHECKSUM: {
    severity: 'info',
    message: (f) => `${at(f)}: meta without a checksum, as boltdb before 1.2 wrote it (transaction ${f.args['txid']})`,
    remedy: 'bbolt 1.3.7 and later refuse such a file if both metas are so; write to it once with an older one',
    meaning: 'boltdb 1.0 and 1.1 wrote no checksum into the metas of a new file.',
    peer: `${REFUSES} from 1.3.7 on, if both metas are so`,
  },
  BOLT_BIG_ENDIAN: {
    severity: 'refuse',
    message: () => 'the file was written on a big-endian machine: bolt files cannot be moved between byte orders',
    remedy: 'read it on a machine of the same kind (s390x), or take an etcd snapshot there through the network',
    meaning: 'bbolt writes numbers in the byte order of the machine. The magic number is there, byte-swapped.',
    peer: REFUSES,
  },
  BOLT_PAGE_SIZE_WRONG: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: meta says pages of ${f.args['claimed']} bytes, but the other meta lies at ${f.args['found']}`,
    remedy: RESTORE,
    meaning:
      'The page size field of a valid meta does not agree with the place where the other meta was found, so bbolt would read every page from the wrong place. The check went on with the size found.',
    peer: `${DIES}; ${SILENT.toLowerCase()} at the page size of meta 1 while meta 0 is valid`,
  },
  BOLT_PAGE_SIZE_ODD: {
    severity: 'info',
    message: ({ args }) => `pages have ${args['pageSize']} bytes, which is not a power of two`,
    remedy: NOTHING,
    meaning: 'bbolt can be told to use any page size. Such a file cannot be opened any more once meta 0 is damaged.',
    peer: SILENT,
  },
  BOLT_HIGH_WATER_MARK_TOO_LOW: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the high water mark is ${f.args['highWaterMark']}, below the smallest possible one`,
    remedy: RESTORE,
    meaning: 'The number of the first page never used lies below the pages that every file has.',
    peer: DIES,
  },
  BOLT_FILE_TRUNCATED: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the file has ${args['size']} bytes, its pages (up to number ${args['highWaterMark']}) need ${args['needed']}`,
    remedy: RESTORE,
    meaning:
      'Pages that the database has allocated lie beyond the end of the file: the file was cut, or a copy of it was broken off.',
    peer: `${DIES}; does not look when no page in use is missing`,
  },
  BOLT_TAIL_NOT_ZERO: {
    severity: 'info',
    message: ({ args }) => `bytes behind the last page are not zero, from offset ${args['from']} on`,
    remedy: NOTHING,
    meaning:
      'What lies behind the high water mark is not part of the database. It is left over from a transaction that was not finished, or something was appended.',
    peer: SILENT,
  },
  BOLT_TRAILER: {
    severity: 'info',
    message: ({ args }) =>
      `${args['length']} bytes follow the last page: the sha256 of an etcd snapshot file, not verified by this check`,
    remedy: NOTHING,
    meaning: '`etcdctl snapshot save` puts the sha256 of the pages behind them.',
    peer: SILENT,
  },
  BOLT_ROOT_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: meta names page ${f.args['root']} as the root; the high water mark is ${f.args['highWaterMark']}`,
    remedy: RESTORE,
    meaning: 'The root bucket cannot be at that page: nothing can be read.',
    peer: DIES,
  },
  BOLT_PAGE_ZEROED: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: all bytes of the header are zero`,
    remedy: RESTORE,
    meaning:
      'A page in use has been replaced by zeros: a write that never reached the disk, or a hole. Known cause: ext4 with "fast commit" on Linux before 5.10.94 and 5.15.27.',
    peer: DIES,
  },
  BOLT_PAGE_ID: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: carries the page number ${f.args['id']}`,
    remedy: RESTORE,
    meaning:
      'Every page knows its own number. This one is another page that was written to the wrong place, or its header is damaged.',
    peer: DIES,
  },
  BOLT_PAGE_TYPE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: flags ${f.args['flags']} are neither a branch (0x01) nor a leaf (0x02)`,
    remedy: RESTORE,
    meaning: 'A page of a bucket must be a branch or a leaf. What it and the pages below it held cannot be reached.',
    peer: DIES,
  },
  BOLT_PAGE_UNREADABLE: {
    severity: 'unknown',
    message: (f) => `${at(f)}: cannot be read: ${f.args['reason']}`,
    remedy: 'copy the file with a tool that goes on after read errors (ddrescue), check the copy, replace the disk',
    meaning: 'The operating system gave an error for this part of the file. The rest was examined.',
    peer: DIES,
  },
  BOLT_PAGE_BEYOND_FILE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: in use, but beyond the end of the file (${f.args['size']} bytes)`,
    remedy: RESTORE,
    meaning: 'A page in use lies where the file has ended.',
    peer: DIES,
  },
  BOLT_PAGE_COUNT: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: claims ${f.args['count']} elements, there is room for ${f.args['room']}`,
    remedy: RESTORE,
    meaning: 'The array of elements does not fit into the page.',
    peer: DIES,
  },
  BOLT_PAGE_CYCLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: is its own ancestor: page ${f.args['from']} below it refers to it`,
    remedy: RESTORE,
    meaning: 'Following the tree down leads back to a page above. The subtree that belongs there is lost.',
    peer: DIES,
  },
  BOLT_PAGE_REFERENCED_TWICE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: in use already when page ${f.args['from']} claims it again`,
    remedy: RESTORE,
    meaning:
      'Two places of the tree claim the same page, as a child or as the continuation of a large page. One of them has lost its own.',
    peer: REPORTS,
  },
  BOLT_PAGE_UNREACHABLE: {
    severity: 'repairable',
    message: (f) =>
      f.causedBy === undefined
        ? `${at(f)}: neither in use nor free`
        : `${f.args['pages']} pages are lost below it: ${f.args['runs']}`,
    remedy: COMPACT,
    meaning:
      'The stored freelist does not name these pages, and nothing refers to them. By themselves they only waste space. When they follow from a damaged page above them they are what has been lost.',
    peer: REPORTS,
  },
  BOLT_CHILD_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: refers to page ${f.args['child']}, outside 2 to ${f.args['highWaterMark']} (exclusive)${again(f)}`,
    remedy: RESTORE,
    meaning:
      'A branch element refers to a page that cannot belong to the tree: a meta page, or one at or above the high water mark.',
    peer: `${DIES}; ${SILENT.toLowerCase()} at a page that equals the high water mark`,
  },
  BOLT_OVERFLOW_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: claims ${f.args['overflow']} more pages, past the high water mark ${f.args['highWaterMark']}`,
    remedy: RESTORE,
    meaning: 'The number of pages that continue this one is damaged.',
    peer: `${DIES}; ${SILENT.toLowerCase()} at that of the freelist page`,
  },
  BOLT_OVERFLOW_TOO_LARGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the first claims ${f.args['overflow']} more pages, its elements need ${f.args['needed']}`,
    remedy: RESTORE,
    meaning:
      'A page claims more pages than its content needs, so it covers its neighbours. The next write to it would free pages that others use. `bbolt surgery` can leave this too.',
    peer: `${REPORTS} if the pages it covers are in use; else it does not look`,
  },
  BOLT_BRANCH_EMPTY: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: a branch without elements`,
    remedy: RESTORE,
    meaning:
      'Everything below this page is lost. bbolt reads stale bytes here. `bbolt surgery clear-page` leaves this too.',
    peer: SILENT,
  },
  BOLT_BRANCH_ONE_CHILD: {
    severity: 'info',
    message: (f) => `${at(f)}: a branch with a single element`,
    remedy: NOTHING,
    meaning:
      'bbolt itself leaves at least two; surgery can leave one. It is read normally, but bbolt may panic when it deletes there.',
    peer: SILENT,
  },
  BOLT_BRANCH_KEY_NOT_FIRST: {
    severity: 'info',
    message: (f) =>
      `${at(f)}: the first key ${f.args['key']} is above the key ${f.args['parentKey']} that its parent has for it`,
    remedy: NOTHING,
    meaning:
      'In files written by bbolt the two are equal. The tree is searched correctly all the same; keys may have been removed here by surgery.',
    peer: SILENT,
  },
  BOLT_LEAF_EMPTY: {
    severity: 'corrupt',
    message: (f) =>
      f.args['root'] === 'true'
        ? `${at(f)}: an empty leaf with bytes where elements would be`
        : `${at(f)}: a leaf without elements`,
    remedy: RESTORE,
    meaning:
      'Keys are gone: bbolt leaves no empty leaf below a branch, and none with bytes left in it. `bbolt surgery clear-page` leaves the same.',
    peer: SILENT,
  },
  BOLT_TREE_TOO_DEEP: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: ${f.args['depth']} levels below the root of its bucket`,
    remedy: RESTORE,
    meaning: 'No file that fits on a disk has so many levels. What lies below was not examined.',
    peer: SILENT,
  },
  BOLT_DEPTH_UNEVEN: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: a leaf at level ${f.args['depth']} in a bucket whose leaves are at level ${f.args['expected']}`,
    remedy: RESTORE,
    meaning: 'All leaves of a bucket lie at the same depth. This page belongs to another place, or is an older copy.',
    peer: SILENT,
  },
  BOLT_ELEMENT_OUT_OF_PAGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}${inlineNote(f)}: occupies bytes ${f.args['start']} to ${f.args['end']} of a page of ${f.args['room']}${again(f)}`,
    remedy: RESTORE,
    meaning: 'Position or size of a key or value point outside the page.',
    peer: `${DIES}; ${SILENT.toLowerCase()} at value sizes`,
  },
  BOLT_ELEMENT_OVERLAP: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}${inlineNote(f)}: begins at byte ${f.args['start']}, but what comes before it ends at ${f.args['free']}${again(f)}`,
    remedy: RESTORE,
    meaning:
      'The bytes of this element belong to another one, or to the array of elements: a position or size is damaged.',
    peer: SILENT,
  },
  BOLT_ELEMENT_GAP: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}${inlineNote(f)}: begins at byte ${f.args['start']}, ${f.args['expected']} expected: bytes before it belong to no element${again(f)}`,
    remedy: RESTORE,
    meaning:
      'bbolt writes keys and values without gaps. Before the first element a gap means that the number of elements was lowered: keys are gone. Between elements it means that a position or size is damaged. `bbolt surgery clear-page-elements` leaves the first kind too.',
    peer: SILENT,
  },
  BOLT_ELEMENT_FLAGS: {
    severity: 'corrupt',
    message: (f) => `${at(f)}${inlineNote(f)}: flags ${f.args['flags']} have bits that bbolt never sets${again(f)}`,
    remedy: RESTORE,
    meaning:
      'Only the lowest bit has a meaning (the value is a bucket). Programs ignore the others, but no program writes them.',
    peer: SILENT,
  },
  BOLT_STALE_BYTES: {
    severity: 'info',
    message: (f) => `${at(f)}: bytes behind the last element are not zero, from byte ${f.args['from']} of the page on`,
    remedy: NOTHING,
    meaning:
      'bbolt fills the rest of a page with zeros. Surgery leaves stale bytes; a value whose size was damaged to be smaller looks the same.',
    peer: SILENT,
  },
  BOLT_KEY_EMPTY: {
    severity: 'corrupt',
    message: (f) => `${at(f)}${inlineNote(f)}: the key is empty${again(f)}`,
    remedy: RESTORE,
    meaning: 'bbolt does not store empty keys.',
    peer: `${SILENT} (only the order of keys may give it away)`,
  },
  BOLT_KEY_TOO_LONG: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}${inlineNote(f)}: the key has ${f.args['length']} bytes, at most 32768 are allowed${again(f)}`,
    remedy: RESTORE,
    meaning: 'bbolt refuses longer keys when writing (names of buckets excepted).',
    peer: SILENT,
  },
  BOLT_KEY_ORDER: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}${inlineNote(f)}: key ${f.args['key']} ${f.args['relation'] === '=' ? 'equals' : 'is below'} the one before it, ${f.args['previous']}${again(f)}`,
    remedy: RESTORE,
    meaning: 'Keys on a page must ascend. Look-ups of the keys around here may fail.',
    peer: `${REPORTS}; ${SILENT.toLowerCase()} inside inline buckets`,
  },
  BOLT_KEY_BELOW_PARENT: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the first key ${f.args['key']} is below the key ${f.args['parentKey']} under which its parent has it`,
    remedy: RESTORE,
    meaning:
      'The page holds keys that do not belong here: it is another page, an older copy, or the key of the branch above is damaged.',
    peer: REPORTS,
  },
  BOLT_KEY_ABOVE_PARENT: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: key ${f.args['key']} is not below ${f.args['bound']}, where the next page begins${again(f)}`,
    remedy: RESTORE,
    meaning:
      'The page holds keys that belong to the pages after it: it is another page, an older copy, or a key of a branch above is damaged.',
    peer: `${REPORTS}; not behind an empty leaf`,
  },
  BOLT_ROOT_PLAIN_KEY: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: key ${f.args['key']} at the top level is not a bucket${again(f)}`,
    remedy: RESTORE,
    meaning: 'Only buckets can be created at the top level. bbolt crashes on this when it compacts.',
    peer: SILENT,
  },
  BOLT_BUCKET_VALUE_SIZE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the value of a bucket has ${f.args['size']} bytes; 16 are expected, or at least 32 for an inline bucket`,
    remedy: RESTORE,
    meaning: 'The header of a bucket does not fit its element.',
    peer: SILENT,
  },
  BOLT_BUCKET_ROOT_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the bucket names page ${f.args['root']} as its root, outside 2 to ${f.args['highWaterMark']} (exclusive)`,
    remedy: RESTORE,
    meaning: 'The content of this bucket cannot be reached.',
    peer: DIES,
  },
  BOLT_INLINE_PAGE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the page inside an inline bucket is not a leaf as it should be: ${f.args['reason']}`,
    remedy: RESTORE,
    meaning: 'A small bucket is stored inside the value of its element, as a leaf page with number 0.',
    milder: {
      severity: 'repairable',
      when: 'records at the end of bucket `lease` of a db of etcd are gone (level deep): no key is lost with a lease',
      remedy: 'put keys whose leases are missing anew, with a lease or without; as they are they never expire',
    },
    peer: SILENT,
  },
  BOLT_INLINE_NESTED: {
    severity: 'corrupt',
    message: (f) => `${at(f)}${inlineNote(f)}: an inline bucket holds a bucket, ${f.args['key']}`,
    remedy: RESTORE,
    meaning: 'Inline buckets hold plain values only.',
    peer: SILENT,
  },
  BOLT_FREELIST_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: meta names page ${f.args['freelist']} as the freelist; the high water mark is ${f.args['highWaterMark']}`,
    remedy: 'abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'The freelist cannot be at that page. Reading works; opening for writing does not.',
    peer: DIES,
  },
  BOLT_FREELIST_PAGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: named as the freelist, but its header says number ${f.args['id']}, flags ${f.args['flags']} (0x10 expected)`,
    remedy: 'abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning:
      'The page that the meta names as the freelist is something else. Reading works; opening for writing does not.',
    peer: DIES,
  },
  BOLT_FREELIST_COUNT: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the freelist claims ${f.args['count']} ids, there is room for ${f.args['room']}`,
    remedy: 'abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'The freelist does not fit into its pages.',
    peer: `${DIES}, or takes what follows for page numbers and reports those`,
  },
  BOLT_FREELIST_UNSORTED: {
    severity: 'repairable',
    message: (f) => `${at(f)}: the freelist is not in ascending order: ${f.args['id']} after ${f.args['previous']}`,
    remedy: 'bbolt sorts it when it opens the file; the next transaction writes it sorted',
    meaning: 'bbolt writes the freelist sorted, and reads it in any order.',
    peer: SILENT,
  },
  BOLT_FREELIST_DUPLICATE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: named in the freelist more than once`,
    remedy:
      'do not let etcd write to this file; abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'A writer would hand out this page twice, and the second use would destroy the first.',
    peer: REPORTS,
  },
  BOLT_FREELIST_ID_OUT_OF_RANGE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the freelist names page ${f.args['id']}, outside 2 to ${f.args['highWaterMark']} (exclusive)${again(f)}`,
    remedy:
      'do not let etcd write to this file; abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'A writer that takes this page overwrites a meta, or writes beyond the pages it keeps account of.',
    peer: SILENT,
  },
  BOLT_FREELIST_OWN_PAGE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the freelist names its own page as free`,
    remedy:
      'do not let etcd write to this file; abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'The freelist never names the pages it lies in itself.',
    peer: SILENT,
  },
  BOLT_FREE_PAGE_IN_USE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: in use, and named as free by the freelist`,
    remedy:
      'do not let etcd write to this file, the next write may destroy the page; abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'The page belongs to a bucket, but a writer would take it for new data.',
    peer: REPORTS,
  },
  BOLT_FREE_PAGE_IN_OVERFLOW: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: continues page ${f.args['owner']}, and is named as free by the freelist`,
    remedy:
      'do not let etcd write to this file, the next write may destroy the page; abandon the freelist (etcd-datadir bolt surgery freelist abandon): it is rebuilt from the tree',
    meaning: 'The page holds part of a large value, but a writer would take it for new data.',
    peer: SILENT,
  },
  BOLT_PREVIOUS_DAMAGED: {
    severity: 'info',
    message: (f) => `the transaction before (${f.args['txid']}) is not whole any more: ${f.args['finding']}`,
    remedy: 'nothing needs to be done; it could not serve as a fallback',
    meaning:
      'The older meta describes a tree that has been partly overwritten, or is damaged. This is normal after a crash in the middle of a write.',
    peer: SILENT,
  },
  BOLT_PREVIOUS_HEALTHY: {
    severity: 'info',
    message: (f) => `the transaction before (${f.args['txid']}) is whole`,
    remedy:
      'read the file at the older meta (--meta), or revert to it in a copy (etcd-datadir bolt surgery revert-meta-page)',
    meaning: 'The current state is damaged, but the state one transaction earlier is not.',
    peer: SILENT,
  },
  BOLT_CHANGED_WHILE_READ: {
    severity: 'unknown',
    message: (f) =>
      `the file was written to during each of ${f.args['attempts']} attempts to check it (transaction ${f.args['txid']} at last)`,
    remedy: 'stop the program that writes to it, or check a snapshot of it',
    meaning: 'Pages may have been used anew while they were being read, so that nothing certain can be said.',
    peer: SILENT,
  },
};
