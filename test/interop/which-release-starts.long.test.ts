// Every stored directory of a member that is alone, under the real server of its own release and of each later one: it serves exactly
// where the check finds nothing against that release.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, dataDirFixtures, openDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { observeServer } from '../support/observed-server.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('directories under other releases', () => {});

/** How long a server may take; those that wait for members that do not exist never serve. */
const PATIENCE_MS = 12_000;

/** A read that the whole cluster agrees to. With an alarm /health would say no; with authentication the answer is that a name is missing. */
async function isUp(url: string): Promise<boolean> {
  const asked = { method: 'POST', body: JSON.stringify({ key: 'YQ==' }), signal: AbortSignal.timeout(3000) };
  const answer = await fetch(`${url}/v3/kv/range`, asked).catch(() => undefined);
  return answer?.status === 200 || answer?.status === 400;
}

const ALONE = /\/(?!cluster\/)[^/]+\/(?:m1|one|bumped)$/;
const names = dataDirFixtures().filter((name) => ALONE.test(name));

describe.each(etcds)('under etcd $version', ({ version: release, path: program }) => {
  const minor = /^\d+\.\d+/.exec(release)?.[0] ?? '';

  test.each(names.filter((name) => name.slice(0, 3) <= minor))('%s', async (name) => {
    using dir = openDirFixture(name);
    const { dataDir } = drain(new DataDirCheckJob(dir, { level: 'full' }));
    const against = dataDir!.versions.find(({ version }) => version === minor)!.findings.map(({ code }) => code);
    const path = writeDataDir(dataDirFixture(name), join(temporaryDirectory(), 'data'));
    const { state, said } = await observeServer(program, path, { isUp, patienceMs: PATIENCE_MS });
    expect({ serves: state === 'up', against }, said.slice(-4000)).toEqual({
      serves: against.length === 0,
      against,
    });
  });
});
