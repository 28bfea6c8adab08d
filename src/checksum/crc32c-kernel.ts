/**
 * CRC-32C of single values in the memory of a `FoldKernel`, by `crc32c-wasm.ts`.
 */
import { SLICES } from './crc32c-plain.ts';
import { type Crc32cLoops, crc32cFunctions, PIECE, REMAINDER, SCRATCH, TABLES } from './crc32c-wasm.ts';
import { CRC32C_AT, type FoldKernel, READ_BEHIND } from './sparse-fold.ts';
import { WasmModule } from './wasm-module.ts';

// All of this takes less than `CRC32C_ROOM`.
const whole = (length: number): number => Math.ceil(length / 64) * 64;
const SCRATCH_AT = CRC32C_AT + TABLES;
const REMAINDER_AT = SCRATCH_AT + whole(SCRATCH);
/** Where bytes are brought that do not lie in the memory. */
const PIECE_AT = REMAINDER_AT + whole(REMAINDER);
/** Behind the last byte that is read or written. */
export const CRC32C_END: number = PIECE_AT + PIECE + READ_BEHIND;

const MODULE: WasmModule<Crc32cLoops> = /* @__PURE__ */ new WasmModule(() =>
  crc32cFunctions(CRC32C_AT, SCRATCH_AT, REMAINDER_AT),
);

/** The loops over a kernel's memory. */
export class Crc32cKernel {
  readonly loops: Crc32cLoops;
  readonly #memory: Uint8Array;

  private constructor(memory: Uint8Array, loops: Crc32cLoops) {
    this.#memory = memory;
    this.loops = loops;
  }

  /** That of this kernel, made if it is not there yet, which takes a millisecond; undefined where the engine cannot do it. */
  static of(kernel: FoldKernel): Crc32cKernel | undefined {
    if (kernel.crc32c !== undefined) return kernel.crc32c;
    const loops = MODULE.instantiate(kernel.wasmMemory);
    if (loops === undefined) return undefined;
    // The memory is little endian whatever the machine is.
    const tables = new DataView(kernel.wasmMemory.buffer, CRC32C_AT, TABLES);
    for (let k = 0; k < SLICES.length; k++) {
      const slice = SLICES[k]!;
      for (let byte = 0; byte < 256; byte++) tables.setInt32(4 * (256 * k + byte), slice[byte]!, true);
    }
    kernel.crc32c = new Crc32cKernel(kernel.memory, loops);
    return kernel.crc32c;
  }

  /** The CRC-32C of bytes that lie in the memory, at this address; `seed` as with `crc32c`. */
  inMemory(address: number, length: number, seed: number): number {
    const end = address + length;
    let register = ~seed;
    for (let at = address; at < end; at += PIECE) {
      register = this.loops.crc32c(at, Math.min(PIECE, end - at), register);
    }
    return ~register >>> 0;
  }

  /** The same of bytes that lie elsewhere, which are copied piece by piece. */
  elsewhere(bytes: Uint8Array, start: number, end: number, seed: number): number {
    let register = ~seed;
    for (let at = start; at < end; at += PIECE) {
      const piece = bytes.subarray(at, Math.min(at + PIECE, end));
      this.#memory.set(piece, PIECE_AT);
      register = this.loops.crc32c(PIECE_AT, piece.length, register);
    }
    return ~register >>> 0;
  }
}
