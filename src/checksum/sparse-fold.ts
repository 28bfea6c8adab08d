/**
 * CRCs at about the speed of memory, for long streams: the sparse fold.
 *
 * S = y^5321 + y^3574 + y^2491 + 1 with y = x^8 is a multiple of CRC-32C's generator (and of that in `crc128.ts`). All its
 * exponents are whole bytes, so the remainder of a message modulo S needs no tables and no multiplication: a byte is
 * cleared by xoring it into the bytes 1747, 2830 and 5321 further on, 64 bytes at a time. What is left of any number of
 * bytes is 5321, and the CRC of those is that of the message.
 *
 *     v[q] = d[q] ^ v[q-1747] ^ v[q-2830] ^ v[q-5321]        for each byte d[q] of the message
 *     start: the register's bytes at v[-5321], zeros up to v[0]
 *     end:   w[t] = v[t] ^ v[t-1747] ^ v[t-2830] within the last 5321 bytes; the register is the CRC of w from register 0
 *
 * A stream can end and start again with its register alone. So any number of streams share a few slots of memory: one
 * that has to give its slot away is its register again until its next bytes come.
 */
import type { Crc32cKernel } from './crc32c-kernel.ts';
import { FAR, type FoldLoops, foldFunctions, MIDDLE } from './sparse-fold-wasm.ts';
import { createMemory, type WasmMemory, WasmModule } from './wasm-module.ts';

/** So many bytes of v are computed before the last 5321 are moved back to the start. */
const SCRATCH = 16384;
const SLOT_SIZE = 22 * 1024; // FAR + SCRATCH + what the last turn of the loop writes behind it, rounded up
const SLOTS = 4;
/** Bytes that do not lie in the memory are brought there first, small pieces together: so much for each slot. */
const STAGING = 16384;
/** Pieces smaller than this wait for others even if they lie in the memory: a call costs more than the copy. */
const SMALL = 512;
/** Up to here bytes are copied one by one, which is faster than a call. */
const TINY = 32;

// The memory: zeros before what is spread, so that v[t-2830] is zero for the first t, and the result; slots and what waits
// for them; what `crc32c-kernel.ts` needs.
const SPREAD_FROM = MIDDLE;
const SPREAD_TO = 8192;
const FIRST_SLOT = 16384;
const FIRST_STAGING = FIRST_SLOT + SLOTS * SLOT_SIZE;
export const CRC32C_AT: number = FIRST_STAGING + SLOTS * STAGING;
export const CRC32C_ROOM: number = 52 * 1024;
const ALLOCATED_AT = Math.ceil((CRC32C_AT + CRC32C_ROOM) / 4096) * 4096;
/** All loops read less than so many bytes behind the last that they were asked to. */
export const READ_BEHIND = 128;
/** Room beside what is asked for: for one `Crc32cChain`. Whole pages, so that what is read into begins at one. */
export const CHAIN_ROOM: number = 40 * 1024;

/** Where a stream's v is while it gets bytes. */
class FoldSlot {
  owner: FoldedStream | undefined;
  readonly #kernel: FoldKernel;
  readonly #base: number;
  readonly #staging: number;
  #position = FAR;
  #staged = 0;

  constructor(kernel: FoldKernel, index: number) {
    this.#kernel = kernel;
    this.#base = FIRST_SLOT + index * SLOT_SIZE;
    this.#staging = FIRST_STAGING + index * STAGING;
  }

  start(owner: FoldedStream): void {
    const { memory } = this.#kernel;
    this.owner = owner;
    memory.fill(0, this.#base, this.#base + FAR);
    owner.storeRegister(memory, this.#base);
    this.#position = FAR;
  }

  /** Takes bytes that may lie anywhere; those that lie in the memory are not copied. */
  feed(bytes: Uint8Array, start: number, end: number): void {
    const { memory } = this.#kernel;
    if (end - start >= SMALL && bytes.buffer === memory.buffer) {
      this.#foldStaged();
      this.#fold(bytes.byteOffset + start, end - start);
      return;
    }
    for (let at = start; at < end; ) {
      const length = Math.min(STAGING - this.#staged, end - at);
      const target = this.#staging + this.#staged;
      if (length > TINY) memory.set(bytes.subarray(at, at + length), target);
      else for (let i = 0; i < length; i++) memory[target + i] = bytes[at + i]!;
      this.#staged += length;
      at += length;
      if (this.#staged === STAGING) this.#foldStaged();
    }
  }

  #foldStaged(): void {
    const length = this.#staged;
    this.#staged = 0;
    this.#fold(this.#staging, length);
  }

  #fold(address: number, length: number): void {
    const { memory, loops } = this.#kernel;
    const end = address + length;
    for (let at = address; at < end; ) {
      const piece = Math.min(end - at, FAR + SCRATCH - this.#position);
      loops.fold(at, this.#base + this.#position - FAR, piece);
      at += piece;
      this.#position += piece;
      if (this.#position < FAR + SCRATCH) return;
      memory.copyWithin(this.#base, this.#base + SCRATCH, this.#base + SCRATCH + FAR);
      this.#position = FAR;
    }
  }

  /** The 5321 bytes whose CRC from register 0 is the register, valid until another stream is asked. */
  remainder(): Uint8Array {
    const { memory, loops, spread } = this.#kernel;
    this.#foldStaged();
    const from = this.#base + this.#position - FAR;
    memory.copyWithin(SPREAD_FROM, from, from + FAR);
    loops.spread(SPREAD_TO, SPREAD_FROM - MIDDLE, FAR);
    return spread;
  }
}

const MODULE: WasmModule<FoldLoops> = /* @__PURE__ */ new WasmModule(foldFunctions);

/** A memory with the loops of the fold, and slots for the streams that use them. */
export class FoldKernel {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly wasmMemory: WasmMemory;
  readonly loops: FoldLoops;
  readonly spread: Uint8Array;
  /** Single values of CRC-32C in the same memory, once somebody has needed them. For `Crc32cKernel.of`. */
  crc32c: Crc32cKernel | undefined;
  readonly #slots: FoldSlot[] = [];
  #nextSlot = 0;
  #allocated = ALLOCATED_AT;

  private constructor(memory: WasmMemory, loops: FoldLoops) {
    this.memory = new Uint8Array(memory.buffer);
    this.wasmMemory = memory;
    this.loops = loops;
    this.spread = this.memory.subarray(SPREAD_TO, SPREAD_TO + FAR);
    for (let i = 0; i < SLOTS; i++) this.#slots.push(new FoldSlot(this, i));
    kernels.set(memory.buffer, this);
  }

  /**
   * One with room for `extra` bytes to be had by `allocate`. Undefined where the engine cannot do it: everything works
   * without, more slowly.
   */
  static create(extra = 0): FoldKernel | undefined {
    const memory = createMemory(ALLOCATED_AT + CHAIN_ROOM + extra + READ_BEHIND);
    if (memory === undefined) return undefined;
    const loops = MODULE.instantiate(memory);
    return loops === undefined ? undefined : new FoldKernel(memory, loops);
  }

  /** Part of the memory, to read into: bytes that lie there are taken without a copy. Undefined when there is no room left. */
  allocate(length: number): Uint8Array<ArrayBuffer> | undefined {
    const at = this.#allocated;
    if (at + length + READ_BEHIND > this.memory.length) return undefined;
    this.#allocated += Math.ceil(length / 64) * 64;
    return this.memory.subarray(at, at + length);
  }

  /** A slot for the stream; the stream that has had it for longest gives it up. */
  acquire(owner: FoldedStream): FoldSlot {
    let slot = this.#slots.find(({ owner }) => owner === undefined);
    if (slot === undefined) {
      slot = this.#slots[this.#nextSlot]!;
      this.#nextSlot = (this.#nextSlot + 1) % SLOTS;
      slot.owner?.suspend();
    }
    slot.start(owner);
    return slot;
  }
}

/** By their memory. */
const kernels: WeakMap<ArrayBufferLike, FoldKernel> = /* @__PURE__ */ new WeakMap();

/** The kernel in whose memory bytes of this buffer lie, if any. */
export function kernelOf(buffer: ArrayBufferLike): FoldKernel | undefined {
  return kernels.get(buffer);
}

let shared: { readonly kernel: FoldKernel | undefined } | undefined;

/** The kernel of everybody who has none of their own, made when it is first needed; undefined where there can be none. */
export function sharedKernel(): FoldKernel | undefined {
  shared ??= { kernel: FoldKernel.create() };
  return shared.kernel;
}

/**
 * So many bytes are taken by plain code before a stream asks for a slot: giving one back costs about as much. A stream that
 * is longer costs at most twice what it would have cost with the better choice.
 */
const PLAIN_BYTES = 8192;

/** A CRC that is fed piece by piece: plain code for short streams, the sparse fold for long ones. */
export abstract class FoldedStream {
  readonly #kernel: () => FoldKernel | undefined;
  #slot: FoldSlot | undefined;
  #plainBytes = 0;

  /** `kernel` is asked when the stream gets long. */
  constructor(kernel: () => FoldKernel | undefined = sharedKernel) {
    this.#kernel = kernel;
  }

  /** Takes `bytes[start, end)`. */
  update(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    if (start >= end) return;
    if (this.#slot === undefined) {
      this.#plainBytes += end - start;
      const kernel = this.#plainBytes > PLAIN_BYTES ? this.#kernel() : undefined;
      if (kernel === undefined) {
        this.plain(bytes, start, end);
        return;
      }
      this.#slot = kernel.acquire(this);
    }
    this.#slot.feed(bytes, start, end);
  }

  /** Puts the register's bytes at `at` of the memory. For `FoldKernel`. */
  abstract storeRegister(memory: Uint8Array, at: number): void;
  /** Takes bytes into the register by plain code. */
  protected abstract plain(bytes: Uint8Array, start: number, end: number): void;
  protected abstract clearRegister(): void;

  /** Gives the slot back; the register is up to date then. */
  suspend(): void {
    const slot = this.#slot;
    if (slot === undefined) return;
    this.#slot = undefined;
    this.#plainBytes = 0;
    slot.owner = undefined;
    this.clearRegister();
    const remainder = slot.remainder();
    this.plain(remainder, 0, remainder.length);
  }
}
