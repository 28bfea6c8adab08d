/**
 * Rules for buckets `members` and `members_removed`.
 */
import type { FindingPlace } from '../finding-table.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { parseMember, parseRemovedMember } from './members.ts';

/** So many are compared with one another; clusters have a handful. */
const MAX_COMPARED = 10_000;
/** Servers take so many learners unless told otherwise. */
const MAX_LEARNERS = 1;

/** The removed ones come before the members they are compared with: order the passes so. */
export class MemberRules {
  count = 0;
  learners = 0;
  removed = 0;
  /** Whether every record could be read. */
  readable = true;
  /** Ids of members, as far as they are compared; those that vote, and all. */
  readonly ids: Set<bigint> = new Set<bigint>();
  readonly #removedIds = new Set<bigint>();
  readonly #reporter: BackendReporter;
  readonly #membersCount: () => boolean;
  readonly #urls = new Map<string, bigint>();
  readonly #names = new Map<string, bigint>();
  readonly #both: { readonly id: string; readonly place: FindingPlace }[] = [];

  /** `membersCount`: whether the servers of the db go by these buckets; asked in the end. */
  constructor(membersCount: () => boolean, reporter: BackendReporter) {
    this.#membersCount = membersCount;
    this.#reporter = reporter;
  }

  /** Rules for bucket `members_removed`. */
  readonly removedRules: BucketRules = {
    bucket: 'members_removed',
    take: (record) => {
      this.removed++;
      const member = parseRemovedMember(record.key);
      if ('problem' in member) {
        this.#reportUnreadable('members_removed', record, member.problem);
        return;
      }
      if (this.#removedIds.size < MAX_COMPARED) this.#removedIds.add(member.id);
      this.#checkForm('members_removed', record, member);
    },
    takeNone: (record, reason) => this.#reportUnreadable('members_removed', record, reason),
  };

  /** Rules for bucket `members`. */
  readonly memberRules: BucketRules = {
    bucket: 'members',
    take: (record) => this.#takeMember(record),
    takeNone: (record, reason) => this.#reportUnreadable('members', record, reason),
  };

  #takeMember(record: StoredRecord): void {
    this.count++;
    const member = parseMember(record.key, record.value);
    if ('problem' in member) {
      this.#reportUnreadable('members', record, member.problem);
      return;
    }
    const { id, keyId, name, peerUrls } = member;
    if (member.isLearner) this.learners++;
    const place = placeOf('members', record);
    if (id !== keyId) this.#reporter.report('BACKEND_MEMBER_ID', { id: hex(id) }, place);
    else this.#checkForm('members', record, { id, canonical: member.canonical });
    if (this.ids.size >= MAX_COMPARED) return;
    this.ids.add(id);
    if (this.#removedIds.has(id) || this.#removedIds.has(keyId)) this.#both.push({ id: hex(id), place });
    const peculiar = (reason: string): void =>
      void this.#reporter.report('BACKEND_MEMBER_PECULIAR', { id: hex(id), reason }, place);
    if (peerUrls.length === 0) peculiar('the member has no peer URL');
    for (const url of peerUrls.slice(0, MAX_COMPARED)) {
      const other = this.#urls.get(url);
      if (other !== undefined && other !== id) peculiar(`a peer URL is also that of member ${hex(other)}`);
      else this.#urls.set(url, id);
    }
    if (name === '') return;
    const other = this.#names.get(name);
    if (other !== undefined) peculiar(`the name is also that of member ${hex(other)}`);
    else this.#names.set(name, id);
  }

  #checkForm(
    bucket: 'members' | 'members_removed',
    record: StoredRecord,
    { id, canonical }: { readonly id: bigint; readonly canonical: boolean },
  ): void {
    if (!canonical) this.#reporter.report('BACKEND_MEMBER_KEY_FORM', { id: hex(id) }, placeOf(bucket, record));
  }

  #reportUnreadable(bucket: 'members' | 'members_removed', record: StoredRecord, reason: string): void {
    if (bucket === 'members') this.readable = false;
    this.#reporter.report('BACKEND_MEMBER_UNREADABLE', { reason }, placeOf(bucket, record));
  }

  /** What depends on the version of the data. */
  finish(): void {
    const severity = this.#membersCount() ? 'corrupt' : 'info';
    for (const { id, place } of this.#both) this.#reporter.report('BACKEND_MEMBER_REMOVED', { id }, place, severity);
    if (this.learners > MAX_LEARNERS) {
      this.#reporter.report('BACKEND_LEARNERS', { learners: `${this.learners}` }, { bucket: ['"members"'] });
    }
  }
}

const hex = (id: bigint): string => id.toString(16);
