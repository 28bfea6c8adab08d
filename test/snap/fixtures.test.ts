/**
 * Every `.snap` file that a real etcd left in the stored logs: read as etcd-dump-logs reads it, without a word from the
 * check above info, and written again byte for byte.
 */
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { protoStyleOf } from '../../src/proto/style.ts';
import { SnapCheckJob } from '../../src/snap/check.ts';
import { encodeV2Store } from '../../src/snap/encode-v2-store.ts';
import { readSnap } from '../../src/snap/reader.ts';
import { parseSnapName, snapName } from '../../src/snap/snap-name.ts';
import { encodeSnap, encodeSnapFile } from '../../src/snap/writer.ts';
import { type LogFixture, logFixture, logFixtures } from '../support/log-fixtures.ts';

const withSnaps = logFixtures().filter(({ snapFiles }) => snapFiles.length > 0);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const minorOf = ({ version }: Pick<LogFixture, 'version'>): EtcdMinor => version.slice(0, 3) as EtcdMinor;

/** Who voted and who learned in the newest snapshot, in the words of the real tool. */
function dumped(fixture: LogFixture): { term: bigint; index: bigint; voters: bigint[]; learners: bigint[] } {
  const words = fixture.dumpLogs();
  const [, term, index, confState] =
    /^Snapshot:\nterm=(\d+) index=(\d+) nodes=\[.*?\] confstate=(\{.*\})\n/.exec(words) ?? [];
  const ids = (name: string): bigint[] =>
    (new RegExp(`"${name}":\\[([\\d,]+)\\]`).exec(confState ?? '')?.[1]?.split(',') ?? []).map(BigInt);
  return { term: BigInt(term ?? 0), index: BigInt(index ?? 0), voters: ids('voters'), learners: ids('learners') };
}

test('there are files of all four versions', () => {
  expect(new Set(withSnaps.map(minorOf))).toEqual(new Set(['3.4', '3.5', '3.6', '3.7']));
});

describe.each(withSnaps)('$name', (fixture) => {
  const minor = minorOf(fixture);

  test('the newest is what etcd-dump-logs says', () => {
    const { term, index, confState } = readSnap(fixture.snapFiles.at(-1)!.bytes);
    const { voters, learners } = confState;
    expect({ term, index, voters, learners }).toEqual(dumped(fixture));
  });

  test('every file says what its name says, and has a v2 store with the members of raft', () => {
    for (const { name, bytes } of fixture.snapFiles) {
      const { term, index, dataKind, dataProblem, store, confState } = readSnap(bytes);
      expect({ term, index }).toEqual(parseSnapName(name));
      expect(snapName(term, index)).toBe(name);
      expect({ dataKind, dataProblem }).toEqual({ dataKind: 'v2-store', dataProblem: undefined });
      expect(store!.members.filter(({ isLearner }) => !isLearner).map(({ id }) => id)).toEqual(confState.voters);
      expect(store!.members.filter(({ isLearner }) => isLearner).map(({ id }) => id)).toEqual(confState.learners);
    }
  });

  test('the version of the cluster is there once it was agreed on', () => {
    for (const { bytes } of fixture.snapFiles) {
      const { version } = readSnap(bytes).store!;
      if (fixture.scenario === 'restored') expect(version).toBeUndefined();
      else expect(version).toMatch(/^3\.[4-7]\.0$/);
    }
    if (fixture.scenario === 'busy')
      expect(readSnap(fixture.snapFiles.at(-1)!.bytes).store!.version).toBe(`${minor}.0`);
  });

  test('written again it has the same bytes', () => {
    for (const { bytes } of fixture.snapFiles) {
      const snap = readSnap(bytes);
      expect(hex(encodeSnapFile(snap.snapshot, protoStyleOf(minor)))).toBe(hex(bytes));
      expect(hex(encodeSnap(snap, minor))).toBe(hex(bytes));
    }
  });

  test('the check finds nothing above info', () => {
    const files = fixture.snapFiles.map(({ name, bytes }) => ({ name, open: () => memorySource(bytes) }));
    const report = drain(new SnapCheckJob(files, { path: fixture.name }));
    expect(report.verdict).toBe('healthy');
    expect(report.findings.map(({ code }) => code)).toEqual(
      fixture.scenario === 'v2' ? ['SNAP_V2_CUSTOM_CONTENT'] : [],
    );
    const newest = fixture.snapFiles.at(-1)!;
    expect(report.snap).toMatchObject({ newest: { name: newest.name, dataKind: 'v2-store' }, startsFrom: newest.name });
    expect(report.snap!.files).toHaveLength(fixture.snapFiles.length);
    expect(report.bytesRead).toBe(fixture.snapFiles.reduce((sum, { size }) => sum + size, 0));
  });
});

// Up to 3.5 the store is the real one, with a history of its own. From 3.6 on members come in the order of a Go map.
const made = withSnaps.filter((fixture) => minorOf(fixture) >= '3.6' || fixture.scenario === 'restored');

test.each(made)('our own v2 store is that of $name', (fixture) => {
  const minor = minorOf(fixture);
  for (const { bytes } of fixture.snapFiles) {
    const { store, data } = readSnap(bytes);
    // `upgraded`: files of older versions are among them.
    if (store!.version !== undefined && store!.version !== `${minor}.0`) continue;
    const ours = encodeV2Store(store!, minor);
    if (store!.members.length === 1 || minor < '3.6') expect(hex(ours)).toBe(hex(data));
    else expect(unordered(ours)).toEqual(unordered(data));
  }
});

/** A document without what depends on the order of members. */
function unordered(document: Uint8Array): string[] {
  const text = new TextDecoder().decode(document);
  const events = [...text.matchAll(/\{"action":.*?\}\}/g)].map(([event]) => event).sort();
  const rest = text.replace(/("Events":\[).*?,null/, '$1null');
  return [rest, ...events].map((piece) => piece.replace(/(reatedIndex|odifiedIndex)":\d+/g, '$1":0'));
}

test('a member removed, and one that learns', () => {
  const { store } = readSnap(logFixture('3.7.1/cluster/m1').snapFiles.at(-1)!.bytes);
  expect(store).toMatchObject({
    members: [
      { id: 0x1dc9c1ecf2453b0en, name: 'm2', peerURLs: ['http://127.0.0.1:13125'], isLearner: false },
      { id: 0x27c9dd3f84104e17n, name: 'm4', clientURLs: ['http://127.0.0.1:13128'], isLearner: true },
      { id: 0x9120f78d11ade8ddn, name: 'm1', isLearner: false },
    ],
    removed: [0x109cd5d718218148n],
    version: '3.7.0',
    currentIndex: 8n,
  });
});

test('a member that has not published yet has neither name nor client URLs', () => {
  const { store } = readSnap(logFixture('3.6.14/restored/one').snapFiles[0]!.bytes);
  expect(store!.members).toEqual([
    {
      id: 0x141a37321d53f251n,
      peerURLs: ['http://127.0.0.1:27003'],
      isLearner: false,
      name: undefined,
      clientURLs: undefined,
    },
  ]);
});
