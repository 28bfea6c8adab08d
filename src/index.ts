/**
 * The portable entry: everything that runs anywhere, over bytes, Blobs and byte sources. In Node the package's plain name
 * gives `node.ts`, which has the same names and takes paths as well.
 */
export * from './backend/index.ts';
export * from './bolt/index.ts';
export {
  type CheckInput,
  type CheckOptions,
  check,
  type SnapFolderInput,
  type WalFolderInput,
} from './datadir/check.ts';
export type { ErrorDetails } from './errors.ts';
export { DatadirError } from './errors.ts';
export type { ByteFile } from './io/byte-source.ts';
export { memoryFile } from './io/memory-file.ts';
export * from './snap/index.ts';
export * from './wal/index.ts';
