/**
 * A source whose end is zeros that nobody stores: a segment of 64,000,000 bytes costs no more than its records.
 */
import { assertOffset, type ByteSource } from '../../src/io/byte-source.ts';

/** A source of `size` bytes: `bytes`, then zeros. With a smaller `size` only the first bytes. */
export function zeroTailedSource(bytes: Uint8Array, size: number, path?: string): ByteSource {
  return {
    size,
    ...(path === undefined ? {} : { path }),
    readInto(target: Uint8Array, offset: number): number {
      assertOffset(offset);
      const length = Math.max(0, Math.min(target.length, size - offset));
      const stored = bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length));
      target.set(stored);
      target.fill(0, stored.length, length);
      return length;
    },
    close(): void {},
  };
}
