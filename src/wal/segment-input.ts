/**
 * What a log is read from: its files by name.
 */
import type { ByteSource } from '../io/byte-source.ts';

/** A file of the log's directory. */
export interface SegmentInput {
  /** The name without directories. */
  readonly name: string;
  readonly source: ByteSource;
}
