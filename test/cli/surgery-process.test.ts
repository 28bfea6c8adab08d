// Surgery in a process of its own: what a signal leaves behind.
import { readdirSync, truncateSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { boltFile, leaf } from '../support/bolt-pages.ts';
import { start } from './program.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const PAGE = 4096;
const PAGES = 2 ** 26;
/** A file of 256 GiB, nearly all of it a hole: copying it takes a minute. */
const endless = writeWorkFile(folder, 'endless.db', boltFile({ 3: leaf() }, { pageSize: PAGE, highWaterMark: PAGES }));
truncateSync(endless, PAGES * PAGE);

const temporaries = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('a copy in the making', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is gone after %s', async (signal, code) => {
    const { child, ended } = start(['bolt', 'surgery', 'freelist', 'abandon', endless, '-o', `${endless}.new`]);
    while (temporaries().length === 0 && child.exitCode === null) await wait(20);
    expect(temporaries().length).toBe(1);
    child.kill(signal);
    expect(await ended).toMatchObject({ code, stdout: '', stderr: `etcd-datadir: stopped by ${signal}\n` });
    expect(readdirSync(folder)).toEqual(['endless.db']);
  });

  test('is gone also when two signals come', async () => {
    const { child, ended } = start(['bolt', 'surgery', 'revert-meta-page', endless, '-o', `${endless}.new`]);
    while (temporaries().length === 0 && child.exitCode === null) await wait(20);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect((await ended).code).toBeGreaterThan(100);
    expect(readdirSync(folder)).toEqual(['endless.db']);
  });
});
