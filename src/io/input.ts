/**
 * What the public functions accept in place of a byte source: bytes in memory, or a browser's Blob.
 */
import { type BlobLike, blobSource } from './blob-source.ts';
import { type ByteSource, memorySource } from './byte-source.ts';

/** Anything that can be read from. In Node the functions of the package also take a path. */
export type Input = ByteSource | Uint8Array | BlobLike;

/** The source for an input. A source is returned as it is. */
export function toSource(input: Input): ByteSource {
  if (input instanceof Uint8Array) return memorySource(input);
  return 'readInto' in input ? input : blobSource(input);
}
