/**
 * Rules for bucket `meta`: how far the db has got in the log, what was compacted, and the configuration of raft.
 */
import type { FindingPlace } from '../finding-table.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { META, SUB_AT } from './format.ts';
import type { BackendMeta, MetaField } from './meta.ts';
import type { Revisions } from './revisions.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const FIELDS: ReadonlyMap<string, MetaField> = new Map(
  Object.entries(META).map(([field, name]) => [name, field as MetaField]),
);

const EXPECTED: Readonly<Record<MetaField, string>> = {
  consistentIndex: 'it is not the 8 bytes of a number',
  term: 'it is not the 8 bytes of a number',
  confState: 'it is not the JSON of a raft configuration',
  storageVersion: 'it is not a version',
  scheduledCompact: 'it is not a revision of 17 bytes',
  finishedCompact: 'it is not a revision of 17 bytes',
};

/** Values that no server needs, or that it writes anew by itself. */
const REPLACEABLE: ReadonlySet<MetaField> = new Set<MetaField>(['confState', 'storageVersion']);
const COMPACTIONS: ReadonlySet<MetaField> = new Set<MetaField>(['scheduledCompact', 'finishedCompact']);

export class MetaRules implements BucketRules {
  readonly bucket = 'meta';
  readonly #reporter: BackendReporter;
  readonly #places = new Map<MetaField, FindingPlace>();
  /** Compactions that are not at sub revision 0. */
  readonly #odd = new Set<MetaField>();

  constructor(reporter: BackendReporter) {
    this.#reporter = reporter;
  }

  take(record: StoredRecord): void {
    const field = FIELDS.get(decoder.decode(record.key));
    const place = placeOf('meta', record);
    if (field === undefined) {
      this.#reporter.report('BACKEND_KEY_UNKNOWN', {}, place);
      return;
    }
    this.#places.set(field, place);
    if (COMPACTIONS.has(field) && record.value.subarray(SUB_AT).some((byte) => byte !== 0)) this.#odd.add(field);
  }

  takeNone(record: StoredRecord, reason: string): void {
    this.#reporter.report('BACKEND_META_UNREADABLE', { reason }, placeOf('meta', record));
  }

  place(field: MetaField): FindingPlace {
    return this.#places.get(field) ?? { bucket: ['"meta"'] };
  }

  /** Each value for itself. */
  checkValues(meta: BackendMeta): void {
    for (const field of meta.unreadable.keys()) {
      const severity = REPLACEABLE.has(field) ? 'repairable' : 'corrupt';
      this.#reporter.report('BACKEND_META_UNREADABLE', { reason: EXPECTED[field] }, this.place(field), severity);
    }
    for (const field of this.#odd) {
      if (meta.unreadable.has(field)) continue;
      const reason = 'its sub revision is not 0';
      this.#reporter.report('BACKEND_META_UNREADABLE', { reason }, this.place(field));
    }
    if (meta.term === 0n && (meta.consistentIndex ?? 0n) > 0n) {
      this.#reporter.report('BACKEND_TERM_ZERO', {}, this.place('term'));
    }
  }

  /** `shownBy` is what could not be if nothing had ever been applied, if there is such a thing. True: the index is missing. */
  checkConsistentIndex({ consistentIndex, unreadable }: BackendMeta, shownBy: string | undefined): boolean {
    if (unreadable.has('consistentIndex') || (consistentIndex ?? 0n) > 0n || shownBy === undefined) return false;
    const value = consistentIndex === null ? 'missing' : '0';
    this.#reporter.report('BACKEND_CONSISTENT_INDEX', { value, shownBy }, this.place('consistentIndex'));
    return true;
  }

  checkCompaction(revisions: Revisions): void {
    const { finishedCompact: finished, scheduledCompact: scheduled, last } = revisions;
    const place = this.place('scheduledCompact');
    if (finished !== null && scheduled === null) {
      this.#reporter.report('BACKEND_COMPACT_UNSCHEDULED', { finished: `${finished}` }, this.place('finishedCompact'));
    } else if (finished !== null && scheduled !== null && finished > scheduled) {
      const args = { finished: `${finished}`, scheduled: `${scheduled}` };
      this.#reporter.report('BACKEND_COMPACT_ORDER', args, this.place('finishedCompact'));
      return;
    } else if (revisions.compactionPending) {
      const args = { finished: finished === null ? 'none before' : `${finished}`, scheduled: `${scheduled}` };
      this.#reporter.report('BACKEND_COMPACT_PENDING', args, place);
    }
    if (revisions.compact > (last?.main ?? 1n)) {
      const args = { compact: `${revisions.compact}`, last: last === null ? 'none' : `${last.main}` };
      this.#reporter.report('BACKEND_COMPACT_BEYOND_LAST', args, place);
    }
  }

  /** `ids` are those of the members; stale after a restore, so never more than worth knowing. */
  checkConfState({ confState }: BackendMeta, ids: ReadonlySet<bigint>): void {
    if (confState === null) return;
    const named = new Set([...confState.voters, ...confState.learners]);
    if (named.size === ids.size && [...named].every((id) => ids.has(id))) return;
    const args = { confState: idsText(named), members: idsText(ids) };
    this.#reporter.report('BACKEND_CONF_STATE_DIFFERS', args, this.place('confState'));
  }
}

const SHOWN_IDS = 9;

function idsText(ids: ReadonlySet<bigint>): string {
  const shown = [...ids].slice(0, SHOWN_IDS).map((id) => id.toString(16));
  if (shown.length === 0) return 'none';
  return `${shown.join(', ')}${ids.size > SHOWN_IDS ? ` and ${ids.size - SHOWN_IDS} more` : ''}`;
}
