// More of what backend-live.test.ts does: other seeds, more requests, more kills.
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findEtcds } from '../support/peers.ts';
import { interruptedCompaction } from './backend-interrupted.ts';
import { liveComparison } from './backend-live.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd as the judge of what is read, at length', () => {});

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Math.floor(Date.now() / 1000));
const REQUESTS = Number(process.env['ETCD_DATADIR_REQUESTS'] ?? 8000);
const SEQUENCES = 4;
const KILLS = 5;

describe.each(etcds)('etcd $version', ({ version, path }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;

  test.each(Array.from({ length: SEQUENCES }, (_, i) => SEED + i))('seed %i', async (seed) => {
    console.log(`seed ${seed} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_REQUESTS another number of requests)`);
    console.log(await liveComparison({ program: path, minor, seed, requests: REQUESTS }));
  });

  test.each(Array.from({ length: KILLS }, (_, i) => i))('killed while it compacts, %i', async (first) => {
    console.log(await interruptedCompaction(path, minor, first));
  });
});
