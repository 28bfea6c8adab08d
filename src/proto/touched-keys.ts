/**
 * Which keys a request writes or deletes: puts and range deletes, also in transactions at any depth and in both branches.
 *
 * Works on the bytes, without decoding values, so that a whole log can be searched. Keys that go with a lease which is
 * revoked are not known here: only the backend knows which they are.
 */
import { type EntryPayload, isV2Request } from './entry-payload.ts';
import { WireReader } from './wire.ts';

/** One key, or all keys that begin with a prefix. */
export type KeyMatcher = { readonly key: Uint8Array } | { readonly prefix: Uint8Array };

/** How a request touches a key; in a transaction it may, depending on the branch that is taken. */
export type KeyTouch = 'put' | 'delete' | 'txn-put' | 'txn-delete';

/** How the request of an entry touches the keys of `matcher`, each way once; empty if it does not. */
export function requestTouches(payload: EntryPayload, matcher: KeyMatcher): readonly KeyTouch[] {
  return payload.kind === 'internal' ? dataTouches(payload.data, matcher) : NONE;
}

const NONE: readonly KeyTouch[] = [];

// Tags of the fields on the way to keys.
const REQUEST_PUT = 0x22;
const REQUEST_DELETE_RANGE = 0x2a;
const REQUEST_TXN = 0x32;
const TXN_SUCCESS = 0x12;
const TXN_FAILURE = 0x1a;
const OP_PUT = 0x12;
const OP_DELETE_RANGE = 0x1a;
const OP_TXN = 0x22;

/** The same for the data of a normal entry, not decoded yet. Throws `PROTO_INVALID` for what is no message. */
export function dataTouches(data: Uint8Array, matcher: KeyMatcher): readonly KeyTouch[] {
  if (isV2Request(data)) return NONE;
  const touches = new Set<KeyTouch>();
  // Transactions still to be looked at, as start and end. Not by recursion: they may be nested as deeply as the bytes allow.
  const pending: number[] = [];
  const reader = new WireReader(data);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === REQUEST_PUT) {
      if (putMatches(reader, matcher)) touches.add('put');
    } else if (tag === REQUEST_DELETE_RANGE) {
      if (deleteMatches(reader, matcher)) touches.add('delete');
    } else if (tag === REQUEST_TXN) postpone(reader, pending);
    else reader.pass(tag);
  }
  while (pending.length > 0) {
    const end = pending.pop()!;
    const start = pending.pop()!;
    lookAtTransaction(new WireReader(data, start, end), pending, matcher, touches);
  }
  return touches.size === 0 ? NONE : [...touches];
}

function lookAtTransaction(reader: WireReader, pending: number[], matcher: KeyMatcher, touches: Set<KeyTouch>): void {
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === TXN_SUCCESS || tag === TXN_FAILURE) {
      const end = reader.length();
      lookAtOperation(new WireReader(reader.source, reader.position, end), pending, matcher, touches);
      reader.position = end;
    } else reader.pass(tag);
  }
}

function lookAtOperation(reader: WireReader, pending: number[], matcher: KeyMatcher, touches: Set<KeyTouch>): void {
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === OP_PUT) {
      if (putMatches(reader, matcher)) touches.add('txn-put');
    } else if (tag === OP_DELETE_RANGE) {
      if (deleteMatches(reader, matcher)) touches.add('txn-delete');
    } else if (tag === OP_TXN) postpone(reader, pending);
    else reader.pass(tag);
  }
}

/** Notes the transaction that `reader` is at. */
function postpone(reader: WireReader, pending: number[]): void {
  const end = reader.length();
  pending.push(reader.position, end);
  reader.position = end;
}

const EMPTY: Uint8Array = new Uint8Array(0);

function putMatches(reader: WireReader, matcher: KeyMatcher): boolean {
  const { key } = readRange(reader);
  return 'key' in matcher ? compareBytes(key, matcher.key) === 0 : startsWith(key, matcher.prefix);
}

/** A delete without an end is of one key, one that ends at a zero byte of all keys from the first on. */
function deleteMatches(reader: WireReader, matcher: KeyMatcher): boolean {
  const { key, rangeEnd } = readRange(reader);
  if (rangeEnd.length === 0) {
    return 'key' in matcher ? compareBytes(key, matcher.key) === 0 : startsWith(key, matcher.prefix);
  }
  const open = rangeEnd.length === 1 && rangeEnd[0] === 0;
  const first = 'key' in matcher ? matcher.key : matcher.prefix;
  if (!open && compareBytes(key, rangeEnd) >= 0) return false;
  if (!open && compareBytes(first, rangeEnd) >= 0) return false;
  // From here on the range ends behind `first`.
  if (compareBytes(key, first) <= 0) return true;
  return 'prefix' in matcher && startsWith(key, matcher.prefix);
}

/** Fields 1 and 2 of a request: key and end of range. Of a put the second one is the value. */
function readRange(reader: WireReader): { key: Uint8Array; rangeEnd: Uint8Array } {
  const end = reader.length();
  const inner = new WireReader(reader.source, reader.position, end);
  let key = EMPTY;
  let rangeEnd = EMPTY;
  while (!inner.done) {
    const tag = inner.tag();
    if (tag === 0x0a) key = inner.bytes();
    else if (tag === 0x12) rangeEnd = inner.bytes();
    else inner.pass(tag);
  }
  reader.position = end;
  return { key, rangeEnd };
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && compareBytes(bytes.subarray(0, prefix.length), prefix) === 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}
