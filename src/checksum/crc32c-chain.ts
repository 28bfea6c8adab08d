/**
 * A chain of records, each of which stores the CRC-32C of all data up to and including its own, verified in one go: what
 * is fed is folded without stopping (`crc32c-wasm.ts`), and one comparison at the end tells whether every record fits.
 *
 * After the data of a record the stored value is xored into the register, which makes a right register zero; eight zero
 * bytes leave it at zero; the stored value is xored in again, and the register is what it was. A register that was
 * off by E ends up off by E·x^64 instead, and nothing that follows takes a difference back to zero:
 *
 * - Damage to the data of one record is always seen if its CRC changes by it; as that of up to 32 bits in a row does.
 * - A stored value that is off by D, with nothing else wrong, leaves D·(x^64 + 1) behind. That is zero for one of the 2^32 - 1
 *   possible D: the generator divided by x + 1, a change of 19 bits. The value before a comparison is always seen.
 * - Several damaged records can cancel each other, with a chance of about 2^-31. Whoever wants to can make some that do.
 *
 * Which record is wrong is not known: that takes another look at each, with `crc32c`.
 */
import { crc32c } from './crc32c.ts';
import { Crc32cKernel } from './crc32c-kernel.ts';
import { type Crc32cLoops, DISTANCES, REACH, TURN } from './crc32c-wasm.ts';
import { CHAIN_ROOM, type FoldKernel } from './sparse-fold.ts';

/** So many bytes of v are computed before the last `REACH` are moved back to the start. */
const SCRATCH = 16384;
const STAGING_AT = REACH + SCRATCH + TURN;
/** Bytes that do not lie in the memory are brought there first, so many at a time. */
const STAGING = 16384;
/** Up to here bytes are copied one by one, which is faster than a call. */
const TINY = 32;
/** What `expect` goes on by. */
const MARK = 8;

/**
 * Verifies that stored CRCs fit the data between them. Call `start`, then for each record `feed` (any number of times) and
 * `expect`, and now and then, after an `expect`, `settle`.
 */
export class Crc32cChain {
  /** Undefined if there is no kernel, or no room in it. */
  readonly #loops: Crc32cLoops | undefined;
  readonly #memory: Uint8Array = new Uint8Array(0);
  /** Where v begins in the memory, where a turn may begin last, and where `v[q - REACH]` lies for the next byte q. */
  readonly #base: number = 0;
  readonly #end: number = 0;
  #at = 0;
  // The array that was fed last and where it lies in the memory, if there: asking an array for its buffer takes longer than
  // folding a small record.
  #bytes: Uint8Array | undefined;
  #address: number | undefined;
  /** The last CRC expected. */
  #stored = 0;
  // Without loops: the CRC of what was fed, and whether all was as expected.
  #crc = 0;
  #fits = true;

  /** Without a kernel, or when it has no room left, the CRC of each record is computed: slower, with the same answers. */
  constructor(kernel: FoldKernel | undefined) {
    const loops = kernel && Crc32cKernel.of(kernel)?.loops;
    const room = kernel?.allocate(CHAIN_ROOM);
    if (kernel === undefined || loops === undefined || room === undefined) return;
    this.#loops = loops;
    this.#memory = kernel.memory;
    this.#base = room.byteOffset;
    this.#end = this.#base + SCRATCH;
  }

  /** Begins a chain after data with this CRC. What was before is forgotten. */
  start(seed: number): void {
    this.#stored = this.#crc = seed >>> 0;
    this.#fits = true;
    if (this.#loops === undefined) return;
    const memory = this.#memory;
    const base = this.#base;
    memory.fill(0, base, base + REACH);
    for (let i = 0; i < 4; i++) memory[base + i] = ~seed >>> (8 * i);
    this.#at = base;
  }

  /** Takes `bytes[start, end)`. Those in the memory of the kernel are not copied; none are looked at later. */
  feed(bytes: Uint8Array, start: number, end: number): void {
    const loops = this.#loops;
    if (loops === undefined) {
      this.#crc = crc32c(bytes, start, end, this.#crc);
      return;
    }
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#address = bytes.buffer === this.#memory.buffer ? bytes.byteOffset : undefined;
    }
    const address = this.#address;
    if (address === undefined) this.#copy(loops, bytes, start, end);
    else this.#fold(loops, address + start, address + end);
  }

  /** Says what the CRC is after what has been fed. */
  expect(stored: number): void {
    const loops = this.#loops;
    if (loops === undefined) {
      this.#fits &&= this.#crc === stored >>> 0;
      return;
    }
    if (this.#at + MARK > this.#end) this.#moveBack();
    loops.crc32cMark(this.#at, ~stored);
    this.#at += MARK;
    this.#stored = stored >>> 0;
  }

  /** Whether everything since `start` fits, up to the last `expect`, after which nothing was fed. The chain can go on. */
  settle(): boolean {
    return this.#loops === undefined ? this.#fits : this.#register() === ~this.#stored;
  }

  #fold(loops: Crc32cLoops, start: number, end: number): void {
    for (let at = start; at < end; ) {
      if (this.#at >= this.#end) this.#moveBack();
      const length = Math.min(end - at, this.#end - this.#at);
      loops.crc32cFold(at, this.#at, length);
      this.#at += length;
      at += length;
    }
  }

  #copy(loops: Crc32cLoops, bytes: Uint8Array, start: number, end: number): void {
    const memory = this.#memory;
    const staging = this.#base + STAGING_AT;
    for (let at = start; at < end; at += STAGING) {
      const length = Math.min(STAGING, end - at);
      if (length > TINY) memory.set(bytes.subarray(at, at + length), staging);
      else for (let i = 0; i < length; i++) memory[staging + i] = bytes[at + i]!;
      this.#fold(loops, staging, staging + length);
    }
  }

  #moveBack(): void {
    this.#memory.copyWithin(this.#base, this.#at, this.#at + REACH);
    this.#at = this.#base;
  }

  /** What remains of v as a register: the CRC of `w[t] = v[t]` xor v at all distances before it, within the last `REACH` bytes. */
  #register(): number {
    const v = this.#memory.subarray(this.#at, this.#at + REACH);
    const w = v.slice();
    for (const distance of DISTANCES) for (let t = distance; t < REACH; t++) w[t]! ^= v[t - distance]!;
    return ~crc32c(w, 0, REACH, ~0);
  }
}
