/**
 * Small logs made in memory, for tests that break them byte by byte: the records of a few segments in, their files out.
 */
import { CRC, ENTRY, encodeFields, encodeRecords, METADATA, type RecordToWrite, SNAPSHOT, STATE } from './wal-edit.ts';

/** A segment as a name and all of its bytes. */
export interface SmallSegment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A segment to be made: its name, and its records without the crc record at the head, which is added. */
export interface SegmentPlan {
  readonly name: string;
  readonly records: readonly RecordToWrite[];
}

/** Segments of these records, the chain of checksums right from the first to the last; zeros behind the last record. */
export function buildLog(plans: readonly SegmentPlan[], zerosAtEnd = 0): SmallSegment[] {
  let running = 0;
  return plans.map(({ name, records }, i) => {
    const { bytes, crc } = encodeRecords([{ type: CRC, crc: running }, ...records]);
    running = crc;
    const segment = new Uint8Array(bytes.length + (i === plans.length - 1 ? zerosAtEnd : 0));
    segment.set(bytes);
    return { name, bytes: segment };
  });
}

type Fields = Readonly<Record<number, bigint | Uint8Array>>;

const message = (fields: Fields): Uint8Array =>
  encodeFields(Object.entries(fields).map(([number, value]) => ({ number: Number(number), value })));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// Every field is written, zero or not, as etcd up to 3.6 does; later versions read that too.
export const metadata = (node: bigint, cluster: bigint): RecordToWrite => ({
  type: METADATA,
  data: message({ 1: node, 2: cluster }),
});
export const state = (term: bigint, vote: bigint, commit: bigint): RecordToWrite => ({
  type: STATE,
  data: message({ 1: term, 2: vote, 3: commit }),
});
/** The record of a snapshot; the first of a log has no members. */
export const snapshot = (index: bigint, term: bigint, ...voters: bigint[]): RecordToWrite => {
  const position = { 1: index, 2: term };
  if (voters.length === 0) return { type: SNAPSHOT, data: message(position) };
  const confState = encodeFields([...voters.map((value) => ({ number: 1, value })), { number: 5, value: 0n }]);
  return { type: SNAPSHOT, data: message({ ...position, 3: confState }) };
};
/** An entry without payload, as a new leader writes it. */
export const emptyEntry = (term: bigint, index: bigint): RecordToWrite => ({
  type: ENTRY,
  data: message({ 1: 0n, 2: term, 3: index }),
});
/** The entry that makes the member part of its cluster. */
export const addNodeEntry = (term: bigint, index: bigint, node: bigint): RecordToWrite => {
  const context = utf8(`{"id":${node},"peerURLs":["http://m:2380"],"name":"m"}`);
  return {
    type: ENTRY,
    data: message({ 1: 1n, 2: term, 3: index, 4: message({ 1: 0n, 2: 0n, 3: node, 4: context }) }),
  };
};
/** A put of a key; the id of its request is the index. */
export const putEntry = (term: bigint, index: bigint, key: string, value: string): RecordToWrite => {
  const put = message({ 1: utf8(key), 2: utf8(value) });
  return {
    type: ENTRY,
    data: message({ 1: 0n, 2: term, 3: index, 4: message({ 4: put, 100: message({ 1: index }) }) }),
  };
};
