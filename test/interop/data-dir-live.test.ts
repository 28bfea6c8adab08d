// A data directory while a real etcd writes to it: whatever moment a check meets, it says that the directory is in use and takes
// nothing of the server's work for damage; and looking changes no byte.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeFinding } from '../../src/findings.ts';
import { check, openDataDir } from '../../src/node.ts';
import type { CheckReport } from '../../src/report.ts';
import { EtcdGateway, toBase64 } from '../support/etcd-gateway.ts';
import { findEtcds } from '../support/peers.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** The oldest and the newest release that are here: logs with v2 requests and without, two ways of writing messages. */
const found = process.platform === 'linux' ? findEtcds().sort((a, b) => (a.version < b.version ? -1 : 1)) : [];
const etcds = [...new Set([found[0], found.at(-1)])].filter((etcd) => etcd !== undefined);
if (etcds.length === 0) test.skip('a data directory in use', () => {});

const CHECKS = 20;

const wordsOf = ({ findings }: CheckReport): string[] =>
  findings.map((finding) => `${finding.severity} ${finding.code}: ${describeFinding(finding).message}`);
const codesOf = ({ findings }: CheckReport): string[] => findings.map(({ code }) => code);

/** Writes until told to end: puts of many sizes, deletions, transactions, leases that come and go, compaction. */
async function write(gateway: EtcdGateway, seed: number, isOver: () => boolean): Promise<number> {
  let count = 0;
  for (let n = 0; !isOver(); n++) {
    const key = toBase64(`key-${seed}-${n % 50}`);
    const value = toBase64('v'.repeat((n * 379) % 6000));
    const put = { key, value };
    const leaseId = `${1 + seed * 100_000 + n}`;
    const requests: readonly (readonly [string, object])[] = [
      ['kv/put', put],
      ['kv/deleterange', { key }],
      [
        'kv/txn',
        { success: [{ request_put: put }, { request_put: { key: toBase64(`other-${seed}-${n}`), value: key } }] },
      ],
      ['lease/grant', { ID: leaseId, TTL: '600' }],
    ];
    const [method, request] = requests[n % 7] ?? requests[0]!;
    const answer = await gateway.call<{ header?: { revision?: string } }>(method, request);
    if (method === 'lease/grant' && n % 2 === 1) await gateway.call('lease/revoke', { ID: leaseId });
    const revision = Number(answer.message?.header?.revision ?? 0);
    if (n % 200 === 199 && revision > 100) await gateway.call('kv/compaction', { revision: revision - 50 });
    count++;
  }
  return count;
}

/** Every file and folder: its bytes, and when they were changed. */
function stateOf(path: string): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
    const { mtimeNs, size, mode, ino } = statSync(join(path, name), { bigint: true });
    const isFile = statSync(join(path, name)).isFile();
    const sha256 = isFile
      ? createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex')
      : '';
    state[name] = { mtimeNs, size, mode, ino, sha256 };
  }
  return state;
}

describe.each(etcds)('etcd $version', ({ path: program }) => {
  test('is checked 20 times while it writes', { timeout: 120_000 }, async () => {
    const directory = temporaryDirectory();
    // Raft snapshots often, so that .snap files come and go too.
    const etcd = await RunningEtcd.start(program, directory, ['--snapshot-count=200']);
    const gateway = new EtcdGateway(etcd.url);
    let over = false;
    const writers = [1, 2, 3].map((seed) => write(gateway, seed, () => over));
    const reports: CheckReport[] = [];
    try {
      while (reports.length < CHECKS) {
        const level = reports.length % 2 === 0 ? 'full' : 'deep';
        reports.push(await check(directory, { level, worker: false }));
        await setTimeout(20);
      }
    } finally {
      over = true;
    }
    const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
    expect(written).toBeGreaterThan(CHECKS);
    for (const report of reports) {
      expect(codesOf(report)).toContain('DIR_IN_USE');
      expect(report, wordsOf(report).join('\n')).toMatchObject({ kind: 'data-dir', dataDir: { inUse: true } });
      const alarms = report.findings.filter(({ severity }) => severity !== 'info');
      expect(
        alarms.map(({ code }) => code),
        wordsOf(report).join('\n'),
      ).toEqual([]);
      expect(report.verdict).toBe('healthy');
      expect(report.notExamined.length).toBeGreaterThan(0);
    }
    {
      using open = openDataDir(directory);
      expect(open).toMatchObject({ inUse: true, hasDb: true, hasWal: true });
      expect(open.wal.state.lastIndex).toBeGreaterThan(100n);
    }

    // At rest the server writes nothing; where it did in between, another attempt shows that it was not us.
    const unchanged = async (): Promise<boolean> => {
      const before = stateOf(directory);
      await check(directory, { level: 'deep', worker: false });
      const after = stateOf(directory);
      return JSON.stringify(before, decimal) === JSON.stringify(after, decimal);
    };
    await expect.poll(unchanged, { timeout: 20_000, interval: 300 }).toBe(true);

    gateway.close();
    await etcd.stop();
    const stopped = await check(directory, { level: 'deep', worker: false });
    expect(stopped.verdict, wordsOf(stopped).join('\n')).toBe('healthy');
    expect(codesOf(stopped)).not.toContain('DIR_IN_USE');
    expect(stopped.dataDir).toMatchObject({ inUse: false });
  });
});

const decimal = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
