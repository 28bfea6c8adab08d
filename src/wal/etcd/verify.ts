/**
 * etcd's check of a log, `wal.Verify`: what it reads without complaint is not all healthy, and it does not look into entries.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { RECORD_TYPE } from '../format.ts';
import type { SegmentInput } from '../segment-input.ts';
import { EtcdDecoder, type Stop } from './decoder.ts';
import { MetadataRule } from './metadata-rule.ts';
import { EMPTY_STATE, type EtcdHardState, isFailure, PayloadParser, type SnapshotId } from './parse-record.ts';
import { selectSegments } from './start-segment.ts';
import { SNAPSHOT_MISMATCH, SNAPSHOT_NOT_FOUND, unexpectedBlockType, unmarshalPanic } from './words.ts';

/** What `Verify` returns. */
export interface VerifyOutcome {
  /** The last hard state; undefined after an error. 3.4 returns none at all. */
  readonly state: EtcdHardState | undefined;
  /** The error; undefined if there was none. */
  readonly error: Stop | undefined;
}

/** Verifies the log in `files` from `snapshot` on. */
export function verify(files: readonly SegmentInput[], snapshot: SnapshotId, minor: EtcdMinor): VerifyOutcome {
  const segments = selectSegments(files, snapshot.index, minor);
  if (typeof segments === 'string') {
    return { state: undefined, error: { kind: 'error', words: segments, segment: undefined, offset: 0 } };
  }
  const decoder = new EtcdDecoder(segments, minor);
  const payload = new PayloadParser(minor);
  const metadata = new MetadataRule();
  let state = EMPTY_STATE;
  let matched = false;
  let stop = decoder.next();
  for (; stop === undefined; stop = decoder.next()) {
    const { record, bytes } = decoder;
    const { dataStart, dataEnd } = record;
    switch (record.type) {
      case RECORD_TYPE.metadata:
        stop = metadata.accept(decoder);
        break;
      case RECORD_TYPE.crc:
        stop = decoder.followChain();
        break;
      case RECORD_TYPE.entry:
        break;
      case RECORD_TYPE.state: {
        // Up to 3.6 all states are parsed into the same message, which keeps what a later one does not have.
        const parsed = payload.state(bytes, dataStart, dataEnd, minor === '3.7' ? EMPTY_STATE : state);
        if (isFailure(parsed)) stop = decoder.stopAtRecord('panic', unmarshalPanic(parsed.words));
        else state = parsed;
        break;
      }
      case RECORD_TYPE.snapshot: {
        const parsed = payload.snapshot(bytes, dataStart, dataEnd);
        if (isFailure(parsed)) stop = decoder.stopAtRecord('panic', unmarshalPanic(parsed.words));
        else if (parsed.index === snapshot.index) {
          if (parsed.term !== snapshot.term) stop = decoder.stopAtRecord('error', SNAPSHOT_MISMATCH);
          else matched = true;
        }
        break;
      }
      default:
        stop = decoder.stopAtRecord('error', unexpectedBlockType(minor, record.exactType, record.hasType));
    }
    if (stop !== undefined) break;
  }
  if (stop.kind !== 'end' && stop.kind !== 'unexpected-eof') return { state: undefined, error: stop };
  if (!matched) return { state: undefined, error: decoder.stop('error', SNAPSHOT_NOT_FOUND) };
  return { state, error: undefined };
}
