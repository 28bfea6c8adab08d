// What reaches the file, and when: whole pages, or everything when it is asked for.
import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { PageWriter } from '../../../src/wal/page-writer.ts';
import { faultyFile, seededRandom } from '../../support/faulty.ts';

const BUFFER = 128 * 1024;

/** A writer from `offset` on, and the ranges that it hands over. */
function recorded(offset = 0) {
  const file = faultyFile(memoryFile(new Uint8Array(offset)));
  const ranges = (): [number, number][] =>
    file.events.flatMap((event) => (event.kind === 'write' ? [[event.offset, event.offset + event.bytes.length]] : []));
  return { file, writer: new PageWriter(file, offset), ranges };
}

describe('a page writer', () => {
  test('keeps what fits into its buffer', () => {
    const { writer, ranges } = recorded();
    writer.write(new Uint8Array(BUFFER - 8));
    writer.write(new Uint8Array(8));
    expect(ranges()).toEqual([]);
    expect([writer.written, writer.position]).toEqual([0, BUFFER]);
  });

  test('hands everything over when it is told to, wherever that ends', () => {
    const { writer, ranges } = recorded(24);
    writer.write(new Uint8Array(100));
    writer.flush();
    writer.flush();
    writer.write(new Uint8Array(16));
    writer.flush();
    expect(ranges()).toEqual([
      [24, 124],
      [124, 140],
    ]);
  });

  test('fills the page that was begun before it writes', () => {
    const { writer, ranges } = recorded(40);
    writer.write(new Uint8Array(BUFFER));
    writer.write(new Uint8Array(5000));
    // 40 + 131072 is in the middle of a page, whose rest is taken from the second piece.
    expect(ranges()).toEqual([[40, BUFFER + 4096]]);
    expect(writer.position).toBe(40 + BUFFER + 5000);
  });

  test('waits when there is not enough for the page', () => {
    const { writer, ranges } = recorded(40);
    writer.write(new Uint8Array(BUFFER));
    writer.write(new Uint8Array(100));
    writer.write(new Uint8Array(3955));
    expect(ranges()).toEqual([]);
    writer.write(new Uint8Array(1));
    expect(ranges()).toEqual([[40, BUFFER + 4096]]);
  });

  test('writes whole pages of a large piece at once and keeps the rest', () => {
    const { writer, ranges } = recorded();
    writer.write(new Uint8Array(8));
    writer.write(new Uint8Array(300_000));
    expect(ranges()).toEqual([
      [0, 4096],
      [4096, 299_008],
    ]);
    expect(writer.position).toBe(300_008);
  });

  test('keeps a last page that is just whole', () => {
    const { writer, ranges } = recorded();
    writer.write(new Uint8Array(BUFFER));
    writer.write(new Uint8Array(4096));
    expect(ranges()).toEqual([[0, BUFFER]]);
  });

  test.each([1, 2, 3, 4, 5, 6])('loses and changes nothing, seed %i', (seed) => {
    const random = seededRandom(seed);
    const start = Math.floor(random() * 10_000);
    const { file, writer, ranges } = recorded(start);
    const expected: Uint8Array[] = [];
    const flushes = new Set<number>();
    for (let i = 0; i < 200; i++) {
      const piece = new Uint8Array(Math.floor(random() ** 6 * 200_000)).fill(i).fill(i + 1, -7);
      expected.push(piece);
      writer.write(piece);
      if (random() < 0.05) {
        writer.flush();
        flushes.add(writer.written);
      }
    }
    writer.flush();
    flushes.add(writer.written);
    const content = file.events.flatMap((event) => (event.kind === 'write' ? [event.bytes] : []));
    expect(Buffer.concat(content).equals(Buffer.concat(expected))).toBe(true);
    let at = start;
    for (const [from, to] of ranges()) {
      expect(from).toBe(at);
      if (!flushes.has(to)) expect(to % 4096).toBe(0);
      at = to;
    }
  });
});
