/**
 * Which pages belong to the trees: every page is claimed once, and what is claimed twice, or is also free, is reported.
 */
import type { FindingPlace } from '../finding-table.ts';
import { type Cause, type CheckReporter, withCause } from './check-reporter.ts';
import type { PageBitmap } from './page-bitmap.ts';

const MAX_EXCESS_RUNS = 4096;

export class PageClaims {
  readonly #reached: PageBitmap;
  readonly #free: PageBitmap | undefined;
  readonly #pageSize: number;
  readonly #reporter: CheckReporter;
  // Pages claimed as overflow but not needed: `[first, end)` pairs, settled when the walk is over.
  readonly #excess: number[] = [];

  constructor(reached: PageBitmap, free: PageBitmap | undefined, pageSize: number, reporter: CheckReporter) {
    this.#reached = reached;
    this.#free = free;
    this.#pageSize = pageSize;
    this.#reporter = reporter;
  }

  /** Whether none of `[first, end)` is claimed. */
  areUnclaimed(first: number, end: number): boolean {
    return this.#reached.next(true, first, end) === end;
  }

  /** Claims `[first, end)`; false (and nothing claimed) when one of them is taken or free. */
  tryClaim(first: number, end: number): boolean {
    const free = this.#free;
    if (free !== undefined && free.next(true, first, end) < end) return false;
    if (end - first === 1) return this.#reached.add(first);
    if (!this.areUnclaimed(first, end)) return false;
    this.#reached.addRun(first, end);
    return true;
  }

  /** Claims a page that nobody has claimed; reports it if it is free. */
  claimFirst(page: number, place: FindingPlace): void {
    this.#reached.add(page);
    if (this.#free?.has(page) === true) this.#reporter.report('BOLT_FREE_PAGE_IN_USE', {}, place);
  }

  /**
   * Claims `[first, end)` as continuations of `owner`. One that is taken already is reported, and what was reported
   * returned; those before it are claimed.
   */
  claimRest(owner: number, first: number, end: number, place: FindingPlace, cause?: Cause): Cause | undefined {
    if (first >= end) return undefined;
    const taken = this.#reached.addRun(first, end);
    this.#reportFree(owner, first, taken, place);
    if (taken === end) return undefined;
    const pages: [number, number] = [taken, this.#reached.next(false, taken, end) - 1];
    const where = { ...place, page: taken, pages, offset: taken * this.#pageSize };
    const known = cause ?? this.#reporter.causeOn(taken);
    return this.#reporter.report('BOLT_PAGE_REFERENCED_TWICE', { from: `${owner}` }, withCause(where, known));
  }

  #reportFree(owner: number, from: number, end: number, place: FindingPlace): void {
    if (this.#free === undefined) return;
    const first = this.#free.next(true, from, end);
    if (first >= end) return;
    const pages: [number, number] = [first, this.#free.next(false, first, end) - 1];
    const where = { ...place, page: first, pages, offset: first * this.#pageSize };
    this.#reporter.report('BOLT_FREE_PAGE_IN_OVERFLOW', { owner: `${owner}` }, where);
  }

  /** Pages claimed for nothing: they count as reached in the end, unless they are somebody's. */
  addExcess(first: number, end: number): void {
    if (first >= end) return;
    if (this.#excess.length < 2 * MAX_EXCESS_RUNS) this.#excess.push(first, end);
    else this.#reached.addRun(first, end);
  }

  /** To be called when all trees have been walked: from here on excess pages are claimed too, so they are no leaks. */
  settleExcess(): void {
    for (let i = 0; i < this.#excess.length; i += 2) this.#reached.addRun(this.#excess[i]!, this.#excess[i + 1]!);
    this.#excess.length = 0;
  }
}
