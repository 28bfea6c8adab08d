/**
 * Which pages a writer may take: the free ones, and the pending ones, which were freed but may still be read.
 *
 * A page that a transaction frees is pending: the state before it, which a crash may bring back and readers may be at,
 * still has it. It becomes free when the next writing transaction begins, unless a reader is at a state that has it.
 * Free pages are taken by lowest number first, as bbolt's default ("array") freelist does.
 */
import { DatadirError } from '../errors.ts';
import { FIRST_DATA_PAGE } from './format.ts';
import { PageBitmap } from './page-bitmap.ts';

/** Pages that one transaction freed together. */
interface FreedRun {
  readonly first: number;
  readonly count: number;
  /** The transaction that had taken them, if that is known. */
  readonly takenBy: bigint | undefined;
}

/** The free and pending pages of an open database. */
export class PageAllocator {
  readonly #free = new PageBitmap();
  readonly #pendingPages = new PageBitmap();
  /** By the transaction that freed them. */
  readonly #pending = new Map<bigint, FreedRun[]>();
  /** Transactions that readers are at, ascending; one may be there more than once. */
  readonly #readers: bigint[] = [];
  /** Who took a run of pages, by its first page. Noted only while there are readers: nobody else asks. */
  readonly #takenBy = new Map<number, bigint>();
  /** Runs taken from the free pages by the transaction that is open. */
  #taken: { readonly first: number; readonly count: number }[] = [];
  /** Pages before which there is no free run of a length, for this transaction. */
  readonly #searched: { readonly count: number; before: number }[] = [];
  /** The first page that was never used, as far as free pages are concerned. */
  #end = FIRST_DATA_PAGE;

  /** Adds a free page of a database that is being opened. False if it was added before. */
  addFree(page: number): boolean {
    this.#end = Math.max(this.#end, page + 1);
    return this.#free.add(page);
  }

  get freeCount(): number {
    return this.#free.count;
  }

  get pendingCount(): number {
    return this.#pendingPages.count;
  }

  addReader(txid: bigint): void {
    let at = this.#readers.length;
    while (at > 0 && (this.#readers[at - 1] as bigint) > txid) at--;
    this.#readers.splice(at, 0, txid);
  }

  removeReader(txid: bigint): void {
    const at = this.#readers.indexOf(txid);
    if (at >= 0) this.#readers.splice(at, 1);
  }

  /** Begins a writing transaction: pending pages that no reader needs become free. */
  begin(): void {
    this.#taken = [];
    this.#searched.length = 0;
    const readers = this.#readers;
    const [oldest] = readers;
    for (const [txid, runs] of this.#pending) {
      if (oldest === undefined || txid < oldest) {
        for (const run of runs) this.#release(run);
        this.#pending.delete(txid);
        continue;
      }
      // Readers at other states than these cannot have pages that came and went between two of them.
      const after = readers.findLast((reader) => reader < txid);
      const before = readers.find((reader) => reader >= txid);
      if (after === undefined || before === txid) continue;
      const kept = runs.filter((run) => {
        if (run.takenBy === undefined || run.takenBy <= after) return true;
        this.#release(run);
        return false;
      });
      if (kept.length === 0) this.#pending.delete(txid);
      else if (kept.length < runs.length) this.#pending.set(txid, kept);
    }
  }

  #release({ first, count }: FreedRun): void {
    for (let page = first; page < first + count; page++) {
      this.#pendingPages.remove(page);
      this.addFree(page);
    }
  }

  /** Takes `count` neighbouring free pages and returns the first; undefined when there are none. */
  take(count: number, txid: bigint): number | undefined {
    const first = this.#find(count);
    if (first === undefined) return undefined;
    for (let page = first; page < first + count; page++) this.#free.remove(page);
    this.#taken.push({ first, count });
    if (this.#readers.length > 0) this.#takenBy.set(first, txid);
    return first;
  }

  /** The lowest run. Nothing becomes free during a transaction, so what was searched in vain is not searched again. */
  #find(count: number): number | undefined {
    let from = FIRST_DATA_PAGE;
    let known: { readonly count: number; before: number } | undefined;
    for (const searched of this.#searched) {
      if (searched.count <= count) from = Math.max(from, searched.before);
      if (searched.count === count) known = searched;
    }
    if (known === undefined) {
      known = { count, before: from };
      this.#searched.push(known);
    }
    for (;;) {
      const first = this.#free.next(true, from, this.#end);
      if (first + count > this.#end) {
        known.before = this.#end;
        return undefined;
      }
      const end = this.#free.next(false, first, first + count);
      if (end === first + count) {
        known.before = end;
        return first;
      }
      from = end;
    }
  }

  /**
   * Frees a run of pages for transaction `txid`. Throws `BOLT_DAMAGED` when one of them is free already or no page of the
   * database: something refers to it that should not.
   */
  free(first: number, count: number, txid: bigint, highWaterMark: number): void {
    const end = first + count;
    if (first < FIRST_DATA_PAGE || end > highWaterMark) {
      throw damaged(first, `pages ${first} to ${end - 1} are not all below the high water mark ${highWaterMark}`);
    }
    const free = this.#free.next(true, first, end);
    if (free < end) throw damaged(free, `page ${free} is in use and in the freelist`);
    const twice = this.#pendingPages.addRun(first, end);
    if (twice < end) {
      for (let page = first; page < twice; page++) this.#pendingPages.remove(page);
      throw damaged(twice, `page ${twice} is referenced more than once`);
    }
    const takenBy = this.#takenBy.get(first);
    this.#takenBy.delete(first);
    let runs = this.#pending.get(txid);
    if (runs === undefined) {
      runs = [];
      this.#pending.set(txid, runs);
    }
    runs.push({ first, count, takenBy });
  }

  /** Undoes what transaction `txid` took and freed. */
  rollback(txid: bigint): void {
    for (const { first, count } of this.#taken) {
      for (let page = first; page < first + count; page++) this.#free.add(page);
      this.#takenBy.delete(first);
    }
    this.#taken = [];
    for (const { first, count, takenBy } of this.#pending.get(txid) ?? []) {
      for (let page = first; page < first + count; page++) this.#pendingPages.remove(page);
      if (takenBy !== undefined) this.#takenBy.set(first, takenBy);
    }
    this.#pending.delete(txid);
    this.#searched.length = 0;
  }

  /** All free and pending pages, ascending: what a stored freelist names. */
  *ids(highWaterMark: number): Generator<number, void, undefined> {
    let free = this.#free.next(true, 0, highWaterMark);
    let pending = this.#pendingPages.next(true, 0, highWaterMark);
    while (free < highWaterMark || pending < highWaterMark) {
      if (free < pending) {
        yield free;
        free = this.#free.next(true, free + 1, highWaterMark);
      } else {
        yield pending;
        pending = this.#pendingPages.next(true, pending + 1, highWaterMark);
      }
    }
  }
}

function damaged(pageId: number, message: string): DatadirError {
  return new DatadirError('BOLT_DAMAGED', message, { pageId });
}
