/**
 * Tells what kind of file a source is, by its bytes, or by its place in a data directory when the bytes do not tell.
 */

import { META_MAGIC, META_MAGIC_AT, META_MAGIC_SWAPPED, META_PROBE_END, META_PROBE_STEP } from '../bolt/format.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { Kind } from '../report.ts';

/** Where etcd keeps its db: a file there is one, however little is left of it. */
const DB_IN_DATA_DIR = /(?:^|[/\\])member[/\\]snap[/\\]db$/;
const GZIP_MAGIC = 0x8b1f;

/** Reads a few bytes. Throws `UNKNOWN_KIND` when nothing fits, and read errors of the very first bytes. */
export function detectKind(source: ByteSource, path: string = source.path ?? ''): Kind {
  if (DB_IN_DATA_DIR.test(path)) return 'db';
  const head = new Uint8Array(META_MAGIC_AT + 4);
  const view = new DataView(head.buffer);
  const length = source.readInto(head, 0);
  if (hasBoltMagic(view, length)) return 'db';
  const gzipped = length >= 2 && view.getUint16(0, true) === GZIP_MAGIC;
  // Meta 0 may be lost: meta 1 lies at the page size, a power of two.
  for (let offset = META_PROBE_STEP; offset <= META_PROBE_END && offset < source.size; offset *= 2) {
    try {
      if (hasBoltMagic(view, source.readInto(head, offset))) return 'db';
    } catch (error) {
      if (!isDatadirError(error)) throw error;
    }
  }
  const what = gzipped ? 'it is gzip-compressed: unpack it first' : 'it has no magic number that is known';
  const message = source.size === 0 ? 'the file is empty' : `the kind of this file cannot be told: ${what}`;
  throw new DatadirError('UNKNOWN_KIND', message, path === '' ? {} : { path });
}

function hasBoltMagic(view: DataView, length: number): boolean {
  if (length < META_MAGIC_AT + 4) return false;
  const magic = view.getUint32(META_MAGIC_AT, true);
  return magic === META_MAGIC || magic === META_MAGIC_SWAPPED;
}
