/**
 * Makes findings of what the check of a db's content sees: adds the severity of the code, and remembers where damage is, so that what
 * follows from it can be told as a consequence.
 */
import { keyText } from '../bolt/key-text.ts';
import type { FindingPlace, Severity } from '../finding-table.ts';
import type { FindingList } from '../report.ts';
import { type BackendFinding, type BackendFindingArgs, type BackendFindingCode, backendFindings } from './findings.ts';

/** The finding that others follow from. */
export type Cause = NonNullable<FindingPlace['causedBy']>;

/** A record of any bucket, and where it lies: views that are valid during the call only. */
export interface StoredRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly pageId: number;
  /** Of the key. */
  readonly offset: number;
}

export class BackendReporter {
  readonly #list: FindingList;

  constructor(list: FindingList) {
    this.#list = list;
  }

  report<Code extends BackendFindingCode>(
    code: Code,
    args: BackendFindingArgs[Code],
    place: FindingPlace = {},
    severity: Severity = backendFindings[code].severity,
  ): Cause {
    // The union over all codes cannot be built from a generic code; code and args were matched by the signature.
    this.#list.add({ code, severity, ...place, args } as unknown as BackendFinding);
    return place.page === undefined ? { code } : { code, page: place.page };
  }
}

/** The place of a record. */
export function placeOf(bucket: string, { key, pageId, offset }: Omit<StoredRecord, 'value'>): FindingPlace {
  return { page: pageId, offset, bucket: [`"${bucket}"`], key: keyText(key) };
}
