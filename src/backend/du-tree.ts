/**
 * The tree of names that space is added up under. It is made as names turn up; their number has a limit, behind which what belongs to new ones
 * is added up under one name for each place of the tree.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import { KeyIndex } from './key-index.ts';

/** What records take. Bytes are those of revision keys and values; what pages need for themselves is not in them. */
export interface UsageFigures {
  /** Of the newest records of keys that are there. */
  liveBytes: number;
  /** Of older records, and of those of keys that were deleted since. */
  historyBytes: number;
  tombstoneBytes: number;
  tombstones: number;
  /** All records, tombstones included. */
  records: number;
  /** Keys that are there. */
  keys: number;
  /** Keys that are not there any more, but have records still. */
  deletedKeys: number;
}

/** A name and what is under it. */
export interface UsageNode extends Readonly<UsageFigures> {
  /** The name: that of a prefix with all before it, of a bucket, a namespace or a kind. Empty for the top of all. */
  readonly name: Uint8Array;
  /** Set where the node is no name itself: all names that were too many; what is in no namespace; keys that are none of Kubernetes. */
  readonly rest?: 'other-names' | 'no-namespace' | 'other-keys' | undefined;
  /** The largest first. */
  readonly children: readonly UsageNode[];
}

/** No name is longer than the key it is from; what stands for a name is told apart from all of them by its length. */
const ID_LENGTH = 4;
/** The top of the tree. */
export const TOP = 0;

export function noFigures(): UsageFigures {
  return {
    liveBytes: 0,
    historyBytes: 0,
    tombstoneBytes: 0,
    tombstones: 0,
    records: 0,
    keys: 0,
    deletedKeys: 0,
  };
}

const FIELDS = Object.keys(noFigures()) as (keyof UsageFigures)[];

/** Adds `other` to `figures`. */
export function addFigures(figures: UsageFigures, other: Readonly<UsageFigures>): void {
  for (const field of FIELDS) figures[field] += other[field];
}

interface Node {
  readonly parent: number;
  /** Number of its name; -1 for those that are none. */
  readonly nameId: number;
  readonly rest: UsageNode['rest'];
  readonly figures: UsageFigures;
  /** Child for names that are too many, and others that are no names. */
  readonly rests: Partial<Record<NonNullable<UsageNode['rest']>, number>>;
}

export class UsageTree {
  readonly #nodes: Node[] = [];
  /** Names behind the number of the node above: the same one may be in many places. */
  readonly #names = new KeyIndex();
  readonly #nodeOfName: number[] = [];
  readonly #maxNames: number;
  #scratch = new Uint8Array(256);

  /** `maxNames`: so many nodes are made, those that are no names not counted. */
  constructor(maxNames: number) {
    this.#maxNames = maxNames;
    this.#add({ parent: TOP, nameId: -1, rest: undefined });
  }

  /** The figures of a node, to be added to. What is under it does not belong there. */
  figures(node: number): UsageFigures {
    return this.#nodes[node]!.figures;
  }

  /** The node of a name under another, which is made if there is none; all names that are too many have one together. */
  child(parent: number, bytes: Uint8Array, start: number, end: number): number {
    if (this.#nodes[parent]!.rest === 'other-names') return parent;
    const length = ID_LENGTH + end - start;
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(2 * length);
    const scratch = this.#scratch;
    scratch[0] = parent;
    scratch[1] = parent >>> 8;
    scratch[2] = parent >>> 16;
    scratch[3] = parent >>> 24;
    scratch.set(bytes.subarray(start, end), ID_LENGTH);
    const found = this.#names.find(scratch, 0, length);
    if (found >= 0) return this.#nodeOfName[found]!;
    if (this.#names.size >= this.#maxNames) return this.rest(parent, 'other-names');
    const nameId = this.#names.add(scratch, 0, length);
    const node = this.#add({ parent, nameId, rest: undefined });
    this.#nodeOfName.push(node);
    return node;
  }

  /** The node under another that stands for no name. */
  rest(parent: number, rest: NonNullable<UsageNode['rest']>): number {
    const { rests } = this.#nodes[parent]!;
    rests[rest] ??= this.#add({ parent, nameId: -1, rest });
    return rests[rest];
  }

  #add(fields: Pick<Node, 'parent' | 'nameId' | 'rest'>): number {
    this.#nodes.push({ ...fields, figures: noFigures(), rests: {} });
    return this.#nodes.length - 1;
  }

  /** All of it, each node with the sums of those under it. `top` is its name; `joined`: names begin with those above them. */
  build(top: Uint8Array, joined: boolean): UsageNode {
    const built = this.#nodes.map(({ parent, nameId, rest, figures }) => ({
      parent,
      nameId,
      rest,
      name: top,
      ...figures,
      children: [] as UsageNode[],
    }));
    // A node comes behind the one above it, so from the end on all below a node have been added up when its turn comes.
    for (let i = built.length - 1; i > TOP; i--) {
      const above = built[built[i]!.parent]!;
      addFigures(above, built[i]!);
    }
    for (let i = TOP + 1; i < built.length; i++) {
      const node = built[i]!;
      const above = built[node.parent]!;
      const own = node.nameId < 0 ? new Uint8Array(0) : this.#names.key(node.nameId).subarray(ID_LENGTH);
      node.name = joined ? concat(above.name, own) : own;
    }
    const nodes = built.map(({ parent, nameId, rest, ...node }) => (rest === undefined ? node : { ...node, rest }));
    for (let i = TOP + 1; i < nodes.length; i++) nodes[built[i]!.parent]!.children.push(nodes[i]!);
    for (const { children } of nodes) children.sort(largestFirst);
    return nodes[TOP]!;
  }
}

/** All bytes of a node. */
function totalBytes({ liveBytes, historyBytes, tombstoneBytes }: Readonly<UsageFigures>): number {
  return liveBytes + historyBytes + tombstoneBytes;
}

/** The order of nodes: by bytes, then by name. */
export function largestFirst(a: UsageNode, b: UsageNode): number {
  return totalBytes(b) - totalBytes(a) || compareKeys(a.name, b.name);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
