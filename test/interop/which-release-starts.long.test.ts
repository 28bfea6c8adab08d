// Every stored directory of a member that is alone, under the real server of its own release and of each later one: it serves exactly
// where the check finds nothing against that release.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, dataDirFixtures, openDirFixture, writeDataDir } from '../support/data-dir-fixtures.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('directories under other releases', () => {});

/** How long a server may take; those that wait for members that do not exist never serve. */
const PATIENCE_MS = 12_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Whether the program serves clients from the directory; its last words if not. */
async function serves(program: string, path: string): Promise<{ readonly serves: boolean; readonly words: string }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(program, [
    `--data-dir=${path}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    '--listen-peer-urls=http://127.0.0.1:0',
  ]);
  let words = '';
  const listen = (piece: Buffer): void => {
    words = `${words}${piece}`.slice(-4000);
  };
  child.stderr.on('data', listen);
  child.stdout.on('data', listen);
  let ended = false;
  const over = new Promise<void>((resolve) =>
    child.once('close', () => {
      ended = true;
      resolve();
    }),
  );
  // A read that the whole cluster agrees to. With an alarm /health would say no; with authentication the answer is that a name is missing.
  const isHealthy = async (): Promise<boolean> => {
    const asked = { method: 'POST', body: JSON.stringify({ key: 'YQ==' }), signal: AbortSignal.timeout(3000) };
    const answer = await fetch(`${url}/v3/kv/range`, asked).catch(() => undefined);
    return answer?.status === 200 || answer?.status === 400;
  };
  let healthy = false;
  for (const end = performance.now() + PATIENCE_MS; !healthy && !ended && performance.now() < end; ) {
    healthy = await isHealthy();
    if (!healthy) await setTimeout(100);
  }
  // Some panic when they apply the log, after a first answer.
  if (healthy) await setTimeout(500);
  const stays = healthy && !ended;
  child.kill('SIGKILL');
  await over;
  return { serves: stays, words };
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
    const seen = await serves(program, path);
    expect({ serves: seen.serves, against }, seen.words).toEqual({
      serves: against.length === 0,
      against,
    });
  });
});
