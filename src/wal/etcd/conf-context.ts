/**
 * The context of a change of membership, JSON of a member, as Go's decoder reads it into its types.
 */
import { isDatadirError } from '../../errors.ts';
import { parseGoStruct } from '../../json/go-struct.ts';

/** What of the context decides what a server does. */
export interface ConfContext {
  readonly id: bigint;
  readonly isPromote: boolean;
}

/** All fields, also those that do not matter here: one of the wrong type makes the whole context unreadable. */
const FIELDS = {
  id: 'uint64',
  peerURLs: 'strings',
  isLearner: 'bool',
  name: 'string',
  clientURLs: 'strings',
  isPromote: 'bool',
} as const;

/** Parses a context; undefined where Go's decoder reports an error. */
export function parseConfContext(bytes: Uint8Array): ConfContext | undefined {
  try {
    // null is accepted everywhere and changes nothing.
    const { id = 0n, isPromote = false } = parseGoStruct(bytes, FIELDS) ?? {};
    return { id, isPromote };
  } catch (error) {
    if (isDatadirError(error)) return undefined;
    throw error;
  }
}
