/**
 * Our writer on a file in memory, to be driven as the real bbolt is.
 */
import type { Transaction } from '../../src/bolt/transaction.ts';
import { createBolt, openWritable, type WritableBoltDb } from '../../src/bolt/writable.ts';
import { type MemoryFile, memoryFile } from '../../src/io/memory-file.ts';
import { BoltEdit } from './bolt-edit.ts';
import {
  applyToTransaction,
  type ListedBucket,
  listTransaction,
  type Operation,
  type OperationResult,
} from './writer-operations.ts';
import type { OpenOptions, WriterSide } from './writer-side.ts';

/** Our writer, with one database. */
export class OurWriter implements WriterSide {
  readonly name = 'ours';
  readonly #readers = new Map<string, Transaction>();
  #file: MemoryFile = memoryFile();
  #db: WritableBoltDb | undefined;

  get db(): WritableBoltDb {
    if (this.#db === undefined) throw new Error('no database is open');
    return this.#db;
  }

  async create(pageSize: number, options: OpenOptions): Promise<void> {
    this.#readers.clear();
    this.#file = memoryFile();
    this.#db = createBolt(this.#file, { pageSize, ...ourOptions(options) });
  }

  async open(options: OpenOptions): Promise<void> {
    this.#db = openWritable(this.#file, ourOptions(options));
    // bbolt does this when it opens; ours writes nothing before it is told to.
    if (options.noFreelistSync !== true && new BoltEdit(this.#file.bytes()).freelist === undefined) {
      this.#db.update(() => {});
    }
  }

  async close(): Promise<void> {
    for (const reader of [...this.#readers.keys()]) await this.endReader(reader);
    this.#db?.close();
    this.#db = undefined;
  }

  async transaction(operations: readonly Operation[], commit: boolean): Promise<OperationResult[]> {
    const tx = this.db.begin({ writable: true });
    try {
      const results = operations.map((operation) => applyToTransaction(tx, operation));
      if (commit) tx.commit();
      return results;
    } finally {
      tx.rollback();
    }
  }

  async beginReader(reader: string): Promise<void> {
    this.#readers.set(reader, this.db.begin());
  }

  async endReader(reader: string): Promise<void> {
    this.#readers.get(reader)?.rollback();
    this.#readers.delete(reader);
  }

  async content(reader?: string): Promise<readonly ListedBucket[]> {
    if (reader === undefined) return this.db.view(listTransaction);
    return listTransaction(this.#readers.get(reader) as Transaction);
  }

  bytes(): Uint8Array {
    return this.#file.bytes();
  }

  /** Puts another file in the place of the one it has, which must be closed. */
  replace(bytes: Uint8Array): void {
    this.#file = memoryFile(bytes);
  }
}

function ourOptions({ noFreelistSync, noGrowSync, initialMmapSize, allocSize }: OpenOptions): Record<string, unknown> {
  return {
    noFreelistSync: noFreelistSync === true,
    ...(noGrowSync === undefined ? {} : { noGrowSync }),
    ...(initialMmapSize === undefined ? {} : { initialMapSize: initialMmapSize }),
    ...(allocSize === undefined ? {} : { allocSize }),
  };
}
