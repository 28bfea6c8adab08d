// Frames: what a length field says, in exact bytes; and that it never matters how much is read at a time.
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { MAX_RECORD } from '../../src/wal/format.ts';
import { FrameReader, type FrameStatus } from '../../src/wal/frame-reader.ts';
import { faultySource, seededRandom } from '../support/faulty.ts';
import { concat } from '../support/wal-edit.ts';
import { zeroTailedSource } from '../support/zero-tailed-source.ts';
import { frame } from './etcd/raw-log.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const reader = (text: string, windowSize = 64): FrameReader => new FrameReader(memorySource(hex(text)), { windowSize });

describe('a length field', () => {
  // The first record of every log: 4 bytes, 4 of padding.
  const CRC_0 = '0400000000000084 0804100000000000';

  test.each([
    ['a record of 4 bytes with 4 of padding', CRC_0, 'frame', 4, 4, 16],
    ['a record of 8 bytes without padding', '0800000000000000 0102030405060708', 'frame', 8, 0, 16],
    ['bit 63 without padding, and no bytes at all', '0000000000000080', 'frame', 0, 0, 8],
    ['bit 63, 7 bytes of padding, no record', '0000000000000087 01020304050607', 'frame', 0, 7, 15],
    ['padding bits without bit 63: they do not count', '0100000000000007 ff', 'frame', 1, 0, 9],
    ['bits 59 to 62 do not count', '04000000000000fc 0804100000000000', 'frame', 4, 4, 16],
    ['bit 59 alone: a record of no bytes', '0000000000000008', 'frame', 0, 0, 8],
    ['one byte more than there is', '0500000000000084 0804100000000000', 'beyond', 5, 4, 0],
    ['the padding alone is not there', '0400000000000084 08041000', 'beyond', 4, 4, 0],
    ['2^53 bytes', '0000000000002000 00', 'beyond', 2 ** 53, 0, 0],
    ['2^56 - 1 bytes', 'ffffffffffffff87 00', 'beyond', 2 ** 56 - 1, 7, 0],
    ['eight zeros', '0000000000000000 01', 'zero', 0, 0, 0],
    ['seven bytes', '01000000000000', 'short', 0, 0, 0],
    ['a single zero', '00', 'short', 0, 0, 0],
    ['nothing', '', 'end', 0, 0, 0],
  ] as const)('%s', (_, bytes, status, length, padding, position) => {
    const frames = reader(bytes);
    expect(frames.next()).toBe(status);
    expect(frames.offset).toBe(0);
    expect(frames.length).toBe(length);
    if (status === 'frame' || status === 'beyond') expect(frames.padding).toBe(padding);
    expect(frames.position).toBe(position);
    // Where there is no frame it stays.
    if (status !== 'frame') expect(frames.next()).toBe(status);
  });

  test('frames follow one another; the record lies in the bytes', () => {
    const frames = reader(`${CRC_0} 0100000000000000 aa 0200000000000080 bbcc`);
    const seen: [number, string][] = [];
    while (frames.next() === 'frame')
      seen.push([frames.offset, Buffer.from(frames.bytes.subarray(frames.start, frames.end)).toString('hex')]);
    expect(seen).toEqual([
      [0, '08041000'],
      [16, 'aa'],
      [25, 'bbcc'],
    ]);
    expect(frames.position).toBe(35);
  });

  test('a reader can begin anywhere, and go on elsewhere', () => {
    const bytes = hex(`${CRC_0} 0800000000000000 0102030405060708`);
    const frames = new FrameReader(memorySource(bytes), { start: 16, windowSize: 8 });
    expect(frames.next()).toBe('frame');
    expect([frames.offset, frames.length]).toEqual([16, 8]);
    frames.seek(0);
    expect(frames.next()).toBe('frame');
    expect([frames.offset, frames.length]).toEqual([0, 4]);
    frames.seek(100);
    expect(frames.next()).toBe('end');
  });
});

test('a record too large to be held is not read, nor is memory taken for it', () => {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setBigUint64(0, BigInt(MAX_RECORD) + 1n, true);
  const read: number[] = [];
  const source = faultySource(zeroTailedSource(head, MAX_RECORD + 1000), { onRead: (_, length) => read.push(length) });
  const frames = new FrameReader(source);
  expect(frames.next()).toBe('too-large');
  expect(frames.length).toBe(MAX_RECORD + 1);
  expect(frames.position).toBe(0);
  expect(Math.max(...read)).toBeLessThanOrEqual(1024 * 1024);
});

/** Everything that a reader says of a source. */
function walk(source: ByteSource, windowSize?: number): { seen: unknown[]; status: FrameStatus; offset: number } {
  const frames = new FrameReader(source, windowSize === undefined ? {} : { windowSize });
  const seen: unknown[] = [];
  for (;;) {
    const status = frames.next();
    const { bytes, start, end, offset, padding } = frames;
    if (status !== 'frame') return { seen, status, offset };
    seen.push([offset, padding, Buffer.from(bytes.subarray(start, end + padding)).toString('hex')]);
  }
}

describe('how much is read at a time does not matter', () => {
  const random = seededRandom(11);
  const below = (end: number): number => Math.floor(random() * end);
  const log = (count: number, longest: number): Uint8Array =>
    concat(
      Array.from({ length: count }, () => {
        const body = Uint8Array.from({ length: below(longest) }, () => below(256));
        // A record of no bytes would end the log.
        return frame(body, body.length === 0 ? { field: 1n << 63n } : {});
      }),
    );

  test.each([
    [200, 20, 0],
    [60, 300, 5],
    [20, 3000, 64],
    [3, 100_000, 1],
  ])('%d records of up to %d bytes, %d zeros behind', (count, longest, zeros) => {
    const bytes = concat([log(count, longest), new Uint8Array(zeros)]);
    const expected = walk(memorySource(bytes));
    expect(expected.seen).toHaveLength(count);
    for (const windowSize of [1, 8, 9, 13, 16, 31, 64, 255, 4096, 65_536]) {
      expect(walk(memorySource(bytes), windowSize), `window ${windowSize}`).toEqual(expected);
      const slow = faultySource(memorySource(bytes), { shortReads: windowSize });
      expect(walk(slow, windowSize), `short reads, window ${windowSize}`).toEqual(expected);
    }
  });

  test('cut at any byte', () => {
    const bytes = log(6, 40);
    for (let size = 0; size <= bytes.length; size++) {
      const part = bytes.subarray(0, size);
      const expected = walk(memorySource(part));
      for (const windowSize of [8, 17, 64]) expect(walk(memorySource(part), windowSize)).toEqual(expected);
    }
  });

  test('records of several MiB come between small ones', () => {
    const large = new Uint8Array(5 * 1024 * 1024 + 3).fill(7);
    const bytes = concat([
      frame(hex('01')),
      frame(large),
      frame(hex('02')),
      frame(large.subarray(1)),
      frame(hex('03')),
    ]);
    for (const windowSize of [64, 4096, undefined]) {
      const frames = new FrameReader(memorySource(bytes), windowSize === undefined ? {} : { windowSize });
      const sizes: number[] = [];
      while (frames.next() === 'frame') {
        sizes.push(frames.end - frames.start);
        expect(frames.bytes[frames.start]).toBe(sizes.length % 2 === 0 ? 7 : (sizes.length + 1) / 2);
        expect(frames.bytes[frames.end - 1]).toBe(sizes.length % 2 === 0 ? 7 : (sizes.length + 1) / 2);
      }
      expect(sizes).toEqual([1, large.length, 1, large.length - 1, 1]);
    }
  });

  test('nextInWindow gives the same frames, and leaves the window as it is', () => {
    const bytes = concat([log(300, 60), new Uint8Array(30)]);
    for (const windowSize of [64, 100, 512]) {
      const frames = new FrameReader(memorySource(bytes), { windowSize });
      const plain = new FrameReader(memorySource(bytes), { windowSize: 4096 });
      let held = 0;
      for (;;) {
        const before = frames.bytes;
        const copy = before.slice();
        let status = frames.nextInWindow();
        expect(frames.bytes).toBe(before);
        expect(before).toEqual(copy);
        if (status === 'outside') status = frames.next();
        else held++;
        expect(status).toBe(plain.next());
        expect(frames.offset).toBe(plain.offset);
        if (status !== 'frame') break;
        expect(frames.bytes.slice(frames.start, frames.end)).toEqual(plain.bytes.slice(plain.start, plain.end));
      }
      expect(held).toBeGreaterThan(50);
    }
  });
});

describe('a source that fails', () => {
  const bytes = concat(Array.from({ length: 20 }, (_, i) => frame(new Uint8Array(24).fill(i + 1))));

  test('frames before the bad place are read, whatever the window', () => {
    for (const windowSize of [8, 32, 100, 4096]) {
      const source = faultySource(memorySource(bytes), { failAt: [[32 * 7 + 8, 32 * 7 + 9]] });
      const frames = new FrameReader(source, { windowSize });
      let count = 0;
      let status = frames.next();
      for (; status === 'frame'; status = frames.next()) count++;
      expect(status).toBe('unreadable');
      expect(count).toBe(7);
      expect(frames.offset).toBe(32 * 7);
      expect(frames.error).toMatchObject({ code: 'IO_FAILED' });
      expect(frames.next()).toBe('unreadable');
      // Behind it all is well.
      frames.seek(32 * 8);
      expect(frames.next()).toBe('frame');
      expect(frames.bytes[frames.start]).toBe(9);
    }
  });

  test('a file that got shorter', () => {
    const source = faultySource(memorySource(bytes), { shrinkTo: 100 });
    const frames = new FrameReader(source, { windowSize: 32 });
    let count = 0;
    while (frames.next() === 'frame') count++;
    expect(count).toBe(3);
    expect(frames.error).toMatchObject({ code: 'FILE_SHRANK' });
  });

  test('a source that gives less than it has', () => {
    const short: ByteSource = { ...memorySource(bytes), size: bytes.length + 64 };
    const frames = new FrameReader(short, { windowSize: 4096 });
    for (let i = 0; i < 20; i++) expect(frames.next()).toBe('frame');
    expect(frames.next()).toBe('unreadable');
    expect(frames.error).toMatchObject({ code: 'FILE_SHRANK', offset: bytes.length });
  });
});
