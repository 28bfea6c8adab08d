// A cluster of 3.4 that nobody ever wrote to, before the server of 3.6: it is refused beforehand, and the server does panic.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, explain } from '../../src/node.ts';
import { observeServer } from '../support/observed-server.ts';
import { findEtcds } from '../support/peers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
const of = (minor: string) => etcds.find(({ version }) => version.startsWith(`${minor}.`))?.path;
const [etcd34, etcd36] = [of('3.4'), of('3.6')];

/** That 3.4 has agreed on a version. A look at /health would be an entry in its log. */
async function hasVersion(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/version`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  const { etcdcluster } =
    answer?.ok === true ? ((await answer.json()) as { etcdcluster: string }) : { etcdcluster: '' };
  return etcdcluster === '3.4.0';
}

describe.skipIf(etcd34 === undefined || etcd36 === undefined)('a directory of 3.4 that was never written to', () => {
  test('is refused for 3.6, which panics', { timeout: 60_000 }, async () => {
    const path = join(temporaryDirectory(), 'data');
    // Until the db is flushed, which happens ten times a second.
    expect(await observeServer(etcd34 ?? '', path, { isUp: hasVersion, afterMs: 1000 })).toMatchObject({ state: 'up' });
    expect((await check(path, { level: 'deep' })).verdict).toBe('healthy');
    const { verdict, findings } = await check(path, { etcdVersion: '3.6' });
    const refused = findings.filter(({ severity }) => severity === 'refuse');
    expect({ verdict, codes: refused.map(({ code }) => code) }).toEqual({
      verdict: 'refused',
      codes: ['DIR_MEMBERS_AGAIN'],
    });
    const { words } = (await explain(path)).starts.find(({ version }) => version === '3.6') ?? { words: '' };
    const { state, said } = await observeServer(etcd36 ?? '', path);
    expect(state).toBe('ended');
    expect(said).toContain(`panic: ${words}`);
  });
});
