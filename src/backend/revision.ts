/**
 * Revision keys of bucket `key`, and of the two compaction values in `meta`.
 */
import {
  MARK_AT,
  REVISION_LENGTH,
  SEPARATOR,
  SEPARATOR_AT,
  SUB_AT,
  TOMBSTONE_LENGTH,
  TOMBSTONE_MARK,
} from './format.ts';

/** A change: the transaction, and the operation in it. */
export interface Revision {
  readonly main: bigint;
  readonly sub: bigint;
}

/** Why bytes are no revision key for etcd 3.6 and later, which panic on it. */
export type RevisionProblem = 'length' | 'separator' | 'negative';

/** What a revision key says, or why it is none. */
export type ParsedRevision =
  | (Revision & {
      readonly tombstone: boolean;
      /** 18 bytes that do not end in `t`: never written; etcd 3.6 takes it for a put. */
      readonly oddMark: boolean;
    })
  | { readonly problem: RevisionProblem };

/** Reads a revision key as etcd 3.6 does. */
export function parseRevision(key: Uint8Array): ParsedRevision {
  if (key.length !== REVISION_LENGTH && key.length !== TOMBSTONE_LENGTH) return { problem: 'length' };
  if (key[SEPARATOR_AT] !== SEPARATOR) return { problem: 'separator' };
  const view = new DataView(key.buffer, key.byteOffset, key.length);
  const main = view.getBigInt64(0);
  const sub = view.getBigInt64(SUB_AT);
  if (main < 0n || sub < 0n) return { problem: 'negative' };
  const tombstone = key.length === TOMBSTONE_LENGTH && key[MARK_AT] === TOMBSTONE_MARK;
  return { main, sub, tombstone, oddMark: key.length === TOMBSTONE_LENGTH && !tombstone };
}

/** The key of a revision. */
export function encodeRevision({ main, sub }: Revision, tombstone = false): Uint8Array {
  const key = new Uint8Array(tombstone ? TOMBSTONE_LENGTH : REVISION_LENGTH);
  const view = new DataView(key.buffer);
  view.setBigInt64(0, main);
  key[SEPARATOR_AT] = SEPARATOR;
  view.setBigInt64(SUB_AT, sub);
  if (tombstone) key[MARK_AT] = TOMBSTONE_MARK;
  return key;
}
