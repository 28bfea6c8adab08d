/**
 * Writing a small file over another one, so that at any moment either the old or the new one is there (Node).
 */
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openByteFile } from '../io/byte-file.ts';
import { attempt, syncDirectory } from '../io/output.ts';
import { ioError, pathError } from '../io/system-error.ts';

/** Writes the text (mode 0600) and gives it the name; returns when both are on stable storage. */
export function replaceFile(path: string, text: string): void {
  const target = resolve(path);
  const temporary = join(dirname(target), `.etcd-datadir-${randomUUID()}.tmp`);
  let file: ReturnType<typeof openByteFile>;
  try {
    file = openByteFile(temporary, { create: 'exclusive', mode: 0o600 });
  } catch (error) {
    throw pathError((error as Error).cause, dirname(path), 'no file can be made in it');
  }
  try {
    try {
      file.write(0, new TextEncoder().encode(text));
      file.sync();
    } finally {
      file.close();
    }
    renameSync(temporary, target);
  } catch (error) {
    attempt(() => rmSync(temporary, { force: true }));
    throw pathError(error, path, 'cannot be written');
  }
  syncNameOf(target, path);
}

/** Removes a file if it is there; returns when that is on stable storage. */
export function removeFile(path: string): void {
  const target = resolve(path);
  try {
    rmSync(target, { force: true });
  } catch (error) {
    throw pathError(error, path, 'cannot be removed');
  }
  syncNameOf(target, path);
}

function syncNameOf(target: string, path: string): void {
  try {
    syncDirectory(dirname(target));
  } catch (error) {
    throw ioError(error, path, 'sync of its directory');
  }
}
