/**
 * Ways to damage a data directory as a whole: parts that are missing, or that belong to another directory. What the real servers do
 * with each is in fixtures/damaged-dir-observed.json. What crashes leave behind is in snap-recipes.ts.
 */
import { copyContent, DB_PATH, type DirContent, dataDirContent } from './data-dir-fixtures.ts';

/** A recipe for whole directories; member `m1` of scenario `base` is what it starts from. */
export interface WholeDirRecipe {
  readonly name: string;
  readonly severity: 'repairable' | 'corrupt';
  readonly base: 'busy' | 'fresh' | 'underload' | 'cluster';
  readonly what: string;
  /** Gives a changed copy; `version` names the release whose other fixtures are taken. */
  apply(content: DirContent, version: string): DirContent;
}

const SNAP = 'member/snap';
const WAL = 'member/wal';

const change =
  (apply: (content: DirContent, version: string) => void): WholeDirRecipe['apply'] =>
  (content, version) => {
    const copy = copyContent(content);
    apply(copy, version);
    return copy;
  };

/** Removes a file, or a folder with all that is in it. */
function remove({ files, folders }: DirContent, path: string): void {
  const within = (other: string): boolean => other === path || other.startsWith(`${path}/`);
  for (const file of [...files.keys()].filter(within)) files.delete(file);
  for (const folder of [...folders].filter(within)) folders.delete(folder);
}

function removeFiles({ files }: DirContent, gone: (path: string) => boolean): void {
  for (const path of [...files.keys()].filter(gone)) files.delete(path);
}

const isSnap = (path: string): boolean => path.startsWith(SNAP) && path.endsWith('.snap');
const isLog = (path: string): boolean => path.startsWith(`${WAL}/`) || isSnap(path);

/** Puts files of another directory in the place of those of that kind. */
function exchange(content: DirContent, other: DirContent, chosen: (path: string) => boolean): void {
  removeFiles(content, chosen);
  for (const [path, file] of other.files) if (chosen(path)) content.files.set(path, file);
}
const isDb = (path: string): boolean => path === DB_PATH;

export const wholeDirRecipes: readonly WholeDirRecipe[] = [
  {
    name: 'dir-db-missing',
    severity: 'repairable',
    base: 'busy',
    what: 'member/snap/db is gone, .snap files are there; the WAL reaches back to the first entry, so all could be replayed, but etcd does not',
    apply: change((content) => remove(content, DB_PATH)),
  },
  {
    name: 'dir-db-missing-young',
    severity: 'repairable',
    base: 'fresh',
    what: 'member/snap/db is gone, there never was a .snap, and the WAL reaches back to the first entry: everything is replayed',
    apply: change((content) => remove(content, DB_PATH)),
  },
  {
    name: 'dir-wal-missing',
    severity: 'corrupt',
    base: 'busy',
    what: 'member/wal is gone',
    apply: change((content) => remove(content, WAL)),
  },
  {
    name: 'dir-wal-empty',
    severity: 'corrupt',
    base: 'busy',
    what: 'member/wal has no files',
    apply: change((content) => removeFiles(content, (path) => path.startsWith(`${WAL}/`))),
  },
  {
    name: 'dir-db-only',
    severity: 'corrupt',
    base: 'busy',
    what: 'only member/snap/db is left: no WAL, no .snap',
    apply: change((content) => {
      remove(content, WAL);
      removeFiles(content, isSnap);
    }),
  },
  {
    name: 'dir-snap-missing',
    severity: 'repairable',
    base: 'busy',
    what: 'member/snap is gone; the WAL reaches back to the first entry',
    apply: change((content) => remove(content, SNAP)),
  },
  {
    name: 'dir-member-missing',
    severity: 'corrupt',
    base: 'busy',
    what: 'the data directory is empty',
    apply: change((content) => remove(content, 'member')),
  },
  {
    name: 'dir-db-older',
    severity: 'repairable',
    base: 'underload',
    what: 'member/snap/db is an earlier plain copy of itself; the WAL still holds everything since',
    apply: change((content, version) =>
      exchange(content, dataDirContent(`${version}/underload/m1`, { db: 'hotcopy-1' }), isDb),
    ),
  },
  {
    name: 'dir-db-other-member',
    severity: 'corrupt',
    base: 'cluster',
    what: "m1's directory with m2's db, of the same cluster: hard to see, the content is the same",
    apply: change((content, version) => exchange(content, dataDirContent(`${version}/cluster/m2`), isDb)),
  },
  {
    name: 'dir-wal-other-member',
    severity: 'corrupt',
    base: 'cluster',
    what: "m1's directory with m2's WAL and .snap files",
    apply: change((content, version) => exchange(content, dataDirContent(`${version}/cluster/m2`), isLog)),
  },
  {
    name: 'dir-db-other-cluster',
    severity: 'corrupt',
    base: 'busy',
    what: 'member/snap/db is from another cluster (the `fresh` fixture)',
    apply: change((content, version) => exchange(content, dataDirContent(`${version}/fresh/m1`), isDb)),
  },
];
