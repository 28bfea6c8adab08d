/**
 * The passes that HashKV makes over bucket `key`. What they give still has to be put together (`hash-kv.ts`).
 *
 * A record at or below the compacted revision counts if it is the newest of its key at the revision asked for, and a put. Whether
 * something newer comes is seen only later in the same pass, so these records are hashed each for itself (`hash-kv-heads.ts`);
 * those above the compacted revision all count, and are one stream.
 *
 * etcd has two peculiarities here, of which the first matters for files that it writes:
 *
 * - If no key at all is live at the revision asked for, nothing at or below the compacted one is left out (but its own tombstones).
 * - A put that follows a deletion of the same key within the revision asked for does not count as live.
 *
 * To go by them takes an index of all keys. It is only built, in a second pass, when the first could not do without: when none of
 * the records hashed for themselves was left, or there was such a put.
 */
import { Crc32cStream } from '../checksum/crc32c-stream.ts';
import { Uint8Column } from './column.ts';
import { HeadRecords } from './hash-kv-heads.ts';
import { KeyIndex } from './key-index.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';
import type { Pass } from './pass-job.ts';
import type { KeyRecord } from './record.ts';

/** A run of records, hashed as they come. */
export class HashedRun {
  readonly #stream = new Crc32cStream();
  length = 0;

  take({ bytes, start, end }: KeyRecord): void {
    this.#stream.update(bytes, start, end);
    this.length += end - start;
  }

  crc(): number {
    return this.#stream.value();
  }
}

/** What is hashed, in this order, behind the name of the bucket. */
export interface HashedParts {
  /** Records at or below the compacted revision: those that were left, or all of them. */
  readonly heads: HeadRecords | HashedRun;
  readonly tail: HashedRun;
  readonly unreadable: Readonly<UnreadableRecords>;
}

/** What a pass is about: the revision to hash, and the compacted one. */
export interface HashedRange {
  readonly revision: bigint;
  readonly compact: bigint;
  /** Of the file: keys cannot be more. */
  readonly maxKeyBytes: number;
}

/** The first pass. Its result is undefined if it takes another one. */
export function quickPass({ revision, compact, maxKeyBytes }: HashedRange): Pass<HashedParts | undefined> {
  const rev = Number(revision);
  const compacted = Number(compact);
  const heads = new HeadRecords();
  const tail = new HashedRun();
  const keys = compacted < 0 ? undefined : new KeyIndex({ maxKeyBytes });
  /** Some record would count if no key were live. */
  let droppable = false;
  /** The last record was a put: then its key is live. */
  let endsWithPut = false;
  let deletedAtRevision = false;
  let putAfterDeletion = false;

  const visit = (record: KeyRecord): void => {
    const { main, tombstone } = record;
    if (main > compacted) {
      tail.take(record);
      if (heads.count > 0) dropHead(record);
    } else if (main < 1) droppable = true;
    else if (tombstone) {
      if (main < compacted) droppable = true;
      if (heads.count > 0) dropHead(record);
    } else {
      droppable = true;
      heads.put(keys!.add(record.bytes, record.userKeyStart, record.userKeyEnd), record);
    }
    endsWithPut = !tombstone && main >= 1;
    if (main === rev) {
      if (tombstone) deletedAtRevision = true;
      else if (deletedAtRevision) putAfterDeletion = true;
    }
  };

  const dropHead = ({ bytes, userKeyStart, userKeyEnd }: KeyRecord): void => {
    const id = keys!.find(bytes, userKeyStart, userKeyEnd);
    if (id >= 0) heads.drop(id);
  };

  return {
    range: { to: revision },
    visit,
    finish(unreadable) {
      const decided = heads.count > 0 ? !putAfterDeletion || rev > compacted : endsWithPut && !putAfterDeletion;
      return decided || !droppable ? { heads, tail, unreadable } : undefined;
    },
  };
}

/** States of a key, at what the pass has come to. */
const DEAD = 0;
const LIVE = 1;
/** Deleted in the revision asked for: a put that follows in the same does not make it live. */
const DELETED_AT_REVISION = 2;

/** The second pass: with an index of all keys. Memory: 17 bytes a key beside it. */
export function exactPass({ revision, compact, maxKeyBytes }: HashedRange): Pass<HashedParts> {
  const rev = Number(revision);
  const compacted = Number(compact);
  const heads = new HeadRecords();
  const allHeads = new HashedRun();
  const tail = new HashedRun();
  const keys = new KeyIndex({ maxKeyBytes });
  const states = new Uint8Column();
  let live = 0;

  const visit = (record: KeyRecord): void => {
    const { main, tombstone } = record;
    if (main > compacted) tail.take(record);
    else if (!tombstone || main < compacted) allHeads.take(record);
    if (main < 1) return;
    const known = keys.size;
    const id = keys.add(record.bytes, record.userKeyStart, record.userKeyEnd);
    const before = states.get(id);
    if (before === LIVE) live--;
    let after = DEAD;
    if (!tombstone) after = before === DELETED_AT_REVISION ? before : LIVE;
    // A deletion of what is deleted already is none for etcd; the first record of a key always counts.
    else if (before === DELETED_AT_REVISION || (main === rev && (before === LIVE || id === known)))
      after = DELETED_AT_REVISION;
    states.set(id, after);
    if (after === LIVE) live++;
    if (after === LIVE && main <= compacted) heads.put(id, record);
    else heads.drop(id);
  };

  return {
    range: { to: revision },
    visit,
    finish: (unreadable) => ({ heads: live > 0 ? heads : allHeads, tail, unreadable }),
  };
}
