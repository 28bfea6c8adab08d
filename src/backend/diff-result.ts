/**
 * The outcome of a comparison: how many keys differ, and each of them with what both sides have.
 */
import { compareKeys } from '../bolt/compare-keys.ts';
import { changedMeanwhileError } from '../bolt/live-source.ts';
import { DatadirError } from '../errors.ts';
import type { DiffSide } from './diff.ts';
import type { BucketDiff } from './diff-buckets.ts';
import type { KeyIndex } from './key-index.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';

/** Stands for the place of a record of B that is as A has it. */
export const SAME = 0xffff_ffff;

/** How a key differs: only B has it, only A has it, or both do. */
export type DifferenceKind = 'added' | 'removed' | 'changed';

/** What is different of a key that both sides have. */
export type ChangedPart = 'value' | 'lease' | 'revisions';

/** What one side has of a key. All of it belongs to the caller. */
export interface KeyState {
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  /** Number of the operation in its transaction. */
  readonly sub: bigint;
  readonly version: bigint;
  /** Lease id, 0 for none. */
  readonly lease: bigint;
  readonly value: Uint8Array;
}

/** A key that differs. */
export type KeyDifference =
  | { readonly kind: 'added'; readonly key: Uint8Array; readonly b: KeyState }
  | { readonly kind: 'removed'; readonly key: Uint8Array; readonly a: KeyState }
  | {
      readonly kind: 'changed';
      readonly key: Uint8Array;
      readonly a: KeyState;
      readonly b: KeyState;
      readonly parts: readonly ChangedPart[];
    };

/** How many keys there are of each kind; `same` is the number of those that do not differ. */
export interface DifferenceCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
}

interface DiffFields {
  readonly index: KeyIndex;
  /** In the order of their keys: those that differ, and maybe others. */
  readonly ids: Uint32Array;
  readonly counts: DifferenceCounts;
  readonly a: DiffSide;
  readonly b: DiffSide;
  readonly buckets: readonly BucketDiff[];
  readonly ignoreRevisions: boolean;
  readonly bytesUsed: number;
}

/** Valid as long as the files are open. */
export class DiffResult {
  readonly counts: DifferenceCounts;
  /** The revisions that were read. */
  readonly revisionA: bigint;
  readonly revisionB: bigint;
  /** Records that could not be read and were passed over. */
  readonly unreadableA: Readonly<UnreadableRecords>;
  readonly unreadableB: Readonly<UnreadableRecords>;
  /** The other buckets of etcd; empty if they were not compared. They do not count for `different`. */
  readonly buckets: readonly BucketDiff[];
  /** Whether only values and leases were compared. */
  readonly ignoreRevisions: boolean;
  /** Memory of the index. */
  readonly bytesUsed: number;
  readonly #index: KeyIndex;
  readonly #ids: Uint32Array;
  readonly #a: DiffSide;
  readonly #b: DiffSide;

  /** Made by `diffJob`. */
  constructor({ index, ids, counts, a, b, buckets, ignoreRevisions, bytesUsed }: DiffFields) {
    this.#index = index;
    this.#ids = ids;
    this.#a = a;
    this.#b = b;
    this.revisionA = a.revision;
    this.revisionB = b.revision;
    this.unreadableA = a.scan.unreadable;
    this.unreadableB = b.scan.unreadable;
    this.buckets = buckets;
    this.ignoreRevisions = ignoreRevisions;
    this.bytesUsed = bytesUsed;
    this.counts = counts;
  }

  /** Whether any key differs. */
  get different(): boolean {
    const { added, removed, changed } = this.counts;
    return added + removed + changed > 0;
  }

  /** The keys that differ, in their order: of one kind, or all. Reads nothing. */
  *keys(
    kind?: DifferenceKind,
  ): Generator<{ readonly kind: DifferenceKind; readonly key: Uint8Array }, void, undefined> {
    for (const id of this.#ids) {
      const own = differenceOf(this.#a, this.#b, id);
      if (own !== undefined && (kind === undefined || kind === own)) yield { kind: own, key: this.#index.key(id) };
    }
  }

  /**
   * The keys that differ with what both sides have, in their order: of one kind, or all. Reads each record again, which takes some
   * microseconds each. Throws `SOURCE_CHANGED` if another program wrote to a file meanwhile.
   */
  *items(kind?: DifferenceKind): Generator<KeyDifference, void, undefined> {
    let batch: KeyDifference[] = [];
    let bytes = 0;
    for (const id of this.#ids) {
      const own = differenceOf(this.#a, this.#b, id);
      if (own === undefined || (kind !== undefined && kind !== own)) continue;
      const item = this.#item(id, own);
      batch.push(item);
      bytes += ('a' in item ? item.a.value.length : 0) + ('b' in item ? item.b.value.length : 0);
      if (batch.length < BATCH_ITEMS && bytes < BATCH_BYTES) continue;
      this.#requireUnchanged();
      yield* batch;
      batch = [];
      bytes = 0;
    }
    this.#requireUnchanged();
    yield* batch;
  }

  #item(id: number, kind: DifferenceKind): KeyDifference {
    const key = this.#index.key(id);
    if (kind === 'added') return { kind, key, b: this.#state(this.#b, key, id) };
    if (kind === 'removed') return { kind, key, a: this.#state(this.#a, key, id) };
    const a = this.#state(this.#a, key, id);
    const b = this.#state(this.#b, key, id);
    return { kind, key, a, b, parts: changedParts(a, b) };
  }

  #state({ file, places, records }: DiffSide, key: Uint8Array, id: number): KeyState {
    try {
      const record = records.record(file.db, places.get(id));
      const message = record?.keyValue();
      if (record === undefined || message === undefined || compareKeys(message.key, key) !== 0) {
        const words = 'a record of bucket key is not where it was seen before: keys there are out of order';
        throw new DatadirError('BOLT_DAMAGED', words, placeOf(file));
      }
      const { createRevision, modRevision, version, lease, value } = message;
      return { createRevision, modRevision, sub: record.revision().sub, version, lease, value };
    } catch (error) {
      this.#requireUnchanged();
      throw error;
    }
  }

  /** What is read later belongs to what was compared only if nobody wrote meanwhile. */
  #requireUnchanged(): void {
    for (const { file } of [this.#a, this.#b]) {
      if (file.db.hasChanged()) throw changedMeanwhileError(file.source);
    }
  }
}

/** Items of which it is made sure at once that they belong together. */
const BATCH_ITEMS = 64;
const BATCH_BYTES = 1 << 20;

/** How the key of an id differs; undefined if it does not. */
export function differenceOf(
  a: Pick<DiffSide, 'places'>,
  b: Pick<DiffSide, 'places'>,
  id: number,
): DifferenceKind | undefined {
  const inB = b.places.get(id);
  if (inB === SAME) return undefined;
  if (a.places.get(id) === 0) return inB === 0 ? undefined : 'added';
  return inB === 0 ? 'removed' : 'changed';
}

function placeOf({ source: { path } }: DiffSide['file']): { readonly path?: string } {
  return path === undefined ? {} : { path };
}

function changedParts(a: KeyState, b: KeyState): ChangedPart[] {
  const parts: ChangedPart[] = [];
  if (compareKeys(a.value, b.value) !== 0) parts.push('value');
  if (a.lease !== b.lease) parts.push('lease');
  const numbers = ['createRevision', 'modRevision', 'sub', 'version'] as const;
  if (parts.length === 0 || numbers.some((name) => a[name] !== b[name])) parts.push('revisions');
  return parts;
}
