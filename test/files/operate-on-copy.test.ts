// Surgery on files: what is left on the disk, whatever happens.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { clearPage } from '../../src/bolt/surgery/clear-page-elements.ts';
import { planRevertMetaPage, revertMetaPage } from '../../src/bolt/surgery/revert-meta-page.ts';
import { applyToCopy, operateOnCopy } from '../../src/files/operate-on-copy.ts';
import { openByteFile } from '../../src/io/byte-file.ts';
import type { Progress } from '../../src/io/job.ts';
import { readFixture } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const bytes = readFixture('bolt/mixed-1024');
let folder: string;
let source: string;
let target: string;

beforeEach(() => {
  folder = temporaryDirectory();
  source = join(folder, 'db');
  target = join(folder, 'new');
  writeFileSync(source, bytes);
});

describe('operateOnCopy', () => {
  test('changes the copy, and tells what was done and what the check says', async () => {
    const { result, report } = await operateOnCopy(source, target, (file) => revertMetaPage(file));
    expect(result).toMatchObject({ operation: 'revert-meta-page', from: 0, to: 1 });
    expect(report).toMatchObject({ path: target, verdict: 'healthy' });
    expect(Buffer.compare(readFileSync(target), readFixture('bolt-surgery/revert-meta-page'))).toBe(0);
    expect(Buffer.compare(readFileSync(source), bytes)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['db', 'new']);
  });

  test('a copy that is not healthy is made all the same', async () => {
    const { report } = await operateOnCopy(source, target, (file) => clearPage(file, 85));
    expect(report.verdict).toBe('damaged');
    expect(existsSync(target)).toBe(true);
  });

  test('the copy is for its owner only, unless a mode is given', async () => {
    await operateOnCopy(source, target, () => {});
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await operateOnCopy(source, `${target}2`, () => {}, { mode: 0o640 });
    expect(statSync(`${target}2`).mode & 0o777).toBe(0o640 & ~process.umask());
  });

  test('an operation that is refused leaves nothing', async () => {
    await expect(operateOnCopy(source, target, (file) => clearPage(file, 99_999))).rejects.toMatchObject({
      code: 'BOLT_PAGE_OUT_OF_RANGE',
    });
    expect(readdirSync(folder)).toEqual(['db']);
  });

  test('a target that exists is refused, the source itself too', async () => {
    writeFileSync(target, 'precious');
    for (const taken of [target, source]) {
      await expect(operateOnCopy(source, taken, () => {})).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    }
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(Buffer.compare(readFileSync(source), bytes)).toBe(0);
  });

  test('progress goes up to the end', async () => {
    const seen: Progress[] = [];
    await operateOnCopy(source, target, () => {}, { onProgress: (progress) => seen.push({ ...progress }) });
    expect(seen.length).toBeGreaterThan(1);
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(seen.at(-1)).toEqual({ done: 2 * bytes.length, total: 2 * bytes.length });
  });

  test('an abort leaves nothing', async () => {
    const controller = new AbortController();
    const running = operateOnCopy(source, target, () => controller.abort(), { signal: controller.signal });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(folder)).toEqual(['db']);
  });

  test('stretches of zeros are copied too', async () => {
    const large = new Uint8Array(5 * 1024 * 1024 + 3);
    large.set(bytes);
    large[4 * 1024 * 1024 + 5] = 1;
    writeFileSync(source, large);
    await operateOnCopy(source, target, () => {});
    expect(Buffer.compare(readFileSync(target), large)).toBe(0);
  });
});

describe('a source that another program writes to', () => {
  /** Changes the source at the first sign of progress, that is, while it is copied. */
  function changing(change: () => void): { onProgress: () => void } {
    let changed = false;
    return {
      onProgress: () => {
        if (!changed) change();
        changed = true;
      },
    };
  }

  test('a commit while it is copied is found out', async () => {
    const commit = (): void => {
      const file = openByteFile(source);
      revertMetaPage(file);
      file.close();
    };
    await expect(operateOnCopy(source, target, () => {}, changing(commit))).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      path: source,
    });
    expect(readdirSync(folder)).toEqual(['db']);
  });

  test('so is growth', async () => {
    const grow = (): void => {
      const file = openByteFile(source);
      file.truncate(bytes.length + 4096);
      file.close();
    };
    const running = operateOnCopy(source, target, () => {}, changing(grow));
    await expect(running).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  test('a commit between the plan and the copy too', async () => {
    const plan: typeof planRevertMetaPage = (input) => {
      const planned = planRevertMetaPage(input);
      const file = openByteFile(source);
      planned.apply(file);
      file.close();
      return planned;
    };
    await expect(applyToCopy(source, target, plan)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });
});

test('what is not possible is refused before anything is written', async () => {
  const plan = (): never => {
    expect(readdirSync(folder)).toEqual(['db']);
    throw new Error('no');
  };
  await expect(applyToCopy(source, target, plan)).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual(['db']);
});
