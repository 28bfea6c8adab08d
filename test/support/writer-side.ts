/**
 * What can be told to write: the real bbolt, and ours. A test that compares the two drives both in the same way.
 */
import type { ListedBucket, Operation, OperationResult } from './writer-operations.ts';

/** Options of opening, by bbolt's names. */
export interface OpenOptions {
  readonly noFreelistSync?: boolean;
  readonly noGrowSync?: boolean;
  readonly initialMmapSize?: number;
  readonly allocSize?: number;
  /** Default `array`: ours has no other. */
  readonly freelist?: 'array' | 'hashmap';
}

/** A writer with one database. */
export interface WriterSide {
  readonly name: string;
  /** Makes a new database and leaves it open. */
  create(pageSize: number, options: OpenOptions): Promise<void>;
  open(options: OpenOptions): Promise<void>;
  /** Readers that are still open end. */
  close(): Promise<void>;
  /** Does all operations in one transaction, also after one was refused, then commits or rolls back. */
  transaction(operations: readonly Operation[], commit: boolean): Promise<OperationResult[]>;
  beginReader(reader: string): Promise<void>;
  endReader(reader: string): Promise<void>;
  /** All content, as that reader sees it, or as it is now. */
  content(reader?: string): Promise<readonly ListedBucket[]>;
  /** The whole file as it is now. */
  bytes(): Uint8Array;
}
