/** Questions about `schema.ts`. */
import { type FieldSchema, MESSAGES, type MessageName } from './schema.ts';

/** The message that a field holds; undefined if it holds none. */
export function messageTypeOf(field: FieldSchema): MessageName | undefined {
  return Object.hasOwn(MESSAGES, field.type) ? (field.type as MessageName) : undefined;
}
