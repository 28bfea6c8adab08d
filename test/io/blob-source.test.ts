import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { afterEach, describe, expect, vi } from 'vitest';
import { type BlobLike, type BlobReaderSync, blobSource } from '../../src/io/blob-source.ts';

/** A Blob whose bytes a reader can get at synchronously, which Node's own cannot. */
class StandIn implements BlobLike {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly start: number;

  constructor(bytes: Uint8Array<ArrayBuffer>, start = 0) {
    this.bytes = bytes;
    this.start = start;
  }

  get size(): number {
    return this.bytes.length;
  }

  slice(start: number, end: number): StandIn {
    return new StandIn(this.bytes.slice(start, end), start);
  }
}

class StandInReader implements BlobReaderSync {
  readonly reads: [start: number, length: number][] = [];

  readAsArrayBuffer(blob: StandIn): ArrayBuffer {
    this.reads.push([blob.start, blob.size]);
    return blob.bytes.buffer;
  }
}

const KIB = 1024;
const CONTENT = Uint8Array.from({ length: 2000 * KIB }, (_, i) => (i * 31 + (i >> 8)) % 256);
const blob = new StandIn(CONTENT);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('blobSource', () => {
  test.prop([
    fc.array(fc.record({ offset: fc.nat(CONTENT.length + 10), length: fc.nat(400 * KIB) }), { maxLength: 10 }),
  ])('reads any ranges in any order', (ranges) => {
    const source = blobSource(blob, { reader: new StandInReader() });
    for (const { offset, length } of ranges) {
      const target = new Uint8Array(length);
      const count = source.readInto(target, offset);
      expect(count).toBe(Math.max(0, Math.min(length, CONTENT.length - offset)));
      expect(Buffer.compare(target.subarray(0, count), CONTENT.subarray(offset, offset + count))).toBe(0);
    }
  });

  test('serves page after page from few reads', () => {
    const reader = new StandInReader();
    const source = blobSource(blob, { reader });
    const page = new Uint8Array(4 * KIB);
    for (let offset = 0; offset < CONTENT.length; offset += page.length) {
      source.readInto(page, offset);
      expect(page[5]).toBe(CONTENT[offset + 5]);
    }
    expect(reader.reads.length).toBe(Math.ceil(2000 / 256));
  });

  test('reads less ahead after a jump', () => {
    const reader = new StandInReader();
    const source = blobSource(blob, { reader });
    const page = new Uint8Array(4 * KIB);
    for (const offset of [1000 * KIB, 100 * KIB, 1900 * KIB]) source.readInto(page, offset);
    expect(reader.reads).toEqual([
      [1000 * KIB, 64 * KIB],
      [100 * KIB, 64 * KIB],
      [1900 * KIB, 64 * KIB],
    ]);
  });

  test('a large read takes exactly what was asked for', () => {
    const reader = new StandInReader();
    const source = blobSource(blob, { reader });
    source.readInto(new Uint8Array(1000 * KIB), 10);
    expect(reader.reads).toEqual([[10, 1000 * KIB]]);
  });

  test('uses the FileReaderSync of a Web Worker', () => {
    vi.stubGlobal('FileReaderSync', StandInReader);
    const target = new Uint8Array(10);
    const source = blobSource(blob);
    expect(source.readInto(target, 0)).toBe(10);
    expect(target).toEqual(CONTENT.subarray(0, 10));
    source.close();
  });

  test('says what is missing where there is none', () => {
    expect(() => blobSource(new Blob(['abc']))).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });

  test('a File that can no longer be read is IO_FAILED with its name', () => {
    const cause = new Error('NotReadableError');
    const reader: BlobReaderSync = {
      readAsArrayBuffer() {
        throw cause;
      },
    };
    const source = blobSource(Object.assign(new StandIn(CONTENT), { name: 'my.db' }), { reader });
    expect(() => source.readInto(new Uint8Array(10), 77)).toThrow(
      expect.objectContaining({ code: 'IO_FAILED', path: 'my.db', offset: 77, cause }),
    );
  });

  test('a reader that gives less than there should be is FILE_SHRANK', () => {
    const reader: BlobReaderSync = { readAsArrayBuffer: () => new ArrayBuffer(3) };
    const source = blobSource(blob, { reader, path: 'x' });
    expect(() => source.readInto(new Uint8Array(10), 77)).toThrow(
      expect.objectContaining({ code: 'FILE_SHRANK', path: 'x', offset: 80 }),
    );
  });
});
