/**
 * etcd's search for the snapshots that a log may be opened at: a pass over all segments before anything else.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { RECORD_TYPE } from '../format.ts';
import { namedSegments, type SegmentInput } from '../segment-input.ts';
import { EtcdDecoder, type Stop } from './decoder.ts';
import { EMPTY_STATE, isFailure, PayloadParser, type SnapshotId } from './parse-record.ts';
import { finish, type Steps } from './steps.ts';
import { FILE_NOT_FOUND, unmarshalPanic } from './words.ts';

/** More snapshot records than this are not remembered; a log of years has some hundreds. */
const MAX_SNAPSHOTS = 1_000_000;

/** What `ValidSnapshotEntries` returns: snapshots in the order of the log, and what it stopped at. */
export interface ValidSnapshots {
  /** Those not above the commit of the last hard state; equal ones are all there. Empty after an error. */
  readonly snapshots: readonly SnapshotId[];
  /** `end` and `unexpected-eof` are no errors here. */
  readonly stop: Stop;
}

/** Searches all segments among `files`. */
export function validSnapshots(files: readonly SegmentInput[], minor: EtcdMinor): ValidSnapshots {
  return finish(validSnapshotsSteps(files, minor));
}

/** The same in steps. */
export function* validSnapshotsSteps(files: readonly SegmentInput[], minor: EtcdMinor): Steps<ValidSnapshots> {
  const segments = namedSegments(files);
  const decoder = new EtcdDecoder(segments, minor);
  if (segments.length === 0) return { snapshots: [], stop: decoder.stop('error', FILE_NOT_FOUND) };
  const payload = new PayloadParser(minor);
  const found: SnapshotId[] = [];
  let commit = 0n;
  let stop = decoder.next();
  for (; stop === undefined; stop = decoder.next()) {
    const { record, bytes } = decoder;
    const { dataStart, dataEnd } = record;
    if (record.type === RECORD_TYPE.snapshot) {
      const snapshot = payload.snapshot(bytes, dataStart, dataEnd);
      if (isFailure(snapshot)) stop = decoder.stopAtRecord('panic', unmarshalPanic(snapshot.words));
      else if (found.push(snapshot) > MAX_SNAPSHOTS)
        stop = decoder.stopAtRecord('unknown', 'a million snapshot records');
    } else if (record.type === RECORD_TYPE.state) {
      const state = payload.state(bytes, dataStart, dataEnd, EMPTY_STATE);
      if (isFailure(state)) stop = decoder.stopAtRecord('panic', unmarshalPanic(state.words));
      else commit = state.commit;
    } else if (record.type === RECORD_TYPE.crc) stop = decoder.followChain();
    if (stop !== undefined) break;
    if (decoder.isPauseDue) yield;
  }
  const accepted = stop.kind === 'end' || stop.kind === 'unexpected-eof';
  return { snapshots: accepted ? found.filter(({ index }) => index <= commit) : [], stop };
}
