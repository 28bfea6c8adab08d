/**
 * A bound for generic decoding. It makes an object or a view of every field, a hundred times the two bytes that a field can be:
 * bytes made for it could fill the memory. The fields are counted first, which takes none.
 */
import { messageTypeOf } from './message-types.ts';
import { MESSAGES, type MessageName } from './schema.ts';
import { protoInvalid, WIRE_BYTES, WireReader } from './wire.ts';

/** etcd lets a transaction have 128 operations unless told otherwise. */
const MAX_FIELDS = 1_000_000;
/** A field has at least two bytes. */
const HARMLESS_LENGTH: number = MAX_FIELDS * 2;

/** Throws `PROTO_INVALID` if the message has too many fields, those of messages in it included. */
export function assertFewFields(name: MessageName, bytes: Uint8Array): void {
  if (bytes.length <= HARMLESS_LENGTH) return;
  let count = 0;
  const names: MessageName[] = [name];
  const ranges = [0, bytes.length];
  for (let message = names.pop(); message !== undefined; message = names.pop()) {
    const end = ranges.pop()!;
    const reader = new WireReader(bytes, ranges.pop(), end);
    const types = nestedTypes(message);
    while (!reader.done) {
      const tag = reader.tag();
      if (++count > MAX_FIELDS) throw protoInvalid(`more than ${MAX_FIELDS} fields`, reader.position);
      const nested = (tag & 7) === WIRE_BYTES ? types.get(tag >>> 3) : undefined;
      if (nested === undefined) reader.pass(tag);
      else {
        const nestedEnd = reader.length();
        names.push(nested);
        ranges.push(reader.position, nestedEnd);
        reader.position = nestedEnd;
      }
    }
  }
}

/** The messages in the fields of a message, by field number. */
function nestedTypes(name: MessageName): Map<number, MessageName> {
  const types = new Map<number, MessageName>();
  for (const field of MESSAGES[name]) {
    const type = messageTypeOf(field);
    if (type !== undefined) types.set(field.number, type);
  }
  return types;
}
