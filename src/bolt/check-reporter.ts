/**
 * Makes findings out of what the checker sees: adds the severity of the code, links consequences to their causes, and
 * turns paths into text. The paths are links from child to parent, so that deep trees cost nothing until one is reported.
 */
import type { FindingPlace } from '../finding-table.ts';
import type { FindingList } from '../report.ts';
import { type BoltFinding, type BoltFindingArgs, type BoltFindingCode, boltFindings } from './findings.ts';
import { keyText } from './key-text.ts';

/** The finding that others follow from. */
export interface Cause {
  readonly code: BoltFindingCode;
  readonly page?: number;
}

/** A bucket and how it was reached. */
export interface BucketLink {
  readonly parent: BucketLink | undefined;
  readonly name: Uint8Array;
  readonly nameLength: number;
}

// Deeper than any real nesting; a finding about a bucket further down shows the last ones.
const SHOWN_BUCKETS = 16;
const REMEMBERED_PAGES = 4096;

export class CheckReporter {
  readonly #list: FindingList;
  /** The first finding of each page, so that a second one can name it as its cause. */
  readonly #byPage = new Map<number, Cause>();

  constructor(list: FindingList) {
    this.#list = list;
  }

  report<Code extends BoltFindingCode>(code: Code, args: BoltFindingArgs[Code], place: FindingPlace = {}): Cause {
    const { severity } = boltFindings[code];
    const page = place.page ?? place.pages?.[0];
    const cause: Cause = page === undefined ? { code } : { code, page };
    // The union over all codes cannot be built from a generic code; code and args were matched by the signature.
    this.#list.add({ code, severity, ...place, args } as unknown as BoltFinding);
    if (severity !== 'info' && page !== undefined && this.#byPage.size < REMEMBERED_PAGES && !this.#byPage.has(page)) {
      this.#byPage.set(page, cause);
    }
    return cause;
  }

  /** What was found on a page before, if anything above info. */
  causeOn(page: number): Cause | undefined {
    return this.#byPage.get(page);
  }
}

/** A place with the finding that it follows from, if there is one. */
export function withCause(place: FindingPlace, causedBy: Cause | undefined): FindingPlace {
  return causedBy === undefined ? place : { ...place, causedBy };
}

/** Names of the buckets down to this one; none for the root bucket. */
export function bucketPath(link: BucketLink | undefined): string[] {
  const names: string[] = [];
  let current = link;
  for (; current !== undefined && names.length < SHOWN_BUCKETS; current = current.parent) {
    names.unshift(keyText(current.name, current.nameLength));
  }
  if (current !== undefined) names.unshift('…');
  return names;
}
