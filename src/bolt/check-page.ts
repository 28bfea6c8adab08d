/**
 * The thorough examination of one page: every rule of the format for its elements, keys, buckets and inline buckets.
 *
 * It looks at each element once, in order, and reads keys only forwards, so that its cost is bounded by the pages that
 * were marked as belonging to this one before. Each code is reported once per page, with the number of times.
 */
import type { FindingPlace } from '../finding-table.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type BucketLink, bucketPath, type Cause, type CheckReporter } from './check-reporter.ts';
import { compareRanges } from './compare-keys.ts';
import type { BoltFindingArgs, BoltFindingCode } from './findings.ts';
import {
  BRANCH_KEY_SIZE,
  BRANCH_POSITION,
  BUCKET_HEADER_SIZE,
  BUCKET_ROOT,
  ELEMENT_SIZE,
  FIRST_DATA_PAGE,
  FLAG_LEAF,
  LEAF_FLAGS,
  LEAF_IS_BUCKET,
  LEAF_KEY_SIZE,
  LEAF_POSITION,
  LEAF_VALUE_SIZE,
  MAX_KEY_SIZE,
  PAGE_COUNT,
  PAGE_FLAGS,
  PAGE_HEADER_SIZE,
  PAGE_ID,
  PAGE_OVERFLOW,
} from './format.ts';
import { keyText } from './key-text.ts';
import { compareLongKeys } from './long-keys.ts';
import { type Key, PagePieces } from './page-pieces.ts';
import type { BucketDigest } from './pair-digest.ts';

/** A page (or the page inside an inline bucket) to be examined. Offsets are relative to its start. */
export interface ExaminedPage {
  readonly place: FindingPlace;
  readonly leaf: boolean;
  /** Whether it has no overflow pages: then what lies behind its data is in hand, and is looked at. */
  readonly single: boolean;
  readonly count: number;
  /** Bytes that belong to the page, and how many of them the file has. */
  readonly room: number;
  readonly present: number;
  /** The bucket whose tree this is; undefined for the root bucket. */
  readonly bucket: BucketLink | undefined;
  readonly low: Key | undefined;
  readonly high: Key | undefined;
  /** Why the bounds are not to be trusted: then keys out of bounds are a consequence. */
  readonly boundsCause: Cause | undefined;
  /** Why the page itself is suspicious already. */
  readonly cause: Cause | undefined;
}

/** What the examination leaves for the walk. */
export interface Examination {
  /** Where the data of the elements ends. */
  readonly end: number;
  /** Elements whose key cannot be used as a bound; undefined when all can. */
  readonly unusable: Uint8Array | undefined;
  /** Buckets with pages of their own. */
  readonly buckets: PendingBucket[];
  readonly cause: Cause | undefined;
  /** Whether there is something wrong inside an inline bucket, which says nothing of the page itself. */
  readonly inlineDamaged: boolean;
}

/** A bucket that has yet to be walked. */
export interface PendingBucket {
  readonly root: number;
  readonly link: BucketLink;
  /** Page and element that hold it. */
  readonly page: number;
  readonly element: number;
  /** Where its pairs go when a digest is made. */
  digest?: BucketDigest;
}

/** How often a page's data may turn back before its elements are no longer followed. */
const MAX_TURNS = 16;

interface Tally {
  readonly code: BoltFindingCode;
  readonly args: Record<string, string>;
  readonly place: FindingPlace;
  times: number;
}

export class PageExaminer {
  readonly #source: ByteSource;
  readonly #reporter: CheckReporter;
  readonly #highWaterMark: number;
  readonly #elements: PagePieces;
  readonly #keys: PagePieces;
  // An inline bucket is examined while its page is, with pieces of its own.
  #inner: PageExaminer | undefined;
  #tallies: Tally[] = [];
  #inlineDamaged = false;

  constructor(source: ByteSource, reporter: CheckReporter, highWaterMark: number) {
    this.#source = source;
    this.#reporter = reporter;
    this.#highWaterMark = highWaterMark;
    this.#elements = new PagePieces(source);
    this.#keys = new PagePieces(source);
  }

  /** Starts on a page at `offset` of the file, of which `available` bytes are in memory. */
  open(offset: number, bytes: Uint8Array, view: DataView, at: number, available: number): void {
    this.#elements.open(offset, bytes, view, at, available);
    this.#keys.open(offset, bytes, view, at, available);
  }

  /** Where the data of the elements ends as far as they lie within `room`: tells which pages this one really uses. */
  dataEnd(leaf: boolean, count: number, room: number): number {
    let end = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    for (let i = 0, element = PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const at = this.#elements.ensure(element, ELEMENT_SIZE);
      const view = this.#elements.view;
      const position = view.getUint32(at + (leaf ? LEAF_POSITION : BRANCH_POSITION), true);
      const sizes = leaf
        ? view.getUint32(at + LEAF_KEY_SIZE, true) + view.getUint32(at + LEAF_VALUE_SIZE, true)
        : view.getUint32(at + BRANCH_KEY_SIZE, true);
      const elementEnd = element + position + sizes;
      if (elementEnd <= room && elementEnd > end) end = elementEnd;
    }
    return end;
  }

  /** Reports everything that is wrong with the elements of a page. The array of elements must fit into `present`. */
  examine(page: ExaminedPage): Examination {
    const { leaf, count, room, present, low, high } = page;
    const arrayEnd = PAGE_HEADER_SIZE + count * ELEMENT_SIZE;
    const buckets: PendingBucket[] = [];
    this.#inlineDamaged = false;
    let unusable: Uint8Array | undefined;
    let frontier = arrayEnd; // where the next key must begin
    let follows = true; // whether the element before was where it should be, so that a gap means something
    let turns = 0;
    let end = arrayEnd;
    let previousAt = -1; // start of the last usable key
    let previousLength = 0;
    let previousKey: Key | undefined; // its copy, once the piece it lay in is gone

    for (let i = 0, element = PAGE_HEADER_SIZE; i < count; i++, element += ELEMENT_SIZE) {
      const at = this.#elements.ensure(element, ELEMENT_SIZE);
      const view = this.#elements.view;
      const flags = leaf ? view.getUint32(at + LEAF_FLAGS, true) : 0;
      const start = element + view.getUint32(at + (leaf ? LEAF_POSITION : BRANCH_POSITION), true);
      const keyLength = view.getUint32(at + (leaf ? LEAF_KEY_SIZE : BRANCH_KEY_SIZE), true);
      const valueLength = leaf ? view.getUint32(at + LEAF_VALUE_SIZE, true) : 0;
      const keyEnd = start + keyLength;
      const elementEnd = keyEnd + valueLength;

      let usable = true;
      if (elementEnd > room) {
        this.#tally('BOLT_ELEMENT_OUT_OF_PAGE', page, i, { start: `${start}`, end: `${elementEnd}`, room: `${room}` });
        usable = false;
      } else if (start < frontier) {
        this.#tally('BOLT_ELEMENT_OVERLAP', page, i, { start: `${start}`, free: `${frontier}` });
        usable = false;
        if (start >= arrayEnd && turns++ < MAX_TURNS) frontier = elementEnd;
      } else {
        if (follows && start > frontier) {
          this.#tally('BOLT_ELEMENT_GAP', page, i, { start: `${start}`, expected: `${frontier}` });
        }
        frontier = elementEnd;
      }
      follows = usable;
      if (elementEnd <= room && elementEnd > end) end = elementEnd;
      if (keyLength === 0) {
        this.#tally('BOLT_KEY_EMPTY', page, i, {});
        usable = false;
      }
      const isBucket = (flags & LEAF_IS_BUCKET) !== 0;
      if (leaf) {
        if (keyLength > MAX_KEY_SIZE && !isBucket && usable) {
          this.#tally('BOLT_KEY_TOO_LONG', page, i, { length: `${keyLength}` });
        }
        if ((flags & ~LEAF_IS_BUCKET) !== 0) {
          this.#tally('BOLT_ELEMENT_FLAGS', page, i, { flags: `0x${flags.toString(16)}` });
        }
      }
      // What the end of the file has cut off was reported with the file.
      if (elementEnd > present) usable = false;
      if (!usable) {
        unusable ??= new Uint8Array(count);
        unusable[i] = 1;
        continue;
      }

      if (previousAt >= 0 && previousKey === undefined && !this.#keys.has(start, Math.min(keyLength, MAX_KEY_SIZE))) {
        previousKey = this.#keys.key(previousAt, previousLength);
      }
      const order = this.#compareWithPrevious(previousKey, previousAt, previousLength, start, keyLength);
      if (order <= 0) {
        const previous = previousKey ?? this.#keys.key(previousAt, previousLength);
        this.#tally('BOLT_KEY_ORDER', page, i, {
          key: this.#text(start, keyLength),
          previous: keyText(previous.head, previous.length),
          relation: order === 0 ? '=' : '<',
        });
      }
      if (previousAt < 0 && low !== undefined) this.#compareWithLow(page, i, start, keyLength, low);
      if (high !== undefined && this.#compareWithKey(start, keyLength, high) >= 0) {
        const bound = keyText(high.head, high.length);
        this.#tally('BOLT_KEY_ABOVE_PARENT', page, i, { key: this.#text(start, keyLength), bound });
      }
      previousAt = start;
      previousLength = keyLength;
      previousKey = undefined;

      if (isBucket) {
        const pending = this.#examineBucket(page, i, start, keyLength, valueLength);
        if (pending !== undefined) buckets.push(pending);
      } else if (leaf && page.bucket === undefined && page.place.inline === undefined) {
        this.#tally('BOLT_ROOT_PLAIN_KEY', page, i, { key: this.#text(start, keyLength) });
      }
    }
    if (page.single && end + 4 <= present && this.#keys.has(end, 4)) {
      if (this.#keys.view.getUint32(this.#keys.ensure(end, 4), true) !== 0) {
        this.#tally('BOLT_STALE_BYTES', page, undefined, { from: `${end}` });
      }
    }
    return { end, unusable, buckets, cause: this.#flush(page), inlineDamaged: this.#inlineDamaged };
  }

  /** Copies the beginning of the page, from `offset` of the file on. */
  copyInto(target: Uint8Array, offset: number): void {
    if (this.#keys.has(0, target.length)) {
      const at = this.#keys.ensure(0, target.length);
      target.set(this.#keys.bytes.subarray(at, at + target.length));
    } else this.#source.readInto(target, offset);
  }

  #compareWithPrevious(
    copy: Key | undefined,
    previousAt: number,
    previousLength: number,
    start: number,
    length: number,
  ) {
    if (previousAt < 0) return 1;
    if (copy === undefined && this.#keys.has(previousAt, previousLength) && this.#keys.has(start, length)) {
      const a = this.#keys.ensure(start, length);
      const b = this.#keys.ensure(previousAt, previousLength);
      return compareRanges(this.#keys.view, a, length, this.#keys.view, b, previousLength);
    }
    const previous = copy ?? this.#keys.key(previousAt, previousLength);
    return compareLongKeys(this.#keys.key(start, length), previous, this.#source);
  }

  #compareWithKey(start: number, length: number, key: Key): number {
    if (this.#keys.has(start, length) && key.head.length === key.length) {
      const at = this.#keys.ensure(start, length);
      return compareRanges(this.#keys.view, at, length, key.headView, 0, key.length);
    }
    return compareLongKeys(this.#keys.key(start, length), key, this.#source);
  }

  #compareWithLow(page: ExaminedPage, index: number, start: number, length: number, low: Key): void {
    const order = this.#compareWithKey(start, length, low);
    if (order === 0) return;
    const args = { key: this.#text(start, length), parentKey: keyText(low.head, low.length) };
    this.#tally(order < 0 ? 'BOLT_KEY_BELOW_PARENT' : 'BOLT_BRANCH_KEY_NOT_FIRST', page, index, args);
  }

  #examineBucket(
    page: ExaminedPage,
    index: number,
    start: number,
    keyLength: number,
    valueLength: number,
  ): PendingBucket | undefined {
    if (page.place.inline !== undefined || page.place.page === undefined) {
      this.#tally('BOLT_INLINE_NESTED', page, index, { key: this.#text(start, keyLength) });
      return undefined;
    }
    if (valueLength < BUCKET_HEADER_SIZE) {
      this.#tally('BOLT_BUCKET_VALUE_SIZE', page, index, { size: `${valueLength}` });
      return undefined;
    }
    const name = this.#keys.key(start, keyLength);
    const link: BucketLink = { parent: page.bucket, name: name.head.slice(0, 256), nameLength: keyLength };
    const value = start + keyLength;
    // First of all: it may put other bytes in the place of those in hand.
    const at = this.#keys.ensure(value, BUCKET_HEADER_SIZE);
    const root = this.#keys.view.getBigUint64(at + BUCKET_ROOT, true);
    if (root === 0n) {
      if (valueLength < BUCKET_HEADER_SIZE + PAGE_HEADER_SIZE) {
        this.#tally('BOLT_BUCKET_VALUE_SIZE', page, index, { size: `${valueLength}` });
      } else this.#examineInline(page, index, link, value + BUCKET_HEADER_SIZE, valueLength - BUCKET_HEADER_SIZE);
      return undefined;
    }
    if (valueLength !== BUCKET_HEADER_SIZE) {
      this.#tally('BOLT_BUCKET_VALUE_SIZE', page, index, { size: `${valueLength}` });
    }
    if (root < BigInt(FIRST_DATA_PAGE) || root >= BigInt(this.#highWaterMark)) {
      const args = { root: `${root}`, highWaterMark: `${this.#highWaterMark}` };
      this.#tally('BOLT_BUCKET_ROOT_OUT_OF_RANGE', page, index, args);
      return undefined;
    }
    return { root: Number(root), link, page: page.place.page, element: index };
  }

  /** The leaf page inside an inline bucket, at `start` of the page that holds it. */
  #examineInline(outer: ExaminedPage, index: number, link: BucketLink, start: number, room: number): void {
    const at = this.#keys.ensure(start, PAGE_HEADER_SIZE);
    const view = this.#keys.view;
    const id = view.getBigUint64(at + PAGE_ID, true);
    const flags = view.getUint16(at + PAGE_FLAGS, true);
    const count = view.getUint16(at + PAGE_COUNT, true);
    const overflow = view.getUint32(at + PAGE_OVERFLOW, true);
    let reason: string | undefined;
    if (flags !== FLAG_LEAF) reason = `flags 0x${flags.toString(16)}, 0x2 expected`;
    else if (id !== 0n) reason = `page number ${id}, 0 expected`;
    else if (overflow !== 0) reason = `overflow ${overflow}, 0 expected`;
    else if (PAGE_HEADER_SIZE + count * ELEMENT_SIZE > room) reason = `${count} elements in ${room} bytes`;
    if (reason !== undefined) {
      this.#tally('BOLT_INLINE_PAGE', { ...outer, bucket: link }, index, { reason });
      return;
    }
    this.#inner ??= new PageExaminer(this.#source, this.#reporter, this.#highWaterMark);
    this.#inner.#elements.openWithin(this.#keys, start);
    this.#inner.#keys.openWithin(this.#keys, start);
    const examination = this.#inner.examine({
      place: { ...outer.place, element: index, inline: 0 },
      leaf: true,
      single: false,
      count,
      room,
      present: room,
      bucket: link,
      low: undefined,
      high: undefined,
      boundsCause: undefined,
      cause: outer.cause ?? this.#firstCause(outer),
    });
    if (examination.cause !== undefined) this.#inlineDamaged = true;
    if (examination.end !== room && examination.cause === undefined) {
      const reason = `its elements end at byte ${examination.end} of ${room}`;
      this.#tally('BOLT_INLINE_PAGE', { ...outer, bucket: link }, index, { reason });
    }
  }

  #text(start: number, length: number): string {
    const head = this.#keys.key(start, length).head;
    return keyText(head, length);
  }

  #tally(code: BoltFindingCode, page: ExaminedPage, index: number | undefined, args: Record<string, string>): void {
    const known = this.#tallies.find((tally) => tally.code === code);
    if (known !== undefined) {
      known.times++;
      return;
    }
    let place: FindingPlace = page.place;
    if (index !== undefined)
      place = page.place.inline === undefined ? { ...place, element: index } : { ...place, inline: index };
    this.#tallies.push({ code, args, place: { ...place, bucket: bucketPath(page.bucket) }, times: 1 });
  }

  #firstCause(page: ExaminedPage): Cause | undefined {
    const first = this.#tallies[0];
    if (first === undefined) return undefined;
    return page.place.page === undefined ? { code: first.code } : { code: first.code, page: page.place.page };
  }

  /** Reports what was collected: the first finding on a page is the cause of the others. */
  #flush(page: ExaminedPage): Cause | undefined {
    let cause = page.cause;
    for (const { code, args, place, times } of this.#tallies) {
      const isBound = code === 'BOLT_KEY_BELOW_PARENT' || code === 'BOLT_KEY_ABOVE_PARENT';
      const causedBy = cause ?? (isBound ? page.boundsCause : undefined);
      const all = { ...args, times: `${times}` } as unknown as BoltFindingArgs[typeof code];
      const made = this.#reporter.report(code, all, causedBy === undefined ? place : { ...place, causedBy });
      if (!INFORMATION.has(code)) cause ??= made;
    }
    this.#tallies = [];
    return cause;
  }
}

const INFORMATION: ReadonlySet<BoltFindingCode> = new Set(['BOLT_BRANCH_KEY_NOT_FIRST', 'BOLT_STALE_BYTES']);
