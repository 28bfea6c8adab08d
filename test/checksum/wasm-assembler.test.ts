// Modules put together by hand: every instruction gives what it stands for, and numbers of any size are encoded right.
import { describe, expect, test } from 'vitest';
import * as asm from '../../src/checksum/wasm-assembler.ts';

// Its types are there with the types of a browser only.
const { Memory, Module, Instance } = (
  globalThis as unknown as {
    WebAssembly: {
      Memory: new (limits: { initial: number }) => { buffer: ArrayBuffer };
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object, imports: object) => { exports: Record<string, (...numbers: number[]) => number> };
    };
  }
).WebAssembly;

const { get, constant } = asm;
const [a, b, c] = [get(0), get(1), get(2)];

/** A function of three numbers, with a local (3) and a vector (4). */
function run(body: asm.Code, numbers: readonly number[] = [], memory = new Memory({ initial: 1 })): number {
  const made: asm.WasmFunction = { name: 'f', parameters: 3, result: true, locals: [asm.I32, asm.V128], body };
  const instance = new Instance(new Module(asm.assemble([made])), { e: { m: memory } });
  return instance.exports['f']!(...numbers);
}

describe('a module put together here', () => {
  const numbers = [0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, 2 ** 31 - 1];
  test.each([...numbers, ...numbers.map((number) => -number), -(2 ** 31)])('holds the constant %d', (number) => {
    expect(run(constant(number))).toBe(number | 0);
  });

  test.each([
    ['add', asm.add(a, b), 0xfff + 77],
    ['subtract', asm.subtract(a, b), 0xfff - 77],
    ['and', asm.and(a, b), 0xfff & 77],
    ['xor', asm.xor(a, b), 0xfff ^ 77],
    ['shiftLeft', asm.shiftLeft(a, c), 0xfff << 3],
    ['shiftRight', asm.shiftRight(constant(-1), constant(31)), 1],
    ['lessThan', asm.lessThan(a, constant(-1)), 1],
    ['atLeast', asm.atLeast(a, constant(-1)), 0],
  ])('computes: %s', (_, body, expected) => {
    expect(run(body, [0xfff, 77, 3])).toBe(expected);
  });

  test('takes a branch if its condition holds', () => {
    const body = asm.sequence(asm.when(a, asm.set(1, constant(5))), b);
    expect(run(body, [1, 2, 0])).toBe(5);
    expect(run(body, [0, 2, 0])).toBe(2);
  });

  test('repeats while its condition holds, once at least', () => {
    const body = asm.sequence(asm.repeat(asm.sequence(asm.advance(3, 10), asm.advance(0, -1)), a), get(3));
    expect(run(body, [7, 0, 0])).toBe(70);
    expect(run(body, [1, 0, 0])).toBe(10);
  });

  test('reads and writes the memory it is given, little endian and at any address', () => {
    const memory = new Memory({ initial: 1 });
    const bytes = new Uint8Array(memory.buffer);
    bytes.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x80], 1001);
    expect(run(asm.load8(a, 1000), [16, 0, 0], memory)).toBe(0x80);
    expect(run(asm.load32(a, 1), [1000, 0, 0], memory)).toBe(0x04030201);
    run(asm.sequence(asm.store32(a, b, 300), a), [2000, -2, 0], memory);
    expect([...bytes.subarray(2299, 2305)]).toEqual([0, 254, 255, 255, 255, 0]);
    run(asm.sequence(asm.store64(a, asm.xor64(asm.load64(b), asm.extend(c))), a), [3001, 1001, -1], memory);
    expect([...bytes.subarray(3000, 3010)]).toEqual([0, 254, 253, 252, 251, 5, 6, 7, 8, 0]);
    const double = asm.xor128(asm.load128(b), asm.xor128(asm.load128(b, 1), asm.zero128));
    run(asm.sequence(asm.store128(a, double, 1), a), [4000, 1001, 0], memory);
    expect([...bytes.subarray(4000, 4018)]).toEqual([0, 3, 1, 7, 1, 3, 1, 15, 1, 3, 1, 7, 1, 3, 1, 0x8f, 0x80, 0]);
  });
});
