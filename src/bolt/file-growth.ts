/**
 * How long a file is made as its database grows. bbolt grows the file in steps that follow from the size of its memory
 * map; this keeps account of a map that does not exist, so that files come out as long as bbolt's.
 */
const SMALLEST_MAP = 1 << 15;
const MAP_STEP = 1 << 30;
/** Default of `allocSize`. */
export const DEFAULT_ALLOC_SIZE: number = 16 << 20;

export class FileGrowth {
  readonly #pageSize: number;
  readonly #allocSize: number;
  /** Size that bbolt's memory map would have. */
  #mapped: number;

  constructor(pageSize: number, fileSize: number, allocSize: number, initialMapSize: number) {
    this.#pageSize = pageSize;
    this.#allocSize = allocSize;
    this.#mapped = this.#mapSize(Math.max(fileSize, initialMapSize));
  }

  /** Powers of two up to 1 GiB, then multiples of it, rounded up to whole pages. */
  #mapSize(size: number): number {
    let mapped = SMALLEST_MAP;
    while (mapped < size && mapped < MAP_STEP) mapped *= 2;
    if (mapped >= size) return mapped;
    mapped = Math.ceil(size / MAP_STEP) * MAP_STEP;
    return Math.ceil(mapped / this.#pageSize) * this.#pageSize;
  }

  /** Takes note that pages up to `highWaterMark` are going to be used. */
  reserve(highWaterMark: number, fileSize: number): void {
    const needed = (highWaterMark + 1) * this.#pageSize;
    if (needed >= this.#mapped) this.#mapped = this.#mapSize(Math.max(fileSize, needed));
  }

  /** How long the file would become if pages up to `highWaterMark` were used. */
  sizeWith(highWaterMark: number): number {
    const needed = (highWaterMark + 1) * this.#pageSize;
    const mapped = this.#mapSize(needed);
    return mapped <= this.#allocSize ? mapped : needed + this.#allocSize;
  }

  /** How long the file is to be made for `highWaterMark`; undefined when it is long enough. */
  target(highWaterMark: number, fileSize: number): number | undefined {
    const needed = (highWaterMark + 1) * this.#pageSize;
    if (needed <= fileSize) return undefined;
    return this.#mapped <= this.#allocSize ? this.#mapped : needed + this.#allocSize;
  }
}
