/**
 * etcd's `ReadAll`: the metadata, the last hard state and the entries after a snapshot.
 *
 * Entries are counted, not kept. That is enough for the rule about overwritten ones: an entry with an index that was there
 * already takes the place of it and of all that followed.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { RECORD_TYPE } from '../format.ts';
import type { SegmentInput } from '../segment-input.ts';
import { EtcdDecoder, type Stop } from './decoder.ts';
import { MetadataRule } from './metadata-rule.ts';
import {
  EMPTY_STATE,
  type EtcdEntry,
  type EtcdHardState,
  isFailure,
  PayloadParser,
  type SnapshotId,
} from './parse-record.ts';
import { finish, type Steps } from './steps.ts';
import {
  SNAPSHOT_MISMATCH,
  SNAPSHOT_NOT_FOUND,
  sliceOutOfRange,
  tellsMore,
  unexpectedBlockType,
  unmarshalPanic,
} from './words.ts';

/** How a log is opened: to look at it, or, as a server does, to go on writing. */
export type ReadMode = 'read' | 'write';

/** Where the record of an entry is. */
export interface EntryPlace {
  readonly segment: string | undefined;
  readonly offset: number;
}

/** Is told what `ReadAll` takes. `bytes` is valid during the call. */
export interface ReadAllListener {
  /** An entry; `kept` is how many of those before it stay. */
  onEntry?(entry: EtcdEntry, kept: number, bytes: Uint8Array, place: EntryPlace): void;
  /** The record of the snapshot itself: `bytes[start, end)`. There may be several. */
  onSnapshot?(bytes: Uint8Array, start: number, end: number): void;
}

/** What `ReadAll` returns. */
export interface ReadAllOutcome {
  readonly metadata: Uint8Array | undefined;
  readonly state: EtcdHardState;
  /** Number of entries; the first has the index after the snapshot's, and there are no gaps. */
  readonly entries: number;
  /** Index of the last entry record, be it returned or not: what the writer goes on from. 0 if there was none. */
  readonly lastRecordIndex: bigint;
  /** The error; undefined if there was none. */
  readonly error: Stop | undefined;
  /** What ended the decoding. */
  readonly stop: Stop;
  /** The end of the log: where the next record would be written. */
  readonly lastOffset: number;
  /** The chain's value there. */
  readonly crc: number;
}

/** Reads `segments`, which `selectSegments` gave for `snapshot`. */
export function readAll(
  segments: readonly SegmentInput[],
  snapshot: SnapshotId,
  mode: ReadMode,
  minor: EtcdMinor,
  listener: ReadAllListener = {},
): ReadAllOutcome {
  return finish(readAllSteps(segments, snapshot, mode, minor, listener));
}

/** The same in steps. */
export function* readAllSteps(
  segments: readonly SegmentInput[],
  snapshot: SnapshotId,
  mode: ReadMode,
  minor: EtcdMinor,
  listener: ReadAllListener,
): Steps<ReadAllOutcome> {
  const decoder = new EtcdDecoder(segments, minor);
  const payload = new PayloadParser(minor);
  const metadata = new MetadataRule();
  let state = EMPTY_STATE;
  let entries = 0;
  let lastRecordIndex = 0n;
  let matched = false;
  let gap = false;
  let stop = decoder.next();
  for (; stop === undefined; stop = decoder.next()) {
    const { record, bytes } = decoder;
    const { dataStart, dataEnd } = record;
    switch (record.type) {
      case RECORD_TYPE.entry: {
        const entry = payload.entry(bytes, dataStart, dataEnd);
        if (isFailure(entry)) {
          stop = decoder.stopAtRecord('panic', unmarshalPanic(entry.words));
          break;
        }
        if (entry.index > snapshot.index) {
          const kept = entry.index - snapshot.index - 1n;
          if (kept > BigInt(entries)) {
            stop = decoder.stopAtRecord('error', sliceOutOfRange(minor, snapshot, entry, entries));
            gap = true;
            break;
          }
          listener.onEntry?.(entry, Number(kept), bytes, { segment: decoder.segment, offset: decoder.recordOffset });
          entries = Number(kept) + 1;
        }
        lastRecordIndex = entry.index;
        break;
      }
      case RECORD_TYPE.state: {
        const parsed = payload.state(bytes, dataStart, dataEnd, EMPTY_STATE);
        if (isFailure(parsed)) stop = decoder.stopAtRecord('panic', unmarshalPanic(parsed.words));
        else state = parsed;
        break;
      }
      case RECORD_TYPE.metadata:
        stop = metadata.accept(decoder);
        break;
      case RECORD_TYPE.crc:
        stop = decoder.followChain();
        break;
      case RECORD_TYPE.snapshot: {
        const parsed = payload.snapshot(bytes, dataStart, dataEnd);
        if (isFailure(parsed)) stop = decoder.stopAtRecord('panic', unmarshalPanic(parsed.words));
        else if (parsed.index === snapshot.index) {
          if (parsed.term !== snapshot.term) stop = decoder.stopAtRecord('error', SNAPSHOT_MISMATCH);
          else {
            matched = true;
            listener.onSnapshot?.(bytes, dataStart, dataEnd);
          }
        }
        break;
      }
      default:
        stop = decoder.stopAtRecord('error', unexpectedBlockType(minor, record.exactType, record.hasType));
    }
    if (stop !== undefined) break;
    if (decoder.isPauseDue) yield;
  }
  const end = { stop, lastRecordIndex, lastOffset: decoder.lastOffset, crc: decoder.crc };
  if (gap) {
    // The state stays, and from 3.6 on the entries before the gap.
    return { ...end, metadata: undefined, state, entries: tellsMore(minor) ? entries : 0, error: stop };
  }
  if (stop.kind !== 'end' && (mode === 'write' || stop.kind !== 'unexpected-eof')) {
    return { ...end, metadata: undefined, state: EMPTY_STATE, entries: 0, error: stop };
  }
  // A server never hears that the snapshot is not there: the error is overwritten before it is returned.
  const missing = mode === 'read' && !matched;
  const error = missing ? decoder.stop('error', SNAPSHOT_NOT_FOUND) : undefined;
  return { ...end, metadata: metadata.bytes, state, entries, error };
}
