/**
 * Restores of stored snapshots and dbs of real servers: against real restores of the same, and for every release.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { restoreSnapshot } from '../../src/files/restore.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { readAsSaid } from '../support/after-restart.ts';
import { type RestartedFixture, restartedFixtures } from '../support/after-restart-recordings.ts';
import { checkDataDir } from '../support/check-made.ts';
import { dataDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { etcdRecordings } from '../support/etcd-recordings.ts';
import { readFixture } from '../support/fixtures.ts';
import { bucketNames, dbOf, pairsOf } from '../support/restore-cases.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { judgeRestore } from './restore-fixtures.ts';

const recordings = etcdRecordings();

describe('a real restore of the same snapshot gives the same db', () => {
  const URLS = { m1: 'http://127.0.0.1:27003', m2: 'http://127.0.0.1:27005', m3: 'http://127.0.0.1:27007' };
  const restores = {
    one: { initialCluster: { m1: URLS.m1 } },
    'three-m1': { initialCluster: URLS },
    bumped: { initialCluster: { m1: URLS.m1 }, bumpRevision: 1000n },
  } as const;
  const cases = recordings
    .filter(({ scenario }) => scenario === 'restored')
    .flatMap(({ version, minor, dbFiles }) =>
      dbFiles.map((dbFile) => ({ version, minor, dbFile: dbFile as keyof typeof restores })),
    );

  test('all of them are there', () => {
    expect(cases.map(({ minor, dbFile }) => `${minor} ${dbFile}`).sort()).toEqual(
      ETCD_MINORS.flatMap((minor) =>
        Object.keys(restores)
          .filter((name) => minor !== '3.4' || name !== 'bumped')
          .map((name) => `${minor} ${name}`),
      ).sort(),
    );
  });

  test.each(cases)('$version $dbFile', async ({ version, minor, dbFile }) => {
    const folder = temporaryDirectory();
    const source = join(folder, 'source');
    writeFileSync(source, readFixture(`etcd/${version}/busy/snapshot`));
    const dataDir = join(folder, 'data');
    const options = { name: 'm1', initialClusterToken: 'fixture-token', etcdVersion: minor, dataDir, sync: false };
    await restoreSnapshot(source, { ...restores[dbFile], ...options });
    const ours = dbOf(new Uint8Array(readFileSync(join(dataDir, 'member/snap/db'))));
    const theirs = dbOf(readFixture(`etcd/${version}/restored/${dbFile}`));
    expect(bucketNames(ours)).toEqual(bucketNames(theirs));
    const term = Buffer.from('term').toString('hex');
    for (const bucket of bucketNames(theirs)) {
      // 3.4's tool leaves the old members, and writes no term.
      if (minor === '3.4' && bucket.startsWith('members')) continue;
      const own = pairsOf(ours, bucket)?.filter(([key]) => minor !== '3.4' || key !== term);
      expect(own, bucket).toEqual(pairsOf(theirs, bucket));
    }
  });
});

describe('every snapshot, for every release', () => {
  const snapshots = recordings.flatMap(({ name, minor, dbFiles }) =>
    dbFiles.filter((file) => file.startsWith('snapshot')).map((file) => ({ name: `etcd/${name}/${file}`, minor })),
  );

  test('they are there', () => {
    expect(snapshots.length).toBeGreaterThan(40);
  });

  test.each(snapshots)('$name', async ({ name, minor }) => {
    for (const target of ETCD_MINORS) await judgeRestore(name, minor, target);
  });
});

describe('dbs without a sha256, one of each kind', () => {
  const kinds = new Map<string, { name: string; minor: EtcdMinor }[]>();
  for (const { name, minor, scenario, dbFiles } of recordings) {
    for (const file of dbFiles) {
      if (file.startsWith('snapshot') || scenario === 'restored') continue;
      const kind = `${scenario}/${file}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), { name: `etcd/${name}/${file}`, minor }]);
    }
  }
  const chosen = [...kinds.values()].map((of, i) => of[i % of.length]!);

  test.each(chosen)('$name', ({ name, minor }) => judgeRestore(name, minor, minor));
});

describe('from a data directory, with what only its log has', () => {
  const cases = restartedFixtures().flatMap((fixture) =>
    // With the db of before the last requests, and with the one that was found after the kill.
    fixture.dbFiles.map((db) => ({ label: `${fixture.name}/${db}`, fixture, db })),
  );

  test.each(cases)('$label', ({ fixture, db }) => judgeDirectory(fixture, db));

  async function judgeDirectory(fixture: RestartedFixture, db: string): Promise<void> {
    const folder = temporaryDirectory();
    const source = writeDataDir(dataDirFixture(`${fixture.name}/m1`, { db }), join(folder, 'old'));
    const dataDir = join(folder, 'new');
    const made = await restoreSnapshot(source, {
      initialCluster: { n1: 'http://10.0.0.1:2380' },
      name: 'n1',
      dataDir,
      etcdVersion: fixture.minor,
      sync: false,
    });
    await checkDataDir(dataDir, fixture.minor);
    const opened = openFileSource(join(dataDir, 'member/snap/db'));
    try {
      const { members: _, ...said } = fixture.said();
      const { members, ...found } = readAsSaid(new BackendFile(opened), fixture.said());
      expect(found).toEqual(said);
      expect(members).toEqual([
        { id: `${made.memberId}`, name: 'n1', peerUrls: ['http://10.0.0.1:2380'], clientUrls: [], isLearner: false },
      ]);
      expect(`${made.revision}`).toBe(said.revision);
    } finally {
      opened.close();
    }
  }
});
