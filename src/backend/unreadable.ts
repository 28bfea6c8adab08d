/**
 * Values that are not what etcd keeps in their bucket: they are passed over, and remembered for who wants to know.
 */
import type { BucketName } from './format.ts';

/** A value that could not be read, and where it lies. */
export interface UnreadableValue {
  readonly bucket: BucketName;
  /** Its key in the bucket; of one that is too long to be a key, the first bytes. */
  readonly key: Uint8Array;
  readonly pageId: number;
  /** Where its key begins in the file. */
  readonly offset: number;
  /** What is wrong: `its id is not an unsigned 64-bit number`. Says nothing of what is in the value. */
  readonly reason: string;
}

/** All of them: a damaged file may have millions. */
export interface UnreadableValues {
  readonly count: number;
  /** The first hundred. */
  readonly listed: readonly UnreadableValue[];
}

/** Why a record cannot be read. */
export interface Problem {
  readonly problem: string;
}

const LISTED = 100;

/** Collects them. */
export class UnreadableList implements UnreadableValues {
  count = 0;
  readonly listed: UnreadableValue[] = [];

  add(value: UnreadableValue): void {
    if (this.count++ < LISTED) this.listed.push(value);
  }
}
