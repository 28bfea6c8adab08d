// Real etcds of every release are killed under load, again and again: at least fifty times together. After each kill the deep check finds nothing
// amiss and an offline replay has what the server says when it is started again. And three members are killed together.
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { killCluster } from './replay-cluster.ts';
import { killAndCompare } from './replay-live.ts';
import type { LoadKind } from './replay-load.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd, killed again and again', () => {});

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? Math.floor(Date.now() / 1000));
const KILLS = Number(process.env['ETCD_DATADIR_KILLS'] ?? 52);
/** One directory is killed so many times. */
const IN_A_ROW = 5;
const KINDS: readonly LoadKind[] = ['keys', 'auth', 'nospace', 'keys', 'auth'];

describe.each(etcds)('etcd $version', ({ version, path }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;
  const directories = Math.ceil(KILLS / etcds.length / IN_A_ROW);

  test.each(Array.from({ length: directories }, (_, i) => SEED + i))(
    'killed again and again, seed %i',
    async (seed) => {
      console.log(`seed ${seed} (ETCD_DATADIR_SEED chooses another, ETCD_DATADIR_KILLS another number of kills)`);
      const choices = new Choices(seed);
      const killed = { program: path, minor, directory: join(temporaryDirectory(), 'data'), choices };
      for (let i = 0; i < IN_A_ROW; i++) {
        console.log(`${version}, ${await killAndCompare(killed, choices.one(KINDS))}`);
      }
    },
  );

  test('three members killed together', async () => {
    console.log(`seed ${SEED}`);
    console.log(`${version}, ${await killCluster(path, new Choices(SEED))}`);
  });
});
