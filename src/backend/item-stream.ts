/**
 * Answers of any length: a pass over bucket `key` that gives items as it comes to them, some of them after each step. Memory
 * holds what one step gave.
 */
import type { BoltDb } from '../bolt/database.ts';
import { changedMeanwhileError } from '../bolt/live-source.ts';
import { type Job, type RunOptions, throwIfAborted, turn } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { KeyspaceScan, type RecordVisitor, type ScanRange, type UnreadableRecords } from './keyspace-scan.ts';

/** What makes items of records. */
export interface ItemPass {
  readonly range?: ScanRange | undefined;
  readonly visit: RecordVisitor;
}

/** How items are made: something may have to be read before the first one (`prepare`), such as an index of keys. */
export interface ItemSource<Item> {
  /** Work before the first item. */
  prepare?(): Job<unknown> | undefined;
  /** The pass; `give` takes an item, which must hold no views of pages. */
  begin(db: BoltDb, give: (item: Item) => void): ItemPass;
}

const SLICE_MS = 10;

/** Iterate it with `for`, or, where other work must go on meanwhile, with `for await`. Each iteration is a pass of its own. */
export class ItemStream<Item> implements Iterable<Item>, AsyncIterable<Item> {
  /** Records that the last finished iteration could not read, and passed over. */
  unreadable: Readonly<UnreadableRecords> = { count: 0, pageId: 0, offset: 0 };
  readonly #file: BackendFile;
  readonly #source: () => ItemSource<Item>;
  readonly #options: RunOptions;

  constructor(file: BackendFile, source: () => ItemSource<Item>, options: RunOptions = {}) {
    this.#file = file;
    this.#source = source;
    this.#options = options;
  }

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    for (const items of this.#steps()) yield* items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.batches()) yield* items;
  }

  /** The items of one step after another: cheaper than item by item. */
  async *batches(): AsyncGenerator<readonly Item[], void, undefined> {
    const { signal } = this.#options;
    throwIfAborted(signal);
    let until = performance.now() + SLICE_MS;
    for (const items of this.#steps()) {
      if (items.length > 0) yield items;
      if (performance.now() < until) continue;
      await turn();
      throwIfAborted(signal);
      until = performance.now() + SLICE_MS;
    }
  }

  *#steps(): Generator<readonly Item[], void, undefined> {
    const file = this.#file;
    const source = this.#source();
    const preparation = source.prepare?.();
    if (preparation !== undefined) {
      while (!preparation.step()) {
        this.#options.onProgress?.(preparation.progress);
        yield [];
      }
    }
    const { db } = file;
    let items: Item[] = [];
    const pass = source.begin(db, (item) => items.push(item));
    const scan = new KeyspaceScan(db, pass.visit, pass.range);
    for (let ended = false; !ended; ) {
      try {
        ended = scan.step();
      } catch (error) {
        this.#requireUnchanged(db);
        throw error;
      }
      this.#requireUnchanged(db);
      this.#options.onProgress?.(scan.progress);
      const given = items;
      items = [];
      yield given;
    }
    this.unreadable = scan.unreadable;
  }

  /** What was given cannot be taken back, so there is no second attempt. */
  #requireUnchanged(db: BoltDb): void {
    if (db.hasChanged()) throw changedMeanwhileError(this.#file.source);
  }
}
