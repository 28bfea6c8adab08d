/**
 * Bolt databases by path, for reading and for writing (Node).
 */
import { rmSync } from 'node:fs';
import { writeEmptyBolt } from '../bolt/create.ts';
import { type BoltDb, type OpenBoltOptions, openReadable } from '../bolt/database.ts';
import {
  type CreateBoltOptions,
  type OpenWritableOptions,
  openWritable,
  type WritableBoltDb,
} from '../bolt/writable.ts';
import { isDatadirError } from '../errors.ts';
import { type LockOptions, openForWriting } from '../io/file-lock.ts';
import { openFileSource } from '../io/file-source.ts';
import { type OutputOptions, writeOutput } from '../io/output.ts';

/** Opens a database for reading; `close()` closes the file. */
export function openReadableFile(path: string, options: OpenBoltOptions): BoltDb {
  const source = openFileSource(path);
  try {
    return openReadable(source, options);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens a database for writing, and holds its lock until it is closed. */
export function openWritableFile(path: string, options: OpenWritableOptions & LockOptions): WritableBoltDb {
  const file = openForWriting(path, options);
  try {
    return openWritable(file, options);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Makes a new database, which is there whole or not at all, and opens it for writing. */
export function createBoltFile(path: string, options: CreateBoltOptions & LockOptions & OutputOptions): WritableBoltDb {
  const { mode, pageSize } = options;
  writeOutput(path, (file) => writeEmptyBolt(file, pageSize), { mode });
  try {
    return openWritableFile(path, { ...options, readOnly: false });
  } catch (error) {
    // Who hears of a failure must find the name free, unless another program has taken the file meanwhile.
    if (!isDatadirError(error, 'FILE_LOCKED')) rmSync(path, { force: true });
    throw error;
  }
}
