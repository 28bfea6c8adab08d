/**
 * Every state that a crash can leave of a file, one after the other in the same memory: what was synced, and of what came
 * after that the first events, the first events and a part of the next, or any of them in any sectors, since a disk
 * writes in whatever order it likes.
 */
import { createHash } from 'node:crypto';
import type { ByteSource } from '../../src/io/byte-source.ts';
import type { CrashRecording } from './crash-recording.ts';
import { type FileEvent, seededRandom } from './faulty.ts';

/** What a disk writes as a whole. */
const SECTOR = 512;
/** Length of what counts of a meta page, in one sector. A crash that tears even this must be survived too. */
const META_END = 80;
const META_TEAR = 8;

export interface CrashPoint {
  /** The file; as it is now until the next point is asked for. */
  readonly source: ByteSource;
  /** How many events had been asked for. */
  readonly events: number;
  /** A meta page is there in part only. */
  readonly metaTorn: boolean;
  /** How this came about, for messages. */
  describe(): string;
}

export interface ReplayOptions {
  /** Of the random draws. */
  readonly seed: number;
  /** Random draws between two syncs, for each event between them; at most `maxDraws` in all. */
  readonly drawsPerEvent?: number;
  readonly maxDraws?: number;
}

/** A file of which everything that was done since a moment can be undone. */
class CrashImage {
  readonly bytes: Uint8Array;
  size: number;
  /** Behind this there were never other bytes than zeros. */
  used: number;
  readonly #undo: { readonly offset: number; readonly bytes: Uint8Array; readonly size: number }[] = [];

  constructor(initial: Uint8Array, capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.bytes.set(initial);
    this.size = initial.length;
    this.used = initial.length;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#undo.push({ offset, bytes: this.bytes.slice(offset, offset + bytes.length), size: this.size });
    this.bytes.set(bytes, offset);
    this.size = Math.max(this.size, offset + bytes.length);
    this.used = Math.max(this.used, offset + bytes.length);
  }

  truncate(size: number): void {
    if (size < this.size) throw new Error('no writer makes a file shorter');
    this.#undo.push({ offset: 0, bytes: this.bytes.slice(0, 0), size: this.size });
    this.size = size;
  }

  get changes(): number {
    return this.#undo.length;
  }

  /** Undoes all but the first `changes`. */
  rewind(changes: number): void {
    while (this.#undo.length > changes) {
      const { offset, bytes, size } = this.#undo.pop()!;
      this.bytes.set(bytes, offset);
      this.size = size;
    }
  }

  /** Makes everything durable. */
  settle(): void {
    this.#undo.length = 0;
  }

  get source(): ByteSource {
    const { bytes, size } = this;
    return {
      size,
      readInto(target, offset) {
        const end = Math.min(size, offset + target.length);
        if (offset >= end) return 0;
        target.set(bytes.subarray(offset, end));
        return end - offset;
      },
      close() {},
    };
  }
}

/** Every crash point of a recording; the same state after the same commit is given once. */
export function* replayCrashes(recording: CrashRecording, options: ReplayOptions): Generator<CrashPoint> {
  const seen = new Set<string>();
  for (const { image, ...point } of allCrashes(recording, options)) {
    // By what may be there as well: the same bytes can be right before a commit returns, and wrong after it.
    const commit = lastCommit(recording, point.events);
    const hash = createHash('sha1').update(image.bytes.subarray(0, image.used)).digest('base64');
    const key = `${commit} ${image.size} ${hash}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield { ...point, source: image.source };
  }
}

/** Index of the last commit that had returned after so many events. */
export function lastCommit({ commits }: CrashRecording, events: number): number {
  let last = 0;
  while (last + 1 < commits.length && commits[last + 1]!.events <= events) last++;
  return last;
}

interface RawPoint extends Omit<CrashPoint, 'source'> {
  readonly image: CrashImage;
}

function* allCrashes(recording: CrashRecording, options: ReplayOptions): Generator<RawPoint> {
  const { events, pageSize } = recording;
  const random = seededRandom(options.seed);
  const image = new CrashImage(recording.initial, capacityFor(recording));
  const isMeta = (event: FileEvent): boolean => event.kind === 'write' && event.offset <= pageSize;

  for (let start = 0; ; ) {
    let end = start;
    while (end < events.length && events[end]!.kind !== 'sync') end++;
    // In their order, the last one in part.
    for (let at = start; at <= end; at++) {
      yield { image, events: at, metaTorn: false, describe: () => `events ${start} to ${at} of those not synced` };
      const event = events[at];
      if (at === end || event === undefined) break;
      if (event.kind === 'write') {
        const before = image.changes;
        for (const length of tears(event.bytes.length, isMeta(event))) {
          image.write(event.offset, event.bytes.subarray(0, length));
          const metaTorn = isMeta(event) && length < META_END;
          const describe = () => `events ${start} to ${at} of those not synced, and ${length} bytes of the next`;
          yield { image, events: at + 1, metaTorn, describe };
          image.rewind(before);
        }
      }
      apply(image, event);
    }
    image.rewind(0);
    // In any order.
    const { drawsPerEvent = 3, maxDraws = 60 } = options;
    const draws = end - start === 0 ? 0 : Math.min(maxDraws, drawsPerEvent * (end - start));
    for (let draw = 0; draw < draws; draw++) {
      const issued = start + 1 + Math.floor(random() * (end - start));
      const share = 0.2 + 0.6 * random();
      const lost: number[] = [];
      for (let at = start; at < issued; at++) {
        if (random() < 0.2) applySectors(image, events[at]!, share, random);
        else if (random() < share) apply(image, events[at]!);
        else lost.push(at);
      }
      const describe = () => `events from ${start} to ${issued} not synced, without ${lost}; draw ${draw}`;
      yield { image, events: issued, metaTorn: false, describe };
      image.rewind(0);
    }
    for (let at = start; at < end; at++) apply(image, events[at]!);
    image.settle();
    if (end === events.length) return;
    start = end + 1;
  }
}

/** Where a write can be torn. */
function* tears(length: number, isMeta: boolean): Generator<number> {
  for (let at = META_TEAR; isMeta && at < META_END; at += META_TEAR) yield at;
  for (let at = SECTOR; at < length; at += SECTOR) yield at;
}

function apply(image: CrashImage, event: FileEvent): void {
  if (event.kind === 'write') image.write(event.offset, event.bytes);
  else if (event.kind === 'truncate') image.truncate(Math.max(event.size, image.size));
}

/** Writes some of the sectors of an event. */
function applySectors(image: CrashImage, event: FileEvent, share: number, random: () => number): void {
  if (event.kind !== 'write') {
    if (random() < share) apply(image, event);
    return;
  }
  for (let at = 0; at < event.bytes.length; at += SECTOR) {
    if (random() < share) image.write(event.offset + at, event.bytes.subarray(at, at + SECTOR));
  }
}

function capacityFor({ initial, events }: CrashRecording): number {
  let capacity = initial.length;
  for (const event of events) {
    if (event.kind === 'write') capacity = Math.max(capacity, event.offset + event.bytes.length);
    else if (event.kind === 'truncate') capacity = Math.max(capacity, event.size);
  }
  return capacity;
}
