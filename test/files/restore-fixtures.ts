/**
 * Stored dbs of real servers restored for a release: what is in the new directory is what was in the db, but for the members.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readCluster } from '../../src/backend/cluster.ts';
import { readMembers } from '../../src/backend/members.ts';
import { readMeta } from '../../src/backend/meta.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { restoreSnapshot } from '../../src/files/restore.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { readAsSaid, type SaidAfterRestart } from '../support/after-restart.ts';
import { checkDataDir } from '../support/check-made.ts';
import { readFixture } from '../support/fixtures.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const MEMBER = { id: 0x7048467a862dd57dn, name: 'n1', peerUrls: ['http://10.0.0.1:2380'], isLearner: false };
const CLUSTER = {
  name: 'n1',
  initialCluster: 'n1=http://10.0.0.1:2380',
  initialClusterToken: 'gold',
  sync: false,
} as const;

/** Everything but the members that is the same before and after. */
function contentOf(file: BackendFile): Omit<SaidAfterRestart, 'members'> {
  const revision = `${file.read(readRevisions).current}`;
  const asked: SaidAfterRestart = {
    revision,
    hashes: [{ revision, hash: 0, compactRevision: '' }],
    keys: [{ revision, lines: [] }],
    leases: [],
    alarms: [],
    members: [],
    users: [],
    roles: [],
    auth: { enabled: false, revision: '' },
  };
  const { members: _, ...rest } = readAsSaid(file, asked);
  return rest;
}

/** Restores a fixture, by its name below fixtures/, for a release, and compares. `own`: the release whose db it is. */
export async function judgeRestore(name: string, own: EtcdMinor, target: EtcdMinor): Promise<void> {
  const folder = temporaryDirectory();
  const path = join(folder, 'source');
  const bytes = readFixture(name);
  writeFileSync(path, bytes);
  const dataDir = join(folder, 'data');
  const skipHashCheck = bytes.length % 512 === 0;
  const made = await restoreSnapshot(path, { ...CLUSTER, dataDir, etcdVersion: target, skipHashCheck });
  await checkDataDir(dataDir, target);

  const before = new BackendFile(memorySource(bytes));
  const after = new BackendFile(memorySource(new Uint8Array(readFileSync(join(dataDir, 'member/snap/db')))));
  expect(contentOf(after)).toEqual(contentOf(before));
  expect(after.read(readMembers)).toMatchObject({ members: [MEMBER], removed: [] });
  expect(made.revision).toBe(before.read(readRevisions).current);

  const versions = (file: BackendFile) => {
    const { storageVersion, consistentIndex, term } = file.read(readMeta);
    return { storageVersion, clusterVersion: file.read(readCluster).version, consistentIndex, term };
  };
  const { storageVersion, clusterVersion } = versions(before);
  expect(versions(after)).toEqual({
    // Nothing newer than the release stays; what is as old or older does.
    storageVersion: target < '3.6' ? null : own > target && storageVersion !== null ? `${target}.0` : storageVersion,
    clusterVersion: clusterVersion !== null && clusterVersion.slice(0, 3) > target ? null : clusterVersion,
    consistentIndex: 1n,
    term: 1n,
  });
  expect(made.notes.length > 0).toBe(own > target && clusterVersion !== null && clusterVersion.slice(0, 3) > target);
  rmSync(dataDir, { recursive: true });
}
