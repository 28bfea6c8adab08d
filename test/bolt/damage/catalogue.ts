/**
 * Every finding about a bolt file with at least one file that provokes it, alone, each with the page it must name. Among
 * them are all rows of the catalogue of damage in the format's specification.
 */
import type { FindingCode, Verdict } from '../../../src/findings.ts';
import { type ByteSource, memorySource } from '../../../src/io/byte-source.ts';
import { changingSource } from '../../support/bolt-builder.ts';
import { BoltEdit, BRANCH, LEAF, type LeafElement, NO_FREELIST } from '../../support/bolt-edit.ts';
import {
  boltFile,
  branch,
  bucket,
  freelist,
  type Item,
  inlineBucket,
  leaf,
  type Page,
} from '../../support/bolt-pages.ts';
import { faultySource } from '../../support/faulty.ts';
import { readFixture } from '../../support/fixtures.ts';

/** A damaged file, and where the finding must be. */
interface Made {
  readonly input: Uint8Array | ByteSource;
  readonly page?: number | undefined;
  readonly element?: number;
}

export interface CatalogueCase {
  readonly what: string;
  readonly code: FindingCode;
  readonly verdict: Verdict;
  /** Whether the finding follows from another one. */
  readonly consequence?: boolean;
  make(): Made;
}

const STORED = 'bolt/small-512-stored';
const NONE = 'bolt/small-512-none';

/** Pages of bucket `tree`, which has three levels. */
export interface Places {
  readonly root: number;
  readonly branches: readonly number[];
  readonly leaves: readonly number[];
}
export function placesOf(edit: BoltEdit): Places {
  const { root } = edit.bucket('tree');
  const pages = [...edit.walk(root)];
  return {
    root,
    branches: pages.filter((page) => page !== root && edit.flags(page) === BRANCH),
    leaves: pages.filter((page) => edit.flags(page) === LEAF),
  };
}

/** Changes a stored small file; the page returned is the one that the finding must name. */
const change =
  (name: string, work: (edit: BoltEdit, places: Places) => number | undefined | Omit<Made, 'input'>): (() => Made) =>
  () => {
    const edit = new BoltEdit(readFixture(name));
    const found = work(edit, placesOf(edit));
    return typeof found === 'object' ? { input: edit.bytes, ...found } : { input: edit.bytes, page: found };
  };
const stored = (work: Parameters<typeof change>[1]): (() => Made) => change(STORED, work);
const none = (work: Parameters<typeof change>[1]): (() => Made) => change(NONE, work);

/** A file with one bucket `b`, whose tree is given as pages from number 3 on (3 is its root). */
const built =
  (pages: Readonly<Record<number, Page>>, page?: number, more: Omit<Made, 'input' | 'page'> = {}) =>
  (): Made => ({
    input: boltFile({ 2: leaf(bucket('b', 3)), ...pages }),
    page,
    ...more,
  });

const elements = (edit: BoltEdit, page: number): LeafElement[] => edit.leafElements(edit.at(page));
const bytes = (length: number, fill = 0x61): Uint8Array => new Uint8Array(length).fill(fill);
/** A bucket's element with a value as given. */
const badBucket = (value: Uint8Array): Item => ({ key: 'bad', value, bucket: true });

/** Ids of the stored freelist are replaced by these. */
function setFreelist(edit: BoltEdit, ids: readonly (number | bigint)[]): number {
  const page = edit.freelist!;
  edit.setU16(edit.at(page, 10), ids.length);
  for (const [i, id] of ids.entries()) edit.setU64(edit.at(page, 16 + 8 * i), id);
  return page;
}

const damaged = (
  code: FindingCode,
  what: string,
  make: () => Made,
  more: Partial<CatalogueCase> = {},
): CatalogueCase => ({
  what,
  code,
  verdict: 'damaged',
  make,
  ...more,
});
const repairable = (code: FindingCode, what: string, make: () => Made): CatalogueCase =>
  damaged(code, what, make, { verdict: 'repairable' });
const noted = (code: FindingCode, what: string, make: () => Made): CatalogueCase =>
  damaged(code, what, make, { verdict: 'healthy' });

/** A tree of a branch per level, `depth` levels of them, and one leaf. */
function deepTree(depth: number): Uint8Array {
  const pages: Record<number, Page> = { 2: leaf(bucket('b', 3)) };
  for (let i = 0; i < depth; i++) pages[3 + i] = branch(['k', 4 + i]);
  pages[3 + depth] = leaf(['k', 'v']);
  return boltFile(pages);
}

function bigEndian(): Uint8Array {
  const file = readFixture('bolt/fresh-4096').slice();
  const view = new DataView(file.buffer);
  for (const at of [16, 4096 + 16]) view.setUint32(at, 0xed0cdaed, false);
  return file;
}

export const catalogue: readonly CatalogueCase[] = [
  // ---- the file and its metas
  damaged('BOLT_FILE_TOO_SMALL', 'an empty file', () => ({ input: new Uint8Array(0) })),
  damaged('BOLT_FILE_TOO_SMALL', 'one page only', () => ({ input: readFixture(STORED).subarray(0, 512) })),
  damaged(
    'BOLT_META_BOTH_INVALID',
    'both metas with a wrong checksum',
    stored((edit) => {
      edit.flip(edit.at(0, 72), 1);
      edit.flip(edit.at(1, 72), 1);
      return 0;
    }),
  ),
  repairable(
    'BOLT_META_NEWER_INVALID',
    'the newer meta with a wrong checksum',
    stored((edit) => {
      edit.flip(edit.at(edit.newerMeta, 72), 1);
      return edit.newerMeta;
    }),
  ),
  repairable(
    'BOLT_META_NEWER_INVALID',
    'the newer meta with the number of the older transaction',
    stored((edit) => {
      edit.setU64(edit.at(edit.newerMeta, 64), edit.u64(edit.at(edit.olderMeta, 64)));
      return edit.newerMeta;
    }),
  ),
  repairable(
    'BOLT_META_NEWER_INVALID',
    'a meta page of zeros: which one it was cannot be told',
    stored((edit) => {
      edit.bytes.fill(0, edit.at(edit.olderMeta), edit.at(edit.olderMeta + 1));
      return edit.olderMeta;
    }),
  ),
  noted(
    'BOLT_META_OLDER_INVALID',
    'the older meta with a wrong root',
    stored((edit) => {
      edit.flip(edit.at(edit.olderMeta, 32), 1);
      return edit.olderMeta;
    }),
  ),
  noted(
    'BOLT_META_OLDER_INVALID',
    'the older meta with a transaction number that makes it the newer one',
    stored((edit) => {
      edit.setU64(edit.at(edit.olderMeta, 64), 1000);
      return edit.olderMeta;
    }),
  ),
  repairable(
    'BOLT_META_HEADER',
    'flags 0 in the header of a meta page',
    stored((edit) => {
      edit.setU16(edit.at(edit.newerMeta, 8), 0);
      return edit.newerMeta;
    }),
  ),
  repairable(
    'BOLT_META_HEADER',
    'another number in the header of a meta page',
    stored((edit) => {
      edit.setU64(edit.at(edit.olderMeta), 5);
      return edit.olderMeta;
    }),
  ),
  noted(
    'BOLT_META_FLAGS',
    'meta.flags 4, as surgery leaves it',
    stored((edit) => {
      edit.setU32(edit.at(edit.newerMeta, 28), 4);
      edit.sealMeta(edit.newerMeta);
      return edit.newerMeta;
    }),
  ),
  noted('BOLT_META_SAME_TXID', 'the older meta copied over the newer one, its number put right', () => ({
    input: readFixture('bolt-surgery/revert-meta-page-small'),
  })),
  noted('BOLT_META_WITHOUT_CHECKSUM', 'a new file of boltdb before 1.2', () => {
    const edit = new BoltEdit(readFixture('bolt/fresh-4096'));
    edit.setU64(edit.at(0, 72), 0);
    edit.setU64(edit.at(1, 72), 0);
    return { input: edit.bytes, page: 0 };
  }),
  damaged('BOLT_BIG_ENDIAN', 'a file of a big-endian machine', () => ({ input: bigEndian() }), { verdict: 'refused' }),
  damaged(
    'BOLT_PAGE_SIZE_WRONG',
    'page size 1024 in the newer meta of a file of 512',
    stored((edit) => {
      edit.setU32(edit.at(edit.newerMeta, 24), 1024);
      edit.sealMeta(edit.newerMeta);
      return edit.newerMeta;
    }),
  ),
  damaged(
    'BOLT_PAGE_SIZE_WRONG',
    'page size 0 in both metas',
    stored((edit) => {
      edit.editMetas((start) => edit.setU32(start + 24, 0));
      return 0;
    }),
  ),
  noted('BOLT_PAGE_SIZE_ODD', 'pages of 1000 bytes', () => ({ input: readFixture('bolt/fresh-1000') })),
  damaged(
    'BOLT_HIGH_WATER_MARK_TOO_LOW',
    'a high water mark of 2',
    stored((edit) => {
      edit.editMetas((start) => edit.setU64(start + 56, 2));
      return edit.newerMeta;
    }),
  ),
  damaged('BOLT_FILE_TRUNCATED', 'a file cut below its high water mark', () => ({
    input: readFixture(STORED).subarray(0, 12000),
  })),
  damaged(
    'BOLT_FILE_TRUNCATED',
    'a high water mark beyond the file',
    stored((edit) => {
      edit.editMetas((start) => edit.setU64(start + 56, 1000));
      return undefined;
    }),
  ),
  noted(
    'BOLT_TAIL_NOT_ZERO',
    'bytes behind the last page',
    stored((edit) => {
      edit.grow(edit.bytes.length + 700);
      edit.bytes[edit.bytes.length - 1] = 1;
      return undefined;
    }),
  ),
  noted(
    'BOLT_TRAILER',
    'the sha256 of a snapshot',
    stored((edit) => {
      edit.grow(edit.bytes.length + 32);
      edit.bytes.fill(7, edit.bytes.length - 32);
      return undefined;
    }),
  ),
  damaged(
    'BOLT_ROOT_OUT_OF_RANGE',
    'a root at the high water mark',
    stored((edit) => {
      edit.editMetas((start) => edit.setU64(start + 32, edit.highWaterMark));
      return edit.newerMeta;
    }),
  ),
  damaged(
    'BOLT_ROOT_OUT_OF_RANGE',
    'a root in the metas',
    stored((edit) => {
      edit.editMetas((start) => edit.setU64(start + 32, 1));
      return edit.newerMeta;
    }),
  ),

  // ---- headers of pages
  damaged(
    'BOLT_PAGE_ZEROED',
    'a leaf of zeros',
    stored((edit, { leaves }) => {
      edit.span(leaves[3]!).fill(0);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_PAGE_ID',
    'a leaf with another number',
    stored((edit, { leaves }) => {
      edit.setU64(edit.at(leaves[3]!), 2 ** 53);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_PAGE_TYPE',
    'flags 0x20',
    stored((edit, { leaves }) => {
      edit.setU16(edit.at(leaves[3]!, 8), 0x20);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_PAGE_TYPE',
    'flags 0x03, branch and leaf at once',
    stored((edit, { branches }) => {
      edit.setU16(edit.at(branches[1]!, 8), 3);
      return branches[1];
    }),
  ),
  damaged(
    'BOLT_PAGE_TYPE',
    'a child that is a freelist of old',
    none((edit, { branches }) => {
      const free = edit.freePages()[0]!;
      edit.setU64(edit.at(free), free);
      edit.setU16(edit.at(free, 8), 0x10);
      edit.setU64(edit.branchElements(branches[0]!)[0]!.element + 8, free);
      return free;
    }),
  ),
  damaged(
    'BOLT_PAGE_UNREADABLE',
    'a page that the disk does not give',
    () => {
      const file = readFixture(STORED);
      const page = placesOf(new BoltEdit(file)).leaves[3]!;
      const input = faultySource(memorySource(file), { failAt: [[page * 512 + 100, page * 512 + 101]] });
      return { input, page };
    },
    { verdict: 'undecided' },
  ),
  damaged(
    'BOLT_PAGE_BEYOND_FILE',
    'pages behind the end of the file',
    () => {
      const file = readFixture(STORED);
      const { root } = new BoltEdit(file);
      return { input: file.subarray(0, root * 512 + 8), page: root };
    },
    { consequence: true },
  ),
  damaged(
    'BOLT_PAGE_COUNT',
    'a leaf of 4000 elements',
    stored((edit, { leaves }) => {
      edit.setU16(edit.at(leaves[3]!, 10), 4000);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_OVERFLOW_OUT_OF_RANGE',
    'a leaf with 2^32 - 1 overflow pages',
    stored((edit, { leaves }) => {
      edit.setU32(edit.at(leaves[3]!, 12), 0xffff_ffff);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_OVERFLOW_TOO_LARGE',
    'a leaf that covers its two neighbours',
    stored((edit, { leaves }) => {
      edit.setU32(edit.at(leaves[2]!, 12), 2);
      return leaves[2];
    }),
  ),
  damaged(
    'BOLT_OVERFLOW_TOO_LARGE',
    'a branch that covers its neighbour',
    none((edit, { branches }) => {
      edit.setU32(edit.at(branches[1]!, 12), 1);
      return branches[1];
    }),
  ),

  // ---- the trees
  damaged(
    'BOLT_PAGE_CYCLE',
    'a branch that is its own child',
    stored((edit, { branches }) => {
      edit.setU64(edit.branchElements(branches[1]!)[0]!.element + 8, branches[1]!);
      return branches[1];
    }),
  ),
  damaged(
    'BOLT_PAGE_CYCLE',
    'a branch that is the child of its child',
    stored((edit, { branches, root }) => {
      edit.setU64(edit.branchElements(branches[1]!)[1]!.element + 8, root);
      return root;
    }),
  ),
  damaged(
    'BOLT_PAGE_REFERENCED_TWICE',
    'a leaf with two parents',
    stored((edit, { branches, leaves }) => {
      edit.setU64(edit.branchElements(branches[1]!)[0]!.element + 8, leaves[0]!);
      return leaves[0];
    }),
  ),
  damaged(
    'BOLT_PAGE_REFERENCED_TWICE',
    'a bucket whose root is that of the bucket around it',
    stored((edit) => {
      const outer = edit.bucket('outer');
      edit.setU64(edit.bucket('outer', 'out').headerAt, outer.root);
      return outer.root;
    }),
  ),
  damaged(
    'BOLT_PAGE_REFERENCED_TWICE',
    'a bucket whose root is the root of all',
    stored((edit) => {
      edit.setU64(edit.bucket('outer', 'out').headerAt, edit.root);
      return edit.root;
    }),
  ),
  damaged(
    'BOLT_PAGE_REFERENCED_TWICE',
    'a child that is the freelist',
    stored((edit, { branches }) => {
      edit.setU64(edit.branchElements(branches[0]!)[0]!.element + 8, edit.freelist!);
      return edit.freelist;
    }),
  ),
  repairable(
    'BOLT_PAGE_UNREACHABLE',
    'a free page that the freelist does not name',
    stored((edit) => {
      const [missing, ...others] = edit.freePages();
      setFreelist(edit, others);
      return missing;
    }),
  ),
  repairable(
    'BOLT_PAGE_UNREACHABLE',
    'a high water mark that is five pages too high',
    stored((edit) => {
      const first = edit.highWaterMark;
      edit.grow(edit.at(first + 5));
      edit.setU64(edit.at(edit.newerMeta, 56), first + 5);
      edit.sealMeta(edit.newerMeta);
      return first;
    }),
  ),
  damaged(
    'BOLT_CHILD_OUT_OF_RANGE',
    'a child at 2^60',
    stored((edit, { branches }) => {
      edit.setU64(edit.branchElements(branches[2]!)[1]!.element + 8, 2n ** 60n);
      return { page: branches[2], element: 1 };
    }),
  ),
  damaged(
    'BOLT_CHILD_OUT_OF_RANGE',
    'a child that is a meta',
    stored((edit, { branches }) => {
      edit.setU64(edit.branchElements(branches[2]!)[1]!.element + 8, 0);
      return { page: branches[2], element: 1 };
    }),
  ),
  damaged(
    'BOLT_CHILD_OUT_OF_RANGE',
    'a child at the high water mark, where a good page lies',
    stored((edit, { branches, leaves }) => {
      const last = edit.highWaterMark;
      edit.grow(edit.at(last + 1));
      const child = edit.branchElements(branches[0]!)[0]!;
      edit.bytes.copyWithin(edit.at(last), edit.at(leaves[0]!), edit.at(leaves[0]! + 1));
      edit.setU64(edit.at(last), last);
      edit.setU64(child.element + 8, last);
      return { page: branches[0], element: 0 };
    }),
  ),
  damaged(
    'BOLT_CHILD_OUT_OF_RANGE',
    'a high water mark below pages in use',
    none((edit) => {
      const { root } = placesOf(edit);
      edit.editMetas((start) => edit.setU64(start + 56, 24));
      // The root of all lies above, so it is moved below.
      edit.bytes.copyWithin(edit.at(7), edit.at(root), edit.at(root + 1));
      edit.setU64(edit.at(7), 7);
      edit.bytes.copyWithin(edit.at(8), edit.at(edit.root), edit.at(edit.root + 1));
      edit.setU64(edit.at(8), 8);
      edit.setU64(edit.leafElements(edit.at(8)).at(-1)!.position + 4, 7);
      edit.editMetas((start) => edit.setU64(start + 32, 8));
      return { page: 7, element: 3 };
    }),
  ),
  damaged(
    'BOLT_BRANCH_EMPTY',
    'a branch without elements',
    stored((edit, { branches }) => {
      edit.setU16(edit.at(branches[1]!, 10), 0);
      return branches[1];
    }),
  ),
  noted('BOLT_BRANCH_ONE_CHILD', 'a branch with one child', built({ 3: branch(['a', 4]), 4: leaf(['a', '1']) }, 3)),
  noted(
    'BOLT_BRANCH_KEY_NOT_FIRST',
    'a branch key below the first key of its child',
    built({ 3: branch(['a', 4], ['b', 5]), 4: leaf(['a', '1']), 5: leaf(['bb', '2']) }, 5),
  ),
  damaged(
    'BOLT_LEAF_EMPTY',
    'a leaf below a branch without elements',
    stored((edit, { leaves }) => {
      edit.setU16(edit.at(leaves[3]!, 10), 0);
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_LEAF_EMPTY',
    'the root of a bucket without elements, but not blank',
    stored((edit) => {
      const { root } = edit.bucket('outer', 'out');
      edit.setU16(edit.at(root, 10), 0);
      return root;
    }),
  ),
  damaged('BOLT_TREE_TOO_DEEP', 'a hundred levels of branches', () => ({ input: deepTree(100), page: 3 + 63 })),
  damaged(
    'BOLT_DEPTH_UNEVEN',
    'a leaf beside a branch',
    built(
      {
        3: branch(['a', 4], ['c', 5]),
        4: branch(['a', 6], ['b', 7]),
        5: leaf(['c', '3']),
        6: leaf(['a', '1']),
        7: leaf(['b', '2']),
      },
      5,
    ),
  ),

  // ---- elements and keys
  damaged(
    'BOLT_ELEMENT_OUT_OF_PAGE',
    'a position far outside',
    stored((edit, { leaves }) => {
      edit.setU32(elements(edit, leaves[3]!)[1]!.element + 4, 0xffff_fff0);
      return { page: leaves[3], element: 1 };
    }),
  ),
  damaged(
    'BOLT_ELEMENT_OUT_OF_PAGE',
    'a key size far outside',
    stored((edit, { leaves }) => {
      edit.setU32(elements(edit, leaves[3]!)[1]!.element + 8, 0x7fff_ffff);
      return { page: leaves[3], element: 1 };
    }),
  ),
  damaged(
    'BOLT_ELEMENT_OUT_OF_PAGE',
    'a value that goes on into the next page',
    stored((edit, { leaves }) => {
      edit.setU32(elements(edit, leaves[3]!).at(-1)!.element + 12, 600);
      return { page: leaves[3], element: elements(edit, leaves[3]!).length - 1 };
    }),
  ),
  damaged('BOLT_ELEMENT_OUT_OF_PAGE', 'in an inline bucket', () => {
    const edit = new BoltEdit(boltFile({ 2: leaf(inlineBucket('b', leaf(['a', '1'], ['b', '2']))) }));
    edit.setU32(edit.entries('b')[1]!.element + 12, 100);
    return { input: edit.bytes, page: 2, element: 0 };
  }),
  damaged(
    'BOLT_ELEMENT_OVERLAP',
    'two elements at the same place',
    stored((edit, { leaves }) => {
      const [first, second] = elements(edit, leaves[3]!);
      edit.setU32(second!.element + 4, first!.position - second!.element);
      return { page: leaves[3], element: 1 };
    }),
  ),
  damaged(
    'BOLT_ELEMENT_OVERLAP',
    'one element more than there is',
    stored((edit, { leaves }) => {
      edit.setU16(edit.at(leaves[3]!, 10), edit.count(leaves[3]!) + 1);
      return { page: leaves[3], element: 0 };
    }),
  ),
  damaged(
    'BOLT_ELEMENT_GAP',
    'one element fewer than there is',
    stored((edit, { leaves }) => {
      edit.setU16(edit.at(leaves[3]!, 10), edit.count(leaves[3]!) - 1);
      return { page: leaves[3], element: 0 };
    }),
  ),
  damaged(
    'BOLT_ELEMENT_FLAGS',
    'flag 0x80',
    stored((edit, { leaves }) => {
      edit.setU32(elements(edit, leaves[3]!)[1]!.element, 0x80);
      return { page: leaves[3], element: 1 };
    }),
  ),
  noted(
    'BOLT_STALE_BYTES',
    'bytes behind the last element',
    stored((edit, { leaves }) => {
      const { position, keySize, valueSize } = elements(edit, leaves[3]!).at(-1)!;
      edit.bytes[position + keySize + valueSize] = 1;
      return leaves[3];
    }),
  ),
  damaged(
    'BOLT_KEY_EMPTY',
    'a first key of no bytes',
    built({ 3: branch(['a', 4], ['b', 5]), 4: leaf(['a', '1']), 5: leaf(['', 'b']) }, 5, { element: 0 }),
  ),
  damaged('BOLT_KEY_TOO_LONG', 'a key of 32769 bytes', built({ 3: leaf([bytes(32769), '1']) }, 3, { element: 0 })),
  damaged(
    'BOLT_KEY_ORDER',
    'two keys swapped',
    built({ 3: leaf(['a', '1'], ['c', '2'], ['b', '3']) }, 3, { element: 2 }),
  ),
  damaged('BOLT_KEY_ORDER', 'a key twice', built({ 3: leaf(['a', '1'], ['a', '2']) }, 3, { element: 1 })),
  damaged('BOLT_KEY_ORDER', 'in an inline bucket', () => ({
    input: boltFile({ 2: leaf(inlineBucket('b', leaf(['b', '1'], ['a', '2']))) }),
    page: 2,
    element: 0,
  })),
  damaged(
    'BOLT_KEY_ORDER',
    'of a branch',
    built({ 3: branch(['b', 4], ['a', 5]), 4: leaf(['b', '1']), 5: leaf(['a', '2']) }, 3, { element: 1 }),
  ),
  damaged(
    'BOLT_KEY_BELOW_PARENT',
    'a first key below that of the branch',
    built({ 3: branch(['a', 4], ['m', 5]), 4: leaf(['a', '1']), 5: leaf(['b', '2'], ['n', '3']) }, 5, { element: 0 }),
  ),
  damaged(
    'BOLT_KEY_ABOVE_PARENT',
    'a last key that belongs on the next page',
    built({ 3: branch(['a', 4], ['m', 5]), 4: leaf(['a', '1'], ['n', '3']), 5: leaf(['m', '2']) }, 4, { element: 1 }),
  ),
  damaged(
    'BOLT_KEY_ORDER',
    'of a branch, behind an empty leaf',
    built({ 3: branch(['a', 4], ['m', 5], ['k', 6]), 4: leaf(['a', '1']), 5: leaf(), 6: leaf(['k', '2']) }, 3, {
      element: 2,
    }),
  ),
  damaged('BOLT_ROOT_PLAIN_KEY', 'a plain key at the top', () => ({
    input: boltFile({ 2: leaf(['plain', 'value']) }),
    page: 2,
    element: 0,
  })),

  // ---- buckets
  damaged('BOLT_BUCKET_VALUE_SIZE', 'a bucket of 15 bytes', () => ({
    input: boltFile({ 2: leaf(badBucket(bytes(15, 0))) }),
    page: 2,
    element: 0,
  })),
  damaged('BOLT_BUCKET_VALUE_SIZE', 'an inline bucket of 31 bytes', () => ({
    input: boltFile({ 2: leaf(badBucket(bytes(31, 0))) }),
    page: 2,
    element: 0,
  })),
  damaged('BOLT_BUCKET_VALUE_SIZE', 'a bucket with a root and more', () => {
    const value = new Uint8Array(24);
    value[0] = 3;
    return { input: boltFile({ 2: leaf(badBucket(value)), 3: leaf(['a', '1']) }), page: 2, element: 0 };
  }),
  damaged(
    'BOLT_BUCKET_ROOT_OUT_OF_RANGE',
    'a plain value that is marked as a bucket',
    built({ 3: leaf({ key: 'a', value: bytes(16), bucket: true }) }, 3, { element: 0 }),
  ),
  damaged('BOLT_BUCKET_ROOT_OUT_OF_RANGE', 'a bucket whose root is a meta', () => ({
    input: boltFile({ 2: leaf(bucket('b', 1)) }),
    page: 2,
    element: 0,
  })),
  damaged(
    'BOLT_INLINE_PAGE',
    'a plain value of zeros that is marked as a bucket',
    built({ 3: leaf({ key: 'a', value: bytes(40, 0), bucket: true }) }, 3, { element: 0 }),
  ),
  damaged('BOLT_INLINE_PAGE', 'an inline bucket with flags of a branch', () => ({
    input: boltFile({ 2: leaf(inlineBucket('b', { ...leaf(['a', '1']), flags: BRANCH })) }),
    page: 2,
    element: 0,
  })),
  damaged('BOLT_INLINE_PAGE', 'an inline bucket with bytes left over', () => {
    const item = inlineBucket('b', leaf(['a', '1']));
    const value = new Uint8Array([...(item.value as Uint8Array), 0, 0]);
    return { input: boltFile({ 2: leaf({ ...item, value }) }), page: 2, element: 0 };
  }),
  damaged('BOLT_INLINE_PAGE', 'an inline bucket of 60000 elements', () => ({
    input: boltFile({ 2: leaf(inlineBucket('b', { ...leaf(['a', '1']), count: 60000 })) }),
    page: 2,
    element: 0,
  })),
  damaged('BOLT_INLINE_NESTED', 'an inline bucket in an inline bucket', () => ({
    input: boltFile({ 2: leaf(inlineBucket('b', leaf(inlineBucket('c', leaf(['a', '1']))))) }),
    page: 2,
    element: 0,
  })),

  // ---- the freelist
  damaged(
    'BOLT_FREELIST_OUT_OF_RANGE',
    'a freelist beyond the high water mark',
    stored((edit) => {
      edit.editMetas((start) => edit.setU64(start + 48, edit.highWaterMark));
      return edit.newerMeta;
    }),
  ),
  damaged(
    'BOLT_FREELIST_PAGE',
    'a freelist that is a leaf',
    stored((edit, { leaves }) => {
      edit.editMetas((start) => edit.setU64(start + 48, leaves[0]!));
      return leaves[0];
    }),
  ),
  damaged(
    'BOLT_FREELIST_PAGE',
    'a freelist with another number',
    stored((edit) => {
      edit.setU64(edit.at(edit.freelist!), 4);
      return edit.freelist;
    }),
  ),
  damaged(
    'BOLT_FREELIST_COUNT',
    'a freelist of 2^62 ids',
    stored((edit) => {
      const page = setFreelist(edit, [2n ** 62n]);
      edit.setU16(edit.at(page, 10), 0xffff);
      return page;
    }),
  ),
  damaged(
    'BOLT_FREELIST_COUNT',
    'a freelist that does not fit its page',
    stored((edit) => {
      edit.setU16(edit.at(edit.freelist!, 10), 63);
      return edit.freelist;
    }),
  ),
  repairable(
    'BOLT_FREELIST_UNSORTED',
    'a freelist in descending order',
    stored((edit) => setFreelist(edit, edit.freePages().reverse())),
  ),
  damaged(
    'BOLT_FREELIST_DUPLICATE',
    'a page that is free twice',
    stored((edit) => {
      const ids = edit.freePages();
      setFreelist(edit, [ids[0]!, ...ids]);
      return ids[0];
    }),
  ),
  ...[0, 1].map((id) =>
    damaged(
      'BOLT_FREELIST_ID_OUT_OF_RANGE',
      `page ${id} in the freelist`,
      stored((edit) => setFreelist(edit, [id, ...edit.freePages()])),
    ),
  ),
  damaged(
    'BOLT_FREELIST_ID_OUT_OF_RANGE',
    'the high water mark in the freelist',
    stored((edit) => setFreelist(edit, [...edit.freePages(), edit.highWaterMark])),
  ),
  damaged(
    'BOLT_FREELIST_ID_OUT_OF_RANGE',
    '2^64 - 1 in the freelist',
    stored((edit) => setFreelist(edit, [...edit.freePages(), NO_FREELIST])),
  ),
  damaged(
    'BOLT_FREELIST_OWN_PAGE',
    'the freelist in the freelist',
    stored((edit) => setFreelist(edit, [...edit.freePages(), edit.freelist!])),
  ),
  damaged(
    'BOLT_FREE_PAGE_IN_USE',
    'a leaf in the freelist',
    stored((edit, { leaves }) => {
      setFreelist(
        edit,
        [...edit.freePages(), leaves[0]!].sort((a, b) => a - b),
      );
      return leaves[0];
    }),
  ),
  damaged(
    'BOLT_FREE_PAGE_IN_OVERFLOW',
    'part of a large value in the freelist',
    stored((edit) => {
      const { root } = edit.bucket('large');
      setFreelist(
        edit,
        [...edit.freePages(), root + 1].sort((a, b) => a - b),
      );
      return root + 1;
    }),
  ),
  damaged('BOLT_FREE_PAGE_IN_OVERFLOW', 'part of a leaf far down in the freelist', () => {
    const pages = { 3: branch(['a', 4], ['b', 5]), 4: leaf(['a', '1']), 5: leaf(['b', bytes(900)]), 7: freelist(6) };
    return { input: boltFile({ 2: leaf(bucket('b', 3)), ...pages }, { freelist: 7 }), page: 6 };
  }),

  // ---- the transaction before, and files in use
  noted(
    'BOLT_PREVIOUS_DAMAGED',
    'pages of the transaction before that were overwritten',
    stored((edit) => {
      const root = Number(edit.u64(edit.at(edit.olderMeta, 32)));
      edit.span(root).fill(0xee);
      return undefined;
    }),
  ),
  damaged(
    'BOLT_PREVIOUS_HEALTHY',
    'a root that only the newest transaction uses',
    stored((edit) => {
      edit.span(edit.root).fill(0);
      return undefined;
    }),
  ),
  damaged(
    'BOLT_CHANGED_WHILE_READ',
    'a file that is written all the time',
    () => {
      const one = new BoltEdit(readFixture(STORED));
      one.bytes.fill(0, one.at(one.root), one.at(one.root + 1));
      const states: Uint8Array[] = [];
      for (let txid = 0; txid < 50; txid++) {
        one.setU64(one.at(one.newerMeta, 64), 100 + txid);
        one.sealMeta(one.newerMeta);
        states.push(one.bytes.slice());
      }
      // Every other read of the metas sees a new transaction.
      return { input: changingSource((read) => states[Math.min(49, Math.floor(read / 3))]!) };
    },
    { verdict: 'in-use' },
  ),
];
