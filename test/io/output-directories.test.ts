import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { removeTemporaries } from '../../src/io/output.ts';
import { type NewDirectory, writeOutputDirectories, writeOutputDirectory } from '../../src/io/output-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder: string;
let data: string;
let log: string;
beforeEach(() => {
  folder = temporaryDirectory();
  data = join(folder, 'data');
  log = join(folder, 'log');
});

const bytes = new TextEncoder().encode('x');
const fill = (directory: NewDirectory): void => {
  directory.makeFolder('member/snap');
  directory.create('member/snap/db').write(0, bytes);
};
const fillAll = (directories: readonly NewDirectory[]): void => directories.forEach(fill);
const tree = (at: string = folder): string[] => readdirSync(at, { recursive: true, encoding: 'utf8' }).sort();
const fails = (): void => {
  throw new Error('wrong');
};
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('folders in it', () => {
  test('are made with those above, for their owner alone', async () => {
    await writeOutputDirectory(data, (directory) => {
      expect(directory.makeFolder('member/snap')).toBe(join(directory.temporaryPath, 'member', 'snap'));
      fill(directory);
    });
    expect(tree(data)).toEqual(['member', 'member/snap', 'member/snap/db']);
    for (const path of ['.', 'member', 'member/snap']) expect(modeOf(join(data, path))).toBe(0o700);
    expect(modeOf(join(data, 'member/snap/db'))).toBe(0o600);
  });

  test('no file without its folder, and none twice', async () => {
    const missing = writeOutputDirectory(data, (directory) => void directory.create('a/b'));
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const twice = writeOutputDirectory(data, (directory) => {
      fill(directory);
      fill(directory);
    });
    await expect(twice).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(tree()).toEqual([]);
  });
});

describe('an empty directory that is there', () => {
  test('is in the way, unless it may be filled', async () => {
    mkdirSync(data);
    await expect(writeOutputDirectory(data, fill)).rejects.toMatchObject({ code: 'TARGET_EXISTS', path: data });
    await writeOutputDirectory(data, fill, { intoEmpty: true });
    expect(tree()).toEqual(['data', 'data/member', 'data/member/snap', 'data/member/snap/db']);
  });

  test('stays the same directory, with its mode: it may be where a volume is mounted', async () => {
    mkdirSync(data, { mode: 0o755 });
    const { ino } = statSync(data);
    await writeOutputDirectory(data, fill, { intoEmpty: true });
    expect(statSync(data)).toMatchObject({ ino });
    expect(modeOf(data)).toBe(0o755);
    expect(modeOf(join(data, 'member'))).toBe(0o700);
  });

  test('may be reached by a symbolic link', async () => {
    mkdirSync(data);
    const link = join(folder, 'link');
    symlinkSync('data', link);
    await writeOutputDirectory(link, fill, { intoEmpty: true });
    expect(tree(data)).toEqual(['member', 'member/snap', 'member/snap/db']);
  });

  test('is as it was after a failure, at whatever point', async () => {
    mkdirSync(data, { mode: 0o755 });
    const before = statSync(data).ino;
    const points: Parameters<typeof writeOutputDirectory>[] = [
      [data, fails, { intoEmpty: true }],
      [data, fill, { intoEmpty: true, selfCheck: fails }],
      [data, fill, { intoEmpty: true, signal: AbortSignal.abort() }],
    ];
    for (const point of points) {
      await expect(writeOutputDirectory(...point)).rejects.toThrow();
      expect(tree()).toEqual(['data']);
    }
    expect(statSync(data).ino).toBe(before);
  });

  test('that is not empty any more, or never was, is left alone', async () => {
    mkdirSync(data);
    const meanwhile = writeOutputDirectory(
      data,
      (directory) => {
        fill(directory);
        writeFileSync(join(data, 'theirs'), '');
      },
      { intoEmpty: true },
    );
    await expect(meanwhile).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(tree()).toEqual(['data', 'data/theirs']);
    await expect(writeOutputDirectory(data, fill, { intoEmpty: true })).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
      message: `${data}: not empty, it has theirs`,
    });
    writeFileSync(log, 'a file');
    await expect(writeOutputDirectory(log, fill, { intoEmpty: true })).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readFileSync(log, 'utf8')).toBe('a file');
    expect(tree()).toEqual(['data', 'data/theirs', 'log']);
  });
});

describe('directories above that are missing', () => {
  const deep = (): string => join(folder, 'a', 'b', 'data');

  test('are made only if that was asked for', async () => {
    await expect(writeOutputDirectory(deep(), fill)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await writeOutputDirectories([{ path: deep(), makeParents: true }], fillAll);
    expect(existsSync(join(deep(), 'member/snap/db'))).toBe(true);
    for (const path of ['a', 'a/b', 'a/b/data']) expect(modeOf(join(folder, path))).toBe(0o700);
  });

  test('are gone after a failure, unless somebody uses them', async () => {
    const run = (write: () => void) =>
      writeOutputDirectories([{ path: deep(), makeParents: true }], () => {
        write();
        fails();
      });
    await expect(run(() => {})).rejects.toThrow('wrong');
    expect(tree()).toEqual([]);
    await expect(run(() => writeFileSync(join(folder, 'a', 'theirs'), ''))).rejects.toThrow('wrong');
    expect(tree()).toEqual(['a', 'a/theirs']);
  });

  test('a file among them is told, and nothing is made', async () => {
    writeFileSync(join(folder, 'a'), '');
    await expect(writeOutputDirectories([{ path: deep(), makeParents: true }], fillAll)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:NOT_FOUND|IO_FAILED|TARGET_EXISTS)$/),
    });
    expect(tree()).toEqual(['a']);
  });
});

describe('several at once', () => {
  test('all are there in the end', async () => {
    await writeOutputDirectories([{ path: log }, { path: data }], fillAll, {
      selfCheck: (paths) => {
        expect(paths).toHaveLength(2);
        expect(existsSync(log) || existsSync(data)).toBe(false);
      },
    });
    expect(readdirSync(folder).sort()).toEqual(['data', 'log']);
  });

  test('or none: what was named already is taken back', async () => {
    for (const way of [() => mkdirSync(data), () => writeFileSync(data, '')]) {
      const running = writeOutputDirectories([{ path: log }, { path: data }], (directories) => {
        fillAll(directories);
        way();
      });
      await expect(running).rejects.toMatchObject({ code: 'TARGET_EXISTS', path: data });
      expect(tree()).toEqual(['data']);
      rmSync(data, { recursive: true });
    }
  });

  test('an empty directory that was filled is emptied again', async () => {
    mkdirSync(log);
    const running = writeOutputDirectories([{ path: log, intoEmpty: true }, { path: data }], (directories) => {
      fillAll(directories);
      mkdirSync(data);
    });
    await expect(running).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(tree()).toEqual(['data', 'log']);
  });

  test('the second is in the way from the start: the first leaves nothing', async () => {
    mkdirSync(data);
    await expect(writeOutputDirectories([{ path: log }, { path: data }], fillAll)).rejects.toMatchObject({
      code: 'TARGET_EXISTS',
      path: data,
    });
    expect(tree()).toEqual(['data']);
  });

  test('a directory above that was made for both of them goes with the last', async () => {
    // The one that had made it was removed first, while the other was still in it; so it stayed.
    const targets = ['log', 'b/data'].map((name) => ({ path: join(folder, 'a', name), makeParents: true }));
    for (const order of [targets, targets.toReversed()]) {
      await expect(writeOutputDirectories(order, fails)).rejects.toThrow('wrong');
      expect(tree()).toEqual([]);
      const atTheEnd = writeOutputDirectories(order, (directories) => {
        fillAll(directories);
        mkdirSync(order[1]!.path);
      });
      await expect(atTheEnd).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
      rmSync(order[1]!.path, { recursive: true });
      const left = tree();
      // Only what the intruder stood in.
      expect(left.filter((path) => !order[1]!.path.startsWith(join(folder, path)))).toEqual([]);
      rmSync(join(folder, 'a'), { recursive: true });
    }
  });

  test('the end of the program in the middle leaves nothing', async () => {
    const running = writeOutputDirectories(
      [{ path: join(folder, 'a', 'log'), makeParents: true }, { path: data }],
      (directories) => {
        fillAll(directories);
        removeTemporaries();
        expect(tree()).toEqual([]);
      },
    );
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(tree()).toEqual([]);
  });
});
