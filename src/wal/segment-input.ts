/**
 * What a log is read from: its files by name.
 */
import type { ByteSource } from '../io/byte-source.ts';
import { parseSegmentNameAsEtcd, SEGMENT_SUFFIX, type SegmentName } from './segment-name.ts';

/** A file of the log's directory. */
export interface SegmentInput {
  /** The name without directories. */
  readonly name: string;
  readonly source: ByteSource;
}

/** A segment as etcd sees it. */
export interface NamedSegment extends SegmentInput {
  readonly parsed: SegmentName;
}

/** The files of a directory. */
export interface WalFiles {
  /** Those whose names end in `.wal`, with what is in them. */
  readonly segments: readonly SegmentInput[];
  /** The names of all others. */
  readonly others?: readonly string[] | undefined;
}

/** Whether a file has to be opened: etcd looks at no others. */
export function isSegmentFile(name: string): boolean {
  return name.endsWith(SEGMENT_SUFFIX);
}

/** The segments among the files, in the order in which etcd reads them, which is that of the bytes of their names. */
export function namedSegments(files: readonly SegmentInput[]): NamedSegment[] {
  return files
    .flatMap(({ name, source }) => {
      const parsed = parseSegmentNameAsEtcd(name);
      return parsed === undefined ? [] : [{ name, source, parsed }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
