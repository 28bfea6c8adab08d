/**
 * What else is wrong while the sha256 of a large snapshot is still being computed; and that the file is closed in the end. The rest:
 * restore-large.test.ts.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { restoreCluster, restoreSnapshot } from '../../src/files/restore.ts';
import { boltFile, leaf } from '../support/bolt-pages.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PAGE = 4096;
/** One page more than what is read at once: all of them are free but the first few, and holes on the disk. */
const PAGES = (64 << 20) / PAGE + 1;
const HEAD = boltFile({ 3: leaf() }, { pageSize: PAGE, highWaterMark: PAGES });

const SHA256 = ((): Buffer => {
  const hash = createHash('sha256').update(HEAD);
  const zeros = new Uint8Array(1 << 20);
  for (let left = PAGES * PAGE - HEAD.length; left > 0; left -= zeros.length) hash.update(zeros.subarray(0, left));
  return hash.digest();
})();

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryDirectory();
  path = join(folder, 'snapshot.db');
});

function snapshot(sha256: Uint8Array): void {
  writeFileSync(path, HEAD);
  truncateSync(path, PAGES * PAGE);
  writeFileSync(path, sha256, { flag: 'a' });
  expect(statSync(path).size).toBe(PAGES * PAGE + 32);
}

const openFiles = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);

test('it is wrong: nothing is made, by a dry run neither, and the file is closed', async () => {
  snapshot(SHA256.map((byte) => byte ^ 1));
  const before = openFiles();
  const refusal = { code: 'SNAPSHOT_DAMAGED', path, message: expect.stringContaining(SHA256.toString('hex')) };
  for (const dryRun of [false, true]) {
    await expect(restoreSnapshot(path, { dataDir: join(folder, 'a', 'b'), dryRun })).rejects.toMatchObject(refusal);
  }
  await expect(restoreCluster(path, join(folder, 'all'))).rejects.toMatchObject(refusal);
  expect(readdirSync(folder)).toEqual(['snapshot.db']);
  await expect.poll(openFiles).toBeLessThanOrEqual(before);
});

test('something else is in the way, or wrong, and that is told', async () => {
  snapshot(SHA256.map((byte) => byte ^ 1));
  await expect(restoreSnapshot(path, { dataDir: join(folder, 'data'), bumpRevision: 1n << 62n })).rejects.toMatchObject(
    { code: 'EDIT_REFUSED' },
  );
  writeFileSync(join(folder, 'data'), '');
  await expect(restoreSnapshot(path, { dataDir: join(folder, 'data') })).rejects.toMatchObject({
    code: 'TARGET_EXISTS',
  });
  expect(readdirSync(folder).sort()).toEqual(['data', 'snapshot.db']);
});
