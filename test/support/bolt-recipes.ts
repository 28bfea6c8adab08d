/**
 * Ways to damage (or to change without damage) the db file of an etcd member: metas, pages, freelist, truncation. Made for
 * the `busy` fixture, whose freelist is not stored. What the real bbolt says of each is in
 * fixtures/damaged-bolt-observed.json (variant 0).
 */
import { BoltEdit, type BranchElement, LEAF, type LeafElement } from './bolt-edit.ts';

/** What is true of the result; `repairable`: damaged, but nothing committed is lost, as the WAL or the tree still has it. */
export type Severity = 'healthy' | 'info' | 'repairable' | 'corrupt' | 'undetectable';

export interface RecipeContext {
  /** Bytes of the snapshot file of the same fixture. */
  readonly snapshot: Uint8Array;
}

export interface BoltRecipe {
  readonly name: string;
  readonly severity: Severity;
  readonly what: string;
  /** Gives a changed copy of `bytes`. Another variant (from 0) moves the damage to another place of the same kind. */
  apply(bytes: Uint8Array, variant: number, context: RecipeContext): Uint8Array;
}

type Apply = BoltRecipe['apply'];

const edit =
  (change: (bolt: BoltEdit, variant: number) => void): Apply =>
  (bytes, variant) => {
    const bolt = new BoltEdit(bytes);
    change(bolt, variant);
    return bolt.bytes;
  };
const cut =
  (length: (bolt: BoltEdit, variant: number) => number): Apply =>
  (bytes, variant) =>
    bytes.slice(0, length(new BoltEdit(bytes), variant));

/** Element `i` of a list, counted round and round. */
function pick<T>(list: readonly T[], i: number): T {
  const found = list[i % list.length];
  if (found === undefined) throw new Error('the file has no place for this damage');
  return found;
}
/** Two neighbours of a list, neither of them the first. */
function pair<T>(list: readonly T[], variant: number): [T, T] {
  const i = 1 + (variant % Math.max(1, list.length - 2));
  return [pick(list, i), pick(list, i + 1)];
}

/** A leaf (not the first or last) of bucket `key`. */
function someLeaf(bolt: BoltEdit, variant: number): number {
  const leaves = bolt.leaves('key');
  return pick(leaves, 1 + ((Math.floor(leaves.length / 3) + 5 * variant) % (leaves.length - 2)));
}
/** A leaf of one page with more than two records. */
function wideLeaf(bolt: BoltEdit, variant: number): number {
  const leaves = bolt.leaves('key').filter((page) => bolt.count(page) > 2 && bolt.overflow(page) === 0);
  return pick(leaves, 2 + 3 * variant);
}
const wideLeafElements = (bolt: BoltEdit, variant: number): LeafElement[] =>
  bolt.leafElements(bolt.at(wideLeaf(bolt, variant)));
/** The fullest branch page of bucket `key` (its root, in a tree of two levels). */
function keyBranch(bolt: BoltEdit): number {
  return pick(
    bolt.branches('key').sort((a, b) => bolt.count(b) - bolt.count(a)),
    0,
  );
}
const branchPair = (bolt: BoltEdit, variant: number): [BranchElement, BranchElement] =>
  pair(bolt.branchElements(keyBranch(bolt)), variant);
const onePageLeaves = (bolt: BoltEdit): number[] => bolt.leaves('key').filter((page) => bolt.overflow(page) === 0);

function swapBytes(a: Uint8Array, b: Uint8Array): void {
  const copy = a.slice();
  a.set(b.subarray(0, a.length));
  b.set(copy.subarray(0, b.length));
}
/** Keys of bucket `key` are 17 bytes, or 18 with the mark of a deletion. */
const REVISION_SIZE = 17;

/** Offset and length of a length-delimited field of a protobuf message; enough for etcd's KeyValue. */
function protobufBytes(message: Uint8Array, number: number): { at: number; length: number } | undefined {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const length = varint();
    if ((tag & 7) === 0) continue;
    if (tag >> 3 === number) return { at, length };
    at += length;
  }
  return undefined;
}
const VALUE_FIELD = 5;

const checksumFlip = (bolt: BoltEdit, page: number, offset: number): void => bolt.flip(bolt.at(page, offset), 0x10);

export const boltRecipes: readonly BoltRecipe[] = [
  // Pages gone or changed
  {
    name: 'bolt-leaf-zeroed',
    severity: 'corrupt',
    what: 'a leaf page of bucket key is all zero',
    apply: edit((b, v) => b.span(someLeaf(b, v)).fill(0)),
  },
  {
    name: 'bolt-leaf-half-zeroed',
    severity: 'corrupt',
    what: 'the second half of a leaf page of bucket key is zero: elements point at zero bytes (no structural rule is broken if only user values lie there)',
    apply: edit((b, v) => {
      const half = (page: number) => b.bytes.subarray(b.at(page, b.pageSize / 2), b.at(page + 1));
      const full = onePageLeaves(b).filter((page) => b.count(page) > 1 && half(page).some((byte) => byte !== 0));
      half(pick(full, 1 + v)).fill(0);
    }),
  },
  {
    name: 'bolt-branch-zeroed',
    severity: 'corrupt',
    what: 'a branch page of bucket key is all zero',
    apply: edit((b) => b.span(keyBranch(b)).fill(0)),
  },
  {
    name: 'bolt-root-zeroed',
    severity: 'corrupt',
    what: 'the root page of the root bucket is all zero',
    apply: edit((b) => b.span(b.root).fill(0)),
  },
  {
    name: 'bolt-free-page-garbage',
    severity: 'healthy',
    what: 'a free page is filled with 0xA5: nothing refers to it',
    apply: edit((b, v) => {
      const page = pick(b.freePages(), v);
      b.bytes.fill(0xa5, b.at(page), b.at(page + 1));
    }),
  },
  {
    name: 'bolt-beyond-hwm-garbage',
    severity: 'healthy',
    what: 'non-zero bytes in the preallocated tail behind the high water mark',
    apply: edit((b) => {
      b.grow(b.at(b.highWaterMark + 2));
      b.bytes.fill(0x5a, b.at(b.highWaterMark), b.at(b.highWaterMark + 1));
    }),
  },

  // Length of the file
  {
    name: 'bolt-truncated-half',
    severity: 'corrupt',
    what: 'the file ends in the middle of the used pages',
    apply: cut((b, v) => b.at(Math.floor(b.highWaterMark / (2 + v)))),
  },
  {
    name: 'bolt-truncated-mid-page',
    severity: 'corrupt',
    what: 'the file ends inside the last reachable page',
    apply: cut((b, v) => b.at(Math.max(...b.usedByTrees()), 100 + ((700 * v) % (b.pageSize - 100)))),
  },
  {
    name: 'bolt-truncated-at-hwm',
    severity: 'healthy',
    what: 'the preallocated tail is gone: the file ends at the high water mark',
    apply: cut((b) => b.at(b.highWaterMark)),
  },
  { name: 'bolt-empty', severity: 'corrupt', what: 'the db file has zero bytes', apply: () => new Uint8Array(0) },
  {
    name: 'bolt-one-page',
    severity: 'corrupt',
    what: 'only the first page is left',
    apply: cut((b) => b.pageSize),
  },
  {
    name: 'bolt-trailer-kept',
    severity: 'healthy',
    what: 'a snapshot file copied to member/snap/db with its 32-byte sha256 trailer',
    apply: (_bytes, _variant, { snapshot }) => snapshot.slice(),
  },

  // Metas
  {
    name: 'bolt-meta-newer-checksum',
    severity: 'repairable',
    what: 'checksum of the newer meta is wrong: readers fall back to the older one, one transaction is lost (the WAL has it)',
    apply: edit((b, v) => checksumFlip(b, b.newerMeta, 72 + (v % 8))),
  },
  {
    name: 'bolt-meta-older-checksum',
    severity: 'info',
    what: 'checksum of the older meta is wrong: nothing is lost',
    apply: edit((b, v) => checksumFlip(b, b.olderMeta, 72 + (v % 8))),
  },
  {
    name: 'bolt-meta-both-checksum',
    severity: 'corrupt',
    what: 'both meta checksums are wrong',
    apply: edit((b, v) => {
      checksumFlip(b, 0, 72 + ((1 + v) % 8));
      checksumFlip(b, 1, 72 + ((2 + v) % 8));
    }),
  },
  {
    name: 'bolt-meta-both-zeroed',
    severity: 'corrupt',
    what: 'both meta pages are zero',
    apply: edit((b) => b.bytes.fill(0, 0, b.at(2))),
  },
  {
    name: 'bolt-meta-zero-first',
    severity: 'repairable',
    what: 'meta page 0 is zero',
    apply: edit((b) => b.bytes.fill(0, 0, b.at(1))),
  },
  {
    name: 'bolt-meta-magic',
    severity: 'corrupt',
    what: 'magic of both metas is wrong',
    apply: edit((b) => {
      b.flip(b.at(0, 16), 0x10);
      b.flip(b.at(1, 16), 0x10);
    }),
  },
  {
    name: 'bolt-meta-version',
    severity: 'corrupt',
    what: 'version 3 in both metas, checksums right',
    apply: edit((b) => b.editMetas((meta) => b.setU32(meta + 20, 3))),
  },
  {
    name: 'bolt-meta-root-beyond',
    severity: 'corrupt',
    what: 'root page number beyond the high water mark in both metas, checksums right',
    apply: edit((b, v) => b.editMetas((meta) => b.setU64(meta + 32, b.highWaterMark + 10 + v))),
  },
  {
    name: 'bolt-meta-hwm-low',
    severity: 'corrupt',
    what: 'high water mark below pages in use in both metas, checksums right',
    apply: edit((b, v) => {
      const last = Math.max(...b.usedByTrees());
      b.editMetas((meta) => b.setU64(meta + 56, last - 1 - v));
    }),
  },
  {
    name: 'bolt-meta-page-size',
    severity: 'corrupt',
    what: 'page size 8192 in both metas of a 4096 file, checksums right',
    apply: edit((b) => b.editMetas((meta) => b.setU32(meta + 24, 8192))),
  },
  {
    name: 'bolt-meta-older-tree',
    severity: 'repairable',
    what: 'the newer meta page is a copy of the older one, page number and all: the last transaction is lost (the WAL has it)',
    apply: edit((b) => b.bytes.copyWithin(b.at(b.newerMeta), b.at(b.olderMeta), b.at(b.olderMeta + 1))),
  },

  // Trees
  {
    name: 'bolt-pages-swapped',
    severity: 'corrupt',
    what: 'two leaf pages of bucket key changed places, headers and all',
    apply: edit((b, v) => {
      const [p, q] = pair(onePageLeaves(b), v);
      swapBytes(b.span(p), b.span(q));
    }),
  },
  {
    name: 'bolt-pages-swapped-ids-right',
    severity: 'corrupt',
    what: 'two leaf pages of bucket key changed places, their page numbers put right: only key order against the parent tells',
    apply: edit((b, v) => {
      const [p, q] = pair(onePageLeaves(b), v);
      swapBytes(b.span(p), b.span(q));
      b.setU64(b.at(p), p);
      b.setU64(b.at(q), q);
    }),
  },
  {
    name: 'bolt-leaf-stale',
    severity: 'corrupt',
    what: 'an old copy of some leaf (taken from a free page) lies where a live leaf of bucket key should be, page number put right',
    apply: edit((b, v) => {
      const isOldLeaf = (page: number) =>
        b.flags(page) === LEAF &&
        b.overflow(page) === 0 &&
        b.count(page) > 0 &&
        b.leafElements(b.at(page))[0]?.keySize === REVISION_SIZE;
      const old = pick(b.freePages().filter(isOldLeaf), v);
      const live = wideLeaf(b, v);
      b.bytes.copyWithin(b.at(live), b.at(old), b.at(old + 1));
      b.setU64(b.at(live), live);
    }),
  },
  {
    name: 'bolt-page-claimed-twice',
    severity: 'corrupt',
    what: 'two elements of a branch of bucket key point to the same child, another child is lost',
    apply: edit((b, v) => {
      const [first, second] = branchPair(b, v);
      b.setU64(second.element + 8, first.child);
    }),
  },
  {
    name: 'bolt-page-cycle',
    severity: 'corrupt',
    what: 'a branch page of bucket key has itself as a child',
    apply: edit((b, v) => b.setU64(branchPair(b, v)[0].element + 8, keyBranch(b))),
  },
  {
    name: 'bolt-child-is-meta',
    severity: 'corrupt',
    what: 'a branch element points to page 0',
    apply: edit((b, v) => b.setU64(branchPair(b, v)[0].element + 8, 0)),
  },
  {
    name: 'bolt-child-beyond',
    severity: 'corrupt',
    what: 'a branch element points far beyond the file',
    apply: edit((b, v) => b.setU64(branchPair(b, v)[0].element + 8, 0x7f_ffff_ffff + v)),
  },
  {
    name: 'bolt-branch-key-order',
    severity: 'corrupt',
    what: 'two neighbouring keys of a branch page changed places',
    apply: edit((b, v) => {
      const [first, second] = branchPair(b, v);
      swapBytes(first.key, second.key);
    }),
  },
  {
    name: 'bolt-branch-key-wrong',
    severity: 'corrupt',
    what: 'a branch key is larger than the first key of its child',
    apply: edit((b, v) => {
      const { key } = branchPair(b, v)[1];
      key[7] = (key[7] ?? 0) + 1;
    }),
  },
  {
    name: 'bolt-leaf-key-order',
    severity: 'corrupt',
    what: 'two neighbouring keys of a leaf page changed places',
    apply: edit((b, v) => {
      const elements = wideLeafElements(b, v);
      swapBytes(pick(elements, 0).key.subarray(0, REVISION_SIZE), pick(elements, 1).key.subarray(0, REVISION_SIZE));
    }),
  },
  {
    name: 'bolt-leaf-count-high',
    severity: 'corrupt',
    what: 'a leaf claims 65000 elements',
    apply: edit((b, v) => b.setU16(b.at(someLeaf(b, v), 10), 65000)),
  },
  {
    name: 'bolt-leaf-count-zero',
    severity: 'corrupt',
    what: 'a leaf of bucket key claims no elements',
    apply: edit((b, v) => b.setU16(b.at(wideLeaf(b, v), 10), 0)),
  },
  {
    name: 'bolt-leaf-position-out',
    severity: 'corrupt',
    what: 'a leaf element points outside its page',
    apply: edit((b, v) => b.setU32(pick(wideLeafElements(b, v), 1).element + 4, 0x00fffff0)),
  },
  {
    name: 'bolt-leaf-value-size-huge',
    severity: 'corrupt',
    what: 'a leaf element claims a value of 1 GiB',
    apply: edit((b, v) => b.setU32(pick(wideLeafElements(b, v), 1).element + 12, 0x40000000)),
  },
  {
    name: 'bolt-overflow-huge',
    severity: 'corrupt',
    what: 'a leaf claims 16 million overflow pages',
    apply: edit((b, v) => b.setU32(b.at(someLeaf(b, v), 12), 0x00ffffff)),
  },
  {
    name: 'bolt-overflow-one-more',
    severity: 'corrupt',
    what: 'a leaf claims one overflow page more than it has, so it covers its neighbour',
    apply: edit((b, v) => {
      const page = wideLeaf(b, v);
      b.setU32(b.at(page, 12), b.overflow(page) + 1);
    }),
  },
  {
    name: 'bolt-page-type-unknown',
    severity: 'corrupt',
    what: 'flags 0x40 on a leaf',
    apply: edit((b, v) => b.setU16(b.at(someLeaf(b, v), 8), 0x40)),
  },
  {
    name: 'bolt-page-type-branch',
    severity: 'corrupt',
    what: 'a leaf is marked as a branch',
    apply: edit((b, v) => b.setU16(b.at(wideLeaf(b, v), 8), 1)),
  },
  {
    name: 'bolt-page-id-wrong',
    severity: 'corrupt',
    what: 'a leaf carries another page number',
    apply: edit((b, v) => {
      const page = someLeaf(b, v);
      b.setU64(b.at(page), page + 1);
    }),
  },
  {
    name: 'bolt-value-bit-flip',
    severity: 'undetectable',
    what: 'one bit of a stored user value is flipped; only a hash taken elsewhere can tell',
    apply: edit((b, v) => {
      const userValues = b.entries('key').flatMap((entry) => {
        const value = entry.keySize === REVISION_SIZE ? protobufBytes(entry.value, VALUE_FIELD) : undefined;
        return value && value.length > 8 ? [entry.position + entry.keySize + value.at] : [];
      });
      b.flip(pick(userValues, Math.floor(userValues.length / 2) + 5 * v) + 4, 1);
    }),
  },

  // Freelist
  {
    name: 'bolt-freelist-stored',
    severity: 'healthy',
    what: 'a right freelist is stored (as by a writer without NoFreelistSync)',
    apply: edit((b) => b.storeFreelist(b.outsideTrees())),
  },
  {
    name: 'bolt-freelist-double-entry',
    severity: 'corrupt',
    what: 'the stored freelist names one page twice',
    apply: edit((b, v) => {
      const ids = b.outsideTrees();
      const i = v % ids.length;
      b.storeFreelist(ids.toSpliced(i + 1, 0, pick(ids, i)));
    }),
  },
  {
    name: 'bolt-freelist-claims-live-page',
    severity: 'corrupt',
    what: 'the stored freelist names a page in use',
    apply: edit((b, v) => b.storeFreelist([...b.outsideTrees(), someLeaf(b, v)].sort((x, y) => x - y))),
  },
  {
    name: 'bolt-freelist-leak',
    severity: 'repairable',
    what: 'a free page is not in the stored freelist and not in use either',
    apply: edit((b, v) => {
      const ids = b.outsideTrees();
      b.storeFreelist(ids.toSpliced(v % ids.length, 1));
    }),
  },
  {
    name: 'bolt-freelist-beyond-hwm',
    severity: 'corrupt',
    what: 'the stored freelist names a page beyond the high water mark',
    apply: edit((b, v) => b.storeFreelist([...b.outsideTrees(), b.highWaterMark + 50 + v])),
  },
  {
    name: 'bolt-freelist-unsorted',
    severity: 'repairable',
    what: 'the stored freelist is not in ascending order',
    apply: edit((b) => b.storeFreelist(b.outsideTrees().reverse())),
  },
  {
    name: 'bolt-freelist-is-leaf',
    severity: 'corrupt',
    what: 'meta.freelist points to a leaf page',
    apply: edit((b, v) => {
      const page = someLeaf(b, v);
      b.editMetas((meta) => b.setU64(meta + 48, page));
    }),
  },
];
