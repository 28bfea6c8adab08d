import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { removeTemporaries } from '../../src/io/output.ts';
import { type NewDirectory, writeOutputDirectory } from '../../src/io/output-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder: string;
let target: string;
beforeEach(() => {
  folder = temporaryDirectory();
  target = join(folder, 'target');
});

const write = (directory: NewDirectory): void => {
  for (const name of ['a', 'b']) directory.create(name).write(0, new TextEncoder().encode(name));
};

test('the directory has its name only when it is whole and checked', async () => {
  await writeOutputDirectory(
    target,
    (directory) => {
      write(directory);
      expect(existsSync(target)).toBe(false);
    },
    {
      selfCheck: (temporaryPath) => {
        expect(readdirSync(temporaryPath).sort()).toEqual(['a', 'b']);
        expect(existsSync(target)).toBe(false);
      },
    },
  );
  expect(readFileSync(join(target, 'b'), 'utf8')).toBe('b');
  expect(readdirSync(folder)).toEqual(['target']);
});

test('nothing is synced if that was not asked for', async () => {
  await writeOutputDirectory(target, write, { sync: false });
  expect(readdirSync(target).sort()).toEqual(['a', 'b']);
});

test('whatever has the name of the target is in the way, also what takes it meanwhile', async () => {
  const ways = [
    () => mkdirSync(target),
    () => writeFileSync(`${target}1`, ''),
    () => symlinkSync('nowhere', `${target}2`),
  ];
  for (const [i, way] of ways.entries()) {
    const path = i === 0 ? target : `${target}${i}`;
    const running = writeOutputDirectory(path, (directory) => {
      write(directory);
      way();
    });
    await expect(running).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    await expect(writeOutputDirectory(path, write)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
  }
  expect(readdirSync(folder).sort()).toEqual(['target', 'target1', 'target2']);
  expect(readdirSync(target)).toEqual([]);
});

test('a failed check leaves nothing, and is the cause', async () => {
  const cause = new Error('wrong');
  const selfCheck = (): void => {
    throw cause;
  };
  await expect(writeOutputDirectory(target, write, { selfCheck })).rejects.toMatchObject({
    code: 'SELF_CHECK_FAILED',
    cause,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an abort during the check, and the end of the program, leave nothing', async () => {
  const controller = new AbortController();
  const options = { signal: controller.signal, selfCheck: () => controller.abort() };
  await expect(writeOutputDirectory(target, write, options)).rejects.toMatchObject({ code: 'ABORTED' });
  for (const moment of ['write', 'check'] as const) {
    const running = writeOutputDirectory(
      target,
      (directory) => {
        write(directory);
        if (moment === 'write') removeTemporaries();
        directory.create('c');
      },
      { selfCheck: () => removeTemporaries() },
    );
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a missing or unusable directory above is named', async () => {
  await expect(writeOutputDirectory(join(folder, 'no', 'such'), write)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
