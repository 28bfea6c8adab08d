/**
 * What kind of data directory it is, by the names in it, as etcd decides it.
 */
import { type DataDirFiles, type Folder, itemNamed } from './data-dir-files.ts';

/**
 * `member`: a member's. `proxy`: of the v2 proxy, which 3.6 and later do not start on. `both`: no release starts. `etcd-2.0`: log
 * and snap files right in it, which no release of 3.x looks at. `empty`: nothing that etcd knows; a server begins anew.
 * `missing`: it is not there.
 */
export type LayoutKind = 'member' | 'proxy' | 'both' | 'etcd-2.0' | 'empty' | 'missing';

/** What lies in the directory itself. */
export interface Layout {
  readonly kind: LayoutKind;
  /** Names that no release writes there; etcd warns of them. */
  readonly strange: readonly string[];
  /** What crashes and interrupted work leave behind: `wal.tmp`, `wal.broken.…`, `.touch`; from the data directory on. */
  readonly leftovers: readonly string[];
}

const TOUCH = '.touch';
const MEMBER = 'member';
const PROXY = 'proxy';
const WAL_LEFTOVER = /^wal\.(?:tmp$|broken\.)/;
const KNOWN_IN_MEMBER: ReadonlySet<string> = new Set(['snap', 'wal', TOUCH]);

/** Reads the names. */
export function readLayout(files: DataDirFiles): Layout {
  const { root, member } = files;
  const strange = root.items.flatMap(({ name }) => (name === MEMBER || name === PROXY || name === TOUCH ? [] : [name]));
  const leftovers = root.items.flatMap(({ name }) => (name === TOUCH ? [name] : []));
  for (const { name } of member.items) {
    if (name === TOUCH || WAL_LEFTOVER.test(name)) leftovers.push(`${member.path}/${name}`);
    else if (!KNOWN_IN_MEMBER.has(name)) strange.push(`${member.path}/${name}`);
  }
  return { kind: kindOf(root), strange, leftovers };
}

function kindOf(root: Folder): LayoutKind {
  if (root.state === 'missing') return 'missing';
  const has = (name: string): boolean => itemNamed(root, name) !== undefined;
  if (has(MEMBER)) return has(PROXY) ? 'both' : 'member';
  if (has(PROXY)) return 'proxy';
  return has('snap') && has('wal') ? 'etcd-2.0' : 'empty';
}
