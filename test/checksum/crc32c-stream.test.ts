// Streams of CRC-32C: the same values as the plain function, wherever the pieces are cut and whatever the engine can do.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { Crc32cStream } from '../../src/checksum/crc32c-stream.ts';
import { FoldKernel, sharedKernel } from '../../src/checksum/sparse-fold.ts';
import { seededRandom } from '../support/faulty.ts';

const LENGTH = 400_000;
const random = seededRandom(20);
const below = (end: number): number => Math.floor(random() * end);
const data = Uint8Array.from({ length: LENGTH }, () => below(256));

/** Feeds `data[start, end)` in pieces of up to `longest` bytes. */
function feed(stream: Crc32cStream, start: number, end: number, longest: number): Crc32cStream {
  for (let at = start; at < end; ) {
    const next = Math.min(end, at + 1 + below(longest));
    stream.update(data, at, next);
    at = next;
  }
  return stream;
}

describe('a stream has the CRC of its bytes', () => {
  test('of any length up to 12000, in pieces of any length', () => {
    const wrong: number[] = [];
    for (let length = 0; length <= 12_000; length++) {
      const start = below(64);
      const stream = feed(new Crc32cStream(), start, start + length, 1 + below(6000));
      if (stream.value() !== crc32c(data, start, start + length)) wrong.push(length);
    }
    expect(wrong).toEqual([]);
  });

  test.each([1, 7, 16, 64, 333, 4096, 16_384, 100_000, LENGTH])('in pieces of %d bytes', (piece) => {
    const stream = new Crc32cStream();
    const end = Math.min(LENGTH, piece * 60_000);
    for (let at = 0; at < end; at += piece) stream.update(data, at, Math.min(end, at + piece));
    expect(stream.value()).toBe(crc32c(data, 0, end));
  });

  test('at every alignment of start and end', () => {
    for (let start = 0; start < 70; start++) {
      const end = 30_000 - ((start * 37) % 71);
      const stream = new Crc32cStream();
      stream.update(data.subarray(start), 0, 20_000);
      stream.update(data, start + 20_000, end);
      expect(stream.value()).toBe(crc32c(data, start, end));
    }
  });

  test('after a seed', () => {
    for (const seed of [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, crc32c(data, 0, 100)]) {
      for (const length of [0, 1, 3, 4, 100, 5321, 20_000, 100_000]) {
        const whole = new Crc32cStream(seed);
        whole.update(data, 0, length);
        expect(whole.value()).toBe(crc32c(data, 0, length, seed));
        expect(feed(new Crc32cStream(seed), 0, length, 9000).value()).toBe(crc32c(data, 0, length, seed));
      }
    }
  });

  test('of zeros, which the fold must count too', () => {
    const zeros = new Uint8Array(50_000);
    const stream = new Crc32cStream();
    stream.update(zeros);
    expect(stream.value()).toBe(crc32c(zeros));
  });

  test('of pieces that lie in the memory of a kernel, small and large', () => {
    const kernel = FoldKernel.create(1 << 20)!;
    const window = kernel.allocate(200_000)!;
    window.set(data.subarray(0, window.length));
    const stream = new Crc32cStream(0, () => kernel);
    for (let at = 0, i = 0; at < window.length; i++) {
      const next = Math.min(window.length, at + [20, 511, 512, 513, 40_000][i % 5]!);
      stream.update(window, at, next);
      at = next;
    }
    expect(stream.value()).toBe(crc32c(data, 0, window.length));
    expect(crc32c(window)).toBe(crc32c(data, 0, window.length)); // they were only looked at
  });
});

describe('a stream can be left and gone on with', () => {
  test('its value may be asked for at any time', () => {
    const stream = new Crc32cStream();
    for (let at = 0; at < LENGTH; ) {
      const next = Math.min(LENGTH, at + below(30_000));
      stream.update(data, at, next);
      at = next;
      expect(stream.value()).toBe(crc32c(data, 0, at));
      expect(stream.value()).toBe(crc32c(data, 0, at));
    }
  });

  test('many at a time, more than there are slots', () => {
    const streams = Array.from({ length: 23 }, () => ({ stream: new Crc32cStream(), start: below(1000), at: 0 }));
    for (const each of streams) each.at = each.start;
    for (let i = 0; i < 2000; i++) {
      const each = streams[below(streams.length)]!;
      const next = Math.min(LENGTH, each.at + below(i % 3 === 0 ? 20_000 : 500));
      each.stream.update(data, each.at, next);
      each.at = next;
    }
    for (const { stream, start, at } of streams) expect(stream.value()).toBe(crc32c(data, start, at));
  });
});

describe('the memory of a kernel', () => {
  test('is given out until there is no more', () => {
    const kernel = FoldKernel.create(100_000)!;
    const first = kernel.allocate(50_000)!;
    const second = kernel.allocate(50_000)!;
    expect(first.byteOffset + first.length).toBeLessThanOrEqual(second.byteOffset);
    expect(kernel.allocate(1 << 20)).toBeUndefined();
  });

  test('is shared by those who have none of their own', () => {
    expect(sharedKernel()).toBeDefined();
    expect(sharedKernel()).toBe(sharedKernel());
  });
});

describe('without SIMD', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** The modules as they are in an engine with this WebAssembly. */
  async function streamIn(wasm: unknown): Promise<{ stream: Crc32cStream; kernel: FoldKernel | undefined }> {
    vi.stubGlobal('WebAssembly', wasm);
    vi.resetModules();
    const { Crc32cStream: Fresh } = await import('../../src/checksum/crc32c-stream.ts');
    const fold = await import('../../src/checksum/sparse-fold.ts');
    return { stream: new Fresh(), kernel: fold.sharedKernel() };
  }

  // Its type is there with the types of a browser only.
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: Record<string, unknown> }).WebAssembly;
  const engine = { Memory, Module, Instance };

  class Refusing {
    constructor() {
      throw new Error('refused');
    }
  }

  test.each([
    ['there is no WebAssembly', undefined],
    ['its policy forbids modules, or it knows no SIMD', { ...engine, Module: Refusing }],
    ['there is no memory left', { ...engine, Memory: Refusing }],
  ])('values are the same: %s', async (_why, wasm) => {
    const { stream, kernel } = await streamIn(wasm);
    expect(kernel).toBeUndefined();
    feed(stream, 0, LENGTH, 50_000);
    expect(stream.value()).toBe(crc32c(data));
  });

  test('values are the same when a stream is told to do without', () => {
    expect(feed(new Crc32cStream(5, () => undefined), 3, LENGTH, 9000).value()).toBe(crc32c(data, 3, LENGTH, 5));
  });
});
