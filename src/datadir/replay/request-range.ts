/**
 * The keys that a request means: one, or all from one key to before another.
 */
import { compareKeys } from '../../bolt/compare-keys.ts';
import type { DecodedMessage } from '../../proto/messages.ts';

/** `end`: the first key behind; null: there is no end; undefined: the one key is meant. Bytes are those of the request. */
export interface RequestRange {
  readonly key: Uint8Array;
  readonly end: Uint8Array | null | undefined;
}

const EMPTY: Uint8Array = new Uint8Array(0);

/** The keys of a request to delete, of a compare or of a put, which has no end. */
export function requestRange(request: DecodedMessage): RequestRange {
  const { key = EMPTY, range_end: end } = request as { key?: Uint8Array; range_end?: Uint8Array };
  if (end === undefined || end.length === 0) return { key, end: undefined };
  return { key, end: end.length === 1 && end[0] === 0 ? null : end };
}

/** Whether a range can hold keys at all: one that ends before it begins does not. */
export function isEmptyRange({ key, end }: RequestRange): boolean {
  return end !== undefined && end !== null && compareKeys(key, end) >= 0;
}
