import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FileSource, fileSourceFromDescriptor, openFileSource } from '../../src/io/file-source.ts';
import { seededRandom } from '../support/faulty.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Fs = typeof import('node:fs');

// What the source is to see of the system; the real thing where nothing is set.
const system = vi.hoisted(() => ({}) as { -readonly [Name in keyof Fs]?: Fs[Name] });
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<Fs>();
  const readSync = (...args: Parameters<typeof real.readSync>) => (system.readSync ?? real.readSync)(...args);
  const statSync = (...args: [string]) => (system.statSync ?? real.statSync)(...args);
  const fstatSync = (...args: [number]) => (system.fstatSync ?? real.fstatSync)(...args);
  return { ...real, readSync, statSync, fstatSync };
});
const real = await vi.importActual<Fs>('node:fs');

afterEach(() => {
  for (const key of Object.keys(system)) delete system[key as keyof typeof system];
});

const CONTENT = Uint8Array.from({ length: 10_000 }, (_, i) => (i * 7) % 256);

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code });
}

function open(path: string): FileSource {
  const source = openFileSource(path);
  onTestFinished(() => source.close());
  return source;
}

function fileWithContent(): string {
  const path = join(temporaryDirectory(), 'db');
  writeFileSync(path, CONTENT);
  return path;
}

describe('openFileSource', () => {
  test('opens a regular file, also through a symbolic link', () => {
    const path = fileWithContent();
    symlinkSync(path, `${path}-link`);
    for (const name of [path, `${path}-link`]) {
      expect(open(name)).toMatchObject({ size: CONTENT.length, path: name });
    }
  });

  test('a missing file is NOT_FOUND', () => {
    const path = join(temporaryDirectory(), 'missing');
    expect(() => openFileSource(path)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', path, systemCode: 'ENOENT', cause: expect.anything() }),
    );
  });

  test('a file taken for a directory is NOT_FOUND', () => {
    const path = join(fileWithContent(), 'inside');
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_FOUND', systemCode: 'ENOTDIR' }));
  });

  test('a file that may not be read is NO_PERMISSION', () => {
    const path = fileWithContent();
    chmodSync(join(path, '..'), 0o755);
    chmodSync(path, 0);
    expect(() => asOrdinaryUser(() => openFileSource(path))).toThrow(
      expect.objectContaining({ code: 'NO_PERMISSION', path, systemCode: 'EACCES' }),
    );
  });

  test('a directory is refused', () => {
    const path = temporaryDirectory();
    const message = `${path}: a directory, not a regular file`;
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path, message }));
  });

  test('a FIFO is refused at once', () => {
    const path = join(temporaryDirectory(), 'fifo');
    execFileSync('mkfifo', [path]);
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path }));
  });

  test('a FIFO that takes the place of a file at the last moment is refused at once', () => {
    const regular = fileWithContent();
    const path = join(temporaryDirectory(), 'fifo');
    execFileSync('mkfifo', [path]);
    system.statSync = (() => real.statSync(regular)) as unknown as typeof real.statSync;
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path }));
  });

  test.each(['/dev/zero', '/dev/null', '/dev/tty'])('%s is refused', (path) => {
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path }));
  });

  test('a socket is refused', async () => {
    const path = join(temporaryDirectory(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE', path }));
  });

  test('what cannot be a path is a wrong call', () => {
    expect(() => openFileSource('a\0b')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('any other failure is IO_FAILED with the code of the system', () => {
    const path = join(temporaryDirectory(), 'x'.repeat(300));
    expect(() => openFileSource(path)).toThrow(
      expect.objectContaining({ code: 'IO_FAILED', path, systemCode: 'ENAMETOOLONG', cause: expect.anything() }),
    );
  });

  test('closes the file again when asking about it fails', () => {
    const path = fileWithContent();
    system.fstatSync = () => {
      throw systemError('EIO');
    };
    expect(() => openFileSource(path)).toThrow(expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO' }));
    delete system.fstatSync;
    const before = open(path).descriptor;
    system.fstatSync = () => {
      throw systemError('EIO');
    };
    expect(() => openFileSource(path)).toThrow();
    delete system.fstatSync;
    // The system gives out the smallest free number.
    expect(open(path).descriptor).toBe(before + 1);
  });
});

describe('reading', () => {
  test('any range, fewer bytes only at the end', () => {
    const source = open(fileWithContent());
    const target = new Uint8Array(4000);
    expect(source.readInto(target, 3000)).toBe(4000);
    expect(target).toEqual(CONTENT.subarray(3000, 7000));
    expect(source.readInto(target, 9000)).toBe(1000);
    expect(target.subarray(0, 1000)).toEqual(CONTENT.subarray(9000));
    expect(source.readInto(target, 10_000)).toBe(0);
    expect(source.readInto(target, 99_999)).toBe(0);
    expect(source.readInto(new Uint8Array(0), 0)).toBe(0);
  });

  test('goes on after short reads', () => {
    const source = open(fileWithContent());
    for (let seed = 0; seed < 20; seed++) {
      const random = seededRandom(seed);
      system.readSync = ((fd: number, buffer: Uint8Array, at: number, length: number, position: number) =>
        real.readSync(fd, buffer, at, 1 + Math.floor(random() * length), position)) as typeof real.readSync;
      const target = new Uint8Array(CONTENT.length + 10);
      expect(source.readInto(target, 0)).toBe(CONTENT.length);
      expect(target.subarray(0, CONTENT.length)).toEqual(CONTENT);
    }
  });

  test('a file that was cut meanwhile is FILE_SHRANK, not zeros', () => {
    const path = fileWithContent();
    const source = open(path);
    truncateSync(path, 5000);
    expect(source.readInto(new Uint8Array(5000), 0)).toBe(5000);
    for (const [offset, at] of [
      [0, 5000],
      [4999, 5000],
      [7000, 7000],
    ]) {
      expect(() => source.readInto(new Uint8Array(6000), offset)).toThrow(
        expect.objectContaining({ code: 'FILE_SHRANK', path, offset: at, expected: '10000' }),
      );
    }
    expect(source.currentSize()).toBe(5000);
    expect(source.readInto(new Uint8Array(10), 10_000)).toBe(0);
  });

  test('a file that grew can be read beyond its first size', () => {
    const path = fileWithContent();
    const source = open(path);
    appendFileSync(path, 'more');
    const target = new Uint8Array(100);
    expect(source.readInto(target, 9990)).toBe(14);
    expect(new TextDecoder().decode(target.subarray(10, 14))).toBe('more');
    expect(source.size).toBe(10_000);
    expect(source.currentSize()).toBe(10_004);
  });

  test('a failing read is IO_FAILED with the place', () => {
    const path = fileWithContent();
    const source = open(path);
    const cause = systemError('EIO');
    system.readSync = ((fd: number, buffer: Uint8Array, at: number, length: number, position: number) => {
      if (position >= 4096) throw cause;
      return real.readSync(fd, buffer, at, Math.min(length, 4096), position);
    }) as typeof real.readSync;
    expect(() => source.readInto(new Uint8Array(8192), 0)).toThrow(
      expect.objectContaining({
        code: 'IO_FAILED',
        message: `${path}: read of 4096 bytes at offset 4096 gave EIO`,
        path,
        offset: 4096,
        systemCode: 'EIO',
        cause,
      }),
    );
  });

  test('a failing question for the size is IO_FAILED', () => {
    const source = open(fileWithContent());
    system.fstatSync = () => {
      throw systemError('EIO');
    };
    expect(() => source.currentSize()).toThrow(expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO' }));
  });
});

describe('closing', () => {
  test('may be done twice, and nothing works afterwards', () => {
    const source = openFileSource(fileWithContent());
    source.close();
    source.close();
    // Another file now has the number of the closed one.
    open(fileWithContent());
    expect(() => source.readInto(new Uint8Array(1), 0)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(() => source.currentSize()).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  test('leaves open a descriptor that belongs to someone else', () => {
    const owner = open(fileWithContent());
    const borrower = fileSourceFromDescriptor(owner.descriptor, owner.size, owner.path);
    expect(borrower.readInto(new Uint8Array(10), 0)).toBe(10);
    borrower.close();
    expect(() => borrower.readInto(new Uint8Array(10), 0)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(owner.readInto(new Uint8Array(10), 0)).toBe(10);
  });

  test('closes a descriptor that was handed over', () => {
    const descriptor = real.openSync(fileWithContent(), 'r');
    fileSourceFromDescriptor(descriptor, 10_000, 'db', { closeDescriptor: true }).close();
    expect(() => real.fstatSync(descriptor)).toThrow('EBADF');
  });
});

test('reading changes neither the file nor its directory', () => {
  const path = fileWithContent();
  mkdirSync(join(path, '..', 'other'));
  const before = [real.statSync(path, { bigint: true }).mtimeNs, real.readdirSync(join(path, '..'))];
  const source = openFileSource(path);
  source.readInto(new Uint8Array(20_000), 0);
  source.close();
  expect([real.statSync(path, { bigint: true }).mtimeNs, real.readdirSync(join(path, '..'))]).toEqual(before);
});
