/**
 * The two inner loops of the sparse fold (`sparse-fold.ts`) as WebAssembly with SIMD.
 */
import {
  add,
  advance,
  type Code,
  get,
  I32,
  lessThan,
  load128,
  repeat,
  sequence,
  set,
  store128,
  type WasmFunction,
  xor128,
} from './wasm-assembler.ts';

/** How far on a byte is xored into when it is cleared. The last is the length of what remains. */
const NEAR = 1747;
export const MIDDLE = 2830;
export const FAR = 5321;
/** Bytes that both loops do in one turn. They read and write up to the next multiple of it from where they began. */
const TURN = 64;

/** The loops. All arguments are addresses and lengths in the memory, lengths at least 1. */
export interface FoldLoops {
  /** For each of `length` bytes q: `v[q] = source[q] ^ v[q - NEAR] ^ v[q - MIDDLE] ^ v[q - FAR]`; `v[0]` lies at `base + FAR`. */
  fold(source: number, base: number, length: number): void;
  /** For each of `length` bytes t: `target[t] = v[t] ^ v[t - NEAR] ^ v[t - MIDDLE]`; `v[0]` lies at `base + MIDDLE`. */
  spread(target: number, base: number, length: number): void;
}

const [first, base, length, end] = [0, 1, 2, 3];
const loads = (address: number, ...offsets: number[]): Code =>
  offsets.map((offset) => load128(get(address), offset)).reduce(xor128);

/** `do { step at 0, 16, 32, 48; both addresses += 64 } while (base < end)`, where end is `base + length`. */
function loop(name: string, step: (at: number) => Code): WasmFunction {
  const body = sequence(
    set(end, add(get(base), get(length))),
    repeat(
      sequence(...[0, 16, 32, 48].map(step), advance(first, TURN), advance(base, TURN)),
      lessThan(get(base), get(end)),
    ),
  );
  return { name, parameters: 3, result: false, locals: [I32], body };
}

/** The functions of `FoldLoops`. */
export function foldFunctions(): readonly WasmFunction[] {
  return [
    loop('fold', (at) => {
      const before = loads(base, at, FAR - MIDDLE + at, FAR - NEAR + at);
      return store128(get(base), xor128(loads(first, at), before), FAR + at);
    }),
    loop('spread', (at) => store128(get(first), loads(base, at, MIDDLE - NEAR + at, MIDDLE + at), at)),
  ];
}
