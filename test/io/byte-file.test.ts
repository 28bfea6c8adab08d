// The two kinds of file must behave alike: the same operations on a real file and on one in memory.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, vi } from 'vitest';
import { openByteFile } from '../../src/io/byte-file.ts';
import type { ByteFile } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { seededRandom } from '../support/faulty.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Fs = typeof import('node:fs');

// What the file is to see of the system; the real thing where nothing is set.
const system = vi.hoisted(() => ({}) as { -readonly [Name in keyof Fs]?: Fs[Name] });
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<Fs>();
  const writeSync = (...args: [number, Uint8Array, number, number, number]) =>
    (system.writeSync ?? real.writeSync)(...args);
  const fdatasyncSync = (fd: number) => (system.fdatasyncSync ?? real.fdatasyncSync)(fd);
  const fsyncSync = (fd: number) => (system.fsyncSync ?? real.fsyncSync)(fd);
  return { ...real, writeSync, fdatasyncSync, fsyncSync };
});
const real = await vi.importActual<Fs>('node:fs');

afterEach(() => {
  for (const key of Object.keys(system)) delete system[key as keyof typeof system];
});

function throwing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: made up`), { code });
  };
}

function newFile(): ByteFile & { path: string } {
  const file = openByteFile(join(temporaryDirectory(), 'db'), { create: 'exclusive' });
  onTestFinished(() => file.close());
  return file;
}

function contentOf(file: ByteFile): Uint8Array {
  const bytes = new Uint8Array(file.size + 10);
  return bytes.subarray(0, file.readInto(bytes, 0));
}

describe.each([
  ['openByteFile', newFile],
  ['memoryFile', () => memoryFile()],
])('%s', (_, create: () => ByteFile) => {
  test('grows by writing, with zeros in a gap', () => {
    const file = create();
    expect(file.size).toBe(0);
    file.write(3, Uint8Array.of(1, 2));
    expect(contentOf(file)).toEqual(Uint8Array.of(0, 0, 0, 1, 2));
    file.write(1, Uint8Array.of(9));
    expect(contentOf(file)).toEqual(Uint8Array.of(0, 9, 0, 1, 2));
    file.write(100, new Uint8Array(0));
    expect(file.size).toBe(5);
    expect(file.currentSize?.()).toBe(5);
  });

  test('what was cut off does not come back', () => {
    const file = create();
    file.write(0, Uint8Array.of(1, 2, 3, 4));
    file.truncate(2);
    expect(contentOf(file)).toEqual(Uint8Array.of(1, 2));
    file.truncate(4);
    expect(contentOf(file)).toEqual(Uint8Array.of(1, 2, 0, 0));
    file.sync();
  });

  test.each([-1, 1.5])('an offset of %d is a bug of the caller', (offset) => {
    const file = create();
    expect(() => file.write(offset, Uint8Array.of(1))).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(() => file.truncate(offset)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(() => file.readInto(new Uint8Array(1), offset)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});

test.prop(
  [
    fc.array(
      fc.oneof(
        fc.record({ offset: fc.nat(10_000), bytes: fc.uint8Array({ maxLength: 3000 }) }),
        fc.record({ size: fc.nat(12_000) }),
      ),
      { maxLength: 12 },
    ),
  ],
  // Every truncation syncs.
  { numRuns: 30 },
)('a file in memory does what a real one does', (operations) => {
  const disk = openByteFile(join(temporaryDirectory(), 'db'), { create: 'exclusive' });
  const memory = memoryFile();
  for (const operation of operations) {
    for (const file of [disk, memory]) {
      if ('size' in operation) file.truncate(operation.size);
      else file.write(operation.offset, operation.bytes);
    }
    expect(memory.size).toBe(disk.size);
  }
  expect(memory.bytes()).toEqual(contentOf(disk));
  expect(contentOf(memory)).toEqual(contentOf(disk));
  disk.close();
});

describe('openByteFile', () => {
  test('by default wants the file to be there', () => {
    const path = join(temporaryDirectory(), 'db');
    expect(() => openByteFile(path)).toThrow(expect.objectContaining({ code: 'NOT_FOUND', path }));
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'abc');
    const file = openByteFile(path);
    file.write(1, Uint8Array.of(0x58));
    file.close();
    expect(readFileSync(path, 'latin1')).toBe('aXc');
  });

  test('if-missing makes the file, and keeps one that is there', () => {
    const path = join(temporaryDirectory(), 'db');
    for (const expected of [0, 1]) {
      const file = openByteFile(path, { create: 'if-missing' });
      expect(file.size).toBe(expected);
      file.write(0, Uint8Array.of(1));
      file.close();
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('exclusive takes no name that is in use', () => {
    const path = join(temporaryDirectory(), 'db');
    writeFileSync(path, 'abc');
    mkdirSync(`${path}-directory`);
    execFileSync('mkfifo', [`${path}-fifo`]);
    for (const taken of [path, `${path}-directory`, `${path}-fifo`]) {
      expect(() => openByteFile(taken, { create: 'exclusive' })).toThrow(
        expect.objectContaining({ code: 'TARGET_EXISTS', path: taken }),
      );
    }
  });

  test('refuses what is not a regular file', () => {
    for (const path of ['/dev/null', temporaryDirectory()]) {
      expect(() => openByteFile(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path }));
    }
  });

  test('goes on after short writes', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
    for (let seed = 0; seed < 10; seed++) {
      const random = seededRandom(seed);
      system.writeSync = ((fd: number, from: Uint8Array, at: number, length: number, position: number) =>
        real.writeSync(fd, from, at, 1 + Math.floor(random() * length), position)) as typeof real.writeSync;
      const file = newFile();
      file.write(7, bytes);
      expect(contentOf(file).subarray(7)).toEqual(bytes);
    }
  });

  test('a full disk is IO_FAILED with the place reached', () => {
    const file = newFile();
    system.writeSync = ((fd: number, from: Uint8Array, at: number, length: number, position: number) => {
      if (at > 0) return throwing('ENOSPC')();
      return real.writeSync(fd, from, at, Math.min(length, 100), position);
    }) as typeof real.writeSync;
    expect(() => file.write(1000, new Uint8Array(300))).toThrow(
      expect.objectContaining({ code: 'IO_FAILED', systemCode: 'ENOSPC', path: file.path, offset: 1100 }),
    );
    expect(file.size).toBe(1100);
  });

  test('a failing sync is IO_FAILED', () => {
    const file = newFile();
    system.fdatasyncSync = throwing('EIO');
    expect(() => file.sync()).toThrow(expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO' }));
    system.fsyncSync = throwing('EIO');
    expect(() => file.truncate(10)).toThrow(expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO' }));
    expect(file.size).toBe(10);
  });

  test('nothing works after close', () => {
    const file = newFile();
    file.close();
    for (const use of [() => file.write(0, Uint8Array.of(1)), () => file.truncate(0), () => file.sync()]) {
      expect(use).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    }
  });
});

describe('memoryFile', () => {
  test('starts with a copy', () => {
    const initial = Uint8Array.of(1, 2, 3);
    const file = memoryFile(initial, 'name');
    initial.fill(9);
    expect(file.bytes()).toEqual(Uint8Array.of(1, 2, 3));
    expect(file.path).toBe('name');
    file.close();
  });

  test('a size that memory cannot hold is IO_FAILED', () => {
    expect(() => memoryFile(new Uint8Array(0), 'name').truncate(2 ** 52)).toThrow(
      expect.objectContaining({ code: 'IO_FAILED', systemCode: 'ENOSPC', path: 'name' }),
    );
  });
});
