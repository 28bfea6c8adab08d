/**
 * A restore that is interrupted from outside, in a process of its own.
 */
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boltFile, leaf } from '../support/bolt-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { start } from './program.ts';

const PAGE = 4096;
/** 8 GiB, nearly all of it holes: its sha256 takes a while, the rest is done at once and waits for it. */
const PAGES = 2 ** 21;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s while all is written but the sha256 not yet verified: %d, and nothing is left',
  async (signal, code) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'snapshot.db');
    writeFileSync(path, boltFile({ 3: leaf() }, { pageSize: PAGE, highWaterMark: PAGES }));
    truncateSync(path, PAGES * PAGE + 32);
    const parent = join(folder, 'new');
    const { child, ended } = start(['restore', path, '--data-dir', join(parent, 'data')]);
    // Until it has begun to write, beside the place where the directory will be.
    await expect.poll(() => readdirSync(folder), { timeout: 20_000, interval: 20 }).toContain('new');
    child.kill(signal);
    expect(await ended).toMatchObject({ code, signal: null, stderr: `etcd-datadir: stopped by ${signal}\n` });
    expect(readdirSync(folder)).toEqual(['snapshot.db']);
  },
);
