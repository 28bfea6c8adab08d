/**
 * Rules for the row of revisions: above the compacted one none is missing, neither a main revision nor a sub revision.
 */
import type { BackendReporter, Cause } from './check-reporter.ts';
import type { KeyRecord } from './record.ts';
import { recordPlace, revisionText } from './rules-record.ts';

/** A new cluster is at revision 1; the first write is revision 2. */
const FIRST = 1;

export class RevisionSequence {
  readonly #reporter: BackendReporter;
  readonly #compact: number;
  #main = 0;
  #sub = -1;
  /** Something between the last record and the next one that is no revision: then a gap follows from it. */
  #between: Cause | undefined;

  /** `compact`: the effective compact revision; at and below it gaps are no wonder. Infinite: no gap is one. */
  constructor(compact: number, reporter: BackendReporter) {
    this.#compact = Math.max(FIRST, compact);
    this.#reporter = reporter;
  }

  /** The main revision of the last record. */
  get main(): number {
    return this.#main;
  }

  /** What has no revision lies here. */
  interrupt(cause: Cause): void {
    this.#between ??= cause;
  }

  /** The next record. `cause`: what is wrong with it alone. Gives what is wrong with its place, if anything. */
  take(record: KeyRecord, cause: Cause | undefined): Cause | undefined {
    const { main, sub } = record;
    const before = this.#main;
    const subBefore = this.#sub;
    const because = cause ?? this.#between;
    this.#between = undefined;
    // Out of order: the check of the structure has said so, and what follows is no gap.
    if (main < before || (main === before && sub < subBefore)) return undefined;
    this.#main = main;
    this.#sub = sub;
    if (main === before && sub === subBefore) {
      return this.#reporter.report(
        'BACKEND_REVISION_TWICE',
        { revision: `${main}_${sub}` },
        recordPlace(record, because),
      );
    }
    if (main <= this.#compact) return undefined;
    const expected = Math.max(before, this.#compact) + 1;
    if (main !== before && main > expected) {
      const { main: exact } = record.revision();
      const args = { first: `${expected}`, last: `${exact - 1n}`, next: `${exact}` };
      return this.#reporter.report('BACKEND_REVISION_GAP', args, recordPlace(record, because));
    }
    const expectedSub = main === before ? subBefore + 1 : 0;
    if (sub === expectedSub) return undefined;
    const args = { revision: revisionText(record), expected: `${expectedSub}` };
    return this.#reporter.report('BACKEND_SUB_REVISION_GAP', args, recordPlace(record, because));
  }
}
