/**
 * etcd's repair of a log whose last segment ends in the middle of a record: it cuts the rest off. Here nothing is written;
 * the answer says what would be.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { RECORD_TYPE } from '../format.ts';
import { namedSegments, type SegmentInput } from '../segment-input.ts';
import { EtcdDecoder, type Stop } from './decoder.ts';
import { finish, type Steps } from './steps.ts';
import { FILE_NOT_FOUND } from './words.ts';

/** A cut at the end of a segment. */
export interface Cut {
  readonly segment: string;
  /** The segment's length afterwards. */
  readonly offset: number;
  /** How much is cut off; zeros of a preallocated tail count too. */
  readonly bytes: number;
}

/** What `Repair` would do. */
export interface RepairOutcome {
  /** What it returns: false means that it could not repair. True without a cut: it found nothing to repair. */
  readonly repaired: boolean;
  readonly cut: Cut | undefined;
  /** Where it stopped reading the last segment. */
  readonly stop: Stop;
}

/** Repairs the log in `files`, in thought. */
export function repair(files: readonly SegmentInput[], minor: EtcdMinor): RepairOutcome {
  return finish(repairSteps(files, minor));
}

/** The same in steps. */
export function* repairSteps(files: readonly SegmentInput[], minor: EtcdMinor): Steps<RepairOutcome> {
  const last = namedSegments(files).at(-1);
  if (last === undefined) {
    return { repaired: false, cut: undefined, stop: new EtcdDecoder([], minor).stop('error', FILE_NOT_FOUND) };
  }
  const decoder = new EtcdDecoder([last], minor);
  let stop = decoder.next();
  for (; stop === undefined; stop = decoder.next()) {
    if (decoder.isPauseDue) yield;
    if (decoder.record.type !== RECORD_TYPE.crc) continue;
    stop = decoder.followChain();
    if (stop !== undefined) break;
  }
  if (stop.kind !== 'unexpected-eof') return { repaired: stop.kind === 'end', cut: undefined, stop };
  const offset = decoder.lastOffset;
  return { repaired: true, cut: { segment: last.name, offset, bytes: last.source.size - offset }, stop };
}

/** The files as they are after `cut`. */
export function afterCut(files: readonly SegmentInput[], cut: Cut): SegmentInput[] {
  return files.map((file) => {
    if (file.name !== cut.segment) return file;
    const { source } = file;
    return {
      name: file.name,
      source: {
        ...(source.path === undefined ? {} : { path: source.path }),
        size: cut.offset,
        readInto(target: Uint8Array, offset: number): number {
          const length = Math.min(target.length, Math.max(0, cut.offset - offset));
          return length === 0 ? 0 : source.readInto(target.subarray(0, length), offset);
        },
        close(): void {},
      },
    };
  });
}
