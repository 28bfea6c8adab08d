// Real etcd servers on the small logs of test/wal/etcd/start-cases.ts: each starts, repairs, refuses or panics as the
// simulation says, in its words.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { simulateStart } from '../../src/wal/etcd/start.ts';
import { observeServer, saidLines } from '../support/observed-server.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { steadyWords } from '../wal/etcd/answers.ts';
import { type StartCase, startCases } from '../wal/etcd/start-cases.ts';

const minorOf = (version: string): EtcdMinor => version.replace(/\.\d+$/, '') as EtcdMinor;
const etcds =
  process.platform === 'linux' ? findEtcds().filter(({ version }) => ETCD_MINORS.includes(minorOf(version))) : [];
if (etcds.length === 0) test.skip('real servers on small logs', () => {});

/** How long a server that cannot become healthy is watched. */
const PATIENCE_MS = 4000;

interface Observed {
  readonly isUp: boolean;
  readonly said: readonly string[];
  readonly wasCut: boolean;
}

/** Starts a server on a log and waits until it is healthy or has ended, or for a while. */
async function observe(program: string, one: StartCase): Promise<Observed> {
  const directory = join(temporaryDirectory(), 'data');
  const wal = join(directory, 'member/wal');
  mkdirSync(wal, { recursive: true, mode: 0o700 });
  for (const { name, bytes } of one.segments) writeFileSync(join(wal, name), bytes);
  const { state, said } = await observeServer(program, directory, { patienceMs: PATIENCE_MS });
  const wasCut = existsSync(wal) && readdirSync(wal).some((name) => name.endsWith('.broken'));
  return { isUp: state !== 'ended', said: saidLines(said), wasCut };
}

describe.each(etcds)('etcd $version', ({ version, path: program }) => {
  test.each(startCases().map((one) => [one.id, one] as const))(
    'on a log with: %s',
    { timeout: 60_000 },
    async (_, one) => {
      const files = one.segments.map(({ name, bytes }) => ({ name, source: memorySource(bytes, name) }));
      const { outcome, words, cut } = simulateStart(files, minorOf(version), { consistentIndex: 0n });
      const { isUp, said, wasCut } = await observe(program, one);
      expect([isUp, words, said.slice(-30)]).toEqual([
        outcome === 'starts' || outcome === 'repairs',
        words,
        said.slice(-30),
      ]);
      expect(wasCut).toBe(cut !== undefined);
      // Words of a Go panic may have more behind them; errors of contexts are not simulated.
      if (words !== '')
        expect(
          said.some((line) => line.startsWith(steadyWords(words))),
          `${words}\n${said.join('\n')}`,
        ).toBe(true);
    },
  );
});
