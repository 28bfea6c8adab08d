/**
 * Which entries of a log survive, and where they are, without keeping a word about each of them.
 *
 * Raft writes an entry anew when a leader wants another one at that index: everything from that index on is then no longer
 * part of the log. The entries that are left form runs: consecutive indexes of one term, one behind the other in one
 * segment. Memory grows with the number of overwrites, terms and segments, not of entries.
 */
import { DatadirError } from '../errors.ts';

/** Runs are kept up to this number: far more than any log has that was written by etcd. */
const MAX_RUNS = 1 << 20;

/** Entries of consecutive indexes and one term, in one segment. */
export interface EntryRun {
  /** Position of the segment in the list of segments. */
  readonly segment: number;
  /** Where the frame of the first entry begins. */
  readonly offset: number;
  readonly firstIndex: number;
  count: number;
  readonly term: number;
}

/** The surviving entries of a log, as far as it was read. */
export class EntryRuns {
  readonly #runs: EntryRun[] = [];
  /** Entries that were written and are not part of the log any more. */
  overwritten = 0;
  /** There were too many runs to follow: what is here is not the whole log. */
  full = false;

  /** In order of index. */
  get runs(): readonly EntryRun[] {
    return this.#runs;
  }

  /** Index of the first surviving entry; 0 if there is none. */
  get firstIndex(): number {
    return this.#runs[0]?.firstIndex ?? 0;
  }

  /** Index of the last surviving entry; 0 if there is none. */
  get lastIndex(): number {
    const last = this.#runs.at(-1);
    return last === undefined ? 0 : last.firstIndex + last.count - 1;
  }

  get entries(): number {
    return this.#runs.reduce((sum, { count }) => sum + count, 0);
  }

  /** Takes the next entry of the file. What was there from its index on is gone. */
  add(segment: number, offset: number, index: number, term: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined) {
      const next = last.firstIndex + last.count;
      if (index === next && term === last.term && segment === last.segment) {
        last.count++;
        return;
      }
      if (index < next) this.truncate(index);
    }
    if (this.#runs.length >= MAX_RUNS) {
      this.full = true;
      return;
    }
    this.#runs.push({ segment, offset, firstIndex: index, count: 1, term });
  }

  /** Forgets the entries from `index` on. */
  truncate(index: number): void {
    for (let last = this.#runs.at(-1); last !== undefined; last = this.#runs.at(-1)) {
      const gone = last.firstIndex + last.count - index;
      if (gone <= 0) return;
      this.overwritten += Math.min(gone, last.count);
      if (gone < last.count) {
        last.count -= gone;
        return;
      }
      this.#runs.pop();
    }
  }

  /** The term of the surviving entry at an index; undefined if there is no such entry. */
  termAt(index: number): number | undefined {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]!.firstIndex <= index) low = middle + 1;
      else high = middle;
    }
    const run = this.#runs[low - 1];
    return run !== undefined && index < run.firstIndex + run.count ? run.term : undefined;
  }
}

/** Throws `WAL_TOO_INTRICATE` if there were too many runs to tell which entries survive. */
export function assertFollowed({ full }: EntryRuns): void {
  if (full) throw new DatadirError('WAL_TOO_INTRICATE', 'entries overwrite one another too often to be followed');
}
