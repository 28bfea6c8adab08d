/**
 * Directories that lack some of what a restore writes, and that every release starts on all the same: our own, with that taken away.
 */
import { closeSync, openSync, readdirSync, readSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startsOf } from '../../src/datadir/start/start.ts';
import { compareMinors, type EtcdMinor } from '../../src/etcd-version.ts';
import { checkPath } from '../../src/files/check-path.ts';
import { initDb } from '../../src/files/init-db.ts';
import { openWritableFile } from '../../src/files/open-bolt.ts';
import type { RangeAnswer } from '../support/etcd-gateway.ts';
import { NewClusterServers } from '../support/new-cluster-servers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { SegmentEdit, SNAPSHOT } from '../support/wal-edit.ts';
import { gatewayLine } from './backend-history.ts';
import { everything, rangeMessage } from './backend-requests.ts';
import { expectEnds, type LiveEtcd, put, unpackFixture } from './create-live.ts';
import { restoreMember } from './create-live-restore.ts';

/** A directory, and what is done to it. */
export interface Layout {
  readonly name: string;
  readonly source: string;
  /** Whose bytes it has. */
  readonly way: EtcdMinor;
  change?(dataDir: string): void | Promise<void>;
  /** Whether the keys are gone with it. */
  readonly isEmpty?: boolean;
  /** Releases that refuse it. */
  readonly refusedBy?: readonly EtcdMinor[];
}

const BASE = { source: 'etcd/3.5.33/fresh/snapshot', way: '3.5' } as const;

export const LAYOUTS: readonly Layout[] = [
  { name: 'in the way of 3.4, without a ConfState in the log (Q)', ...BASE, way: '3.4' },
  { name: 'in the way of 3.5', ...BASE },
  { name: 'in the way of 3.6', ...BASE, way: '3.6' },
  { name: 'in the way of 3.7', ...BASE, way: '3.7' },
  { name: 'in the way of 3.6, with its storage version', source: 'etcd/3.6.14/fresh/snapshot', way: '3.6' },
  {
    name: 'in the way of 3.7, with its storage version',
    source: 'etcd/3.7.1/fresh/snapshot',
    way: '3.7',
    refusedBy: ['3.6'],
  },
  { name: 'without .snap (A)', ...BASE, change: removeSnap },
  { name: 'the log cut to its records (B)', ...BASE, change: cutLog },
  { name: 'without .snap and the snapshot record (N)', ...BASE, change: withoutSnapshot },
  {
    name: 'as N, with a blank db (N0)',
    ...BASE,
    isEmpty: true,
    change: async (dataDir) => {
      withoutSnapshot(dataDir);
      rmSync(dbOf(dataDir));
      await initDb(dbOf(dataDir));
    },
  },
  {
    name: 'as N, without a db (N1)',
    ...BASE,
    isEmpty: true,
    change: (dataDir) => {
      withoutSnapshot(dataDir);
      rmSync(dbOf(dataDir));
    },
  },
  {
    name: 'as N1, the log cut to its records: the smallest',
    ...BASE,
    isEmpty: true,
    change: (dataDir) => {
      withoutSnapshot(dataDir);
      rmSync(dbOf(dataDir));
      cutLog(dataDir);
    },
  },
  { name: '.snap without the snapshot record (N4)', ...BASE, change: clearSnapshotRecord },
  { name: 'without a term in the db (H2)', ...BASE, change: (dataDir) => deleteMeta(dataDir, 'term') },
  { name: 'without a confState in the db (I)', ...BASE, change: (dataDir) => deleteMeta(dataDir, 'confState') },
];

/** Starts it twice: the keys are there, and more can be written. The check says so beforehand. */
export async function startLayout({ program, minor }: LiveEtcd, layout: Layout): Promise<void> {
  const { source, way, change, isEmpty = false, refusedBy = [] } = layout;
  const path = unpackFixture(temporaryDirectory(), source);
  const { created, dataDir } = await restoreMember(path, { etcdVersion: way });
  await change?.(dataDir);
  const isRefused = refusedBy.includes(minor);
  const { outcome, words, certain, causes } = startsOf(
    await checkPath(dataDir, { level: 'deep', etcdVersion: minor }),
  ).find(({ version }) => version === minor)!;
  // Before 3.6 servers go by the version in the v2 store, which a restore leaves out; the check goes by that of the db, and is not sure.
  const isUnsure = !certain && compareMinors(minor, '3.6') < 0 && causes[0] === 'BACKEND_CLUSTER_VERSION_NEWER';
  if (!isUnsure) expect(outcome, words).toBe(isRefused ? 'refuses' : 'starts');
  if (isRefused) {
    await expectEnds(created, program, words);
    return;
  }
  const first = isEmpty ? 1n : created.revision;
  for (const round of [0, 1]) {
    const servers = await NewClusterServers.start(created, program);
    const { kvs = [] } = await servers.gateway().ask<RangeAnswer>('kv/range', rangeMessage(everything(0)));
    const old = kvs.map(gatewayLine).filter((line) => !line.startsWith(WRITTEN));
    expect(old.length > 0).toBe(!isEmpty);
    expect(kvs.length).toBe(old.length + round);
    expect(await put(servers.gateway(), `written in round ${round}`, 'v')).toBe(first + BigInt(round + 1));
    await servers.stop();
  }
}

/** In base64, whole groups of three bytes. */
const WRITTEN = Buffer.from('written in round'.slice(0, 15)).toString('base64');

const dbOf = (dataDir: string): string => join(dataDir, 'member/snap/db');

function removeSnap(dataDir: string): void {
  const folder = join(dataDir, 'member/snap');
  for (const name of readdirSync(folder)) if (name.endsWith('.snap')) rmSync(join(folder, name));
}

/** The only segment, and its records: they fill a small part of it. */
function openLog(dataDir: string): { readonly path: string; readonly log: SegmentEdit } {
  const folder = join(dataDir, 'member/wal');
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const path = join(folder, name);
  const bytes = new Uint8Array(1 << 16);
  const file = openSync(path, 'r');
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  return { path, log: new SegmentEdit({ bytes, size: bytes.length }) };
}

function cutLog(dataDir: string): void {
  const { path, log } = openLog(dataDir);
  truncateSync(path, log.end);
}

function clearSnapshotRecord(dataDir: string): void {
  const { path, log } = openLog(dataDir);
  const last = log.frames.at(-1)!;
  expect(last.type).toBe(SNAPSHOT);
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(last.end - last.at), 0, last.end - last.at, last.at);
  closeSync(file);
}

function withoutSnapshot(dataDir: string): void {
  removeSnap(dataDir);
  clearSnapshotRecord(dataDir);
}

function deleteMeta(dataDir: string, key: string): void {
  using db = openWritableFile(dbOf(dataDir), { readOnly: false });
  db.update((tx) => {
    const meta = tx.bucket('meta')!;
    expect(meta.get(key)).toBeDefined();
    meta.delete(key);
  });
}
