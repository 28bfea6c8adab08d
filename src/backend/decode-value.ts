/**
 * Values that are protobuf messages.
 */
import { isDatadirError } from '../errors.ts';
import { type DecodedMessage, decodeMessage } from '../proto/messages.ts';
import type { MessageName } from '../proto/schema.ts';
import type { Problem } from './unreadable.ts';

/** The message, or why it is none. */
export function decodeValue(name: MessageName, bytes: Uint8Array): { readonly message: DecodedMessage } | Problem {
  try {
    return { message: decodeMessage(name, bytes) };
  } catch (error) {
    if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
    return { problem: `it is ${error.message}` };
  }
}
