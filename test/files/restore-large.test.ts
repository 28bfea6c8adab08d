// The sha256 of a large snapshot is computed by a thread while the db is written: nothing gets its name before both are done.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreSnapshot } from '../../src/files/restore.ts';
import { makeDb, put } from '../support/backend-db.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** From this size on a thread is used. */
const LARGE = 64 << 20;

/** A snapshot file above that size, with the right sha256 or another one; and an empty folder. */
async function largeSnapshot(isRight: boolean): Promise<{ readonly snapshot: string; readonly out: string }> {
  const folder = temporaryDirectory();
  const bytes = await makeDb({ key: [put(2, 0, { key: 'large', value: 'x'.repeat(LARGE) })] });
  const sha256 = createHash('sha256').update(bytes).digest();
  if (!isRight) sha256[31] = (sha256[31] as number) ^ 1;
  const snapshot = join(folder, 'snapshot.db');
  writeFileSync(snapshot, bytes);
  writeFileSync(snapshot, sha256, { flag: 'a' });
  const out = join(folder, 'out');
  mkdirSync(out);
  return { snapshot, out };
}

test('a large snapshot whose sha256 is wrong leaves nothing', async () => {
  const { snapshot, out } = await largeSnapshot(false);
  for (const dryRun of [false, true]) {
    const running = restoreSnapshot(snapshot, { dataDir: join(out, 'new'), dryRun });
    await expect(running).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
  }
  expect(readdirSync(out)).toEqual([]);
});

test('a large snapshot that is right is restored', async () => {
  const { snapshot, out } = await largeSnapshot(true);
  const { revision } = await restoreSnapshot(snapshot, { dataDir: join(out, 'new') });
  expect(revision).toBe(2n);
  expect(statSync(join(out, 'new/member/snap/db')).size).toBeGreaterThan(LARGE);
});

test('an abort meanwhile leaves nothing', async () => {
  const { snapshot, out } = await largeSnapshot(true);
  const controller = new AbortController();
  const running = restoreSnapshot(snapshot, {
    dataDir: join(out, 'new'),
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(readdirSync(out)).toEqual([]);
});
