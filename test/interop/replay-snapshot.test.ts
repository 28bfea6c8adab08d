// The snapshot of a directory that was killed, written offline, before the real etcdutl: it says the same of it, restores it, and a server
// started on what was restored says what one says that is started on the directory itself.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAuth } from '../../src/backend/auth.ts';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { StatusJob } from '../../src/backend/status.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { snapshotFromDataDir } from '../../src/files/replay-to-file.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { drain } from '../../src/io/job.ts';
import { findEtcds, findPeer } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { copyDirectory, restartAndAsk } from './replay-directory.ts';
import { loadAndKill, sampled } from './replay-live.ts';
import { ROOT_PASSWORD } from './replay-load.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const peers = (process.platform === 'linux' ? findEtcds() : []).flatMap((etcd) => {
  // 3.4 has no etcdutl.
  const etcdutl = etcd.version.startsWith('3.4.') ? undefined : findPeer(`etcdutl-${etcd.version}`);
  return etcdutl === undefined ? [] : [{ ...etcd, etcdutl }];
});
if (peers.length === 0) test.skip('the real etcdutl on a snapshot that was made offline', () => {});

describe.each(peers)('etcd and etcdutl $version', { timeout: 120_000 }, ({ version, path: program, etcdutl }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;

  test.each(['keys', 'auth'] as const)('%s', async (kind) => {
    const work = temporaryDirectory();
    const [directory, copy, restored] = ['data', 'copy', 'restored'].map((name) => join(work, name)) as [
      string,
      string,
      string,
    ];
    const choices = new Choices(SEED);
    await loadAndKill({ program, minor, directory, choices }, kind);
    copyDirectory(directory, copy);
    const out = join(work, 'snapshot.db');
    await snapshotFromDataDir(copy, out);

    const status = JSON.parse(
      execFileSync(etcdutl, ['snapshot', 'status', out, '-w', 'json'], { encoding: 'utf8' }),
    ) as Record<string, number>;
    const file = new BackendFile(openFileSource(out));
    const ours = drain(new StatusJob(file));
    const { enabled } = file.read(readAuth);
    file.close();
    expect(status).toMatchObject({
      hash: ours.hash,
      revision: Number(ours.revision),
      totalSize: Number(ours.totalSize),
    });

    execFileSync(etcdutl, ['snapshot', 'restore', out, '--data-dir', restored], { stdio: 'pipe' });
    const password = enabled ? ROOT_PASSWORD : undefined;
    const said = await restartAndAsk(program, directory, { password, lookBack: sampled(choices) });
    const revisions = said.keys.map(({ revision }) => Number(revision));
    const saidOfRestored = await restartAndAsk(program, restored, { password, lookBack: () => revisions });
    // A restore makes a new cluster.
    expect({ ...saidOfRestored, members: said.members, alarms: said.alarms }).toEqual(said);
  });
});
