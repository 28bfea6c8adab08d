/**
 * A real etcd starts on repaired logs: it has all keys, writes on, and starts again.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConsistentIndex } from '../../src/files/consistent-index.ts';
import { repairWal } from '../../src/files/repair-wal.ts';
import { openWalFolder } from '../../src/files/wal-folder.ts';
import { checkWal } from '../../src/wal/check.ts';
import { type EditedLog, editableLog, segmentAt, writeLog } from '../support/edited-log.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { findEtcds } from '../support/peers.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { walRecipes } from '../support/wal-recipes.ts';

const VERSION = '3.6.14';
const etcds = process.platform === 'linux' ? findEtcds().filter(({ version }) => version === VERSION) : [];
if (etcds.length === 0) test.skip(`etcd ${VERSION} on repaired logs`, () => {});

const recipe =
  (name: string) =>
  (log: EditedLog): EditedLog =>
    walRecipes.find((each) => each.name === name)!.apply(log, 0);

/** The first bytes of an old segment are gone, and garbage follows the last record. */
function oldAndTorn(log: EditedLog): EditedLog {
  const changed = recipe('wal-garbage-right-behind-last')(log);
  const [name, file] = segmentAt(changed, 1);
  changed.segments.set(name, { ...file, bytes: file.bytes.slice().fill(0xee, 5_000_000, 5_004_096) });
  return changed;
}

const WAYS: readonly (readonly [what: string, scenario: string, damage: (log: EditedLog) => EditedLog])[] = [
  ['a torn tail', 'busy', recipe('wal-torn-append-hole')],
  ['an empty last segment', 'busy', recipe('wal-segment-empty-added')],
  ['a damaged old segment and a torn tail', 'segments', oldAndTorn],
  ['a wrong crc record at the head of a segment', 'segments', recipe('wal-segment-crc-chain')],
  ['a wrong number in a name', 'segments', recipe('wal-segment-renumbered')],
];

/** The data directory of a fixture, changed. */
function dataDirectory(directory: string, scenario: string, damage: (log: EditedLog) => EditedLog): void {
  mkdirSync(directory);
  writeLog(damage(editableLog(logFixture(`${VERSION}/${scenario}/m1`))), directory);
  writeFileSync(join(directory, 'member/snap/db'), readFixture(`etcd/${VERSION}/${scenario}/m1`));
}

describe.each(etcds)('etcd $version', { timeout: 120_000 }, ({ path: program }) => {
  test.each(WAYS)('starts after the repair of %s', async (_, scenario, damage) => {
    const folder = temporaryDirectory();
    const [healthy, data, made] = ['healthy', 'data', 'made'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    dataDirectory(healthy, scenario, (log) => log);
    let etcd = await RunningEtcd.start(program, healthy);
    const expected = await etcd.fingerprint();
    await etcd.stop();

    dataDirectory(data, scenario, damage);
    const wal = join(data, 'member/wal');
    const keepIndex = readConsistentIndex(join(data, 'member/snap/db'));
    const { outcome, plan } = await repairWal(data, made, { keepIndex });
    expect({ outcome, losses: plan.losses }).toEqual({ outcome: 'repaired', losses: [] });
    renameSync(wal, join(folder, 'aside'));
    renameSync(made, wal);

    etcd = await RunningEtcd.start(program, data);
    expect(await etcd.fingerprint()).toEqual(expected);
    await etcd.put('after', 'repair');
    await etcd.stop();
    // It had nothing to repair itself.
    expect(readdirSync(wal).filter((name) => name.endsWith('.broken'))).toEqual([]);
    const { files, close } = openWalFolder(wal);
    expect(checkWal(files).verdict).toBe('healthy');
    close();
    etcd = await RunningEtcd.start(program, data);
    const revision = `${Number(expected.revision) + 1}`;
    expect(await etcd.fingerprint(expected.revision)).toEqual({ revision, hash: expected.hash });
    await etcd.stop();
  });
});
