/**
 * A backup store that is a local folder: which snapshots it holds (Node).
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BackupObject, parseObjectPath } from '../backup/object-name.ts';
import { findChain } from '../backup/snapshot-order.ts';
import { NO_STORE, type StoreState } from '../datadir/validation/store-state.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { pathError } from '../io/system-error.ts';

/** The snapshots in a folder. */
export interface StoreListing {
  /** The folder that has the layouts in it. */
  readonly folder: string;
  readonly objects: readonly BackupObject[];
  /** How many things were passed over: no snapshots by their names, or empty files. */
  readonly ignored: number;
}

const LAYOUTS: readonly string[] = ['v1', 'v2'];
/** How far below the named folder the layouts are searched for: prefixes have few elements. */
const SEARCH_DEPTH = 4;
/** So many folders are looked into. */
const SEARCH_LIMIT = 1000;
const URL_SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;

/**
 * What is known of the store at `location`, a folder or a `file://` address. What goes wrong with reading it is in the answer; throws
 * `USAGE` for an address of another kind, and `UNSUPPORTED` for one that cannot be read by this version.
 */
export function readStoreState(location: string): StoreState {
  const path = folderOf(location);
  let listing: StoreListing;
  try {
    listing = listStoreFolder(path);
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'USAGE') throw error;
    return { ...NO_STORE, state: 'unreadable', location, reason: error.message };
  }
  const { objects, ignored, folder } = listing;
  const { base, deltas, revision, restorable, gap } = findChain(objects);
  return {
    state: revision === undefined ? 'empty' : 'found',
    location: folder,
    revision: text(revision),
    restorable: text(restorable),
    base: base?.path ?? null,
    deltas: deltas.length,
    gap: gap === undefined ? null : { after: `${gap.after}`, found: `${gap.found}`, path: gap.path },
    ignored,
    reason: null,
  };
}

const text = (value: bigint | undefined): string | null => (value === undefined ? null : `${value}`);

/** The folder that a location names. */
function folderOf(location: string): string {
  const scheme = URL_SCHEME.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return location;
  if (scheme !== 'file') {
    const words = `${location}: only stores in a local folder can be read so far, not ${scheme}://`;
    throw new DatadirError('UNSUPPORTED', words, { path: location });
  }
  try {
    return fileURLToPath(location);
  } catch (error) {
    throw new DatadirError('USAGE', `${location}: not the address of a local folder`, { path: location, cause: error });
  }
}

/**
 * Lists the snapshots in a folder: that above `v1` or `v2`, one of these, one further up if only one prefix lies below it, or one
 * that has the objects right in it. Throws `NOT_FOUND` …, and `USAGE` if there are several prefixes below it, or too many folders to find one.
 */
export function listStoreFolder(path: string): StoreListing {
  const top = LAYOUTS.includes(basename(path)) ? dirname(path) : path;
  const names = list(top);
  if (names.some((name) => LAYOUTS.includes(name))) return listLayouts(top);
  const flat = collect(names.map((name) => ({ path: join(top, name), object: `v2/${name}` })));
  if (flat.objects.length > 0) return { folder: top, ...flat };
  const prefixes = findPrefixes(top, names);
  const [only] = prefixes;
  if (only === undefined) return { folder: top, objects: [], ignored: flat.ignored };
  if (prefixes.length > 1) {
    const words = `${path}: holds the backups of several clusters (${prefixes.slice(0, 5).join(', ')}): name one of them`;
    throw new DatadirError('USAGE', words, { path });
  }
  return listLayouts(only);
}

/** The folders below that have a layout in them. */
function findPrefixes(top: string, names: readonly string[]): string[] {
  const found: string[] = [];
  let level = names.map((name) => join(top, name));
  let left = SEARCH_LIMIT;
  for (let depth = 0; depth < SEARCH_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (kindOf(path) !== 'directory') continue;
      if (left-- === 0) {
        const words = `${top}: too many folders to search for backups: name the one that has v1 or v2 in it`;
        throw new DatadirError('USAGE', words, { path: top });
      }
      const below = list(path);
      if (below.some((name) => LAYOUTS.includes(name))) found.push(path);
      else next.push(...below.map((name) => join(path, name)));
    }
    level = next;
  }
  return found;
}

/** A thing in the store: where it lies, and its path as an object. */
interface Candidate {
  readonly path: string;
  readonly object: string;
}

function listLayouts(folder: string): StoreListing {
  const candidates: Candidate[] = [];
  for (const name of list(folder, 'v2')) candidates.push({ path: join(folder, 'v2', name), object: `v2/${name}` });
  for (const backup of list(folder, 'v1')) {
    const below = join(folder, 'v1', backup);
    for (const name of kindOf(below) === 'directory' ? list(below) : []) {
      candidates.push({ path: join(below, name), object: `v1/${backup}/${name}` });
    }
  }
  return { folder, ...collect(candidates) };
}

/** Those that are snapshots. One that is a folder holds the parts of an upload, and is no whole one. */
function collect(candidates: readonly Candidate[]): { objects: BackupObject[]; ignored: number } {
  const objects: BackupObject[] = [];
  for (const { path, object } of candidates) {
    const parsed = parseObjectPath(object);
    if (parsed !== undefined && kindOf(path) === 'file') objects.push(parsed);
  }
  return { objects, ignored: candidates.length - objects.length };
}

function kindOf(path: string): 'file' | 'directory' | 'empty' | 'other' {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true) return stat.size > 0 ? 'file' : 'empty';
    return stat?.isDirectory() === true ? 'directory' : 'other';
  } catch (error) {
    throw pathError(error, path, 'cannot be looked at');
  }
}

/** The names in a folder; in one below it, none if there is no such folder. */
function list(folder: string, below?: string): string[] {
  const path = below === undefined ? folder : join(folder, below);
  if (below !== undefined && kindOf(path) !== 'directory') return [];
  try {
    return readdirSync(path).sort();
  } catch (error) {
    throw pathError(error, path, 'cannot be listed');
  }
}
