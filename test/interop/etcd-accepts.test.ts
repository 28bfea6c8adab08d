// A real etcd takes files that were compacted, changed in transactions, or exported and imported here for its own: it
// starts on them, has all keys, and writes on.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportEntries } from '../../src/bolt/export.ts';
import { buildBolt, checkBolt, compactBolt, openBolt } from '../../src/node.ts';
import { findEtcds } from '../support/peers.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd on files of ours', () => {});

/** What is done to the db while etcd does not run. */
const WAYS: readonly (readonly [what: string, act: (db: string) => Promise<void> | void])[] = [
  [
    'compacted',
    async (db) => {
      await compactBolt(db, `${db}.new`);
      renameSync(`${db}.new`, db);
    },
  ],
  [
    'changed in transactions',
    (db) => {
      const writable = openBolt(db, { readOnly: false });
      writable.update((tx) => {
        const bucket = tx.createBucket('not-of-etcd');
        for (let i = 0; i < 500; i++) bucket.put(`key ${i}`, 'x'.repeat(i * 10));
      });
      writable.update((tx) => tx.deleteBucket('not-of-etcd'));
      writable.close();
    },
  ],
  [
    'exported and built anew',
    async (db) => {
      const source = openBolt(db);
      await buildBolt(`${db}.new`, exportEntries(source), { freelistStored: false });
      source.close();
      renameSync(`${db}.new`, db);
    },
  ],
];

describe.each(etcds)('etcd $version', { timeout: 120_000 }, ({ path: program }) => {
  test('starts on files made here, has all keys, and writes on', async () => {
    const directory = join(temporaryDirectory(), 'data');
    const db = join(directory, 'member/snap/db');
    const expected: Record<string, string> = {};
    let etcd = await RunningEtcd.start(program, directory);
    for (let i = 0; i < 60; i++) {
      expected[`key-${i}`] = 'value '.repeat(i * 7);
      await etcd.put(`key-${i}`, expected[`key-${i}`]);
    }
    await etcd.stop();
    for (const [what, act] of WAYS) {
      await act(db);
      expect([what, checkBolt(db).verdict]).toEqual([what, 'healthy']);
      etcd = await RunningEtcd.start(program, directory);
      expect([what, await etcd.all()]).toEqual([what, expected]);
      expected[`after ${what}`] = what;
      await etcd.put(`after ${what}`, what);
      await etcd.stop();
      expect([what, checkBolt(db).verdict]).toEqual([what, 'healthy']);
    }
  });
});
