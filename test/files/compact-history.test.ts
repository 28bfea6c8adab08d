/**
 * Compaction offline, against a store that is compacted in the plainest way.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as property } from '@fast-check/vitest';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { markCompacted } from '../../src/datadir/create/compaction.ts';
import { DbChanges } from '../../src/datadir/rewrite/db-changes.ts';
import { KeepSetJob } from '../../src/datadir/rewrite/keep-set.ts';
import { NewRecords } from '../../src/datadir/rewrite/new-records.ts';
import { RewriteJob } from '../../src/datadir/rewrite/rewrite-job.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { compactHistory } from '../../src/files/compact-history.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { change, FIRST_SEGMENT, OTHERS, put as putEntry, SELF, smallContent } from '../datadir/replay/small-dir.ts';
import { put, tombstone } from '../support/backend-db.ts';
import { checkDataDir } from '../support/check-made.ts';
import { memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { goldenDb } from '../support/golden-db.ts';
import { anySteps, play } from '../support/plain-mvcc.ts';
import { dbOf, pairsOf } from '../support/restore-cases.ts';
import { emptyEntry, metadata, snapshot, state } from '../support/small-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('what stays', () => {
  property.prop([anySteps, fc.nat(40), fc.constantFrom(...ETCD_MINORS)], { numRuns: 120 })(
    'is what a server of the release leaves',
    async (steps, back, minor) => {
      const store = play(steps);
      const readable = store.readable.filter((revision) => revision > store.compacted);
      fc.pre(readable.length > 0);
      const revision = readable[back % readable.length] as bigint;
      const source = await store.db(1024);
      const db = dbOf(source);
      const before = readRevisions(db);
      fc.pre(revision > before.compact && revision <= before.current);
      const keep = drain(new KeepSetJob(db, new NewRecords(), revision, minor));
      const changes = new DbChanges({ keep });
      markCompacted(changes, revision);
      const file = memoryFile();
      drain(new RewriteJob(memorySource(source), changes, file));

      const keys = store.stateAt(store.current);
      store.compact(revision, { tombstones: minor === '3.4' ? 'dropped' : 'kept' });
      expect(store.finishedCompact).toBe(revision);
      const expected = dbOf(await store.db());
      const made = dbOf(file.bytes());
      expect(pairsOf(made, 'key')).toEqual(pairsOf(expected, 'key'));
      expect(pairsOf(made, 'meta')).toEqual(pairsOf(expected, 'meta'));
      expect(store.stateAt(store.current)).toEqual(keys);
    },
  );

  test('new records are counted in, and those above the revision stay', () => {
    const records = new NewRecords();
    for (const [main, key] of [
      [2, 'a'],
      [3, 'b'],
      [4, 'a'],
      [6, 'b'],
    ] as const) {
      records.add({ main: BigInt(main), sub: 0n }, false, put(main, 0, { key })[1]);
    }
    records.add({ main: 7n, sub: 0n }, true, tombstone(7, 0, 'a')[1]);
    const kept = (revision: bigint, minor: '3.4' | '3.6'): number[] => {
      const keep = drain(new KeepSetJob(undefined, records, revision, minor));
      return [0, 1, 2, 3, 4].filter((number) => keep.keeps(number));
    };
    expect(kept(4n, '3.6')).toEqual([1, 2, 3, 4]);
    expect(kept(6n, '3.6')).toEqual([2, 3, 4]);
    // A deletion at the very revision goes with 3.4 alone.
    expect(kept(7n, '3.4')).toEqual([3]);
    expect(kept(7n, '3.6')).toEqual([3, 4]);
  });
});

describe('a file', () => {
  test('the keys are the same, and so is HashKV as a server counts it from there', async () => {
    const folder = temporaryDirectory();
    const [path, out] = [join(folder, 'db'), join(folder, 'out')];
    writeFileSync(path, await goldenDb());
    const made = await compactHistory(path, out, 13n);
    expect(made).toMatchObject({ kind: 'db', revision: 13n, sha256: null });
    const hash = (file: string) =>
      drain(new HashKvJob(new BackendFile(memorySource(new Uint8Array(readFileSync(file)))), { revision: 14n })).hash;
    // d@11 and a@6 were superseded, c@10 deleted.
    expect(pairsOf(dbOf(readFileSync(out)), 'key')?.map(([key]) => Number.parseInt(key.slice(0, 16), 16))).toEqual([
      7, 7, 8, 12, 13, 14,
    ]);
    expect(readRevisions(dbOf(readFileSync(out)))).toMatchObject({ compact: 13n, current: 14n });
    expect(hash(out)).not.toBe(hash(path));
    const again = join(folder, 'again');
    await expect(compactHistory(out, again, 13n)).rejects.toMatchObject({ code: 'REVISION_COMPACTED' });
    await expect(compactHistory(out, again, 15n)).rejects.toMatchObject({ code: 'REVISION_FUTURE' });
    await compactHistory(out, again, 14n);
    expect(readdirSync(folder).sort()).toEqual(['again', 'db', 'out']);
  });

  test('whose rule counts for a deletion can be said', async () => {
    const folder = temporaryDirectory();
    const path = join(folder, 'db');
    writeFileSync(path, await goldenDb());
    const tombstones = async (etcdVersion: '3.4' | '3.6'): Promise<number> => {
      const out = join(folder, etcdVersion);
      await compactHistory(path, out, 14n, { etcdVersion });
      return pairsOf(dbOf(readFileSync(out)), 'key')?.filter(([key]) => key.length === 36).length ?? -1;
    };
    expect([await tombstones('3.4'), await tombstones('3.6')]).toEqual([0, 1]);
  });
});

describe('a directory', () => {
  /** Entries: the members, the leader's own, two puts of one key, and again the leader's own. */
  async function directory(folder: string, members: readonly bigint[], missing: number): Promise<string> {
    const first = BigInt(members.length);
    const at = (n: number): bigint => first + BigInt(n);
    const records = [
      metadata(SELF, clusterIdOf(members)),
      snapshot(0n, 0n),
      ...members.map((id, i) => change(1n, BigInt(i + 1), 'add', id)),
      emptyEntry(2n, at(1)),
      putEntry(2n, at(2), 'k'),
      putEntry(2n, at(3), 'k', 'w'),
      emptyEntry(2n, at(4)),
      state(2n, SELF, at(4)),
    ];
    const key = [
      put(2, 0, { key: 'k', value: 'v' }),
      put(3, 0, { key: 'k', value: 'w', createRevision: 2, version: 2 }),
    ];
    const content = await smallContent({
      consistentIndex: at(4 - missing),
      members: members.map((id) => [id]),
      buckets: { key: key.slice(0, 3 - missing) },
      segments: [{ name: FIRST_SEGMENT, records }],
    });
    return writeDataDir(memoryDir(content), join(folder, 'old'));
  }

  test('of one of several members: they agree on what is compacted', async () => {
    const folder = temporaryDirectory();
    const path = await directory(folder, [SELF, OTHERS[0]], 0);
    await expect(compactHistory(path, join(folder, 'out'), 3n)).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      path,
      message: expect.stringContaining('what is compacted is agreed on by all members that vote: do it in the running'),
    });
    expect(readdirSync(folder)).toEqual(['old']);
  });

  test('with keys that only the log has: they were put before', async () => {
    const folder = temporaryDirectory();
    const path = await directory(folder, [SELF], 2);
    await expect(compactHistory(path, join(folder, 'out'), 2n)).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      path,
      message: expect.stringMatching(/the log has entries that the db has not \(4 to 5\)/),
    });
    expect(readdirSync(folder)).toEqual(['old']);
  });

  test.each([0, 1])(
    'of a member that is alone; %d entries that a server makes for itself are not in the db',
    async (missing) => {
      const folder = temporaryDirectory();
      const out = join(folder, 'out');
      const made = await compactHistory(await directory(folder, [SELF], missing), out, 3n);
      expect(made).toMatchObject({ kind: 'data-dir', revision: 3n });
      expect(pairsOf(dbOf(readFileSync(join(out, 'member/snap/db'))), 'key')).toHaveLength(1);
      await checkDataDir(out, '3.6');
    },
  );
});
