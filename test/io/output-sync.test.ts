/**
 * The disk is waited for while the self-check runs.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { writeOutputAsync } from '../../src/io/output.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Done = (error: Error | null) => void;
/** What a call of fdatasync does; the real one when nothing is set. */
const system: { fdatasync?: ((done: Done) => void) | undefined; calls: number } = { calls: 0 };

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const fdatasync = (descriptor: number, done: Done): void => {
    system.calls++;
    if (system.fdatasync === undefined) real.fdatasync(descriptor, done);
    else system.fdatasync(done);
  };
  return { ...real, fdatasync };
});

function place() {
  system.fdatasync = undefined;
  system.calls = 0;
  const folder = temporaryDirectory();
  return { folder, target: join(folder, 'target') };
}
const write = (file: { write(offset: number, bytes: Uint8Array): void }) => file.write(0, Uint8Array.of(1));
const eio = Object.assign(new Error('EIO'), { code: 'EIO' });

test('the check runs before the sync has ended, the name is given after it', async () => {
  const { target } = place();
  let ended: Done = () => {};
  system.fdatasync = (done) => {
    ended = done;
  };
  const running = writeOutputAsync(target, write, {
    selfCheck: () => {
      setTimeout(() => {
        expect(existsSync(target)).toBe(false);
        ended(null);
      }, 20);
    },
  });
  await running;
  expect(existsSync(target)).toBe(true);
});

test('a failed sync leaves nothing, whenever it is heard of', async () => {
  for (const wait of [0, 20]) {
    const { folder, target } = place();
    system.fdatasync = (done) => setTimeout(() => done(eio), wait);
    const selfCheck = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
    const running = writeOutputAsync(target, write, { selfCheck });
    await expect(running).rejects.toMatchObject({ code: 'IO_FAILED', systemCode: 'EIO' });
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a failed check does not wait for the disk', async () => {
  const { folder, target } = place();
  system.fdatasync = () => {};
  const running = writeOutputAsync(target, write, {
    selfCheck: () => {
      throw new Error('wrong');
    },
  });
  await expect(running).rejects.toMatchObject({ code: 'SELF_CHECK_FAILED' });
  expect(readdirSync(folder)).toEqual([]);
});

test('nor does one who gives up', async () => {
  const { folder, target } = place();
  system.fdatasync = () => {};
  const running = writeOutputAsync(target, write, { signal: AbortSignal.timeout(10) });
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(readdirSync(folder)).toEqual([]);
});

test('without sync the disk is not asked', async () => {
  const { target } = place();
  await writeOutputAsync(target, write, { sync: false });
  expect(system.calls).toBe(0);
  await writeOutputAsync(`${target}-2`, write);
  expect(system.calls).toBe(1);
});
