// A real etcd and our own reading and writing of logs: it starts on a log that was written here, with nothing beside it; its
// log can be read while it writes to it; and what a kill leaves is told right.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { check, checkWal, createWal, readWal } from '../../src/node.ts';
import { decodeEntryPayload, type EntryPayload } from '../../src/proto/entry-payload.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { encodeConfChange } from '../../src/proto/raft.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { findEtcds } from '../support/peers.ts';
import { RunningEtcd } from '../support/running-etcd.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const etcds = process.platform === 'linux' ? findEtcds() : [];
if (etcds.length === 0) test.skip('a real etcd and its log', () => {});

const MEMBER = 0x1234_5678_9abc_def1n;
const text = new TextEncoder();

/** A log of one member with two puts, as the release would have written it. */
function writeLog(directory: string, etcdVersion: EtcdMinor): void {
  const style = etcdVersion === '3.7' ? 'google' : 'gogo';
  const context = text.encode(`{"id":${MEMBER},"peerURLs":["http://127.0.0.1:0"],"name":"default"}`);
  const put = (id: bigint, key: string): Uint8Array =>
    encodeMessage('etcdserverpb.InternalRaftRequest', {
      header: { ID: id },
      put: { key: text.encode(key), value: text.encode(`of ${key}`) },
    });
  mkdirSync(join(directory, 'member'), { recursive: true, mode: 0o700 });
  const metadata = { nodeId: MEMBER, clusterId: clusterIdOf([MEMBER]) };
  using wal = createWal(join(directory, 'member', 'wal'), metadata, { etcdVersion });
  const change = encodeConfChange({ id: 0n, type: 0, nodeId: MEMBER, context }, style);
  wal.save({ term: 1n, vote: 0n, commit: 1n }, [{ type: 1, term: 1n, index: 1n, data: change }]);
  wal.save({ term: 1n, vote: MEMBER, commit: 3n }, [
    { type: 0, term: 1n, index: 2n, data: put(5n, 'first') },
    { type: 0, term: 1n, index: 3n, data: put(6n, 'second') },
  ]);
}

/** The keys that the entries of a log put. */
function putsIn(directory: string): string[] {
  using wal = readWal(directory);
  const keys: string[] = [];
  for (const entry of wal.entries()) {
    const payload: EntryPayload = decodeEntryPayload(entry);
    if (payload.kind !== 'internal' || payload.requestName !== 'put') continue;
    keys.push(new TextDecoder().decode(payload.request['key'] as Uint8Array));
  }
  return keys;
}

describe.each(etcds)('etcd $version', ({ version: release, path: program }) => {
  const version = /\d+\.\d+/.exec(release)?.[0] as EtcdMinor;

  test('starts on a log of ours, is read while it writes, and after a kill', { timeout: 60_000 }, async () => {
    const directory = temporaryDirectory();
    writeLog(directory, version);
    expect(checkWal(directory)).toMatchObject({ verdict: 'healthy', findings: [], wal: { entries: 3, commit: '3' } });

    const etcd = await RunningEtcd.start(program, directory);
    expect(await etcd.all()).toEqual({ first: 'of first', second: 'of second' });
    const keys = Array.from({ length: 50 }, (_, i) => `key-${i}`);
    for (const key of keys) await etcd.put(key, 'x'.repeat(500));

    // The lock is there, and everything that was acknowledged is in the log.
    const running = await check(join(directory, 'member', 'wal'), { worker: false });
    expect(running.findings.map(({ code }) => code)).toContain('WAL_IN_USE');
    expect(['healthy', 'repairable']).toContain(running.verdict);
    expect(putsIn(directory)).toEqual(['first', 'second', ...keys]);

    await etcd.stop('SIGKILL');
    const killed = checkWal(directory);
    expect(killed.findings.map(({ code }) => code)).not.toContain('WAL_IN_USE');
    expect(['healthy', 'repairable']).toContain(killed.verdict);
    expect(killed.wal?.etcd.find((outcome) => outcome.version === version)?.outcome).toMatch(/starts|repairs/);
    expect(putsIn(directory)).toEqual(['first', 'second', ...keys]);
  });
});
