/**
 * What takes the space in a db: live values, their history, tombstones, free pages; by prefix, bucket, or namespace and kind of Kubernetes.
 *
 * Which record of a key is live is known when all have been seen, so an index of all keys is needed: their bytes and at most 32 bytes a key.
 */
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
import type { BackendFile } from './backend-file.ts';
import { Uint32Column } from './column.ts';
import { byNamespace, byPrefix, type Grouping, kindsOf } from './du-grouping.ts';
import { type BucketUsage, type PageUsage, PageWalk } from './du-pages.ts';
import { addFigures, largestFirst, noFigures, TOP, type UsageFigures, type UsageNode, UsageTree } from './du-tree.ts';
import { KeyIndex } from './key-index.ts';
import { hasPrefix } from './key-path.ts';
import { KeyspaceScan, type UnreadableRecords } from './keyspace-scan.ts';
import type { KeyRecord } from './record.ts';

/** What the space is divided by. */
export type UsageBy = 'prefix' | 'bucket' | 'namespace';

/** What is counted, and how it is divided. */
export interface UsageOptions {
  /** Default `prefix`. */
  readonly by?: UsageBy | undefined;
  /** Keys that begin with this only; not for `bucket`. The pages are those of the whole file all the same. */
  readonly prefix?: Uint8Array | undefined;
  /** With `prefix`: levels of names, which slashes part (2). */
  readonly depth?: number | undefined;
  /** Names in the tree (10,000): those that turn up later are added up together. */
  readonly maxNames?: number | undefined;
  /** How many of the keys with the most records are named (10). */
  readonly top?: number | undefined;
}

/** A key, and how many records it has. */
export interface RevisedKey {
  readonly key: Uint8Array;
  readonly records: number;
  /** Bytes of the newest record; 0 if the key was deleted. */
  readonly liveBytes: number;
}

/** What takes the space. */
export interface Usage {
  readonly by: UsageBy;
  readonly tree: UsageNode;
  /** By `namespace`: what each kind takes in all namespaces. */
  readonly kinds: readonly UsageNode[];
  readonly pages: PageUsage;
  /** In the order of names; a thousand at most. */
  readonly buckets: readonly BucketUsage[];
  /** Buckets that are not listed. */
  readonly moreBuckets: number;
  /** Those with the most records first. */
  readonly mostRevised: readonly RevisedKey[];
  /** Records of bucket `key` that cannot be read, which are not in the figures. */
  readonly unreadable: Readonly<UnreadableRecords>;
  /** Memory of the index. */
  readonly bytesUsed: number;
}

/** A job that adds up what takes the space. Reads all pages, those of bucket `key` twice. */
export function usageJob(file: BackendFile, options: UsageOptions = {}): Job<Usage> {
  return new AttemptJob([file], () => new Count(file, options));
}

const DEFAULT_TOP = 10;
const DEFAULT_DEPTH = 2;
const DEFAULT_MAX_NAMES = 10_000;
/** What may be asked for: who makes a text of the tree need not be prepared for more. */
const MAX_TOP = 10_000;
const MAX_DEPTH = 100;
const MAX_NAMES = 1_000_000;
const NOTHING = new Uint8Array(0);

/** One attempt. */
class Count implements Job<Usage> {
  readonly #file: BackendFile;
  readonly #by: UsageBy;
  readonly #prefix: Uint8Array;
  readonly #top: number;
  readonly #walk: PageWalk;
  readonly #scan: KeyspaceScan;
  readonly #index: KeyIndex;
  readonly #tree: UsageTree;
  readonly #nodeOf: Grouping;
  /** Of each key: the node it is counted under, the bytes of its newest record if it is live, and how many records it has. */
  readonly #nodes = new Uint32Column();
  readonly #live = new Uint32Column();
  readonly #records = new Uint32Column();
  #walked = false;
  #result: Usage | undefined;

  constructor(file: BackendFile, options: UsageOptions) {
    const { by = 'prefix', prefix = NOTHING } = options;
    const top = limited('top', options.top ?? DEFAULT_TOP, MAX_TOP);
    const depth = limited('depth', options.depth ?? DEFAULT_DEPTH, MAX_DEPTH);
    const maxNames = limited('maxNames', options.maxNames ?? DEFAULT_MAX_NAMES, MAX_NAMES);
    const { db } = file;
    this.#file = file;
    this.#by = by;
    this.#prefix = by === 'bucket' ? NOTHING : prefix;
    this.#top = top;
    this.#walk = new PageWalk(file.source, db);
    this.#scan = new KeyspaceScan(db, (record) => this.#take(record));
    this.#index = new KeyIndex({ maxKeyBytes: db.size });
    this.#tree = new UsageTree(maxNames);
    this.#nodeOf = groupingOf(this.#tree, by, this.#prefix, depth);
  }

  get progress(): Progress {
    const { highWaterMark, pageSize } = this.#file.db;
    const { done, total } = this.#scan.progress;
    return { done: this.#walk.done + done, total: highWaterMark * pageSize + total };
  }

  get result(): Usage {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the usage has not been added up yet');
    return this.#result;
  }

  step(): boolean {
    if (!this.#walked) {
      this.#walked = this.#walk.step();
      return false;
    }
    if (!this.#scan.step()) return false;
    this.#result = this.#finish();
    return true;
  }

  #take(record: KeyRecord): void {
    const { bytes, userKeyStart, userKeyEnd, start, end, tombstone } = record;
    if (!hasPrefix(bytes, userKeyStart, userKeyEnd, this.#prefix)) return;
    const known = this.#index.size;
    const id = this.#index.add(bytes, userKeyStart, userKeyEnd);
    let node: number;
    if (id === known) {
      node = this.#nodeOf(bytes, userKeyStart, userKeyEnd);
      this.#nodes.set(id, node);
    } else node = this.#nodes.get(id);
    this.#records.set(id, this.#records.get(id) + 1);
    const figures = this.#tree.figures(node);
    const length = end - start;
    const before = this.#live.get(id);
    figures.records++;
    if (id === known) figures.deletedKeys++;
    if (before > 0) {
      figures.liveBytes -= before;
      figures.historyBytes += before;
      figures.keys--;
      figures.deletedKeys++;
      this.#live.set(id, 0);
    }
    if (tombstone) {
      figures.tombstones++;
      figures.tombstoneBytes += length;
    } else if (record.main < 1) {
      // A server does not see what is before revision 1.
      figures.historyBytes += length;
    } else {
      figures.liveBytes += length;
      figures.keys++;
      figures.deletedKeys--;
      this.#live.set(id, length);
    }
  }

  #finish(): Usage {
    const { pages, buckets, moreBuckets } = this.#walk.result;
    const keyspace = this.#tree.build(this.#by === 'prefix' ? this.#prefix : NOTHING, this.#by === 'prefix');
    const held = [this.#index, this.#nodes, this.#live, this.#records];
    return {
      by: this.#by,
      tree: this.#by === 'bucket' ? bucketTree(buckets, keyspace) : keyspace,
      kinds: this.#by === 'namespace' ? kindsOf(keyspace) : [],
      pages,
      buckets,
      moreBuckets,
      mostRevised: this.#mostRevised(),
      unreadable: this.#scan.unreadable,
      bytesUsed: held.reduce((sum, { bytesUsed }) => sum + bytesUsed, 0),
    };
  }

  /** Keeps as many as are asked for, the ones with the most records. Among equals those whose key comes first. */
  #mostRevised(): RevisedKey[] {
    const [index, records, most] = [this.#index, this.#records, [] as number[]];
    const before = (x: number, y: number): boolean => {
      const more = records.get(x) - records.get(y);
      return more > 0 || (more === 0 && index.compare(x, y) < 0);
    };
    for (let id = 0; id < index.size && this.#top > 0; id++) {
      const last = most.at(-1);
      if (last !== undefined && most.length === this.#top && !before(id, last)) continue;
      if (most.length === this.#top) most.pop();
      let low = 0;
      for (let high = most.length; low < high; ) {
        const middle = (low + high) >>> 1;
        if (before(id, most[middle]!)) high = middle;
        else low = middle + 1;
      }
      most.splice(low, 0, id);
    }
    return most.map((id) => ({ key: index.key(id), records: records.get(id), liveBytes: this.#live.get(id) }));
  }
}

/** Buckets as a tree. Only of bucket `key` there is a history; in all others every pair is live. */
function bucketTree(buckets: readonly BucketUsage[], keyspace: UsageNode): UsageNode {
  const total: UsageFigures = noFigures();
  const children = buckets.map((bucket): UsageNode => {
    const { name, pairs, bytes } = bucket;
    const isKeys = new TextDecoder().decode(name) === 'key';
    const figures = isKeys ? keyspace : { ...noFigures(), liveBytes: bytes, records: pairs, keys: pairs };
    addFigures(total, figures);
    return { ...figures, name, children: [] };
  });
  return { ...total, name: NOTHING, children: children.sort(largestFirst) };
}

function groupingOf(tree: UsageTree, by: UsageBy, prefix: Uint8Array, depth: number): Grouping {
  if (by === 'prefix') return byPrefix(tree, prefix, depth);
  return by === 'namespace' ? byNamespace(tree, prefix) : () => TOP;
}

function limited(name: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 0 && value <= max) return value;
  throw new DatadirError('USAGE', `${name} must be a whole number from 0 to ${max}, not ${value}`);
}
