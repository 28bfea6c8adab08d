/**
 * A number for each id of a `KeyIndex`, in chunks: growing copies nothing, and there is no object per id. An id that was never
 * set has 0.
 *
 * Three classes that differ in one word: a shared one would see arrays of three kinds, and be slow for all of them.
 */
import { DatadirError } from '../errors.ts';

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;

/** Numbers of 0 … 255. */
export class Uint8Column {
  readonly #chunks: (Uint8Array | undefined)[] = [];

  get(id: number): number {
    return this.#chunks[id >>> CHUNK_BITS]?.[id & MASK] ?? 0;
  }

  set(id: number, value: number): void {
    const chunk = this.#chunks[id >>> CHUNK_BITS] ?? this.#grow(id);
    chunk[id & MASK] = value;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    return bytesOf(this.#chunks);
  }

  #grow(id: number): Uint8Array {
    return addChunk(this.#chunks, id, () => new Uint8Array(CHUNK));
  }
}

/** Numbers of 0 … 2^32 - 1. */
export class Uint32Column {
  readonly #chunks: (Uint32Array | undefined)[] = [];

  get(id: number): number {
    return this.#chunks[id >>> CHUNK_BITS]?.[id & MASK] ?? 0;
  }

  set(id: number, value: number): void {
    const chunk = this.#chunks[id >>> CHUNK_BITS] ?? this.#grow(id);
    chunk[id & MASK] = value;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    return bytesOf(this.#chunks);
  }

  #grow(id: number): Uint32Array {
    return addChunk(this.#chunks, id, () => new Uint32Array(CHUNK));
  }
}

/** Any numbers: revisions. */
export class Float64Column {
  readonly #chunks: (Float64Array | undefined)[] = [];

  get(id: number): number {
    return this.#chunks[id >>> CHUNK_BITS]?.[id & MASK] ?? 0;
  }

  set(id: number, value: number): void {
    const chunk = this.#chunks[id >>> CHUNK_BITS] ?? this.#grow(id);
    chunk[id & MASK] = value;
  }

  /** Bytes of memory. */
  get bytesUsed(): number {
    return bytesOf(this.#chunks);
  }

  #grow(id: number): Float64Array {
    return addChunk(this.#chunks, id, () => new Float64Array(CHUNK));
  }
}

/** A list without holes, whatever the order in which ids are set: an array with holes is slow. */
function addChunk<Chunk>(chunks: (Chunk | undefined)[], id: number, create: () => Chunk): Chunk {
  const index = id >>> CHUNK_BITS;
  while (chunks.length <= index) chunks.push(undefined);
  try {
    const chunk = create();
    chunks[index] = chunk;
    return chunk;
  } catch (cause) {
    throw new DatadirError('UNSUPPORTED', 'an index of the keys does not fit into memory', { cause });
  }
}

function bytesOf(chunks: readonly (ArrayBufferView | undefined)[]): number {
  return chunks.reduce((sum, chunk) => sum + (chunk?.byteLength ?? 0), 0);
}
