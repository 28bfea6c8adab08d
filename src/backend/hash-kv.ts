/**
 * HashKV: the hash of the key space at a revision, by which etcd compares its members. The number is etcd's own for the same revision
 * and the same compacted revision. How it is made up, and what it costs, is in `docs/hashkv.md`.
 */
import type { BoltDb } from '../bolt/database.ts';
import { crc32c } from '../checksum/crc32c.ts';
import { combineCrc32c } from '../checksum/crc32c-combine.ts';
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import { AttemptJob } from './attempt-job.ts';
import type { BackendFile } from './backend-file.ts';
import { HeadRecords } from './hash-kv-heads.ts';
import { exactPass, type HashedParts, type HashedRange, quickPass } from './hash-kv-pass.ts';
import { KeyspaceScan, type UnreadableRecords } from './keyspace-scan.ts';
import type { Pass } from './pass-job.ts';
import { readableRevision, readRevisions } from './revisions.ts';

/** The hash of the key space. Two are comparable only if both revisions are equal. */
export interface HashKv {
  /** 32 bits, unsigned. */
  readonly hash: number;
  /** The revision that was hashed. */
  readonly hashRevision: bigint;
  /** The compacted revision, also if compaction was only asked for; -1 if never compacted. */
  readonly compactRevision: bigint;
  /** Records that could not be read: they are not in the hash, and etcd would not start with them. */
  readonly unreadable: Readonly<UnreadableRecords>;
}

/** Which hash is asked for. */
export interface HashKvOptions {
  /** The revision: from the compacted one to the current one. Default, and for 0: the current one. */
  readonly revision?: bigint | undefined;
}

/** So many records are put together in one step. */
const STEP_RECORDS = 1 << 15;

/**
 * Computes HashKV, in one pass but for rare files. Throws `REVISION_COMPACTED` and `REVISION_FUTURE` as etcd does. Memory: constant if
 * nothing was compacted; else the keys that have records at or below the compacted revision, and 36 bytes for each.
 */
export class HashKvJob extends AttemptJob<HashKv> {
  constructor(file: BackendFile, options: HashKvOptions = {}) {
    super([file], () => new HashKvWork(file.db, options.revision));
  }
}

/** One attempt: the pass, another one if it takes one, and putting together what they give. */
class HashKvWork implements Job<HashKv> {
  readonly #db: BoltDb;
  readonly #range: HashedRange;
  #pass: Pass<HashedParts | undefined>;
  #scan: KeyspaceScan;
  /** Bytes of the pass before this one. */
  #before = 0;
  #parts: HashedParts | undefined;
  /** Of all that is put together so far. */
  #crc = crc32c(new TextEncoder().encode('key'));
  #result: HashKv | undefined;

  constructor(db: BoltDb, rev: bigint | undefined) {
    const revisions = readRevisions(db);
    this.#db = db;
    this.#range = {
      revision: readableRevision(revisions, rev),
      compact: revisions.compact,
      maxKeyBytes: db.size,
    };
    this.#pass = quickPass(this.#range);
    this.#scan = this.#begin();
  }

  get progress(): Progress {
    const { done, total } = this.#scan.progress;
    return { done: this.#before + done, total: this.#before + total };
  }

  get result(): HashKv {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the hash is not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#parts !== undefined) return this.#combine(this.#parts);
    if (!this.#scan.step()) return false;
    this.#parts = this.#pass.finish(this.#scan.unreadable);
    if (this.#parts === undefined) {
      this.#before = this.#scan.progress.done;
      this.#pass = exactPass(this.#range);
      this.#scan = this.#begin();
    }
    return false;
  }

  #begin(): KeyspaceScan {
    return new KeyspaceScan(this.#db, this.#pass.visit, this.#pass.range);
  }

  #combine({ heads, tail, unreadable }: HashedParts): boolean {
    if (!(heads instanceof HeadRecords)) this.#crc = combineCrc32c(this.#crc, heads.crc(), heads.length);
    else if (heads.count > 0) {
      this.#crc = heads.take(STEP_RECORDS, this.#crc);
      return false;
    }
    const { revision, compact } = this.#range;
    const hash = combineCrc32c(this.#crc, tail.crc(), tail.length);
    this.#result = { hash, hashRevision: revision, compactRevision: compact, unreadable };
    return true;
  }
}
