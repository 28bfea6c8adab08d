/**
 * Fixtures as files on disk, for commands that take a path. Each test file gets a folder of its own, which is removed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { FIXTURES, readFixture } from '../support/fixtures.ts';
import { logFixture } from '../support/log-fixtures.ts';

/** A new folder that is removed after the tests of the calling file. */
export function workFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Unpacks a fixture into `folder` and returns its path. */
export function unpackFixture(folder: string, name: string): string {
  return writeWorkFile(folder, `${name.replaceAll('/', '-')}.db`, readFixture(name));
}

export function writeWorkFile(folder: string, name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** The newest `.snap` file of a member of 3.6, with its name: SNAP in the examples of commands. */
export function snapFixture(): { readonly name: string; readonly bytes: Uint8Array } {
  const newest = logFixture('3.6.14/busy/m1').snapFiles.at(-1);
  if (newest === undefined) throw new Error('the fixture has no .snap file');
  return newest;
}

/** The only segment of that member, without the zeros behind its records: WAL in the examples of commands. */
export function walFixture(): { readonly name: string; readonly bytes: Uint8Array } {
  const path = join(FIXTURES, 'example', 'member', 'wal');
  const [name = ''] = readdirSync(path);
  return { name, bytes: new Uint8Array(readFileSync(join(path, name))) };
}
