/**
 * One value of a bucket by its name, and where it lies.
 */
import type { BoltDb } from '../bolt/database.ts';
import type { BucketName } from './format.ts';
import type { UnreadableList } from './unreadable.ts';

/** The longest of the values that are had by name is some JSON. */
const MAX_VALUE = 1 << 20;

/** Reads a value; null if there is none, or if it cannot be read, which `unreadable` then says. `parse` gives the value or why not. */
export function storedValue<Value>(
  db: BoltDb,
  bucket: BucketName,
  name: string,
  parse: (value: Uint8Array) => { readonly value: Value } | { readonly problem: string },
  unreadable: UnreadableList,
): Value | null {
  const key = new TextEncoder().encode(name);
  const element = db.bucket(bucket)?.cursor().seek(key);
  if (element === undefined || element.keyLength !== key.length) return null;
  const stored = element.key;
  if (element.isBucket || !key.every((byte, i) => stored[i] === byte)) return null;
  const { valueLength } = element;
  const { pageId, offset } = element.place;
  const parsed =
    valueLength > MAX_VALUE ? { problem: `it has ${valueLength} bytes` } : parse(element.value() as Uint8Array);
  if ('value' in parsed) return parsed.value;
  unreadable.add({ bucket, key, pageId, offset: offset - key.length, reason: parsed.problem });
  return null;
}
