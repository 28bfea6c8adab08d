/**
 * The open file that everything in this folder reads, at one transaction of it. A running etcd may commit meanwhile: then the
 * file is looked at anew.
 */
import { type BoltDb, openReadable } from '../bolt/database.ts';
import { changedError } from '../bolt/live-source.ts';
import type { ByteSource } from '../io/byte-source.ts';

export class BackendFile {
  readonly source: ByteSource;
  #db: BoltDb;

  /** Throws `BOLT_NO_META` if there is no valid meta page. */
  constructor(source: ByteSource) {
    this.source = source;
    this.#db = openReadable(source);
  }

  /** The database at the transaction that is being read. */
  get db(): BoltDb {
    return this.#db;
  }

  /** Goes on with the newest transaction. */
  renew(): void {
    this.#db = openReadable(this.source);
  }

  /**
   * Reads something small, of one piece: what `read` gives belongs to one transaction. It is called again if the file was
   * written to meanwhile.
   */
  read<Result>(read: (db: BoltDb) => Result): Result {
    for (let attempt = 1; ; attempt++) {
      let result: Result;
      try {
        result = read(this.#db);
      } catch (error) {
        if (!this.#db.hasChanged()) throw error;
        if (attempt === SMALL_ATTEMPTS) throw error;
        this.renew();
        continue;
      }
      if (!this.#db.hasChanged()) return result;
      if (attempt === SMALL_ATTEMPTS) throw changedError(this.source);
      this.renew();
    }
  }

  close(): void {
    this.#db.close();
  }
}

/** Small readings are tried more often than passes over the whole file. */
const SMALL_ATTEMPTS = 20;
