/**
 * Makes modules of `wasm-assembler.ts` and memories for them run, where the engine lets it.
 */
import { assemble, type WasmFunction } from './wasm-assembler.ts';

/** As much of WebAssembly's face as is used here: the types of Node and of browsers differ. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
interface Wasm {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

const PAGE = 65536;

/**
 * What `make` gives; undefined where there is no WebAssembly, no SIMD, no memory left, or a policy (CSP without
 * `wasm-unsafe-eval`) that forbids it.
 */
function attempt<T>(make: (wasm: Wasm) => T): T | undefined {
  const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    return make(wasm);
  } catch {
    return undefined;
  }
}

/** A memory of at least `size` bytes, which never changes its size; undefined where there can be none. */
export function createMemory(size: number): WasmMemory | undefined {
  const pages = Math.ceil(size / PAGE);
  return attempt((wasm) => new wasm.Memory({ initial: pages, maximum: pages }));
}

/** A module that exports `Loops`. It is put together when it is first used. */
export class WasmModule<Loops extends object> {
  readonly #functions: () => readonly WasmFunction[];
  #compiled: object | undefined;

  constructor(functions: () => readonly WasmFunction[]) {
    this.#functions = functions;
  }

  /** Its functions over this memory; undefined where there can be none. */
  instantiate(memory: WasmMemory): Loops | undefined {
    return attempt((wasm) => {
      this.#compiled ??= new wasm.Module(assemble(this.#functions()));
      // The functions are those that the module was made of.
      return new wasm.Instance(this.#compiled, { e: { m: memory } }).exports as Loops;
    });
  }
}
