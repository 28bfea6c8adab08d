/**
 * The pages that a transaction is going to write, and the writing of them: in the order of the file, neighbours together.
 */
import type { ByteFile } from '../io/byte-source.ts';

/** Memory is taken in pieces of this size; also the largest write that is put together from several pages. */
const CHUNK = 1 << 20;

/** Zeroed memory for some pages. */
export interface PageMemory {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where in `bytes` the pages begin. */
  readonly at: number;
}

interface DirtyRun extends PageMemory {
  readonly id: number;
  readonly length: number;
}

export class DirtyPages {
  readonly #pageSize: number;
  readonly #runs: DirtyRun[] = [];
  #chunk: { bytes: Uint8Array; view: DataView; used: number } | undefined;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  /** Memory for `pages` pages from page `id` on, all zeros, to be filled before `write`. */
  add(id: number, pages: number): PageMemory {
    const length = pages * this.#pageSize;
    let chunk = this.#chunk;
    if (chunk === undefined || chunk.used + length > chunk.bytes.length) {
      // Small transactions do with little memory, large ones take few pieces.
      const size = Math.max(length, chunk === undefined ? Math.min(16 * this.#pageSize, CHUNK) : CHUNK);
      const bytes = new Uint8Array(size);
      chunk = { bytes, view: new DataView(bytes.buffer), used: 0 };
      this.#chunk = chunk;
    }
    const run = { id, length, bytes: chunk.bytes, view: chunk.view, at: chunk.used };
    chunk.used += length;
    this.#runs.push(run);
    return run;
  }

  clear(): void {
    this.#runs.length = 0;
    this.#chunk = undefined;
  }

  /** Writes all pages. */
  write(file: ByteFile): void {
    const runs = this.#runs.sort((a, b) => a.id - b.id);
    let buffer: Uint8Array | undefined;
    for (let i = 0; i < runs.length; ) {
      const { id, bytes, at } = runs[i]!;
      const offset = id * this.#pageSize;
      let { length } = runs[i]!;
      let together = true;
      let end = i + 1;
      for (; end < runs.length; end++) {
        const next = runs[end]!;
        if (next.id * this.#pageSize !== offset + length || length + next.length > CHUNK) break;
        together &&= next.bytes === bytes && next.at === at + length;
        length += next.length;
      }
      if (together) file.write(offset, bytes.subarray(at, at + length));
      else {
        buffer ??= new Uint8Array(CHUNK);
        let to = 0;
        for (const run of runs.slice(i, end)) {
          buffer.set(run.bytes.subarray(run.at, run.at + run.length), to);
          to += run.length;
        }
        file.write(offset, buffer.subarray(0, length));
      }
      i = end;
    }
  }
}
