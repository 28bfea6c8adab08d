/**
 * Just enough of the bolt format to change a file in a chosen place, in memory. Trusts its input: only ever pointed at
 * healthy files. Shares nothing with the reader under test, so that a mistake in one does not hide in the other.
 */
export const BRANCH = 0x01;
export const LEAF = 0x02;
const FREELIST = 0x10;
export const NO_FREELIST: bigint = 0xffff_ffff_ffff_ffffn;

const HEADER = 16;
const ELEMENT = 16;

export interface LeafElement {
  /** Byte offset of the element in the file, and of its key. */
  readonly element: number;
  readonly position: number;
  readonly flags: number;
  readonly keySize: number;
  readonly valueSize: number;
  /** Views of the file: writing to them changes it. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface BranchElement {
  readonly element: number;
  readonly position: number;
  readonly keySize: number;
  readonly key: Uint8Array;
  readonly child: number;
}

export interface BucketPlace {
  /** Names from the top bucket down, as UTF-8. */
  readonly path: readonly string[];
  /** The element that holds it. */
  readonly item: LeafElement;
  /** Root page; 0 if inline. */
  readonly root: number;
  /** Byte offset of the bucket header in the file. */
  readonly headerAt: number;
  /** Byte offset of the inline page, if inline. */
  readonly inlineAt: number | undefined;
}

/** One integer of the file's structure: where it is, and what it is. */
export interface BoltField {
  readonly structure:
    | 'meta-page' // page header of a meta page
    | 'meta'
    | 'freelist-page'
    | 'freelist'
    | 'branch-page'
    | 'branch-element'
    | 'leaf-page'
    | 'leaf-element'
    | 'bucket'
    | 'inline-page'
    | 'inline-element';
  readonly field: string;
  readonly offset: number;
  readonly size: 2 | 4 | 8;
  /** The page in whose (logical) extent it lies. */
  readonly page: number;
  /** Number of the element or freelist id on its page; for a bucket and inside one, of the bucket's element. */
  readonly index?: number;
  /** For a meta: whether it is the one in force. */
  readonly current?: boolean;
}

type Layout = readonly (readonly [field: string, offset: number, size: 2 | 4 | 8])[];

const PAGE_LAYOUT: Layout = [
  ['id', 0, 8],
  ['flags', 8, 2],
  ['count', 10, 2],
  ['overflow', 12, 4],
];
const META_LAYOUT: Layout = [
  ['magic', 16, 4],
  ['version', 20, 4],
  ['pageSize', 24, 4],
  ['flags', 28, 4],
  ['root', 32, 8],
  ['sequence', 40, 8],
  ['freelist', 48, 8],
  ['highWaterMark', 56, 8],
  ['txid', 64, 8],
  ['checksum', 72, 8],
];
const BRANCH_LAYOUT: Layout = [
  ['position', 0, 4],
  ['keySize', 4, 4],
  ['child', 8, 8],
];
const LEAF_LAYOUT: Layout = [
  ['flags', 0, 4],
  ['position', 4, 4],
  ['keySize', 8, 4],
  ['valueSize', 12, 4],
];
const BUCKET_LAYOUT: Layout = [
  ['root', 0, 8],
  ['sequence', 8, 8],
];

export function fnv1a64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export class BoltEdit {
  /** The changed file. Grows in `grow`, so take it at the end. */
  bytes: Uint8Array;
  readonly pageSize: number;
  readonly newerMeta: 0 | 1;
  readonly olderMeta: 0 | 1;
  readonly root: number;
  highWaterMark: number;
  #view: DataView;

  /** Works on a copy of `original`. */
  constructor(original: Uint8Array) {
    this.bytes = new Uint8Array(original);
    this.#view = new DataView(this.bytes.buffer);
    this.pageSize = this.u32(24);
    this.newerMeta = this.u64(this.at(1, 64)) > this.u64(this.at(0, 64)) ? 1 : 0;
    this.olderMeta = this.newerMeta === 1 ? 0 : 1;
    this.root = Number(this.u64(this.at(this.newerMeta, 32)));
    this.highWaterMark = Number(this.u64(this.at(this.newerMeta, 56)));
  }

  u16(offset: number): number {
    return this.#view.getUint16(offset, true);
  }
  u32(offset: number): number {
    return this.#view.getUint32(offset, true);
  }
  u64(offset: number): bigint {
    return this.#view.getBigUint64(offset, true);
  }
  setU16(offset: number, value: number): void {
    this.#view.setUint16(offset, value, true);
  }
  setU32(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true);
  }
  setU64(offset: number, value: bigint | number): void {
    this.#view.setBigUint64(offset, BigInt(value), true);
  }
  flip(offset: number, mask: number): void {
    this.bytes[offset]! ^= mask;
  }

  getField({ offset, size }: BoltField): bigint {
    if (size === 8) return this.u64(offset);
    return BigInt(size === 4 ? this.u32(offset) : this.u16(offset));
  }
  setField({ offset, size }: BoltField, value: bigint): void {
    if (size === 8) this.setU64(offset, BigInt.asUintN(64, value));
    else if (size === 4) this.setU32(offset, Number(BigInt.asUintN(32, value)));
    else this.setU16(offset, Number(BigInt.asUintN(16, value)));
  }

  /** Byte offset of a place in a page. */
  at(page: number, offset = 0): number {
    return page * this.pageSize + offset;
  }
  flags(page: number): number {
    return this.u16(this.at(page, 8));
  }
  count(page: number): number {
    return this.u16(this.at(page, 10));
  }
  overflow(page: number): number {
    return this.u32(this.at(page, 12));
  }
  /** A page with its overflow pages. */
  span(page: number): Uint8Array {
    return this.bytes.subarray(this.at(page), this.at(page + 1 + this.overflow(page)));
  }
  /** Page of the stored freelist, if there is one. */
  get freelist(): number | undefined {
    const id = this.u64(this.at(this.newerMeta, 48));
    return id === NO_FREELIST ? undefined : Number(id);
  }

  /** Makes the file at least so long, with zeros. */
  grow(length: number): void {
    if (this.bytes.length >= length) return;
    const grown = new Uint8Array(length);
    grown.set(this.bytes);
    this.bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  /** Gives a meta page the checksum that goes with its fields. */
  sealMeta(page: 0 | 1): void {
    this.setU64(this.at(page, 72), fnv1a64(this.bytes.subarray(this.at(page, 16), this.at(page, 72))));
  }
  /** Changes fields of both metas (`start` is the offset of the page) and puts the checksums right. */
  editMetas(edit: (start: number) => void): void {
    for (const page of [0, 1] as const) {
      edit(this.at(page));
      this.sealMeta(page);
    }
  }

  /** Elements of a leaf that starts at byte `start`: a page, or the inline page in a bucket's value. */
  leafElements(start: number): LeafElement[] {
    return Array.from({ length: this.u16(start + 10) }, (_, i) => {
      const element = start + HEADER + ELEMENT * i;
      const position = element + this.u32(element + 4);
      const keySize = this.u32(element + 8);
      const valueSize = this.u32(element + 12);
      const valueAt = position + keySize;
      return {
        element,
        position,
        flags: this.u32(element),
        keySize,
        valueSize,
        key: this.bytes.subarray(position, valueAt),
        value: this.bytes.subarray(valueAt, valueAt + valueSize),
      };
    });
  }
  branchElements(page: number): BranchElement[] {
    return Array.from({ length: this.count(page) }, (_, i) => {
      const element = this.at(page, HEADER + ELEMENT * i);
      const position = element + this.u32(element);
      const keySize = this.u32(element + 4);
      const key = this.bytes.subarray(position, position + keySize);
      return { element, position, keySize, key, child: Number(this.u64(element + 8)) };
    });
  }

  /** All pages of the tree under `page`, parents first; not those of buckets in it. */
  *walk(page: number): Generator<number> {
    yield page;
    if (this.flags(page) === BRANCH) for (const { child } of this.branchElements(page)) yield* this.walk(child);
  }

  /** Every bucket of the file, outer ones first. */
  *buckets(root: number = this.root, path: readonly string[] = []): Generator<BucketPlace> {
    for (const page of this.walk(root)) {
      if (this.flags(page) !== LEAF) continue;
      for (const item of this.leafElements(this.at(page))) {
        if (!(item.flags & 1)) continue;
        const bucket = this.#bucketAt(item, [...path, text(item.key)]);
        yield bucket;
        if (bucket.root) yield* this.buckets(bucket.root, bucket.path);
      }
    }
  }
  #bucketAt(item: LeafElement, path: readonly string[]): BucketPlace {
    const headerAt = item.position + item.keySize;
    const root = Number(this.u64(headerAt));
    return { path, item, root, headerAt, inlineAt: root === 0 ? headerAt + 16 : undefined };
  }
  bucket(...path: string[]): BucketPlace {
    for (const found of this.buckets()) {
      if (found.path.length === path.length && found.path.every((name, i) => name === path[i])) return found;
    }
    throw new Error(`there is no bucket ${path.join('/')}`);
  }
  bucketPages(...path: string[]): number[] {
    const { root } = this.bucket(...path);
    return root ? [...this.walk(root)] : [];
  }
  leaves(...path: string[]): number[] {
    return this.bucketPages(...path).filter((page) => this.flags(page) === LEAF);
  }
  branches(...path: string[]): number[] {
    return this.bucketPages(...path).filter((page) => this.flags(page) === BRANCH);
  }
  /** Every element of a bucket, inline or not. */
  entries(...path: string[]): LeafElement[] {
    const { inlineAt } = this.bucket(...path);
    if (inlineAt !== undefined) return this.leafElements(inlineAt);
    return this.leaves(...path).flatMap((page) => this.leafElements(this.at(page)));
  }

  /** Pages of all trees, without their overflow pages, each bucket after the one that holds it. */
  treePages(): number[] {
    const roots = [this.root, ...[...this.buckets()].map(({ root }) => root).filter((root) => root !== 0)];
    return roots.flatMap((root) => [...this.walk(root)]);
  }
  /** The metas and every page of the trees, overflow included; not the freelist. */
  usedByTrees(): Set<number> {
    const pages = new Set([0, 1]);
    for (const page of this.treePages()) for (let k = 0; k <= this.overflow(page); k++) pages.add(page + k);
    return pages;
  }
  /** Pages below the high water mark that no tree uses; the stored freelist is among them. */
  outsideTrees(): number[] {
    const used = this.usedByTrees();
    return Array.from({ length: this.highWaterMark }, (_, page) => page).filter((page) => !used.has(page));
  }
  freePages(): number[] {
    const list = this.freelist;
    if (list === undefined) return this.outsideTrees();
    const end = list + this.overflow(list);
    return this.outsideTrees().filter((page) => page < list || page > end);
  }

  /** Writes a freelist of these ids at the high water mark. The newer meta names it, the older one none. */
  storeFreelist(ids: readonly number[]): void {
    const page = this.highWaterMark;
    if (HEADER + 8 * ids.length > this.pageSize) throw new Error(`${ids.length} ids do not fit one page`);
    this.grow(this.at(page + 2));
    this.bytes.fill(0, this.at(page), this.at(page + 1));
    this.setU64(this.at(page), page);
    this.setU16(this.at(page, 8), FREELIST);
    this.setU16(this.at(page, 10), ids.length);
    for (const [i, id] of ids.entries()) this.setU64(this.at(page, HEADER + 8 * i), id);
    this.setU64(this.at(this.newerMeta, 48), page);
    this.setU64(this.at(this.newerMeta, 56), page + 1);
    this.setU64(this.at(this.olderMeta, 48), NO_FREELIST);
    this.sealMeta(0);
    this.sealMeta(1);
    this.highWaterMark = page + 1;
  }

  /**
   * Every integer of the structure in force: both metas, the stored freelist, all pages of all trees, buckets and inline
   * pages. Set each to what must not be there and see what a reader says; a changed meta needs `sealMeta` to be believed.
   */
  *fields(): Generator<BoltField> {
    for (const page of [0, 1] as const) {
      const start = this.at(page);
      yield* place('meta-page', PAGE_LAYOUT, start, { page, current: page === this.newerMeta });
      yield* place('meta', META_LAYOUT, start, { page, current: page === this.newerMeta });
    }
    if (this.freelist !== undefined) yield* this.#freelistFields(this.freelist);
    for (const page of this.treePages()) {
      if (this.flags(page) === BRANCH) yield* this.#branchFields(page);
      else yield* this.#leafFields(page);
    }
  }
  *#freelistFields(page: number): Generator<BoltField> {
    const start = this.at(page);
    yield* place('freelist-page', PAGE_LAYOUT, start, { page });
    const escaped = this.count(page) === 0xffff;
    if (escaped) yield* place('freelist', [['count', HEADER, 8]], start, { page });
    const count = escaped ? Number(this.u64(start + HEADER)) : this.count(page);
    const ids = start + HEADER + (escaped ? 8 : 0);
    for (let index = 0; index < count; index++) yield* place('freelist', [['id', 8 * index, 8]], ids, { page, index });
  }
  *#branchFields(page: number): Generator<BoltField> {
    yield* place('branch-page', PAGE_LAYOUT, this.at(page), { page });
    for (const [index, { element }] of this.branchElements(page).entries()) {
      yield* place('branch-element', BRANCH_LAYOUT, element, { page, index });
    }
  }
  *#leafFields(page: number): Generator<BoltField> {
    yield* place('leaf-page', PAGE_LAYOUT, this.at(page), { page });
    for (const [index, item] of this.leafElements(this.at(page)).entries()) {
      yield* place('leaf-element', LEAF_LAYOUT, item.element, { page, index });
      if (!(item.flags & 1)) continue;
      const { headerAt, inlineAt } = this.#bucketAt(item, []);
      yield* place('bucket', BUCKET_LAYOUT, headerAt, { page, index });
      if (inlineAt === undefined) continue;
      yield* place('inline-page', PAGE_LAYOUT, inlineAt, { page, index });
      for (const inner of this.leafElements(inlineAt)) {
        yield* place('inline-element', LEAF_LAYOUT, inner.element, { page, index });
      }
    }
  }
}

function* place(
  structure: BoltField['structure'],
  layout: Layout,
  start: number,
  where: Pick<BoltField, 'page' | 'index' | 'current'>,
): Generator<BoltField> {
  for (const [field, offset, size] of layout) yield { structure, field, offset: start + offset, size, ...where };
}

/** Values at the edges of what a field of this size can hold, and around a given value (its own, a page number, …). */
export function boundaryValues(size: 2 | 4 | 8, ...around: readonly bigint[]): bigint[] {
  const bits = BigInt(size * 8);
  const top = 1n << bits;
  const edges = [0n, 1n, 2n, (top >> 1n) - 1n, top >> 1n, top - 2n, top - 1n];
  if (size === 8) edges.push(0xffff_ffffn, 0x1_0000_0000n, (1n << 53n) - 1n, 1n << 53n, (1n << 53n) + 1n);
  const near = around.flatMap((value) => [value - 1n, value, value + 1n]);
  const values = [...edges, ...near].filter((value) => value >= 0n && value < top);
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
