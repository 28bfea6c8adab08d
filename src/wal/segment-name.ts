/**
 * Names of segments: `%016x-%016x.wal`, a sequence number and the index of the first entry that is expected in the file.
 */

/** What the name of a segment says. */
export interface SegmentName {
  readonly sequence: bigint;
  /** The index of the first entry expected in the file. */
  readonly index: bigint;
}

/** What every segment's name ends with; etcd takes any such file for a sign that there is a log. */
export const SEGMENT_SUFFIX = '.wal';

const STRICT = /^([0-9a-f]{16})-([0-9a-f]{16})\.wal$/;
// Go's scanner takes up to 16 digits in either case, and nobody looks at what lies between this and the suffix.
const LENIENT = /^([0-9a-fA-F]{1,16})-([0-9a-fA-F]{1,16})\.wal/;

/** Parses a name as etcd writes it; undefined for any other. */
export function parseSegmentName(name: string): SegmentName | undefined {
  return parse(name, STRICT);
}

/** Parses a name as etcd reads it: fewer digits, capitals and text behind `.wal` are accepted if the name ends in `.wal`. */
export function parseSegmentNameAsEtcd(name: string): SegmentName | undefined {
  return name.endsWith(SEGMENT_SUFFIX) ? parse(name, LENIENT) : undefined;
}

function parse(name: string, pattern: RegExp): SegmentName | undefined {
  const [, sequence, index] = pattern.exec(name) ?? [];
  if (sequence === undefined || index === undefined) return undefined;
  return { sequence: BigInt(`0x${sequence}`), index: BigInt(`0x${index}`) };
}

/** The name of a segment. */
export function segmentName(sequence: bigint, index: bigint): string {
  return `${hex16(sequence)}-${hex16(index)}${SEGMENT_SUFFIX}`;
}

const hex16 = (value: bigint): string => value.toString(16).padStart(16, '0');
