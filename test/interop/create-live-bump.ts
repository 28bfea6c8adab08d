/**
 * A raised revision, as the clients of a real server see it: nothing that they saw before can be taken for what is new.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { type Revisions, readRevisions } from '../../src/backend/revisions.ts';
import { AUTO_BUMP, type BumpRevision } from '../../src/datadir/create/revision-bump.ts';
import { openFileSource } from '../../src/io/file-source.ts';
import { drain } from '../../src/io/job.ts';
import type { RangeAnswer } from '../support/etcd-gateway.ts';
import { NewClusterServers } from '../support/new-cluster-servers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { gatewayLine } from './backend-history.ts';
import { everything, rangeMessage } from './backend-requests.ts';
import { expectStartable, type LiveEtcd, put, unpackFixture } from './create-live.ts';
import { restoreMember } from './create-live-restore.ts';

const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
/** A key in bucket `key`: that of a deletion has one byte more. */
const TOMBSTONE_LENGTH = 18;

export async function bumpedRevision({ program, minor }: LiveEtcd, fixture: string, bump: BumpRevision): Promise<void> {
  const source = unpackFixture(temporaryDirectory(), fixture);
  const before = recordsOf(source);
  expect(before.tombstones).toBeGreaterThan(0);
  const by = bump === 'auto' ? AUTO_BUMP : bump;
  const revision = before.revisions.last!.main + by;

  const { created, dataDir } = await restoreMember(source, { etcdVersion: minor, bumpRevision: bump });
  expect(created).toMatchObject({ revision, bump: { by, revision } });
  await expectStartable(created, minor);
  const db = join(dataDir, 'member/snap/db');
  const { hash, compactRevision } = recordsOf(db).hashKv;

  const servers = await NewClusterServers.start(created, program);
  const gateway = servers.gateway();
  const { header, kvs = [] } = await gateway.ask<RangeAnswer>('kv/range', rangeMessage(everything(0)));
  expect(header.revision).toBe(`${revision}`);
  for (const old of [before.revisions.current, revision - 1n]) {
    const answer = await gateway.call('kv/range', rangeMessage(everything(Number(old))));
    expect(answer.error, `a read at ${old}`).toBe(COMPACTED);
    expect(await watchFrom(servers.url(), old), `a watch from ${old}`).toBe(`${revision}`);
  }
  const { message } = await gateway.hashKv(0n);
  expect(message).toMatchObject({ hash, compactRevision: revision });
  expect(compactRevision).toBe(revision);
  expect(await put(gateway, 'after the bump', 'v')).toBe(revision + 1n);

  // Written some tenths of a second after the compaction is over.
  const finished = (): bigint | null => recordsOf(db).revisions.finishedCompact;
  await expect.poll(finished, { timeout: 20_000, interval: 100 }).toBe(revision);
  await servers.stop();
  const after = recordsOf(db);
  expect(after.revisions).toMatchObject({ current: revision + 1n, scheduledCompact: revision });
  // Of every key its newest record; the empty one that raised the revision; and the put.
  expect(after).toMatchObject({ tombstones: 0, empty: 1, records: kvs.length + 2 });
  await expectStartable(created, minor);

  const again = await NewClusterServers.start(created, program);
  const all = await again.gateway().ask<RangeAnswer>('kv/range', rangeMessage(everything(0)));
  expect(all.header.revision).toBe(`${revision + 1n}`);
  expect(all.kvs?.map(gatewayLine)).toEqual(expect.arrayContaining(kvs.map(gatewayLine)));
  expect(all.kvs).toHaveLength(kvs.length + 1);
  expect(await put(again.gateway(), 'after the bump', 'v')).toBe(revision + 2n);
  await again.stop();
}

/** What is in bucket `key`. */
function recordsOf(path: string): {
  readonly revisions: Revisions;
  readonly hashKv: { readonly hash: number; readonly compactRevision: bigint };
  readonly records: number;
  readonly tombstones: number;
  readonly empty: number;
} {
  const file = new BackendFile(openFileSource(path));
  try {
    const lengths: { key: number; value: number }[] = [];
    file.db.bucket(['key'])?.forEach((key, value) => {
      lengths.push({ key: key.length, value: value?.length ?? 0 });
    });
    return {
      revisions: file.read(readRevisions),
      hashKv: drain(new HashKvJob(file)),
      records: lengths.length,
      tombstones: lengths.filter(({ key }) => key === TOMBSTONE_LENGTH).length,
      empty: lengths.filter(({ value }) => value === 0).length,
    };
  } finally {
    file.close();
  }
}

/** The compacted revision that a watch from `revision` is ended with. */
async function watchFrom(url: string, revision: bigint): Promise<string | undefined> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), 10_000);
  const body = JSON.stringify({ create_request: { key: 'AA==', range_end: 'AA==', start_revision: `${revision}` } });
  try {
    const answer = await fetch(`${url}/v3/watch`, { method: 'POST', body, signal: patience.signal });
    let text = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const lines = text.split('\n').slice(0, -1);
      for (const line of lines) {
        const { result } = JSON.parse(line) as { result?: { canceled?: boolean; compact_revision?: string } };
        if (result?.canceled === true) return result.compact_revision;
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    patience.abort();
  }
}
