/**
 * Opens a bolt database, for reading or for writing.
 */
import { DatadirError } from '../errors.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { Input } from '../io/input.ts';
import { type BoltDb, type OpenBoltOptions, openReadable } from './database.ts';
import { type OpenWritableOptions, openWritable, type WritableBoltDb } from './writable.ts';

/**
 * Opens a bolt database for reading. Only the metas are read. The source belongs to the database from then on: `close()`
 * closes it. Throws `BOLT_NO_META` if there is no valid meta page (or not the one asked for), and leaves the source open.
 *
 * A file that is shorter than its high water mark can be read as far as it goes.
 */
export function openBolt(input: Input, options?: OpenBoltOptions): BoltDb;
/**
 * Opens a bolt database for writing, in place. Nothing is written before the first commit. The file belongs to the database
 * from then on: `close()` closes it.
 *
 * All trees are walked when no freelist is stored. Throws `BOLT_NO_META` or `BOLT_DAMAGED` where it cannot be told which
 * pages are free, and leaves the file open. A stored freelist is believed: check a file first that may be damaged.
 */
export function openBolt(file: ByteFile, options: OpenWritableOptions): WritableBoltDb;
export function openBolt(
  input: Input | ByteFile,
  options: OpenBoltOptions | OpenWritableOptions = {},
): BoltDb | WritableBoltDb {
  if (options.readOnly !== false) return openReadable(input, options);
  if (!('truncate' in input)) throw new DatadirError('USAGE', 'what is opened for writing must be a ByteFile');
  return openWritable(input, options);
}
