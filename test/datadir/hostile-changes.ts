/**
 * Ways to spoil a directory in memory, chosen by fast-check: the bytes of its files, their names and types, and how reading them goes.
 */
import { fc } from '@fast-check/vitest';
import type { DataDirFiles, Folder, FolderItem } from '../../src/datadir/data-dir-files.ts';
import { DatadirError, type ErrorCode } from '../../src/errors.ts';
import { copyContent, type DirContent, memoryDir, type StoredFile } from '../support/data-dir-fixtures.ts';
import { faultySource } from '../support/faulty.ts';

/** Which file: a number to be taken modulo how many there are. */
interface Which {
  readonly file: number;
}

/** A change of files in a directory. Places are fractions of a file: most of them in its used part. */
export type Change = Which &
  (
    | { readonly kind: 'flip'; readonly at: number; readonly bits: number }
    | { readonly kind: 'overwrite'; readonly at: number; readonly bytes: Uint8Array }
    | { readonly kind: 'zero'; readonly at: number; readonly sectors: number }
    | { readonly kind: 'cut'; readonly at: number }
    | { readonly kind: 'lengthen'; readonly by: number }
    | { readonly kind: 'swap'; readonly other: number }
    | { readonly kind: 'copy'; readonly name: string }
    | { readonly kind: 'rename'; readonly name: string }
    | { readonly kind: 'foreign'; readonly other: number }
    | { readonly kind: 'remove' }
    | { readonly kind: 'folder' }
    | { readonly kind: 'no-folder'; readonly folder: string }
    | { readonly kind: 'file-for-folder'; readonly folder: string }
  );

const which = fc.nat(99);
const fraction = fc.nat(9999).map((n) => n / 10_000);
const FOLDERS = ['member', 'member/snap', 'member/wal'];
const folder = fc.constantFrom(...FOLDERS);

/** Names that mean something to etcd, with numbers as they are not seen, and others. */
const hex16 = fc
  .oneof(fc.bigInt(0n, 12n), fc.constantFrom((1n << 64n) - 1n, (1n << 63n) - 1n, (1n << 53n) + 1n))
  .map((number) => number.toString(16).padStart(16, '0'));
const itemName = fc.oneof(
  fc.tuple(hex16, hex16).map(([sequence, index]) => `member/wal/${sequence}-${index}.wal`),
  fc.tuple(hex16, hex16).map(([term, index]) => `member/snap/${term}-${index}.snap`),
  hex16.map((index) => `member/snap/${index}.snap.db`),
  fc.constantFrom(
    'member/snap/db',
    'member/snap/db.tmp123',
    'member/snap/tmp1',
    'member/wal/0.tmp',
    'member/wal/x.wal',
    'member/wal/0000000000000000-0000000000000000.wal.broken',
    'member/wal.broken.20260101',
    'member/.touch',
    'proxy/x',
    'snap/x',
    'wal/x',
    'member/snap/constructor',
    'member/wal/__proto__',
    'member/wal/\u001b[2J\n.wal',
  ),
);

export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('flip' as const),
      file: which,
      at: fraction,
      bits: fc.integer({ min: 1, max: 255 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('overwrite' as const),
      file: which,
      at: fraction,
      bytes: fc.uint8Array({ minLength: 1, maxLength: 24 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('zero' as const),
      file: which,
      at: fraction,
      sectors: fc.integer({ min: 1, max: 16 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), file: which, at: fraction }) },
  fc.record({
    kind: fc.constant('lengthen' as const),
    file: which,
    by: fc.constantFrom(1, 512, 4096, 1 << 20, 1 << 24),
  }),
  fc.record({ kind: fc.constant('swap' as const), file: which, other: which }),
  fc.record({ kind: fc.constant('copy' as const), file: which, name: itemName }),
  fc.record({ kind: fc.constant('rename' as const), file: which, name: itemName }),
  fc.record({ kind: fc.constant('foreign' as const), file: which, other: which }),
  fc.record({ kind: fc.constant('remove' as const), file: which }),
  fc.record({ kind: fc.constant('folder' as const), file: which }),
  fc.record({ kind: fc.constant('no-folder' as const), file: which, folder }),
  fc.record({ kind: fc.constant('file-for-folder' as const), file: which, folder }),
);

const SECTOR = 512;

/** A copy of the directory with that change; files that are not its own come from `foreign`. */
export function changed(content: DirContent, change: Change, foreign: DirContent): DirContent {
  const copy = copyContent(content);
  const { files, folders } = copy;
  const paths = [...files.keys()].sort();
  const path = paths[change.file % Math.max(1, paths.length)];
  const file = path === undefined ? undefined : files.get(path);
  if (change.kind === 'no-folder' || change.kind === 'file-for-folder') {
    for (const below of [...files.keys()]) if (below.startsWith(`${change.folder}/`)) files.delete(below);
    for (const below of [...folders]) if (`${below}/`.startsWith(`${change.folder}/`)) folders.delete(below);
    if (change.kind === 'file-for-folder') files.set(change.folder, { bytes: new Uint8Array(9), size: 9 });
    return copy;
  }
  if (path === undefined || file === undefined) return copy;
  const edit = (apply: (bytes: Uint8Array, at: number) => void, fraction: number): void => {
    const bytes = file.bytes.slice(0, file.size);
    apply(bytes, Math.floor(bytes.length * fraction));
    files.set(path, { ...file, bytes, size: file.size });
  };
  switch (change.kind) {
    case 'flip':
      edit((bytes, at) => {
        if (at < bytes.length) bytes[at]! ^= change.bits;
      }, change.at);
      break;
    case 'overwrite':
      edit((bytes, at) => bytes.set(change.bytes.subarray(0, bytes.length - at), at), change.at);
      break;
    case 'zero':
      edit((bytes, at) => {
        const start = at - (at % SECTOR);
        bytes.fill(0, start, start + change.sectors * SECTOR);
      }, change.at);
      break;
    case 'cut': {
      const size = Math.floor(Math.min(file.bytes.length, file.size) * change.at);
      files.set(path, { bytes: file.bytes.subarray(0, size), size });
      break;
    }
    case 'lengthen':
      files.set(path, { bytes: file.bytes.subarray(0, file.size), size: file.size + change.by });
      break;
    case 'swap': {
      const other = paths[change.other % paths.length]!;
      files.set(path, files.get(other)!);
      files.set(other, file);
      break;
    }
    case 'copy':
      files.set(change.name, file);
      break;
    case 'rename':
      files.delete(path);
      files.set(change.name, file);
      break;
    case 'foreign': {
      const others = [...foreign.files.keys()].sort();
      const other = others[change.other % others.length]!;
      files.set(other, foreign.files.get(other) as StoredFile);
      break;
    }
    case 'remove':
      files.delete(path);
      break;
    case 'folder':
      files.delete(path);
      folders.add(path);
  }
  return copy;
}

/** How reading goes wrong. */
export type Fault =
  | (Which & { readonly kind: 'open'; readonly code: ErrorCode })
  | (Which & { readonly kind: 'read'; readonly at: number; readonly length: number })
  | (Which & { readonly kind: 'shrinks'; readonly at: number; readonly reads: number })
  | (Which & { readonly kind: 'short-reads' })
  | { readonly kind: 'other-type'; readonly file: number }
  | { readonly kind: 'folder'; readonly folder: string };

const openError = fc.constantFrom<ErrorCode>('NOT_FOUND', 'NO_PERMISSION', 'NOT_A_REGULAR_FILE', 'IO_FAILED');

export const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), file: which, code: openError }),
  fc.record({
    kind: fc.constant('read' as const),
    file: which,
    at: fraction,
    length: fc.constantFrom(1, 512, 4096, 1 << 20),
  }),
  fc.record({ kind: fc.constant('shrinks' as const), file: which, at: fraction, reads: fc.nat(6) }),
  fc.record({ kind: fc.constant('short-reads' as const), file: which }),
  fc.record({ kind: fc.constant('other-type' as const), file: which }),
  fc.record({ kind: fc.constant('folder' as const), folder }),
);

/** The directory, in which reading goes wrong in these ways. */
export function withFaults(content: DirContent, faults: readonly Fault[]): DataDirFiles {
  const files = memoryDir(content);
  const all = ['member', 'snap', 'wal'].flatMap((name) => files[name as 'member'].items);
  const spoiled = new Map<FolderItem, FolderItem>();
  const states = new Map<string, Partial<Folder>>();
  for (const each of faults) {
    if (each.kind === 'folder') {
      states.set(each.folder, { state: 'unreadable', reason: 'it gave EIO', items: [] });
      continue;
    }
    const item = all[each.file % Math.max(1, all.length)];
    if (item !== undefined) spoiled.set(item, spoil(spoiled.get(item) ?? item, each));
  }
  const replaced = (folder: Folder): Folder => ({
    ...folder,
    items: folder.items.map((item) => spoiled.get(item) ?? item),
    ...states.get(folder.path),
  });
  const { root, member, snap, wal } = files;
  return { ...files, root: replaced(root), member: replaced(member), snap: replaced(snap), wal: replaced(wal) };
}

function spoil(item: FolderItem, each: Exclude<Fault, { readonly kind: 'folder' }>): FolderItem {
  switch (each.kind) {
    case 'open':
      return {
        ...item,
        open: () => {
          throw new DatadirError(each.code, `${item.name}: cannot be opened`, { path: item.name });
        },
      };
    case 'read':
      return {
        ...item,
        open: () => {
          const source = item.open();
          const start = Math.floor(source.size * each.at);
          return faultySource(source, { failAt: [[start, start + each.length]] });
        },
      };
    case 'shrinks':
      return {
        ...item,
        open: () => {
          const source = item.open();
          return faultySource(source, { shrinkTo: Math.floor(source.size * each.at), shrinkAfterReads: each.reads });
        },
      };
    case 'short-reads':
      return { ...item, open: () => faultySource(item.open(), { shortReads: each.file }) };
    case 'other-type':
      return { ...item, type: 'other' };
  }
}
