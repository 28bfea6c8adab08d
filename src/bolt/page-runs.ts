/**
 * Runs of pages that nothing refers to and the freelist does not name, collected until the cause is known.
 */
import type { Cause, CheckReporter } from './check-reporter.ts';

/** More are counted, but not kept apart. */
const MAX_RUNS = 10_000;
/** So many are named in one finding. */
const NAMED_RUNS = 1000;

export class PageRuns {
  readonly #runs: [first: number, last: number][] = [];
  #pages = 0;

  /** Adds `[first, end)`; runs come in ascending order, and one that continues the last is joined with it. */
  add(first: number, end: number): void {
    this.#pages += end - first;
    const last = this.#runs.at(-1);
    if (last !== undefined && (last[1] + 1 === first || this.#runs.length === MAX_RUNS)) last[1] = end - 1;
    else this.#runs.push([first, end - 1]);
  }

  /** One finding per run; with a cause, one for all: they are what has been lost there. */
  report(reporter: CheckReporter, pageSize: number, causedBy: Cause | undefined): void {
    const first = this.#runs[0];
    if (first === undefined) return;
    if (causedBy === undefined) {
      for (const pages of this.#runs) {
        const place = { page: pages[0], pages, offset: pages[0] * pageSize };
        reporter.report('BOLT_PAGE_UNREACHABLE', { pages: `${pages[1] - pages[0] + 1}`, runs: textOf(pages) }, place);
      }
      return;
    }
    const runs = this.#runs.slice(0, NAMED_RUNS).map(textOf).join(' ');
    const args = { pages: `${this.#pages}`, runs: this.#runs.length > NAMED_RUNS ? `${runs} …` : runs };
    reporter.report('BOLT_PAGE_UNREACHABLE', args, {
      page: first[0],
      pages: first,
      offset: first[0] * pageSize,
      causedBy,
    });
  }
}

function textOf([first, last]: readonly [number, number]): string {
  return first === last ? `${first}` : `${first}-${last}`;
}
