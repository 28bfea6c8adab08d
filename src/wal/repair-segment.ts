/**
 * A segment of a repaired log: a stretch of one of the old segments, under a name of its own, perhaps with another head.
 */
import type { ByteSource } from '../io/byte-source.ts';
import { frameOf } from './encode-frame.ts';
import { RECORD_TYPE } from './format.ts';

/** What a new segment is made of. */
export interface PlannedSegment {
  readonly name: string;
  /** Name of the old segment. */
  readonly from: string;
  /** The bytes [start, end) of it are copied as they are. */
  readonly start: number;
  readonly end: number;
  /** A crc record with this value is written before them, in place of the one that was there. */
  readonly headCrc?: number | undefined;
  /** Length of the new file: zeros follow. */
  readonly size: number;
}

/** How many bytes the new file has before those that are copied. */
export function headLength({ headCrc }: PlannedSegment): number {
  return headCrc === undefined ? 0 : headFrame(headCrc).length;
}

const headFrame = (crc: number): Uint8Array => frameOf({ type: RECORD_TYPE.crc, crc });

/** The bytes of a new segment, read from the old one. Closing it leaves that open. */
export function plannedSource(planned: PlannedSegment, old: ByteSource): ByteSource {
  const { headCrc, start, end, size, name: path } = planned;
  const head = headCrc === undefined ? new Uint8Array() : headFrame(headCrc);
  const bodyEnd = head.length + end - start;
  return {
    size,
    path,
    readInto(target: Uint8Array, offset: number): number {
      const until = Math.min(offset + target.length, size);
      let at = offset;
      if (at < head.length) {
        const part = head.subarray(at, Math.min(until, head.length));
        target.set(part);
        at += part.length;
      }
      if (at < until && at < bodyEnd) {
        const stop = Math.min(until, bodyEnd);
        at += old.readInto(target.subarray(at - offset, stop - offset), start + at - head.length);
        if (at < stop) return Math.max(0, at - offset);
      }
      if (at < until) target.fill(0, at - offset, until - offset);
      return Math.max(0, until - offset);
    },
    close(): void {},
  };
}
