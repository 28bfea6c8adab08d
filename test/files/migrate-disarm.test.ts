/**
 * The storage version brought to that of another release (the table of backend.md, 4.4), and alarms taken back.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAlarms } from '../../src/backend/alarms.ts';
import { readCluster } from '../../src/backend/cluster.ts';
import { readMeta } from '../../src/backend/meta.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { defrag } from '../../src/files/defrag.ts';
import { disarmAlarms } from '../../src/files/disarm-alarms.ts';
import { migrate } from '../../src/files/migrate.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { change, FIRST_SEGMENT, put, request, SELF, smallContent } from '../datadir/replay/small-dir.ts';
import { checkDataDir } from '../support/check-made.ts';
import { DB_PATH, dataDirFixture, memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { DIR_VERSIONS } from '../support/data-dir-recipes.ts';
import { readFixture } from '../support/fixtures.ts';
import { bucketDigests, dbOf } from '../support/restore-cases.ts';
import { emptyEntry, metadata, snapshot, state } from '../support/small-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TARGETS: readonly EtcdMinor[] = ['3.5', '3.6', '3.7'];

describe.each(DIR_VERSIONS)('migrate a db of %s', (version) => {
  const minor = version.slice(0, 3) as EtcdMinor;

  test.each(['snapshot', 'm1'])('%s, to each release', async (file) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'source');
    const bytes = readFixture(`etcd/${version}/busy/${file}`);
    writeFileSync(path, bytes);
    for (const target of TARGETS) {
      const out = join(folder, target);
      if (minor === '3.4') {
        await expect(migrate(path, out, target)).rejects.toMatchObject({
          code: 'EDIT_REFUSED',
          message: expect.stringMatching(/^missing term information/),
        });
        continue;
      }
      const made = await migrate(path, out, target);
      const stored = target === '3.5' ? null : `${target}.0`;
      expect(made).toMatchObject({ from: minor === '3.5' ? null : `${minor}.0`, to: stored, notes: [] });
      const [before, after] = [dbOf(bytes), dbOf(readFileSync(out))];
      const { storageVersion, ...rest } = readMeta(after);
      expect(storageVersion).toBe(stored);
      const { storageVersion: _, ...old } = readMeta(before);
      expect(rest).toEqual(old);
      // Nothing else changes, the version of the cluster neither.
      expect(readCluster(after)).toEqual(readCluster(before));
      const { meta: _new, ...digests } = bucketDigests(after);
      const { meta: _old, ...expected } = bucketDigests(before);
      expect(digests).toEqual(expected);
    }
    await expect(migrate(path, join(folder, 'x'), '3.4')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'target version "3.4" not supported. Minimal "3.5"',
    });
    expect(readdirSync(folder).sort()).toEqual(minor === '3.4' ? ['source'] : [...TARGETS, 'source'].sort());
  });

  if (minor === '3.4') return;
  test('a directory: whether the release starts on it is told', async () => {
    const folder = temporaryDirectory();
    const path = writeDataDir(dataDirFixture(`${version}/busy/m1`), join(folder, 'old'));
    for (const target of TARGETS) {
      const out = join(folder, target);
      const { notes, from, to } = await migrate(path, out, target);
      expect({ from, to }).toEqual({
        from: minor === '3.5' ? null : `${minor}.0`,
        to: target === '3.5' ? null : `${target}.0`,
      });
      // Older ones refuse a newer cluster version.
      const starts = target >= minor;
      expect({ target, notes }).toEqual({
        target,
        notes: starts ? [] : [expect.stringMatching(`^etcd ${target} does not start on it yet`)],
      });
      if (starts) await checkDataDir(out, target);
    }
  });
});

describe('migrate', () => {
  test('versions that are not known, unless forced', async () => {
    const folder = temporaryDirectory();
    const path = writeDataDir(memoryDir(await withLog('3.9.0')), join(folder, 'old'));
    const refusal = {
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('the storage version of the db is 3.9.0'),
    };
    await expect(migrate(path, join(folder, 'out'), '3.6')).rejects.toMatchObject(refusal);
    const forced = await migrate(path, join(folder, 'out'), '3.6', { force: true });
    expect(forced).toMatchObject({
      from: '3.9.0',
      to: '3.6.0',
      notes: [
        expect.stringMatching(/^done all the same/),
        expect.stringMatching(/^etcd 3\.6 does not start on it yet/),
      ],
    });
  });

  test('a log with entries that the target does not understand', async () => {
    const folder = temporaryDirectory();
    const newer = request(2n, 4n, { downgrade_version_test: { ver: '3.6.0' } });
    const path = writeDataDir(memoryDir(await withLog('3.7.0', [newer])), join(folder, 'old'));
    await expect(migrate(path, join(folder, 'a'), '3.5')).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('cannot downgrade storage, WAL contains newer entries: 3.6'),
    });
    expect((await migrate(path, join(folder, 'b'), '3.6')).to).toBe('3.6.0');
    expect((await migrate(path, join(folder, 'c'), '3.5', { force: true })).to).toBeNull();
    expect(readdirSync(folder).sort()).toEqual(['b', 'c', 'old']);
  });

  async function withLog(storageVersion: string, more: Parameters<typeof state>[] | ReturnType<typeof put>[] = []) {
    const records = [
      metadata(SELF, clusterIdOf([SELF])),
      snapshot(0n, 0n),
      change(1n, 1n, 'add', SELF),
      emptyEntry(2n, 2n),
      put(2n, 3n, 'k'),
      ...(more as ReturnType<typeof put>[]),
      state(2n, SELF, BigInt(3 + more.length)),
    ];
    return smallContent({
      consistentIndex: 2n,
      version: `${storageVersion.slice(0, 3) === '3.9' ? '3.7' : storageVersion.slice(0, 3)}.0`,
      buckets: {
        meta: [
          ['storageVersion', storageVersion],
          ['term', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2)],
        ],
      },
      segments: [{ name: FIRST_SEGMENT, records }],
    });
  }
});

describe('alarms', () => {
  test.each(DIR_VERSIONS)('of %s: those that are meant go, all else stays', async (version) => {
    const folder = temporaryDirectory();
    const path = join(folder, 'source');
    const bytes = readFixture(`etcd/${version}/alarm/snapshot`);
    writeFileSync(path, bytes);
    const { alarms } = readAlarms(dbOf(bytes));
    expect(alarms).toHaveLength(1);
    const memberId = alarms[0]!.memberId;
    for (const [name, options, goes] of [
      ['all', {}, true],
      ['type', { type: 'NOSPACE' }, true],
      ['member', { memberId }, true],
      ['other type', { type: 'CORRUPT' }, false],
      ['other member', { memberId: memberId + 1n }, false],
      ['both', { type: 'NOSPACE', memberId }, true],
    ] as const) {
      const out = join(folder, name);
      const made = await disarmAlarms(path, out, options);
      expect({ name, made }).toMatchObject({ name, made: { disarmed: goes ? alarms : [], left: goes ? [] : alarms } });
      const db = dbOf(readFileSync(out));
      expect(readAlarms(db).alarms).toEqual(goes ? [] : alarms);
      const { alarm: _new, ...digests } = bucketDigests(db);
      const { alarm: _old, ...expected } = bucketDigests(dbOf(bytes));
      expect(digests).toEqual(expected);
    }
  });

  test.each(DIR_VERSIONS)('in a directory of %s', async (version) => {
    const folder = temporaryDirectory();
    const path = writeDataDir(dataDirFixture(`${version}/alarm/m1`), join(folder, 'old'));
    const out = join(folder, 'out');
    if (version.startsWith('3.4')) {
      // The alarm is the last thing in the log, and 3.4 notes how far it has got with keys only: the next start would raise it again.
      await expect(disarmAlarms(path, out)).rejects.toMatchObject({
        code: 'EDIT_REFUSED',
        message: expect.stringContaining('the log has entries that the db has not'),
      });
      return;
    }
    const { disarmed } = await disarmAlarms(path, out);
    expect(disarmed).toMatchObject([{ type: 'NOSPACE' }]);
    expect(readAlarms(dbOf(readFileSync(join(out, DB_PATH)))).alarms).toEqual([]);
    await checkDataDir(out, version.slice(0, 3) as EtcdMinor);
  });

  test('of one of several members not: they would come to differ', async () => {
    const folder = temporaryDirectory();
    const path = writeDataDir(dataDirFixture('3.6.14/cluster/m1'), join(folder, 'old'));
    await expect(disarmAlarms(path, join(folder, 'out'))).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('what alarms there are is agreed on by all members that vote'),
    });
    expect(readdirSync(folder)).toEqual(['old']);
  });
});

describe('defrag', () => {
  test.each(ETCD_MINORS)('of %s: all of it stays, no page is free', async (minor) => {
    const version = DIR_VERSIONS.find((each) => each.startsWith(minor)) as string;
    const folder = temporaryDirectory();
    const path = writeDataDir(dataDirFixture(`${version}/crash/m1`), join(folder, 'old'));
    const out = join(folder, 'out');
    const { size } = await defrag(path, out);
    expect(size.after).toBeLessThan(size.before);
    const [before, after] = [path, out].map((dir) => dbOf(readFileSync(join(dir, DB_PATH))));
    expect(bucketDigests(after!)).toEqual(bucketDigests(before!));
    expect(after!.highWaterMark * after!.pageSize).toBe(size.after);
    // The log goes along as it is: what the db has not is applied at the next start.
    for (const name of readdirSync(join(path, 'member/wal')).filter((each) => each.endsWith('.wal'))) {
      expect(readFileSync(join(out, 'member/wal', name)).equals(readFileSync(join(path, 'member/wal', name)))).toBe(
        true,
      );
    }
    await checkDataDir(out, minor);
  });
});
