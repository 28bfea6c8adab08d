/**
 * Writes the pages of a commit in the order of the file, neighbours together.
 */
import type { ByteFile } from '../io/byte-source.ts';
import type { DirtyPage } from './transaction.ts';

/** The largest write that is put together from several pages. */
const WRITE_LIMIT = 1 << 20;

export function writePages(file: ByteFile, pageSize: number, pages: readonly DirtyPage[]): void {
  const sorted = [...pages].sort((a, b) => a.id - b.id);
  let buffer: Uint8Array | undefined;
  for (let i = 0; i < sorted.length; ) {
    const { id, bytes } = sorted[i]!;
    let length = bytes.length;
    let end = i + 1;
    while (end < sorted.length && sorted[end]!.id * pageSize === id * pageSize + length) {
      if (length + sorted[end]!.bytes.length > WRITE_LIMIT) break;
      length += sorted[end]!.bytes.length;
      end++;
    }
    if (end === i + 1) file.write(id * pageSize, bytes);
    else {
      buffer ??= new Uint8Array(WRITE_LIMIT);
      let at = 0;
      for (const page of sorted.slice(i, end)) {
        buffer.set(page.bytes, at);
        at += page.bytes.length;
      }
      file.write(id * pageSize, buffer.subarray(0, length));
    }
    i = end;
  }
}
