import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import type { ByteFile } from '../../src/io/byte-source.ts';
import { createOutput, removeTemporaries, writeOutput, writeOutputAsync } from '../../src/io/output.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Fs = typeof import('node:fs');

// What the output is to see of the system; the real thing where nothing is set.
const system = vi.hoisted(() => ({}) as { -readonly [Name in keyof Fs]?: Fs[Name] });
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<Fs>();
  const linkSync = (...args: Parameters<Fs['linkSync']>) => (system.linkSync ?? real.linkSync)(...args);
  const renameSync = (...args: Parameters<Fs['renameSync']>) => (system.renameSync ?? real.renameSync)(...args);
  const fsyncSync = (...args: Parameters<Fs['fsyncSync']>) => (system.fsyncSync ?? real.fsyncSync)(...args);
  return { ...real, linkSync, renameSync, fsyncSync };
});

afterEach(() => {
  for (const key of Object.keys(system)) delete system[key as keyof typeof system];
});

function throwing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: made up`), { code });
  };
}

const writeHello = (file: ByteFile): void => file.write(0, new TextEncoder().encode('hello'));

/** A target in an otherwise not quite empty directory. */
function newTarget(): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'bystander'), '');
  return join(directory, 'out.db');
}

/** All names beside the target, hidden ones included. */
const namesBeside = (target: string): string[] => readdirSync(dirname(target)).sort();

describe.each([
  ['writeOutput', async (...args: Parameters<typeof writeOutput>) => writeOutput(...args)],
  ['writeOutputAsync', writeOutputAsync],
])('%s', (_, write: (...args: Parameters<typeof writeOutput>) => Promise<void>) => {
  test('makes the file, private to its owner, and leaves nothing else', async () => {
    const target = newTarget();
    await write(target, writeHello);
    expect(readFileSync(target, 'utf8')).toBe('hello');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(statSync(target).nlink).toBe(1);
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('takes the mode', async () => {
    const target = newTarget();
    await write(target, writeHello, { mode: 0o400 });
    expect(statSync(target).mode & 0o777).toBe(0o400);
  });

  test('writes beside the target, under a hidden name, and the target is not there before the end', async () => {
    const target = newTarget();
    const seen: string[] = [];
    await write(
      target,
      (file, temporaryPath) => {
        writeHello(file);
        seen.push(temporaryPath);
        expect(existsSync(target)).toBe(false);
      },
      {
        selfCheck: (temporaryPath) => {
          seen.push(temporaryPath);
          expect(readFileSync(temporaryPath, 'utf8')).toBe('hello');
          expect(existsSync(target)).toBe(false);
        },
      },
    );
    expect(seen[0]).toBe(seen[1]);
    expect(dirname(seen[0])).toBe(dirname(target));
    expect(seen[0]).toMatch(/\/\.etcd-datadir-[^/]+\.tmp$/);
  });

  test('a throw while writing leaves nothing', async () => {
    const target = newTarget();
    const reason = new Error('of the writer');
    await expect(
      write(target, (file) => {
        writeHello(file);
        throw reason;
      }),
    ).rejects.toBe(reason);
    expect(namesBeside(target)).toEqual(['bystander']);
  });

  test('a failed self-check leaves nothing', async () => {
    const target = newTarget();
    const cause = new Error('page 3 is wrong');
    const selfCheck = (): never => {
      throw cause;
    };
    await expect(write(target, writeHello, { selfCheck })).rejects.toMatchObject({
      code: 'SELF_CHECK_FAILED',
      message: `${target}: not made, what was written is wrong: page 3 is wrong`,
      path: target,
      cause,
    });
    expect(namesBeside(target)).toEqual(['bystander']);
  });

  test('an abort during the self-check stays an abort', async () => {
    const target = newTarget();
    const reason = new DatadirError('ABORTED', 'stopped by the caller');
    const selfCheck = (): never => {
      throw reason;
    };
    await expect(write(target, writeHello, { selfCheck })).rejects.toBe(reason);
    expect(namesBeside(target)).toEqual(['bystander']);
  });

  test('a target that exists is not touched, and nothing is written', async () => {
    const target = newTarget();
    for (const make of [
      () => writeFileSync(target, 'mine'),
      () => mkdirSync(`${target}-2`),
      () => symlinkSync('nowhere', `${target}-3`),
    ]) {
      make();
    }
    const before = namesBeside(target);
    const writer = vi.fn();
    for (const taken of [target, `${target}-2`, `${target}-3`]) {
      await expect(write(taken, writer)).rejects.toMatchObject({ code: 'TARGET_EXISTS', path: taken });
    }
    expect(writer).not.toHaveBeenCalled();
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(namesBeside(target)).toEqual(before);
  });

  test('a target that appears meanwhile is not touched', async () => {
    const target = newTarget();
    const selfCheck = (): void => writeFileSync(target, 'theirs');
    await expect(write(target, writeHello, { selfCheck })).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
      path: target,
      systemCode: 'EEXIST',
    });
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('a missing directory is NOT_FOUND, by its own name', async () => {
    const directory = join(temporaryDirectory(), 'missing');
    await expect(write(join(directory, 'out.db'), writeHello)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      path: directory,
    });
  });

  test('a file in the place of the directory is NOT_FOUND', async () => {
    const target = join(newTarget(), '..', 'bystander', 'out.db');
    await expect(write(target, writeHello)).rejects.toMatchObject({ code: 'NOT_FOUND', systemCode: 'ENOTDIR' });
  });

  test('what cannot be a path is a wrong call', async () => {
    await expect(write('a\0b', writeHello)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('works without hard links', async () => {
    const target = newTarget();
    system.linkSync = throwing('EPERM');
    await write(target, writeHello);
    expect(readFileSync(target, 'utf8')).toBe('hello');
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('replaces nothing without hard links either', async () => {
    const target = newTarget();
    system.linkSync = throwing('EPERM');
    const selfCheck = (): void => writeFileSync(target, 'theirs');
    await expect(write(target, writeHello, { selfCheck })).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('a failed rename frees the name again', async () => {
    const target = newTarget();
    system.linkSync = throwing('EPERM');
    system.renameSync = throwing('EIO');
    await expect(write(target, writeHello)).rejects.toMatchObject({ code: 'IO_FAILED', systemCode: 'EIO' });
    expect(namesBeside(target)).toEqual(['bystander']);
  });

  test('a directory that cannot be synced is no failure', async () => {
    const target = newTarget();
    system.fsyncSync = throwing('EINVAL');
    await write(target, writeHello);
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('a directory whose sync fails is one, and leaves the name free', async () => {
    const target = newTarget();
    system.fsyncSync = throwing('EIO');
    await expect(write(target, writeHello)).rejects.toMatchObject({ code: 'IO_FAILED', systemCode: 'EIO' });
    expect(namesBeside(target)).toEqual(['bystander']);
  });
});

test('a directory that may not be written to is NO_PERMISSION, by its own name', () => {
  const target = newTarget();
  chmodSync(dirname(target), 0o555);
  // Else an ordinary user could not clean up.
  onTestFinished(() => chmodSync(dirname(target), 0o755));
  expect(() => asOrdinaryUser(() => writeOutput(target, writeHello))).toThrow(
    expect.objectContaining({ code: 'NO_PERMISSION', path: dirname(target) }),
  );
});

test('of two writers of one target the first to finish wins, whole', async () => {
  const target = newTarget();
  let release: (() => void) | undefined;
  const slow = writeOutputAsync(target, async (file) => {
    file.write(0, new TextEncoder().encode('slow'));
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  writeOutput(target, writeHello);
  release?.();
  await expect(slow).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
  expect(readFileSync(target, 'utf8')).toBe('hello');
  expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
});

describe('abort', () => {
  test('before the start nothing is opened', async () => {
    const target = newTarget();
    const run = writeOutputAsync(target, writeHello, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(namesBeside(target)).toEqual(['bystander']);
  });

  test('after the last byte there is still no target', async () => {
    const target = newTarget();
    const controller = new AbortController();
    const selfCheck = (): void => controller.abort();
    const run = writeOutputAsync(target, writeHello, { signal: controller.signal, selfCheck });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(namesBeside(target)).toEqual(['bystander']);
  });
});

describe('removeTemporaries', () => {
  test('removes every output in the making, and none that is done', async () => {
    const target = newTarget();
    writeOutput(target, writeHello);
    const run = writeOutputAsync(`${target}-2`, async (file) => {
      writeHello(file);
      await new Promise(setImmediate);
      writeHello(file);
    });
    const output = createOutput(`${target}-3`);
    expect(namesBeside(target)).toHaveLength(4);
    removeTemporaries();
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(output.discarded).toBe(true);
    expect(() => output.publish()).toThrow(expect.objectContaining({ code: 'ABORTED' }));
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
    removeTemporaries();
  });
});

describe('createOutput', () => {
  test('publish finishes first, and may be called again', () => {
    const target = newTarget();
    const output = createOutput(target);
    writeHello(output.file);
    output.publish();
    output.publish();
    output.discard();
    expect(output.target).toBe(target);
    expect(readFileSync(target, 'utf8')).toBe('hello');
    expect(namesBeside(target)).toEqual(['bystander', 'out.db']);
  });

  test('discard may be called again', () => {
    const target = newTarget();
    const output = createOutput(target);
    output.discard();
    output.discard();
    expect(namesBeside(target)).toEqual(['bystander']);
  });
});
