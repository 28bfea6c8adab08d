import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sha256InThread } from '../../src/checksum/sha256-thread.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const bytes = Uint8Array.from({ length: (3 << 20) + 17 }, (_, i) => (i * 31) >>> 3);
let descriptor: number;
beforeEach(() => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, bytes);
  descriptor = openSync(path, 'r');
  onTestFinished(() => closeSync(descriptor));
});

const plain = (length: number): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes.subarray(0, length)).digest());

test.each([0, 1, 4096, 1 << 20, bytes.length])('of the first %i bytes', async (length) => {
  expect(await sha256InThread(descriptor, length)).toEqual(plain(length));
});

test('a file that is shorter is told, with where it ends', async () => {
  await expect(sha256InThread(descriptor, bytes.length + 1)).rejects.toMatchObject({
    code: 'FILE_SHRANK',
    offset: bytes.length,
  });
});

test('what cannot be read is no sha256, and is told', async () => {
  await expect(sha256InThread(99_999, 10)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

test('is stopped by its signal, before and meanwhile', async () => {
  await expect(sha256InThread(descriptor, 10, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  const controller = new AbortController();
  const running = sha256InThread(descriptor, bytes.length, controller.signal);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});
