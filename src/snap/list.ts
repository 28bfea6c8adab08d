/**
 * The names of a snap folder in the order in which etcd looks at them.
 */
import { parseSnapName, type SnapFolderKind, snapFolderKind } from './snap-name.ts';

/** The names of a folder by what they stand for. */
export interface SnapFolderListing {
  /** Files ending in `.snap`, newest first: by name, descending, so the highest term, then the highest index. */
  readonly snaps: readonly string[];
  /** `<index>.snap.db`, `tmp…`, `db.tmp…`, `….snap.broken`, in order of name. */
  readonly leftovers: readonly { readonly name: string; readonly kind: Leftover }[];
  /** Whether the database is there. */
  readonly db: boolean;
}

/** What crashes and interrupted work leave behind. */
export type Leftover = Exclude<SnapFolderKind, 'snap' | 'db' | 'other'>;

/** Sorts the names of a snap folder. Anything etcd does not know is left out. */
export function listSnapFolder(names: Iterable<string>): SnapFolderListing {
  const snaps: string[] = [];
  const leftovers: { name: string; kind: Leftover }[] = [];
  let db = false;
  for (const name of [...names].sort()) {
    const kind = snapFolderKind(name);
    if (kind === 'snap') snaps.push(name);
    else if (kind === 'db') db = true;
    else if (kind !== 'other') leftovers.push({ name, kind });
  }
  return { snaps: snaps.reverse(), leftovers, db };
}

/**
 * The newest of the names that `listSnapFolder` gave: names that etcd does not write come before real ones in its order, but
 * are not meant by "the newest" unless there are no others.
 */
export function newestSnap(snaps: readonly string[]): string | undefined {
  return snaps.find((name) => parseSnapName(name) !== undefined) ?? snaps[0];
}
