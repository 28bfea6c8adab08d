/**
 * What a change of membership says about the member: JSON, whose ids need all their 64 bits.
 */
import { asObject, parseJson } from '../json/parse.ts';

/** A member's description has a few URLs; longer ones are not read. */
const MAX_LENGTH = 1024 * 1024;

/** The id in the context of a change of membership; undefined if it has none. Throws `JSON_INVALID` if it is no JSON. */
export function contextMemberId(context: Uint8Array): bigint | undefined {
  const id = asObject(parseJson(context, { maxLength: MAX_LENGTH }))?.get('id');
  return typeof id === 'bigint' ? id : undefined;
}
