import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../src/backend/check.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { blankBuckets } from '../../src/datadir/create/blank-db.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { initDb } from '../../src/files/init-db.ts';
import { bucketNames, dbOf, pairsOf } from '../support/restore-cases.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe.each([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])('pages of %d bytes', (pageSize) => {
  test.each(['any', 'minimal', ...ETCD_MINORS] as const)('%s', async (kind) => {
    const folder = temporaryDirectory();
    const [plain, hashed, again] = ['plain', 'hashed', 'again'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const made = await initDb(plain, { kind, pageSize, sync: false });
    const bytes = readFileSync(plain);
    expect(made).toEqual({ path: plain, size: bytes.length, buckets: blankBuckets(kind), sha256: null });
    const db = dbOf(bytes);
    expect(db.pageSize).toBe(pageSize);
    expect(db.freelistStored).toBe(false);
    expect(bucketNames(db)).toEqual([...blankBuckets(kind)]);
    for (const name of blankBuckets(kind)) expect(pairsOf(db, name)).toEqual([]);
    expect(readRevisions(db)).toMatchObject({ current: 1n, last: null });
    expect(checkBackend(bytes).verdict).toBe('healthy');

    const { sha256, size } = await initDb(hashed, { kind, pageSize, withHash: true, sync: false });
    const snapshot = readFileSync(hashed);
    // The same db, and its sha256: what etcd's own tools take for a snapshot file.
    expect(snapshot.subarray(0, -32).equals(bytes)).toBe(true);
    expect(snapshot.subarray(-32).toString('hex')).toBe(sha256);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect(size % 512).toBe(32);
    await initDb(again, { kind, pageSize, sync: false });
    expect(readFileSync(again).equals(bytes)).toBe(true);
  });
});

test('page sizes that no file can have, and names that are taken, are refused', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'db');
  for (const pageSize of [0, 100, 1000, 4096.5, Number.NaN, 1 << 30]) {
    await expect(initDb(path, { pageSize })).rejects.toMatchObject({ code: 'USAGE' });
  }
  expect(readdirSync(folder)).toEqual([]);
  await initDb(path);
  await expect(initDb(path)).rejects.toMatchObject({ code: 'TARGET_EXISTS', path });
});
