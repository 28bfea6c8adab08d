/**
 * The stored data directories as a whole: the db of fixtures/etcd with the log and snap files of fixtures/logs. In memory, where the
 * zeros at the end of a segment cost nothing; written to disk for what needs a path.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DataDir, openDataDir } from '../../src/datadir/data-dir.ts';
import type { DataDirFiles, Folder, FolderItem } from '../../src/datadir/data-dir-files.ts';
import { DatadirError } from '../../src/errors.ts';
import { listDbFixtures, readFixture } from './fixtures.ts';
import { type LogFixture, logFixture, logFixtures, writeSparse } from './log-fixtures.ts';
import { zeroTailedSource } from './zero-tailed-source.ts';

/** A file: `bytes` (never more than `size`, shared: not to be changed), then zeros. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** 0600 where it is not said. */
  readonly mode?: number;
}

/** Files by path from the data directory on (`member/snap/db`), and folders, which may be empty. */
export interface DirContent {
  readonly files: Map<string, StoredFile>;
  readonly folders: Set<string>;
}

/** A data directory in memory. */
export interface MemoryDir extends DataDirFiles {
  readonly content: DirContent;
}

const FOLDERS = ['member', 'member/snap', 'member/wal'];
export const DB_PATH = 'member/snap/db';

/** The stored db of a member. Those of three restored members are the same byte for byte, and kept once. */
function dbName({ version, scenario, member }: LogFixture, db: string = member): string {
  return `etcd/${version}/${scenario}/${db.startsWith('three-') ? 'three-m1' : db}`;
}

/** Names `VERSION/SCENARIO/MEMBER` of every stored data directory. */
export function dataDirFixtures(): readonly string[] {
  return logFixtures().map(({ name }) => name);
}

/** Whether a db of that name (`killed`, `hotcopy-1`) was kept beside the directory. */
export function hasOtherDb(name: string, db: string): boolean {
  const wanted = dbName(logFixture(name), db);
  return listDbFixtures().some((fixture) => fixture.name === wanted);
}

/** The files of a stored directory, in maps of their own; `db`: another of the scenario in place of its db. */
export function dataDirContent(name: string, { db }: { db?: string } = {}): DirContent {
  const log = logFixture(name);
  const files = new Map<string, StoredFile>();
  for (const file of log.walFiles) files.set(`member/wal/${file.name}`, file);
  for (const file of log.snapFiles) files.set(`member/snap/${file.name}`, file);
  files.set(
    DB_PATH,
    lazyFile(() => readFixture(dbName(log, db))),
  );
  return { files, folders: new Set(FOLDERS) };
}

/** Unpacked when it is read, so that a list of directories holds no bytes. */
function lazyFile(read: () => Uint8Array): StoredFile {
  return {
    get bytes() {
      return read();
    },
    get size() {
      return read().length;
    },
  };
}

export function plainFile(bytes: Uint8Array): StoredFile {
  return { bytes, size: bytes.length };
}

/** The same files and folders in maps of their own, to be changed. */
export function copyContent({ files, folders }: DirContent): DirContent {
  return { files: new Map(files), folders: new Set(folders) };
}

/** A stored directory in memory, e.g. `3.6.14/busy/m1`. */
export function dataDirFixture(name: string, options: { db?: string } = {}): MemoryDir {
  return memoryDir(dataDirContent(name, options), name);
}

/** The same, open. Sources in memory need no closing. */
export function openDirFixture(name: string, options: { db?: string } = {}): DataDir {
  return openDataDir(dataDirFixture(name, options));
}

/** Files as a data directory. A name without anything below it is a file, or nothing. */
export function memoryDir(content: DirContent, path = 'data'): MemoryDir {
  const folder = (at: string): Folder => folderOf(content, at);
  return {
    path,
    content,
    root: folder(''),
    member: folder('member'),
    snap: folder('member/snap'),
    wal: folder('member/wal'),
    separateWal: false,
  };
}

function folderOf({ files, folders }: DirContent, at: string): Folder {
  const path = at === '' ? '.' : at;
  if (files.has(at)) return { path, state: 'not-a-directory', items: [] };
  const prefix = at === '' ? '' : `${at}/`;
  const types = new Map<string, 'file' | 'directory'>();
  for (const folder of folders) noteChild(types, prefix, folder, 'directory');
  for (const file of files.keys()) noteChild(types, prefix, file, 'file');
  if (types.size === 0 && at !== '' && !folders.has(at)) return { path, state: 'missing', items: [] };
  const items = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return { path, state: 'directory', items: items.map(([name, type]) => item(files, prefix + name, name, type)) };
}

/** Notes the part of `path` right below `prefix`. */
function noteChild(
  types: Map<string, 'file' | 'directory'>,
  prefix: string,
  path: string,
  type: 'file' | 'directory',
): void {
  if (!path.startsWith(prefix) || path.length === prefix.length) return;
  const [name = '', ...below] = path.slice(prefix.length).split('/');
  if (below.length > 0) types.set(name, 'directory');
  else if (types.get(name) !== 'directory') types.set(name, type);
}

function item(
  files: ReadonlyMap<string, StoredFile>,
  path: string,
  name: string,
  type: 'file' | 'directory',
): FolderItem {
  return {
    name,
    type,
    open: () => {
      const file = files.get(path);
      if (file === undefined) throw new DatadirError('NOT_A_REGULAR_FILE', `${path}: it is a directory`, { path });
      return zeroTailedSource(file.bytes, file.size, path);
    },
  };
}

/** Writes a directory to `path`, with holes for the zeros at the end of files; replaces nothing. */
export function writeDataDir({ content }: MemoryDir, path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const folder of content.folders) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
  for (const [name, { bytes, size, mode }] of content.files) {
    mkdirSync(dirname(join(path, name)), { recursive: true, mode: 0o700 });
    writeSparse(join(path, name), bytes.subarray(0, size), size, mode);
  }
  return path;
}
