/**
 * Puts small WebAssembly modules together byte by byte, so that the inner loops of the checksums need no other tool and no
 * file of their own.
 *
 * A piece of code is a list of bytes and lists. Each function here gives the code of one instruction or of a few that belong
 * together; code that needs operands from the stack says so. A module imports one memory (`e.m`) and exports all its
 * functions, which take and give 32-bit numbers. There are less than 128 functions, and locals in one.
 */

/** Some instructions, encoded: their bytes in order, in lists of any depth. Only the finished module is made flat. */
export type Code = readonly (number | Code)[];

/** What a local variable holds: its code in the binary format. */
type LocalType = typeof I32 | typeof V128;
export const I32 = 0x7f;
export const V128 = 0x7b;

/** A function: its first `parameters` locals are what it is called with, then come those in `locals`. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  /** Whether it leaves a number on the stack for its caller. */
  readonly result: boolean;
  readonly locals: readonly LocalType[];
  readonly body: Code;
}

const FUNCTION_TYPE = 0x60;
const NO_RESULT = 0x40;
const END = 0x0b;
const SIMD = 0xfd;
const MEMORY = 2;
const [TYPES, IMPORTS, FUNCTIONS, EXPORTS, CODES] = [1, 2, 3, 7, 10];

/** LEB128 of an unsigned number below 2^31. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  bytes.push(value);
  return bytes;
}

/** LEB128 of a signed number of 32 bits. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (; value < -64 || value > 63; value >>= 7) bytes.push((value & 0x7f) | 0x80);
  bytes.push(value & 0x7f);
  return bytes;
}

/** One after the other. */
export const sequence = (...parts: readonly Code[]): Code => parts;

export const get = (local: number): Code => [0x20, local];
/** `local = value`. */
export const set = (local: number, value: Code): Code => [value, 0x21, local];
export const constant = (value: number): Code => [0x41, signed(value)];

const binary =
  (...opcode: number[]) =>
  (a: Code, b: Code): Code => [a, b, opcode];
export const add: (a: Code, b: Code) => Code = binary(0x6a);
export const subtract: (a: Code, b: Code) => Code = binary(0x6b);
export const and: (a: Code, b: Code) => Code = binary(0x71);
export const xor: (a: Code, b: Code) => Code = binary(0x73);
export const shiftLeft: (a: Code, b: Code) => Code = binary(0x74);
export const shiftRight: (a: Code, b: Code) => Code = binary(0x76); // zeros come in
export const lessThan: (a: Code, b: Code) => Code = binary(0x49); // unsigned
export const atLeast: (a: Code, b: Code) => Code = binary(0x4f); // unsigned
export const xor64: (a: Code, b: Code) => Code = binary(0x85);
export const xor128: (a: Code, b: Code) => Code = binary(SIMD, 0x51);
/** A 32-bit number as one of 64 bits, unsigned. */
export const extend = (value: Code): Code => [value, 0xad];
export const zero128: Code = [SIMD, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** `local += amount`. */
export const advance = (local: number, amount: number): Code => set(local, add(get(local), constant(amount)));

// Accesses to the memory at `address + offset`. All state an alignment of 1: nothing here is aligned for certain.
const loading =
  (...opcode: number[]) =>
  (address: Code, offset = 0): Code => [address, opcode, 0, unsigned(offset)];
export const load8: (address: Code, offset?: number) => Code = loading(0x2d); // unsigned
export const load32: (address: Code, offset?: number) => Code = loading(0x28);
export const load64: (address: Code, offset?: number) => Code = loading(0x29);
export const load128: (address: Code, offset?: number) => Code = loading(SIMD, 0x00);
const storing =
  (...opcode: number[]) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, opcode, 0, unsigned(offset)];
export const store32: (address: Code, value: Code, offset?: number) => Code = storing(0x36);
export const store64: (address: Code, value: Code, offset?: number) => Code = storing(0x37);
export const store128: (address: Code, value: Code, offset?: number) => Code = storing(SIMD, 0x0b);

/** Does the body if the condition holds. */
export const when = (condition: Code, body: Code): Code => [condition, 0x04, NO_RESULT, body, END];
/** Does the body, and again as long as the condition holds. */
export const repeat = (body: Code, condition: Code): Code => [0x03, NO_RESULT, body, condition, 0x0d, 0, END];

const name = (text: string): Code => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))];

function flatten(code: Code, bytes: number[] = []): number[] {
  for (const part of code) {
    if (typeof part === 'number') bytes.push(part);
    else flatten(part, bytes);
  }
  return bytes;
}

/** With its length in front. */
function measured(code: Code): Code {
  const bytes = flatten(code);
  return [unsigned(bytes.length), bytes];
}

const section = (id: number, items: readonly Code[]): Code => [id, measured([unsigned(items.length), items])];

/** The binary module of these functions. */
export function assemble(functions: readonly WasmFunction[]): Uint8Array {
  const numbers = (count: number): Code => [count, ...new Array<number>(count).fill(I32)];
  const types = functions.map(({ parameters, result }) => [
    FUNCTION_TYPE,
    numbers(parameters),
    numbers(result ? 1 : 0),
  ]);
  const exported = functions.map((one, i) => [name(one.name), 0, i]);
  const code = functions.map(({ locals, body }) =>
    measured([locals.length, locals.map((type) => [1, type]), body, END]),
  );
  return Uint8Array.from(
    flatten([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(TYPES, types),
      section(IMPORTS, [[name('e'), name('m'), MEMORY, 0, 1]]), // of any size
      section(
        FUNCTIONS,
        functions.map((_, i) => [i]),
      ),
      section(EXPORTS, exported),
      section(CODES, code),
    ]),
  );
}
