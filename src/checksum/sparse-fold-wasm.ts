/**
 * The two inner loops of the sparse fold (`sparse-fold.ts`) as WebAssembly with SIMD, put together here byte by byte: a
 * few hundred bytes that need no other tool and no file of their own.
 */

/** How far on a byte is xored into when it is cleared. The last is the length of what remains. */
const NEAR = 1747;
export const MIDDLE = 2830;
export const FAR = 5321;
/** Bytes that both loops do in one turn. They read and write up to the next multiple of it from where they began. */
export const TURN = 64;

/** The loops. All arguments are addresses and lengths in the memory, lengths at least 1. */
export interface FoldLoops {
  /** For each of `length` bytes q: `v[q] = source[q] ^ v[q - NEAR] ^ v[q - MIDDLE] ^ v[q - FAR]`; `v[0]` lies at `base + FAR`. */
  fold(source: number, base: number, length: number): void;
  /** For each of `length` bytes t: `target[t] = v[t] ^ v[t - NEAR] ^ v[t - MIDDLE]`; `v[0]` lies at `base + MIDDLE`. */
  spread(target: number, base: number, length: number): void;
}

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

const I32 = 0x7f;
const NO_RESULT = 0x40;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const I32_CONST = 0x41;
const I32_ADD = 0x6a;
const I32_LESS_UNSIGNED = 0x49;
const LOOP = 0x03;
const BRANCH_IF = 0x0d;
const END = 0x0b;
const SIMD = 0xfd;
const V128_LOAD = [SIMD, 0x00];
const V128_STORE = [SIMD, 0x0b];
const V128_XOR = [SIMD, 0x51];

/** LEB128 of an unsigned number. */
function unsigned(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >>> 7;
  return rest === 0 ? [low] : [low | 0x80, ...unsigned(rest)];
}

const section = (id: number, items: readonly (readonly number[])[]): number[] => {
  const body = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(body.length), ...body];
};

// An alignment of 1 is stated for all accesses: the distances are odd.
const load = (address: number, offset: number): number[] => [LOCAL_GET, address, ...V128_LOAD, 0, ...unsigned(offset)];
const xorLoad = (address: number, offset: number): number[] => [...load(address, offset), ...V128_XOR];
// 64 as a signed LEB128.
const addTurn = (local: number): number[] => [LOCAL_GET, local, I32_CONST, 0xc0, 0x00, I32_ADD, LOCAL_SET, local];

/** `do { step at 0, 16, 32, 48; both addresses += 64 } while (counted < end)`, where end is `counted + length`. */
function loop(counted: number, step: (offset: number) => number[]): number[] {
  const length = 2;
  const end = 3;
  const code = [
    ...[1, 1, I32],
    ...[LOCAL_GET, counted, LOCAL_GET, length, I32_ADD, LOCAL_SET, end],
    ...[LOOP, NO_RESULT],
    ...[0, 16, 32, 48].flatMap(step),
    ...addTurn(0),
    ...addTurn(1),
    ...[LOCAL_GET, counted, LOCAL_GET, end, I32_LESS_UNSIGNED, BRANCH_IF, 0],
    ...[END, END],
  ];
  return [...unsigned(code.length), ...code];
}

const name = (text: string): number[] => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))];

function assemble(): Uint8Array {
  const fold = loop(1, (at) => [
    ...[LOCAL_GET, 1],
    ...[...load(0, at), ...xorLoad(1, at), ...xorLoad(1, FAR - MIDDLE + at), ...xorLoad(1, FAR - NEAR + at)],
    ...[...V128_STORE, 0, ...unsigned(FAR + at)],
  ]);
  const spread = loop(1, (at) => [
    ...[LOCAL_GET, 0],
    ...[...load(1, at), ...xorLoad(1, MIDDLE - NEAR + at), ...xorLoad(1, MIDDLE + at)],
    ...[...V128_STORE, 0, ...unsigned(at)],
  ]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 3, I32, I32, I32, 0]]), // one type: three numbers, no result
    ...section(2, [[...name('e'), ...name('m'), 2, 0, 1]]), // a memory is imported, of any size
    ...section(3, [[0], [0]]), // two functions of that type
    ...section(7, [
      [...name('fold'), 0, 0],
      [...name('spread'), 0, 1],
    ]),
    ...section(10, [fold, spread]),
  ]);
}

let compiled: object | undefined;

/**
 * A memory of at least `size` bytes with the loops over it; undefined where there is no WebAssembly, no SIMD, no memory left,
 * or a policy (CSP without `wasm-unsafe-eval`) that forbids it.
 */
export function instantiate(size: number): { readonly memory: WasmMemory; readonly loops: FoldLoops } | undefined {
  const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    compiled ??= new wasm.Module(assemble());
    const pages = Math.ceil(size / WASM_PAGE);
    const memory = new wasm.Memory({ initial: pages, maximum: pages });
    const { exports } = new wasm.Instance(compiled, { e: { m: memory } });
    return { memory, loops: exports as FoldLoops };
  } catch {
    return undefined;
  }
}
