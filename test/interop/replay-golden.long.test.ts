// Real etcds are driven through the golden sequences, killed and started again: they still do what is recorded in
// fixtures/golden-replay. To record it anew:
// ETCD_DATADIR_RECORD=1 npx vitest run --mode long test/interop/replay-golden.long.test.ts
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';
import {
  GOLDEN_ENDS,
  GOLDEN_FOLDER,
  GOLDEN_HASH_AT_17,
  GOLDEN_MEMBER,
  GOLDEN_SEQUENCES,
  type GoldenSaid,
  type GoldenSequence,
  goldenPath,
  goldenReplays,
} from '../support/golden-replay.ts';
import { findEtcds } from '../support/peers.ts';
import { type GoldenRun, runGolden } from './replay-golden-live.ts';

const RECORD = process.env['ETCD_DATADIR_RECORD'] === '1';
const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd, driven through the golden sequences', () => {});

describe.each(etcds)('etcd $version', ({ version, path }) => {
  const minor = /^\d+\.\d+/.exec(version)?.[0] as EtcdMinor;

  test.each(Object.keys(GOLDEN_SEQUENCES) as GoldenSequence[])('%s', async (sequence) => {
    const run = await runGolden(path, sequence);
    const { revision, hash } = GOLDEN_ENDS[sequence](minor);
    expect(run.said.before.revision).toBe(revision);
    if (hash !== undefined) {
      expect(run.said.before.hashes).toContainEqual({ revision, hash, compactRevision: '-1' });
      expect(run.said.flushed.hashes).toContainEqual({
        revision: '17',
        hash: GOLDEN_HASH_AT_17,
        compactRevision: '-1',
      });
    }
    if (RECORD) record(`${version}/${sequence}`, run);
    // The ids of members are chosen by the URLs and the name of the cluster, and so the same.
    const recorded = goldenReplays().find(({ name }) => name === `${version}/${sequence}`);
    if (recorded !== undefined) expect(run.said).toEqual(recorded.said satisfies GoldenSaid);
  });
});

function record(name: string, { directory, dbs, said }: GoldenRun): void {
  const script = fileURLToPath(new URL('import-logs.mjs', import.meta.url));
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, directory, `${name}/${GOLDEN_MEMBER}`, '', GOLDEN_FOLDER],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  const store = (file: string, bytes: Uint8Array | string): void => {
    mkdirSync(dirname(goldenPath(name, file)), { recursive: true });
    writeFileSync(goldenPath(name, file), bytes);
  };
  for (const [db, path] of Object.entries(dbs)) store(`${db}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  store('flushed.gz', gzipSync(readFileSync(join(directory, DB_PATH)), { level: 9 }));
  store('said.json', `${JSON.stringify(said, null, 1)}\n`);
}
