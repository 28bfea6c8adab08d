// Real etcds, driven with random requests through their gateway, as judges of what we read: in the db of the running server, in a
// snapshot, and in the db it leaves. Every key at every revision, hashes, leases, members, users and alarms.
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findEtcds } from '../support/peers.ts';
import { interruptedCompaction } from './backend-interrupted.ts';
import { liveComparison } from './backend-live.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd as the judge of what is read', () => {});

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const REQUESTS = Number(process.env['ETCD_DATADIR_REQUESTS'] ?? 3000);

describe.each(etcds)('etcd $version', { timeout: 120_000 }, ({ version, path }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;

  test('everything that can be asked of it is read in its files', async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_REQUESTS another number of requests)`);
    console.log(await liveComparison({ program: path, minor, seed: SEED, requests: REQUESTS }));
  });

  test('killed while it compacts: its db is read as it reads it itself when it starts again', async () => {
    console.log(await interruptedCompaction(path, minor));
  });
});
