/**
 * Every way to damage (or to change without damage) a data directory, on whole directories: those of the db file, of what etcd keeps
 * in it, of the log, of the snap files, and of the directory itself. What the real servers do with each: observed-starts.ts.
 */
import { backendRecipes } from './backend-recipes.ts';
import { BoltEdit } from './bolt-edit.ts';
import { boltRecipes, type Severity } from './bolt-recipes.ts';
import {
  copyContent,
  DB_PATH,
  type DirContent,
  dataDirContent,
  type MemoryDir,
  memoryDir,
  plainFile,
  type StoredFile,
} from './data-dir-fixtures.ts';
import { wholeDirRecipes } from './dir-recipes.ts';
import type { EditedLog, LogRecipe } from './edited-log.ts';
import { readFixture } from './fixtures.ts';
import { leftoverRecipes, snapRecipes } from './snap-recipes.ts';
import { walRecipes } from './wal-recipes.ts';

/** Versions of the stored directories. */
export const DIR_VERSIONS = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'] as const;
export type DirVersion = (typeof DIR_VERSIONS)[number];

export interface DirRecipe {
  readonly name: string;
  readonly area: 'bolt' | 'backend' | 'wal' | 'snap' | 'datadir';
  /** The scenario it starts from; the member is `m1`. */
  readonly base: string;
  /** What is true of the result, seen from the whole directory. */
  readonly severity: Severity | 'refuse';
  /** The least one must look at to see it. */
  readonly needs: 'db' | 'wal' | 'snap' | 'dir';
  readonly what: string;
  /** The first minor release it makes sense for. */
  readonly since: '3.4' | '3.5' | '3.6';
  /** Gives a changed copy. Another variant (from 0) moves the damage to another place of the same kind. */
  apply(content: DirContent, variant: number, version: string): DirContent;
}

const withDb = (content: DirContent, change: (bytes: Uint8Array) => Uint8Array): DirContent => {
  const copy = copyContent(content);
  copy.files.set(DB_PATH, plainFile(change(content.files.get(DB_PATH)!.bytes)));
  return copy;
};

const SNAP = 'member/snap/';
const WAL = 'member/wal/';

/** The log of a directory, to be changed by a recipe for logs. */
function logOf({ files }: DirContent): EditedLog {
  const below = (folder: string): [string, StoredFile][] =>
    [...files].flatMap(([path, file]) => (path.startsWith(folder) ? [[path.slice(folder.length), file]] : []));
  const snaps = below(SNAP).filter(([name]) => name !== 'db');
  return {
    segments: new Map(below(WAL)),
    snaps: new Map(snaps.map(([name, file]) => [name, file.bytes])),
    others: new Map(),
  };
}

/** The directory with another log. */
function withLog({ files, folders }: DirContent, { segments, snaps, others }: EditedLog): DirContent {
  const changed = new Map([...files].filter(([path]) => path === DB_PATH));
  for (const [name, file] of segments) changed.set(WAL + name, file);
  for (const [name, bytes] of snaps) changed.set(SNAP + name, plainFile(bytes));
  for (const [path, bytes] of others) changed.set(`member/${path}`, plainFile(bytes));
  return { files: changed, folders: new Set(folders) };
}

const ofLog = ({ name, area, base, severity, needs, what, apply }: LogRecipe): DirRecipe => ({
  name,
  area,
  base,
  severity,
  needs,
  what,
  since: '3.4',
  apply: (content, variant) => withLog(content, apply(logOf(content), variant)),
});

/** Every recipe for directories, by area. Those for snapshot files are in backend-recipes.ts alone. */
export const dirRecipes: readonly DirRecipe[] = [
  ...boltRecipes.map(
    ({ name, severity, what, apply }): DirRecipe => ({
      name,
      area: 'bolt',
      base: 'busy',
      severity,
      needs: 'db',
      what,
      since: '3.4',
      apply: (content, variant, version) => {
        const snapshot = readFixture(`etcd/${version}/busy/snapshot`);
        return withDb(content, (bytes) => apply(bytes, variant, { snapshot }));
      },
    }),
  ),
  ...backendRecipes.flatMap(({ name, severity, needs, base, what, since, apply }): DirRecipe[] => {
    if (needs === 'snapshot') return [];
    const change: DirRecipe['apply'] = (content, variant) => withDb(content, (bytes) => apply(bytes, variant).bytes);
    return [{ name, area: 'backend', base, severity, needs, what, since: since ?? '3.4', apply: change }];
  }),
  ...[...walRecipes, ...snapRecipes].map(ofLog),
  ...wholeDirRecipes.map(
    ({ name, severity, base, what, apply }): DirRecipe => ({
      name,
      area: 'datadir',
      base,
      severity,
      needs: 'dir',
      what,
      since: '3.4',
      apply: (content, _, version) => apply(content, version),
    }),
  ),
  ...leftoverRecipes.map(ofLog),
];

/** Whether the recipe has something to change in data of that version. */
export function isMeantFor({ since }: DirRecipe, version: string): boolean {
  return version >= since;
}

/** The recipe of that name. */
export function dirRecipe(name: string): DirRecipe {
  const found = dirRecipes.find((recipe) => recipe.name === name);
  if (!found) throw new Error(`there is no recipe ${name}`);
  return found;
}

/** Pages of the preallocated tail of a db that are kept: the rest of its 16 MiB takes time and holds nothing. */
const TAIL_PAGES = 4;
const shortDbs = new Map<string, StoredFile>();

/** What a recipe starts from: a stored directory, the preallocated tail of its db cut short. */
export function recipeBase(version: string, scenario: string): DirContent {
  const name = `${version}/${scenario}/m1`;
  const content = dataDirContent(name);
  let db = shortDbs.get(name);
  if (db === undefined) {
    const { bytes } = content.files.get(DB_PATH)!;
    const { highWaterMark, pageSize } = new BoltEdit(bytes);
    db = plainFile(bytes.slice(0, (highWaterMark + TAIL_PAGES) * pageSize));
    shortDbs.set(name, db);
  }
  content.files.set(DB_PATH, db);
  return content;
}

/** A directory with that damage, in memory. */
export function damagedDataDir(recipe: string | DirRecipe, version: string, variant = 0): MemoryDir {
  const { name, base, apply } = typeof recipe === 'string' ? dirRecipe(recipe) : recipe;
  return memoryDir(apply(recipeBase(version, base), variant, version), `${version} ${name} ${variant}`);
}
