// Real etcds are killed under load. What the directory becomes by an offline replay is what the same etcd says when it is started on it: every
// key, hashes, leases, users, roles, alarms, members; and the deep check of what a kill leaves raises no alarm.
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Choices } from '../support/writer-random.ts';
import { killAndCompare } from './replay-live.ts';
import type { LoadKind } from './replay-load.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
/** Five kills: three of Debian's 3.4, which is there where etcd can be installed, and two of one that was built. */
const ROUNDS: Readonly<Record<'debian' | 'built', readonly LoadKind[]>> = {
  debian: ['keys', 'auth', 'nospace'],
  built: ['auth', 'keys'],
};

const etcds = process.platform === 'linux' ? findEtcds() : [];
const isDebian = ({ version }: { version: string }): boolean => version.startsWith('3.4.');
const chosen = [
  ...etcds
    .filter(isDebian)
    .slice(0, 1)
    .map((etcd) => ({ ...etcd, rounds: ROUNDS.debian })),
  ...etcds
    .filter((etcd) => !isDebian(etcd))
    .slice(-1)
    .map((etcd) => ({ ...etcd, rounds: ROUNDS.built })),
];
if (!chosen.some(isDebian)) test.skip('etcd 3.4, killed under load', () => {});
if (!chosen.some((etcd) => !isDebian(etcd))) test.skip('an etcd that was built, killed under load', () => {});

describe.each(chosen)('etcd $version', { timeout: 120_000 }, ({ version, path, rounds }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;

  test(`killed ${rounds.length} times`, async () => {
    console.log(`seed ${SEED} (ETCD_DATADIR_SEED chooses another)`);
    const killed = { program: path, minor, directory: join(temporaryDirectory(), 'data'), choices: new Choices(SEED) };
    for (const kind of rounds) console.log(`${version}, ${await killAndCompare(killed, kind)}`);
  });
});
