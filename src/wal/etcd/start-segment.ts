/**
 * Which segments etcd reads: all whose names it can parse, or those from the one on that may hold a snapshot's first entry.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { namedSegments, type SegmentInput } from '../segment-input.ts';
import { noSegmentFor, noSegments, sequenceBroken } from './words.ts';

/** The segments to read for the entries after `index`, or the error of etcd's that there are none. */
export function selectSegments(
  files: readonly SegmentInput[],
  index: bigint,
  minor: EtcdMinor,
): SegmentInput[] | string {
  const segments = namedSegments(files);
  if (segments.length === 0) return noSegments(minor);
  const first = segments.findLastIndex(({ parsed }) => parsed.index <= index);
  if (first === -1) return noSegmentFor(minor, index);
  // The number after a 0 is not looked at.
  let before = 0n;
  for (const {
    parsed: { sequence },
  } of segments.slice(first)) {
    if (before !== 0n && sequence !== BigInt.asUintN(64, before + 1n)) return sequenceBroken(minor, first);
    before = sequence;
  }
  return segments.slice(first);
}
