/**
 * HashKV: the hash of the key space at a revision, by which etcd compares its members. The number is etcd's own for the same revision
 * and the same compacted revision. How it is made up, and what it costs, is in `docs/hashkv.md`.
 */
import type { BoltDb } from '../bolt/database.ts';
import { changedError, MAX_ATTEMPTS } from '../bolt/live-source.ts';
import { crc32c } from '../checksum/crc32c.ts';
import { combineCrc32c } from '../checksum/crc32c-combine.ts';
import { DatadirError } from '../errors.ts';
import type { Job, Progress } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { HeadRecords } from './hash-kv-heads.ts';
import { exactPass, type HashedParts, type HashedRange, quickPass } from './hash-kv-pass.ts';
import type { UnreadableRecords } from './keyspace-scan.ts';
import { PassJob } from './pass-job.ts';
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
  readonly rev?: bigint | undefined;
}

/** So many records are put together in one step. */
const STEP_RECORDS = 1 << 15;

/**
 * Computes HashKV, in one pass but for rare files. Throws `REVISION_COMPACTED` and `REVISION_FUTURE` as etcd does. Memory: constant if
 * nothing was compacted; else the keys that have records at or below the compacted revision, and 36 bytes for each.
 */
export class HashKvJob implements Job<HashKv> {
  readonly #file: BackendFile;
  readonly #rev: bigint | undefined;
  #pass: PassJob<HashedParts | undefined>;
  /** Of the transaction that the first pass read: the second must read the same. */
  #txid: bigint | undefined;
  #second = false;
  #starts = 1;
  /** Bytes of passes before this one. */
  #before = 0;
  #parts: HashedParts | undefined;
  /** Of all that is put together so far. */
  #crc = crc32c(new TextEncoder().encode('key'));
  #result: HashKv | undefined;

  constructor(file: BackendFile, options: HashKvOptions = {}) {
    this.#file = file;
    this.#rev = options.rev;
    this.#pass = this.#firstPass();
  }

  get progress(): Progress {
    const { done, total } = this.#pass.progress;
    return { done: this.#before + done, total: this.#before + total };
  }

  get result(): HashKv {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the hash is not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#parts !== undefined) return this.#combine(this.#parts);
    if (!this.#pass.step()) return false;
    const parts = this.#pass.result;
    if (parts !== undefined) {
      this.#parts = parts;
      return false;
    }
    this.#before += this.#pass.progress.done;
    if (!this.#second) this.#pass = this.#secondPass();
    else if (this.#starts++ < MAX_ATTEMPTS) this.#pass = this.#firstPass();
    else throw changedError(this.#file.source);
    return false;
  }

  #firstPass(): PassJob<HashedParts | undefined> {
    this.#second = false;
    return new PassJob(this.#file, (db) => {
      this.#txid = db.txid;
      return quickPass(this.#range(db));
    });
  }

  #secondPass(): PassJob<HashedParts | undefined> {
    this.#second = true;
    return new PassJob(this.#file, (db) => {
      if (db.txid === this.#txid) return exactPass(this.#range(db));
      // Somebody has written to it, and it may be an ordinary file now.
      return { visit: () => false, finish: () => undefined };
    });
  }

  #range(db: BoltDb): HashedRange {
    const revisions = readRevisions(db);
    const revision = readableRevision(revisions, this.#rev);
    return { revision, compact: revisions.compact, maxKeyBytes: this.#file.source.size };
  }

  #combine({ heads, tail, revision, compact, unreadable }: HashedParts): boolean {
    if (!(heads instanceof HeadRecords)) this.#crc = combineCrc32c(this.#crc, heads.crc(), heads.length);
    else if (heads.count > 0) {
      this.#crc = heads.take(STEP_RECORDS, this.#crc);
      return false;
    }
    const hash = combineCrc32c(this.#crc, tail.crc(), tail.length);
    this.#result = { hash, hashRevision: revision, compactRevision: compact, unreadable };
    return true;
  }
}
