/**
 * Values that are not what etcd keeps in their bucket: in JSON, and as a warning.
 */
import type { UnreadableValue, UnreadableValues } from '../../backend/unreadable.ts';
import { pageKeyText } from './bytes-format.ts';
import { byteFields } from './json-bytes.ts';
import { counted, grouped } from './size.ts';

/** The field `unreadable` of JSON; several lists become one. */
export function unreadableFields(...lists: readonly UnreadableValues[]): Record<string, unknown> {
  const { count, listed } = joined(lists);
  return {
    count,
    listed: listed.map(({ bucket, key, pageId, offset, reason }) => ({
      bucket,
      ...byteFields('key', key),
      page: pageId,
      offset,
      reason,
    })),
  };
}

/** A sentence about all of them; undefined if there are none. */
export function unreadableWords(...lists: readonly UnreadableValues[]): string | undefined {
  const { count, listed } = joined(lists);
  const [first] = listed;
  if (first === undefined) return undefined;
  const { bucket, key, pageId, offset, reason } = first;
  const records = `${counted(count, 'record')} cannot be read and ${count === 1 ? 'is' : 'are'} not in the answer`;
  const place = `bucket ${bucket}, key ${pageKeyText(key)}, page ${pageId}, byte ${grouped(offset)}`;
  return `${records}: ${count === 1 ? '' : 'the first is '}${place}: ${reason}`;
}

function joined(lists: readonly UnreadableValues[]): { count: number; listed: readonly UnreadableValue[] } {
  return { count: lists.reduce((sum, { count }) => sum + count, 0), listed: lists.flatMap(({ listed }) => listed) };
}
