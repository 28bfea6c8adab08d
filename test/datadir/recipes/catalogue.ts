/**
 * What a deep check of a whole data directory says of every kind of damage: the codes, and from the severity of the recipe the verdict
 * and the recommendation. docs/detection.md has the same as a table, made from here.
 */
import type { Recommendation } from '../../../src/datadir/validation/recommendation.ts';
import type { Verdict } from '../../../src/verdict.ts';
import { type DirRecipe, dirRecipe } from '../../support/data-dir-recipes.ts';

interface Expected {
  /**
   * Codes above `info` that follow from no other finding. For each of these one is there, and no other: `A|B` is A or B, by the place
   * of the damage, and `A?` may be there besides. `BACKEND_*` stands for all that begin so.
   */
  readonly codes: readonly string[];
  /** Codes of severity `info` that are there. */
  readonly noted: readonly string[];
  /** Where it differs from what is true of the damage. */
  readonly verdict?: Verdict;
  /** Why it does. */
  readonly reason?: string;
  /** Of what can be repaired: releases that refuse it, panic or lose something, so that it has to be mended before. */
  readonly notMendedBy: readonly string[];
}

type Row = readonly string[] | (Partial<Omit<Expected, 'codes'>> & { readonly codes?: readonly string[] });

const ALL = ['3.4', '3.5', '3.6', '3.7'];

const bolt: Readonly<Record<string, Row>> = {
  'bolt-leaf-zeroed': ['BOLT_PAGE_ZEROED'],
  'bolt-leaf-half-zeroed': ['BOLT_KEY_ORDER|BOLT_KEY_BELOW_PARENT|BOLT_KEY_EMPTY|BOLT_ELEMENT_OVERLAP'],
  'bolt-branch-zeroed': ['BOLT_PAGE_ZEROED'],
  'bolt-root-zeroed': ['BOLT_PAGE_ZEROED'],
  'bolt-free-page-garbage': [],
  'bolt-beyond-hwm-garbage': [],
  'bolt-truncated-half': ['BOLT_FILE_TRUNCATED'],
  'bolt-truncated-mid-page': ['BOLT_FILE_TRUNCATED'],
  'bolt-truncated-at-hwm': [],
  'bolt-empty': ['BOLT_FILE_TOO_SMALL'],
  'bolt-one-page': ['BOLT_FILE_TOO_SMALL'],
  'bolt-trailer-kept': [],
  'bolt-meta-newer-checksum': ['BOLT_META_NEWER_INVALID'],
  'bolt-meta-older-checksum': { noted: ['BOLT_META_OLDER_INVALID'] },
  'bolt-meta-both-checksum': ['BOLT_META_BOTH_INVALID'],
  'bolt-meta-both-zeroed': ['BOLT_META_BOTH_INVALID'],
  'bolt-meta-zero-first': ['BOLT_META_NEWER_INVALID'],
  'bolt-meta-magic': ['BOLT_META_BOTH_INVALID'],
  'bolt-meta-version': ['BOLT_META_BOTH_INVALID'],
  'bolt-meta-root-beyond': ['BOLT_ROOT_OUT_OF_RANGE'],
  'bolt-meta-hwm-low': [
    'BOLT_CHILD_OUT_OF_RANGE|BOLT_BUCKET_ROOT_OUT_OF_RANGE|BOLT_ROOT_OUT_OF_RANGE|BOLT_OVERFLOW_OUT_OF_RANGE',
  ],
  'bolt-meta-page-size': ['BOLT_PAGE_SIZE_WRONG'],
  'bolt-meta-older-tree': ['BOLT_META_HEADER'],
  'bolt-pages-swapped': ['BOLT_PAGE_ID'],
  'bolt-pages-swapped-ids-right': ['BOLT_KEY_BELOW_PARENT|BOLT_KEY_ABOVE_PARENT'],
  'bolt-leaf-stale': ['BOLT_KEY_BELOW_PARENT|BOLT_KEY_ABOVE_PARENT|BACKEND_*'],
  'bolt-page-claimed-twice': ['BOLT_PAGE_REFERENCED_TWICE'],
  'bolt-page-cycle': ['BOLT_PAGE_CYCLE'],
  'bolt-child-is-meta': ['BOLT_CHILD_OUT_OF_RANGE'],
  'bolt-child-beyond': ['BOLT_CHILD_OUT_OF_RANGE'],
  'bolt-branch-key-order': ['BOLT_KEY_ORDER'],
  'bolt-branch-key-wrong': ['BOLT_KEY_BELOW_PARENT|BOLT_KEY_ORDER'],
  'bolt-leaf-key-order': ['BOLT_KEY_ORDER'],
  'bolt-leaf-count-high': ['BOLT_PAGE_COUNT'],
  'bolt-leaf-count-zero': ['BOLT_LEAF_EMPTY'],
  'bolt-leaf-position-out': ['BOLT_ELEMENT_OUT_OF_PAGE'],
  'bolt-leaf-value-size-huge': ['BOLT_ELEMENT_OUT_OF_PAGE'],
  'bolt-overflow-huge': ['BOLT_OVERFLOW_OUT_OF_RANGE'],
  'bolt-overflow-one-more': ['BOLT_OVERFLOW_TOO_LARGE|BOLT_OVERFLOW_OUT_OF_RANGE'],
  'bolt-page-type-unknown': ['BOLT_PAGE_TYPE'],
  'bolt-page-type-branch': ['BOLT_KEY_EMPTY|BOLT_ELEMENT_OUT_OF_PAGE|BOLT_ELEMENT_OVERLAP'],
  'bolt-page-id-wrong': ['BOLT_PAGE_ID'],
  'bolt-value-bit-flip': {
    reason: 'values have no checksum: only a hash that was taken elsewhere tells',
  },
  'bolt-freelist-stored': [],
  'bolt-freelist-double-entry': ['BOLT_FREELIST_DUPLICATE'],
  'bolt-freelist-claims-live-page': ['BOLT_FREE_PAGE_IN_USE'],
  'bolt-freelist-leak': ['BOLT_PAGE_UNREACHABLE'],
  'bolt-freelist-beyond-hwm': ['BOLT_FREELIST_ID_OUT_OF_RANGE'],
  'bolt-freelist-unsorted': ['BOLT_FREELIST_UNSORTED'],
  'bolt-freelist-is-leaf': ['BOLT_FREELIST_PAGE'],
};

const backend: Readonly<Record<string, Row>> = {
  'backend-consistent-index-behind': ['DIR_DB_BEHIND_SNAPSHOT'],
  'backend-consistent-index-a-little-behind': ['DIR_INDEX_TOO_LOW'],
  'backend-consistent-index-ahead': ['DIR_INDEX_BEYOND_LOG'],
  'backend-consistent-index-zero': ['BACKEND_CONSISTENT_INDEX', 'DIR_DB_BEHIND_SNAPSHOT'],
  'backend-term-zero': ['BACKEND_TERM_ZERO'],
  'backend-compact-finished-future': ['BACKEND_COMPACT_ORDER'],
  'backend-compact-scheduled-ahead': [],
  'backend-compact-rev-separator': ['BACKEND_META_UNREADABLE'],
  'backend-storage-version-garbage': ['BACKEND_META_UNREADABLE'],
  'backend-storage-version-newer': ['BACKEND_STORAGE_VERSION_UNSUPPORTED'],
  'backend-cluster-version-garbage': ['BACKEND_CLUSTER_UNREADABLE'],
  'backend-cluster-version-newer': ['BACKEND_CLUSTER_VERSION_NEWER'],
  'backend-cluster-version-two-older': [],
  'backend-revision-key-separator': ['BACKEND_REVISION_KEY'],
  // The parent of a leaf knows its first key.
  'backend-revision-key-short': ['BACKEND_REVISION_KEY', 'BOLT_KEY_BELOW_PARENT?'],
  'backend-tombstone-mark': ['BACKEND_TOMBSTONE_MARK'],
  'backend-put-made-tombstone': ['BACKEND_RECORD_UNREADABLE'],
  'backend-revision-order': ['BOLT_KEY_ORDER|BOLT_KEY_ABOVE_PARENT', 'BACKEND_MOD_REVISION'],
  'backend-revision-jump-last': ['BACKEND_MOD_REVISION'],
  'backend-record-garbage': ['BACKEND_RECORD_UNREADABLE'],
  'backend-record-mod-revision': ['BACKEND_MOD_REVISION'],
  'backend-record-key-changed': ['BACKEND_KEY_BEGINNING|BACKEND_TOMBSTONE_WITHOUT_KEY'],
  'backend-lease-garbage': ['BACKEND_LEASE_UNREADABLE'],
  'backend-lease-id-mismatch': ['BACKEND_LEASE_ID'],
  'backend-lease-bucket-emptied': ['BOLT_INLINE_PAGE'],
  'backend-member-json-broken': ['BACKEND_MEMBER_UNREADABLE'],
  'backend-member-id-mismatch': ['BACKEND_MEMBER_ID'],
  'backend-members-emptied': ['BOLT_INLINE_PAGE', 'DIR_NOT_A_MEMBER'],
  'backend-bucket-key-renamed': ['BACKEND_BUCKET_MISSING'],
  'backend-bucket-meta-emptied': ['BOLT_INLINE_PAGE', 'DIR_DB_BEHIND_SNAPSHOT'],
  'backend-auth-user-garbage': ['BACKEND_USER_UNREADABLE'],
  'backend-auth-role-garbage': ['BACKEND_ROLE_UNREADABLE'],
  'backend-auth-revision-short': ['BACKEND_AUTH_UNREADABLE', 'BOLT_INLINE_PAGE'],
};

const wal: Readonly<Record<string, Row>> = {
  'wal-torn-tail-short': ['WAL_TORN_TAIL'],
  'wal-torn-tail-in-length': ['WAL_TORN_TAIL'],
  'wal-cut-at-record': [],
  'wal-torn-tail-zero-sector': ['WAL_TAIL_LOSES_COMMITTED'],
  'wal-torn-append-zero-sector': ['WAL_TORN_TAIL'],
  'wal-torn-append-hole': ['WAL_TORN_TAIL'],
  'wal-torn-append-short': ['WAL_TORN_TAIL'],
  'wal-tail-zeroed': ['DIR_INDEX_BEYOND_LOG'],
  'wal-garbage-behind-end': { noted: ['WAL_TAIL_NOT_ZERO'] },
  'wal-garbage-right-behind-last': { codes: ['WAL_TORN_TAIL'], notMendedBy: ['3.4'] },
  'wal-last-record-flip': ['WAL_RECORD_CRC'],
  'wal-middle-flip': ['WAL_RECORD_CRC'],
  'wal-middle-crc-field': ['WAL_RECORD_CRC'],
  'wal-middle-sector-zeroed': ['WAL_RECORD_CRC|WAL_RECORD_UNPARSABLE'],
  'wal-middle-page-zeroed': ['WAL_RECORD_CRC|WAL_RECORD_UNPARSABLE|WAL_RECORDS_BEHIND_END'],
  'wal-padding-garbage': [],
  'wal-hole': ['WAL_RECORDS_BEHIND_END'],
  'wal-length-huge': ['WAL_RECORD_CUT'],
  'wal-length-too-long': ['WAL_RECORD_UNPARSABLE'],
  'wal-inner-length-long': ['WAL_RECORD_UNPARSABLE'],
  'wal-type-unknown': ['WAL_RECORD_TYPE', 'WAL_ENTRY_GAP'],
  'wal-entry-typed-state': ['WAL_STATE_BACK', 'WAL_ENTRY_GAP'],
  'wal-metadata-other-node': ['DIR_NOT_A_MEMBER'],
  'wal-metadata-other-cluster': ['WAL_CLUSTER_ID'],
  'wal-metadata-missing': ['WAL_METADATA_MISSING'],
  'wal-two-metadata': ['WAL_METADATA_CONFLICT'],
  'wal-entry-gap': ['WAL_ENTRY_GAP'],
  'wal-entry-gap-before-snapshot': ['WAL_ENTRY_GAP'],
  'wal-entry-repeated': [],
  'wal-commit-beyond': ['WAL_COMMIT_BEYOND'],
  'wal-commit-back': { codes: ['WAL_STATE_BACK'], noted: ['WAL_SNAPSHOT_PENDING'] },
  'wal-term-back': ['WAL_ENTRY_TERM_BACK'],
  'wal-entry-garbage': ['WAL_ENTRY_PAYLOAD'],
  'wal-snapshot-record-missing': { noted: ['DIR_SNAP_ORPHAN'] },
  'wal-snapshot-records-missing': ['DIR_SNAP_RECORDS_MISSING'],
  'wal-snapshot-record-term': ['WAL_SNAPSHOT_TERM'],
  'wal-segment-missing-middle': { codes: ['WAL_SEGMENT_MISSING'], notMendedBy: ALL },
  'wal-segment-missing-first': [],
  'wal-segment-only-last': [],
  'wal-segment-missing-last': ['DIR_INDEX_BEYOND_LOG'],
  'wal-segment-renumbered': ['WAL_SEQUENCE_GAP'],
  'wal-segment-index-name': ['WAL_SEGMENT_INDEX_NAME'],
  'wal-segment-crc-chain': ['WAL_CHAIN_BROKEN'],
  'wal-segment-crc-chain-middle': { codes: ['WAL_CHAIN_BROKEN'], notMendedBy: ALL },
  'wal-segment-cut-middle': { codes: ['WAL_RECORD_CUT'], notMendedBy: ALL },
  'wal-segment-cut-first': { codes: ['WAL_RECORD_CUT'], notMendedBy: ALL },
  'wal-segment-empty-last': ['WAL_SEGMENT_EMPTY', 'DIR_INDEX_BEYOND_LOG'],
  'wal-segment-empty-added': ['WAL_SEGMENT_EMPTY'],
  'wal-segment-zero-added': ['WAL_SEGMENT_EMPTY'],
  'wal-only-empty-file': ['WAL_SEGMENT_EMPTY', 'DIR_INDEX_BEYOND_LOG'],
  'wal-only-zeros': ['WAL_SEGMENT_EMPTY', 'DIR_INDEX_BEYOND_LOG'],
  'wal-stray-name': { noted: ['WAL_NAME_STRAY'] },
  'wal-copied-segment': { noted: ['WAL_LEFTOVER'] },
};

const snap: Readonly<Record<string, Row>> = {
  'snap-newest-data-flip': ['SNAP_CRC_MISMATCH'],
  'snap-newest-crc-flip': ['SNAP_CRC_MISMATCH'],
  'snap-newest-empty': ['SNAP_EMPTY'],
  'snap-newest-cut': ['SNAP_UNPARSABLE'],
  'snap-newest-missing': ['DIR_SNAP_FILE_MISSING'],
  'snap-older-flip': { noted: ['SNAP_OLDER_DAMAGED'] },
  'snap-all-flip': ['SNAP_CRC_MISMATCH', 'SNAP_ALL_DAMAGED'],
  'snap-all-missing': ['DIR_SNAP_FILE_MISSING'],
  'snap-orphan': { noted: ['DIR_SNAP_ORPHAN'] },
  'snap-name-mismatch': ['SNAP_NAME_MISMATCH'],
};

const SAME_STATE =
  'a member applies the same entries as the others of its cluster, so the db of one is the db of another, at an earlier or later entry';

const datadir: Readonly<Record<string, Row>> = {
  'dir-db-missing': { codes: ['DIR_DB_MISSING'], notMendedBy: ALL },
  'dir-db-missing-young': ['DIR_DB_MISSING'],
  'dir-wal-missing': ['DIR_WAL_MISSING'],
  'dir-wal-empty': ['DIR_WAL_MISSING'],
  'dir-db-only': ['DIR_WAL_MISSING'],
  'dir-snap-missing': { codes: ['DIR_DB_MISSING'], notMendedBy: ['3.7'] },
  'dir-member-missing': ['DIR_NOTHING_THERE'],
  'dir-db-older': {
    verdict: 'healthy',
    reason:
      'a db behind its log is what every crash leaves, and etcd applies the rest at its start; how many entries that are is told',
  },
  'dir-db-other-member': { verdict: 'healthy', reason: SAME_STATE },
  'dir-wal-other-member': {
    verdict: 'healthy',
    reason: `${SAME_STATE}; where the member that is meant is named (its id), the directory is refused`,
  },
  // Up to 3.5 the members of the db do not count.
  'dir-db-other-cluster': ['DIR_DB_BEHIND_SNAPSHOT', 'DIR_NOT_A_MEMBER?'],
  'dir-leftovers': { noted: ['DIR_LEFTOVERS', 'WAL_LEFTOVER', 'SNAP_LEFTOVER_BROKEN'] },
  'dir-wal-tmp-dirty': [],
  'dir-wal-dir-tmp': { noted: ['DIR_LEFTOVERS'] },
};

/** What may be found besides: where pages are damaged, so may be the records on them. */
const BESIDES: Readonly<Record<string, readonly string[]>> = { bolt: ['BACKEND_*?'] };

function expected(name: string, row: Row): Expected {
  const given: Exclude<Row, readonly string[]> = isCodes(row) ? { codes: row } : row;
  const codes = given.codes ?? [];
  const besides = codes.length > 0 ? (BESIDES[dirRecipe(name).area] ?? []) : [];
  return { noted: [], notMendedBy: [], ...given, codes: [...codes, ...besides] };
}

const isCodes = (row: Row): row is readonly string[] => Array.isArray(row);

/** Every recipe, in the order of the recipes. */
export const CATALOGUE: Readonly<Record<string, Expected>> = Object.fromEntries(
  Object.entries({ ...bolt, ...backend, ...wal, ...snap, ...datadir }).map(([name, row]) => [
    name,
    expected(name, row),
  ]),
);

const VERDICTS: Readonly<Record<DirRecipe['severity'], Verdict>> = {
  healthy: 'healthy',
  info: 'healthy',
  undetectable: 'healthy',
  repairable: 'repairable',
  corrupt: 'damaged',
  refuse: 'refused',
};

/** What the check must come to. */
export function expectedVerdict(name: string): Verdict {
  return CATALOGUE[name]!.verdict ?? VERDICTS[dirRecipe(name).severity];
}

/** What is to be done, where the backups have a usable base or there are none. `minor`: the release to be started. */
export function expectedRecommendation(name: string, minor: string, usableBase: boolean): Recommendation {
  switch (expectedVerdict(name)) {
    case 'healthy':
      return 'start';
    case 'repairable':
      return CATALOGUE[name]!.notMendedBy.includes(minor) ? 'start-after-repair' : 'start';
    case 'refused':
      return 'refuse';
    default:
      return usableBase ? 'restore' : 'keep-and-inspect';
  }
}
