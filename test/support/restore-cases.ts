/**
 * The recorded runs of `snapshot restore` (restored-by-etcd.ts) asked of this library: their flags as options, the folder that they ran in,
 * and what came of it in a form to compare.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackendFile } from '../../src/backend/backend-file.ts';
import type { BoltDb } from '../../src/bolt/database.ts';
import type { OneMemberOptions, RestoreOptions } from '../../src/files/restore.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { readSnap } from '../../src/snap/index.ts';
import type { HexPair, RestoredCase, RestoredContents } from './restored-by-etcd.ts';
import { EntryDigest } from './writer-operations.ts';

/** What etcdutl takes where its flag is not given. */
const DEFAULT_PEER_URL = 'http://localhost:2380';
/** Length of a segment. */
export const SEGMENT_SIZE = 64_000_000;

/** The options that the flags of a case come to, for the release whose tool was run. */
export function optionsOf(one: RestoredCase): RestoreOptions & OneMemberOptions {
  const bump = BigInt(one.flag('--bump-revision') ?? 0);
  return {
    name: one.flag('--name'),
    initialCluster: one.flag('--initial-cluster'),
    initialClusterToken: one.flag('--initial-cluster-token'),
    peerUrls: (one.flag('--initial-advertise-peer-urls') ?? DEFAULT_PEER_URL).split(','),
    dataDir: one.flag('--data-dir'),
    walDir: one.flag('--wal-dir'),
    skipHashCheck: one.flag('--skip-hash-check') !== undefined,
    bumpRevision: bump === 0n ? undefined : bump,
    etcdVersion: one.minor,
  };
}

/** The words of the command line, without those that name the command; `--etcd-version` is ours. */
export function argumentsOf(one: RestoredCase): string[] {
  const words = one.args.slice(2);
  // An option that is followed by a space or a dash would be taken for one without a value.
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [word = '', next] = words.slice(i, i + 2);
    const takesValue = word.startsWith('--') && next !== undefined && !next.startsWith('--') && !SWITCHES.has(word);
    joined.push(takesValue ? `${word}=${next}` : word);
    if (takesValue) i++;
  }
  return ['restore', ...joined, `--etcd-version=${one.minor}`];
}

const SWITCHES: ReadonlySet<string> = new Set(['--skip-hash-check', '--mark-compacted', '--learner']);

/** Fills an empty folder with what was there before the tool ran. */
export function prepareFolder(one: RestoredCase, folder: string): void {
  const bytes = one.sourceBytes();
  if (bytes !== undefined) writeFileSync(join(folder, 'SOURCE'), bytes);
  if (one.source === 'directory') mkdirSync(join(folder, 'SOURCE'));
  for (const path of one.before) {
    if (path.endsWith('/')) mkdirSync(join(folder, path), { mode: 0o755 });
    else writeFileSync(join(folder, path), 'here before\n');
  }
}

/** The records of a segment with their padding, without the zeros that follow; throws where something else follows. */
export function recordsOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = 0;
  while (end + 8 <= bytes.length) {
    const low = view.getUint32(end, true);
    const high = view.getUint32(end + 4, true);
    if (low === 0 && high === 0) break;
    end += 8 + low + (high >>> 31 === 0 ? 0 : (high >>> 24) & 7);
  }
  if (bytes.subarray(end).some((byte) => byte !== 0)) throw new Error('something lies behind the last record');
  return bytes.subarray(0, end);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The pairs of a bucket; undefined if there is none of that name. */
export function pairsOf(db: BoltDb, bucket: string): HexPair[] | undefined {
  const pairs: HexPair[] = [];
  const found = db.bucket(bucket);
  found?.forEach((key, value) => {
    pairs.push([hex(key), hex(value ?? new Uint8Array())]);
  });
  return found && pairs;
}

/** The names of all buckets, in order. */
export function bucketNames(db: BoltDb): string[] {
  const names: string[] = [];
  db.root.forEach((key) => {
    names.push(Buffer.from(key).toString());
  });
  return names;
}

/** Number of pairs of each bucket and their checksum. */
export function bucketDigests(db: BoltDb): Record<string, { keys: number; crc: number }> {
  return Object.fromEntries(
    bucketNames(db).map((name) => {
      const digest = new EntryDigest();
      db.bucket(name)?.forEach((key, value) => {
        digest.add(key, value);
      });
      return [name, { keys: digest.entries, crc: digest.crc }];
    }),
  );
}

/** A file of bytes as a db. */
export function dbOf(bytes: Uint8Array): BoltDb {
  return new BackendFile(memorySource(bytes)).db;
}

/** Buckets whose pairs are recorded one by one. */
export const KEPT_BUCKETS = ['members', 'members_removed', 'meta', 'cluster'] as const;

const TERM = Buffer.from('term').toString('hex');
const STORAGE_VERSION = Buffer.from('storageVersion').toString('hex');
const FIRST_TERM = '0000000000000001';

/** What a db of ours has in the buckets of which the pairs are recorded. */
export function expectedPairs(
  one: RestoredCase,
  contents: RestoredContents,
  bucket: (typeof KEPT_BUCKETS)[number],
): readonly HexPair[] | undefined {
  const pairs = contents.pairs(bucket);
  if (one.minor !== '3.4' && !isNewer(one)) return pairs;
  // What is too new for the release is left out; etcd's own tools leave it.
  const kept = (pairs ?? []).filter(([key]) => !isNewer(one) || (bucket !== 'cluster' && key !== STORAGE_VERSION));
  if (bucket !== 'meta') return kept;
  return [...kept.filter(([key]) => key !== TERM), [TERM, FIRST_TERM] as const].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether the source is of a later release than the tool. */
function isNewer({ source, minor }: RestoredCase): boolean {
  return typeof source === 'object' && 'fixture' in source && source.fixture.startsWith('3.6') && minor < '3.6';
}

/** 3.4's own tool leaves the old members, and writes no new ones. */
export function comparesPairs({ minor }: RestoredCase, bucket: string): boolean {
  return minor !== '3.4' || !bucket.startsWith('members');
}

interface V2Node {
  Path: string;
  CreatedIndex: number;
  ModifiedIndex: number;
  Children: Record<string, V2Node> | null;
}

/** A `.snap` file with its members numbered in order of their ids: 3.6 and 3.7 number them in any order. */
export function numberedById(bytes: Uint8Array): unknown {
  const { size, index, term, confState, data } = readSnap(bytes);
  const document = JSON.parse(new TextDecoder().decode(data)) as {
    Root: V2Node;
    WatcherHub: {
      EventHistory: {
        Queue: { Events: ({ node: { key: string; modifiedIndex: number; createdIndex: number } } | null)[] };
      };
    };
  };
  const members = document.Root.Children?.['0']?.Children?.['members']?.Children ?? {};
  const ids = Object.keys(members).sort((a, b) => Number(BigInt(`0x${a}`) - BigInt(`0x${b}`)));
  for (const [i, id] of ids.entries()) {
    const node = members[id] as V2Node;
    for (const each of [node, ...Object.values(node.Children ?? {})]) each.CreatedIndex = each.ModifiedIndex = i + 1;
  }
  const { Queue } = document.WatcherHub.EventHistory;
  const numberOf = (key: string): number => ids.indexOf(key.split('/')[3] as string);
  const events = Queue.Events.filter((event) => event !== null);
  for (const { node } of events) node.modifiedIndex = node.createdIndex = numberOf(node.key) + 1;
  events.sort((a, b) => a.node.modifiedIndex - b.node.modifiedIndex);
  Queue.Events = [...events, ...Queue.Events.filter((event) => event === null)];
  return { size, index, term, confState, document };
}

/** Permissions in octal, four digits, as the recording has them. */
export function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8).padStart(4, '0');
}
