/**
 * The WebAssembly module with the inner loops of all checksums, and memories for it.
 */

import { SLICES } from './crc32c-plain.ts';
import { type Crc32cLoops, crc32cFunctions, REMAINDER, SCRATCH, TABLES } from './crc32c-wasm.ts';
import { type FoldLoops, foldFunctions } from './sparse-fold-wasm.ts';
import { assemble } from './wasm-assembler.ts';

/** All loops, over one memory. */
export interface KernelLoops extends FoldLoops, Crc32cLoops {}

/** As much of WebAssembly's face as is used here: the types of Node and of browsers differ. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
interface Wasm {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

const WASM_PAGE = 65536;

// The first part of a memory belongs to the loops.
const SCRATCH_AT = TABLES;
const REMAINDER_AT = SCRATCH_AT + Math.ceil(SCRATCH / 64) * 64;
/** From here on a memory is free for those who call the loops. */
export const LOOPS_END: number = REMAINDER_AT + Math.ceil((REMAINDER + 64) / 64) * 64;

let compiled: object | undefined;

/**
 * A memory of at least `size` bytes with the loops over it; undefined where there is no WebAssembly, no SIMD, no memory left,
 * or a policy (CSP without `wasm-unsafe-eval`) that forbids it. The module is put together at the first call.
 */
export function instantiate(size: number): { readonly memory: WasmMemory; readonly loops: KernelLoops } | undefined {
  const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    compiled ??= new wasm.Module(assemble([...foldFunctions(), ...crc32cFunctions(0, SCRATCH_AT, REMAINDER_AT)]));
    const pages = Math.ceil(size / WASM_PAGE);
    const memory = new wasm.Memory({ initial: pages, maximum: pages });
    const { exports } = new wasm.Instance(compiled, { e: { m: memory } });
    // The memory is little endian whatever the machine is.
    const tables = new DataView(memory.buffer, 0, TABLES);
    for (let k = 0; k < SLICES.length; k++) {
      const slice = SLICES[k]!;
      for (let byte = 0; byte < 256; byte++) tables.setInt32(4 * (256 * k + byte), slice[byte]!, true);
    }
    return { memory, loops: exports as KernelLoops };
  } catch {
    return undefined;
  }
}
