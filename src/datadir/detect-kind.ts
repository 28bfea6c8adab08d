/**
 * Tells what kind of file a source is, by its bytes, or by its place in a data directory when the bytes do not tell.
 */

import { META_MAGIC, META_MAGIC_AT, META_MAGIC_SWAPPED, META_PROBE_END, META_PROBE_STEP } from '../bolt/format.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { Kind } from '../report.ts';

/** What a single file can be. */
export type FileKind = Exclude<Kind, 'data-dir'>;

/** Where etcd keeps its db: a file there is one, however little is left of it. */
const DB_IN_DATA_DIR = /(?:^|[/\\])member[/\\]snap[/\\]db$/;
/** A name ending so is a segment, or a `.snap` file, whatever is in it: the names are all that tells the latter. */
const SEGMENT_NAME = /\.wal$/;
const SNAP_NAME = /\.snap$/;
const GZIP_MAGIC = 0x8b1f;

/** Reads a few bytes. Throws `UNKNOWN_KIND` when nothing fits, and read errors of the very first bytes. */
export function detectKind(source: ByteSource, path: string = source.path ?? ''): FileKind {
  if (DB_IN_DATA_DIR.test(path)) return 'db';
  if (SEGMENT_NAME.test(path)) return 'wal';
  if (SNAP_NAME.test(path)) return 'snap';
  const head = new Uint8Array(META_MAGIC_AT + 4);
  const view = new DataView(head.buffer);
  const length = source.readInto(head, 0);
  if (hasBoltMagic(view, length)) return 'db';
  if (isSegmentHead(head, length)) return 'wal';
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

/** Every segment begins with a record of type 4, a CRC of up to five bytes: a frame of 4 to 8 bytes. */
function isSegmentHead(head: Uint8Array, length: number): boolean {
  const size = head[0]!;
  const padding = size === 8 ? 0 : 0x80 | (8 - size);
  const isFrame =
    length >= 12 && size >= 4 && size <= 8 && head[7] === padding && head.subarray(1, 7).every((b) => b === 0);
  return isFrame && head[8] === 0x08 && head[9] === 0x04 && head[10] === 0x10;
}
