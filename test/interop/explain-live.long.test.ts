// What is said of a start against real servers, across releases: every stored directory of a lone member, of every version, started by
// every release that is there. Where it is said to be certain, the server must do just that, in these words.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { openDataDir } from '../../src/datadir/data-dir.ts';
import { startsOf } from '../../src/datadir/start/start.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { drain } from '../../src/io/job.ts';
import { dataDirFixture, dataDirFixtures, writeDataDir } from '../support/data-dir-fixtures.ts';
import { observeServer, saidLines } from '../support/observed-server.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { steadyWords } from '../wal/etcd/answers.ts';

const minorOf = (version: string): EtcdMinor => version.replace(/\.\d+$/, '') as EtcdMinor;
const etcds =
  process.platform === 'linux' ? findEtcds().filter(({ version }) => ETCD_MINORS.includes(minorOf(version))) : [];
if (etcds.length === 0) test.skip('real servers on stored directories', () => {});
const LONE =
  /\/(?:(?:alarm|auth|busy|crash|defrag|empty|fresh|k8s|nested|segments|tail-\w+|underload|v2)\/m1|restored\/(?!three-)[^/]+)$/;
const fixtures = dataDirFixtures().filter((name) => LONE.test(name));

describe.each(etcds)('etcd $version', ({ version, path: program }) => {
  const minor = minorOf(version);
  test.each(fixtures)('on %s', { timeout: 60_000 }, async (name) => {
    const files = dataDirFixture(name);
    using dir = openDataDir(files);
    const report = drain(new DataDirCheckJob(dir, { level: 'deep' }));
    const start = startsOf(report).find((one) => one.version === minor)!;
    const directory = join(temporaryDirectory(), 'data');
    writeDataDir(files, directory);
    const { state, said } = await observeServer(program, directory);
    const { outcome, serves, words, certain, causes } = start;
    const expected =
      outcome === 'refuses' || outcome === 'panics'
        ? 'ended'
        : outcome === 'hangs' && serves === 'nobody'
          ? 'waiting'
          : 'up';
    const told = saidLines(said.replaceAll(`${directory}/`, '')).join('\n');
    if (!certain && expected !== state) return;
    expect([state, outcome, words, causes, told.slice(-1500)]).toEqual([
      expected,
      outcome,
      words,
      causes,
      told.slice(-1500),
    ]);
    if (words !== '') expect(told).toContain(steadyWords(words).trim());
  });
});
