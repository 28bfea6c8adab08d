/**
 * CRC-32C of single values as WebAssembly with SIMD: a sparse fold (see `sparse-fold.ts`) that leaves little behind.
 *
 * y^290 + y^136 + y^113 + y^107 + y^32 + 1 with y = x^8 is a multiple of CRC-32C's generator: a byte is cleared by xoring
 * it into the bytes 154, 177, 183, 258 and 290 further on. Five loads for 16 bytes instead of three, but only 290 bytes
 * remain, and those take a tenth of a microsecond with tables. Of all multiples with six terms it is the shortest whose
 * distances are all above two turns of the loop: a load from bytes that were just stored has to wait for them.
 */
import {
  add,
  advance,
  and,
  atLeast,
  type Code,
  constant,
  extend,
  get,
  I32,
  lessThan,
  load8,
  load32,
  load64,
  load128,
  repeat,
  sequence,
  set,
  shiftLeft,
  shiftRight,
  store32,
  store64,
  store128,
  subtract,
  type WasmFunction,
  when,
  xor,
  xor64,
  xor128,
  zero128,
} from './wasm-assembler.ts';

/** How far on a byte is xored into when it is cleared. */
export const DISTANCES: readonly number[] = [154, 177, 183, 258, 290];
/** The last of them: so many bytes remain. */
export const REACH = 290;
/** Bytes that the loop does in one turn; it reads and writes up to the next multiple of it from where it began. */
export const TURN = 64;
/** Shorter pieces are left to the tables. */
const LEAST = 2 * REACH;
/** Most bytes that one call of `crc32c` takes. */
export const PIECE = 16384;
/** Of the scratch of `crc32c`: what was before the piece, the piece, and zeros behind it. */
export const SCRATCH: number = REACH + PIECE + REACH + 2 * TURN;
/** What may remain, in whole vectors. */
export const REMAINDER: number = Math.ceil((REACH + TURN) / 16) * 16;
/** Sixteen tables of 256 numbers: `SLICES` of `crc32c-plain.ts`, little endian. */
export const TABLES: number = 16 * 1024;

/** All arguments but registers are addresses and lengths in the memory. A register is the complement of a CRC. */
export interface Crc32cLoops {
  /** The register after `length` bytes more, at most `PIECE`. Reads less than 128 bytes behind them. */
  crc32c(source: number, length: number, register: number): number;
  /** For each of `length` bytes q, at least one: `v[q] = source[q]` xor v at all distances before q; `v[0]` lies at `base + REACH`. */
  crc32cFold(source: number, base: number, length: number): void;
  /**
   * Goes on by eight zero bytes, with `register` xored into the register before and after them: a register that is equal
   * to it becomes zero, stays so, and is set again. Any other keeps a difference.
   */
  crc32cMark(base: number, register: number): void;
}

/** One vector of the fold: source ^ v at all distances, to `target + offset`. */
const step = (source: number, base: number, offset: number, target: number, targetOffset: number): Code => {
  const before = DISTANCES.map((distance) => load128(get(base), REACH - distance + offset));
  return store128(get(target), before.reduce(xor128, load128(get(source), offset)), targetOffset + offset);
};

/** Turns of the fold until `base` reaches `end`, at least one. */
const turns = (source: number, base: number, end: number): Code =>
  repeat(
    sequence(
      ...[0, 16, 32, 48].map((offset) => step(source, base, offset, base, REACH)),
      advance(source, TURN),
      advance(base, TURN),
    ),
    lessThan(get(base), get(end)),
  );

/** Zeros in whole vectors, at least `length` bytes. */
const clear = (address: Code, offset: number, length: number): Code =>
  sequence(...Array.from({ length: Math.ceil(length / 16) }, (_, i) => store128(address, zero128, offset + 16 * i)));

/** Does the body for every `size` bytes that are left. */
const forEach = (source: number, length: number, size: number, body: Code): Code => {
  const enough = atLeast(get(length), constant(size));
  return when(enough, repeat(sequence(body, advance(source, size), advance(length, -size)), enough));
};

/** The functions, with places in the memory for their tables, scratch and remainder. */
export function crc32cFunctions(tables: number, scratch: number, remainder: number): readonly WasmFunction[] {
  const [source, second, third, base, end, word1, word2, word3] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [length, register, word0] = [second, third, base];

  /** The entry of slice k for the byte of a word that begins at bit `shift`. */
  const entry = (word: Code, shift: number, k: number): Code => {
    const times4 = shift < 2 ? shiftLeft(word, constant(2 - shift)) : shiftRight(word, constant(shift - 2));
    return load32(and(times4, constant(1020)), tables + 1024 * k);
  };
  /** What the four bytes of a word leave in the register, when k more follow the last. */
  const entries = (word: number, k: number): Code =>
    [0, 8, 16, 24].map((shift, i) => entry(get(word), shift, k + 3 - i)).reduce(xor);
  const firstWord = set(word0, xor(load32(get(source)), get(register)));

  // The last bytes are not cleared: what was xored into them by those before is gathered, with zeros in place of their
  // own v, and the register is what the tables make of that, beginning with zero.
  const value = sequence(
    when(
      atLeast(get(length), constant(LEAST)),
      sequence(
        clear(constant(scratch), 0, REACH),
        store32(constant(scratch), get(register)),
        set(base, constant(scratch)),
        set(end, and(subtract(get(length), constant(REACH)), constant(-TURN))),
        set(length, subtract(get(length), get(end))),
        set(end, add(get(base), get(end))),
        turns(source, base, end),
        clear(get(base), REACH, REMAINDER),
        set(end, constant(remainder)),
        ...Array.from({ length: REMAINDER / 16 }, (_, i) => step(source, base, 16 * i, end, 0)),
        set(source, get(end)),
        set(register, constant(0)),
      ),
    ),
    forEach(
      source,
      length,
      16,
      sequence(
        firstWord,
        set(word1, load32(get(source), 4)),
        set(word2, load32(get(source), 8)),
        set(word3, load32(get(source), 12)),
        set(register, [entries(word0, 12), entries(word1, 8), entries(word2, 4), entries(word3, 0)].reduce(xor)),
      ),
    ),
    forEach(source, length, 4, sequence(firstWord, set(register, entries(word0, 0)))),
    forEach(
      source,
      length,
      1,
      set(register, xor(shiftRight(get(register), constant(8)), entry(xor(get(register), load8(get(source))), 0, 0))),
    ),
    get(register),
  );

  const fold = sequence(set(base, add(get(second), get(third))), turns(source, second, base));

  // A register xored in is one that lies over the next four bytes: at the farthest distance before them.
  const markedAt = 0;
  const mark = sequence(
    store64(
      get(markedAt),
      DISTANCES.map((distance) => load64(get(markedAt), REACH - distance)).reduce(xor64, extend(get(second))),
      REACH,
    ),
    store32(get(markedAt), xor(load32(get(markedAt), 8), get(second)), 8),
  );

  return [
    { name: 'crc32c', parameters: 3, result: true, locals: [I32, I32, I32, I32, I32], body: value },
    { name: 'crc32cFold', parameters: 3, result: false, locals: [I32], body: fold },
    { name: 'crc32cMark', parameters: 2, result: false, locals: [], body: mark },
  ];
}
