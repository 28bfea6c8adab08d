/**
 * One bit for every page of a database, allocated piece by piece when first touched.
 *
 * The number of pages comes from the file (a sparse file may claim 16 TiB), so nothing is allocated in proportion to it
 * but one pointer for every 65,536 pages. Pieces of which all bits were set at once are one and the same: a damaged page may
 * claim any number of others.
 */
const PIECE_BITS = 1 << 16;
const PIECE_WORDS = PIECE_BITS / 32;
const FULL = new Int32Array(PIECE_WORDS).fill(-1);

export class PageBitmap {
  /** How many bits are set. */
  count = 0;
  readonly #pieces: (Int32Array | undefined)[] = [];

  has(page: number): boolean {
    const piece = this.#pieces[Math.floor(page / PIECE_BITS)];
    return piece !== undefined && (piece[(page % PIECE_BITS) >> 5]! & (1 << (page & 31))) !== 0;
  }

  /** Sets the bit of one page; returns false when it was set already. */
  add(page: number): boolean {
    const at = Math.floor(page / PIECE_BITS);
    let piece = this.#pieces[at];
    if (piece === undefined) {
      piece = new Int32Array(PIECE_WORDS);
      this.#pieces[at] = piece;
    }
    const word = (page % PIECE_BITS) >> 5;
    const bit = 1 << (page & 31);
    const old = piece[word]!;
    if ((old & bit) !== 0) return false;
    piece[word] = old | bit;
    this.count++;
    return true;
  }

  /** Clears the bit of one page; returns false when it was not set. */
  remove(page: number): boolean {
    const at = Math.floor(page / PIECE_BITS);
    let piece = this.#pieces[at];
    if (piece === undefined) return false;
    if (piece === FULL) {
      piece = FULL.slice();
      this.#pieces[at] = piece;
    }
    const word = (page % PIECE_BITS) >> 5;
    const bit = 1 << (page & 31);
    const old = piece[word]!;
    if ((old & bit) === 0) return false;
    piece[word] = old & ~bit;
    this.count--;
    return true;
  }

  /** Sets the bits of `[first, end)` up to the first one that is set already; returns that page, or `end`. */
  addRun(first: number, end: number): number {
    let page = first;
    while (page < end) {
      const at = Math.floor(page / PIECE_BITS);
      if (page % PIECE_BITS === 0 && page + PIECE_BITS <= end && this.#pieces[at] === undefined) {
        this.#pieces[at] = FULL;
        this.count += PIECE_BITS;
        page += PIECE_BITS;
      } else if (this.add(page)) page++;
      else break;
    }
    return page;
  }

  /** The first page in `[from, end)` whose bit is (or is not) set, or `end`. Untouched and full pieces are skipped as a whole. */
  next(set: boolean, from: number, end: number): number {
    let page = from;
    while (page < end) {
      const piece = this.#pieces[Math.floor(page / PIECE_BITS)];
      const pieceEnd = Math.min(end, (Math.floor(page / PIECE_BITS) + 1) * PIECE_BITS);
      if (piece === undefined || piece === FULL) {
        if (set === (piece === FULL)) return page;
        page = pieceEnd;
        continue;
      }
      const same = set ? 0 : -1;
      while (page < pieceEnd) {
        const word = piece[(page % PIECE_BITS) >> 5]!;
        if ((page & 31) === 0 && word === same && page + 32 <= pieceEnd) page += 32;
        else if (((word & (1 << (page & 31))) !== 0) === set) return page;
        else page++;
      }
    }
    return end;
  }
}
