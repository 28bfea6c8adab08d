/**
 * A replay that is written: everything of the old db, and what has changed in its place.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../../src/backend/backend-file.ts';
import { readMembers } from '../../../src/backend/members.ts';
import { readMeta } from '../../../src/backend/meta.ts';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { checkBolt } from '../../../src/bolt/check.ts';
import { ReplayJob, type ReplayOptions } from '../../../src/datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../../../src/datadir/replay/write-db.ts';
import { DbChanges } from '../../../src/datadir/rewrite/db-changes.ts';
import { KeepSetJob } from '../../../src/datadir/rewrite/keep-set.ts';
import { NewRecords } from '../../../src/datadir/rewrite/new-records.ts';
import { RewrittenCheckJob } from '../../../src/datadir/rewrite/rewrite-check.ts';
import { RewriteJob } from '../../../src/datadir/rewrite/rewrite-job.ts';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { type ByteFile, memorySource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { makeDb, openDb, type Pairs, put as putPair, tombstone } from '../../support/backend-db.ts';
import { dataDirFixtures, openDirFixture } from '../../support/data-dir-fixtures.ts';
import { emptyEntry, state } from '../../support/small-log.ts';
import { change, OTHERS, put, request, SELF, type SmallDirPlan, smallDir } from './small-dir.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytes = (chars: string): Uint8Array => Uint8Array.from(Buffer.from(chars, 'latin1'));

/** Replays and writes, in memory. */
async function written(plan: SmallDirPlan, options: ReplayOptions = {}): Promise<BackendFile> {
  const file = memoryFile();
  const replayed = drain(new ReplayJob(await smallDir(plan), options));
  const db = drain(new WriteReplayedJob(replayed, file));
  const old = replayed.tail.from.file?.source;
  drain(new RewrittenCheckJob(file, { db, old, path: 'out', snapshot: false }));
  return new BackendFile(file);
}

/** Everything in a db, bucket by bucket. */
function contentOf({ db }: BackendFile): Record<string, Record<string, string>> {
  const content: Record<string, Record<string, string>> = {};
  for (const { name } of db.buckets()) {
    const pairs: Record<string, string> = {};
    db.bucket(name)!.forEach((key, value) => {
      pairs[text(key)] = text(value ?? new Uint8Array());
    });
    content[text(name)] = pairs;
  }
  return content;
}

const START = [change(1n, 1n, 'add', SELF), emptyEntry(2n, 2n)];
const END = state(2n, SELF, 2n);

describe('what changes in bucket meta', () => {
  test('index and term of the last entry; a term is unknown to 3.4', async () => {
    const plan = { consistentIndex: 2n, records: [...START, put(3n, 3n, 'a'), END] };
    expect((await written(plan)).read(readMeta)).toMatchObject({ consistentIndex: 3n, term: 3n, confState: null });
    const old = await written(plan, { etcdVersion: '3.4' });
    expect(old.read(readMeta)).toMatchObject({ consistentIndex: 3n, term: null });
  });

  test('who takes part, as etcd writes it, if an entry has changed that', async () => {
    const [second] = OTHERS;
    const plan = { consistentIndex: 2n, records: [...START, change(2n, 3n, 'add-learner', second), END] };
    const file = await written(plan);
    expect(text(file.db.bucket('meta')!.get('confState')!)).toBe('{"voters":[16],"learners":[32],"auto_leave":false}');
    expect(file.read(readMembers).members.map(({ id }) => id)).toEqual([SELF, second]);
    expect((await written(plan, { etcdVersion: '3.4' })).db.bucket('meta')!.get('confState')).toBeUndefined();
  });

  test('nothing, where there is nothing to apply', async () => {
    const plan = { consistentIndex: 2n, records: [...START, END] };
    const before = new BackendFile((await smallDir(plan)).db);
    expect(contentOf(await written(plan))).toEqual(contentOf(before));
  });
});

describe('compaction', () => {
  const compact = (revision: bigint) => request(2n, 7n, { compaction: { revision } });
  const records = [
    ...START,
    put(2n, 3n, 'a'),
    put(2n, 4n, 'b'),
    put(2n, 5n, 'a'),
    request(2n, 6n, { delete_range: { key: bytes('b') } }),
  ];
  const plan = (revision: bigint): SmallDirPlan => ({
    consistentIndex: 2n,
    records: [...records, compact(revision), END],
  });
  const revisions = (file: BackendFile): string[] =>
    Object.keys(contentOf(file)['key']!).map((key) => `${bytes(key)[7]}${key.length > 17 ? 't' : ''}`);

  test('is carried out on old and new records, and told as finished', async () => {
    const file = await written(plan(4n));
    expect(revisions(file)).toEqual(['3', '4', '5t']);
    expect(file.read(readMeta)).toMatchObject({ scheduledCompact: 4n, finishedCompact: 4n });
  });

  test('a deletion at its very revision is left by 3.5 and later', async () => {
    expect(revisions(await written(plan(5n)))).toEqual(['4', '5t']);
    expect(revisions(await written(plan(5n), { etcdVersion: '3.4' }))).toEqual(['4']);
  });

  test('one that was pending in the db is finished, also without an entry', async () => {
    const buckets: Record<string, Pairs> = {
      key: [putPair(2, 0, { key: 'a' }), putPair(3, 0, { key: 'a', createRevision: 2, version: 2 })],
      meta: [['scheduledCompactRev', encodeRevision({ main: 3n, sub: 0n })]],
    };
    const file = await written({ consistentIndex: 2n, buckets, records: [...START, END] });
    expect(revisions(file)).toEqual(['3']);
    expect(file.read(readMeta)).toMatchObject({ finishedCompact: 3n, consistentIndex: 2n });
  });

  /** A history: puts and deletions of few keys. */
  const history = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), isPut: fc.boolean() }), {
    maxLength: 30,
  });

  property.prop([history, fc.nat(30), fc.nat(35), fc.constantFrom<EtcdMinor>('3.4', '3.6')], { numRuns: 80 })(
    'leaves of each key the newest record at or below, unless that is a deletion',
    async (changes, inDb, at, minor) => {
      const all = changes.map(({ key, isPut }, i) => ({ key, isPut, main: i + 2 }));
      const pairs = all
        .slice(0, inDb)
        .map(({ key, isPut, main }) => (isPut ? putPair(main, 0, { key }) : tombstone(main, 0, key)));
      const fresh = new NewRecords();
      for (const { key, isPut, main } of all.slice(inDb)) {
        const [, message] = isPut ? putPair(main, 0, { key }) : tombstone(main, 0, key);
        fresh.add({ main: BigInt(main), sub: 0n }, !isPut, message);
      }
      const { db } = await openDb({ key: pairs });
      const keep = drain(new KeepSetJob(db, fresh, BigInt(at), minor));
      const kept = all.filter((_, number) => keep.keeps(number)).map(({ main }) => main);
      const expected = all.filter(({ key, isPut, main }) => {
        if (main > at) return true;
        if (all.some((later) => later.key === key && later.main > main && later.main <= at)) return false;
        return isPut || (minor !== '3.4' && main === at);
      });
      expect(kept).toEqual(expected.map(({ main }) => main));
    },
  );
});

describe('other buckets', () => {
  const NAMES = ['auth', 'lease', 'members', 'unknown'] as const;
  const key = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c') });
  // Seldom one that is too large to be kept with its page.
  const large = fc.constant('x'.repeat(1_100_000));
  const value = fc.oneof(
    { arbitrary: fc.string({ maxLength: 5, unit: 'binary-ascii' }), weight: 20 },
    { arbitrary: large, weight: 1 },
  );
  const pairs = fc.dictionary(key, value, { maxKeys: 8 });
  const buckets = fc.record({ auth: pairs, lease: pairs, members: pairs, unknown: pairs }, { requiredKeys: [] });
  const changes = fc.record({
    auth: fc.dictionary(key, fc.option(value)),
    lease: fc.dictionary(key, fc.option(value)),
  });

  property.prop([buckets, changes, fc.boolean()], { numRuns: 50 })(
    'have what they had, with the changes made, and all of etcd’s are there',
    async (old, changed, cleared) => {
      const made = Object.fromEntries(Object.entries(old).map(([name, all]) => [name, Object.entries(all ?? {})]));
      const source = memorySource(await makeDb(made, { bare: true, pageSize: 1024 }));
      const file = memoryFile();
      const merged = new DbChanges();
      for (const [name, all] of Object.entries(changed)) {
        const list = merged.bucket(name as 'auth');
        if (cleared) list.clear();
        for (const [each, to] of Object.entries(all)) {
          if (to === null) list.delete(bytes(each));
          else list.put(bytes(each), bytes(to));
        }
      }
      drain(new RewriteJob(source, merged, file));
      expect(checkBolt(file).findings).toEqual([]);
      const content = contentOf(new BackendFile(file));
      expect(Object.keys(content).sort()).toEqual(Object.keys({ ...EMPTY, ...old }).sort());
      for (const name of NAMES) {
        const expected: Record<string, string> = cleared && name in changed ? {} : { ...old[name] };
        for (const [each, to] of Object.entries(
          (changed as Record<string, Record<string, string | null>>)[name] ?? {},
        )) {
          if (to === null) delete expected[each];
          else expected[each] = to;
        }
        expect(content[name] ?? {}).toEqual(expected);
      }
    },
  );

  const EMPTY = Object.fromEntries(
    ['alarm', 'auth', 'authRoles', 'authUsers', 'cluster', 'key', 'lease', 'members', 'members_removed', 'meta'].map(
      (name) => [name, {}],
    ),
  );
});

/** What real servers leave behind gives no other findings than these. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  // Its bucket keeps the members of the cluster that the snapshot was taken of.
  '3.4.23/restored/one': ['REPLAY_MEMBERS_DIFFER'],
  '3.4.23/restored/three-m1': ['REPLAY_MEMBERS_DIFFER'],
  '3.4.23/restored/three-m2': ['REPLAY_MEMBERS_DIFFER'],
  '3.4.23/restored/three-m3': ['REPLAY_MEMBERS_DIFFER'],
  // Its last entry takes it out of the cluster.
  '3.4.23/cluster/m3': ['REPLAY_MEMBER_REMOVED'],
  // Looks at /health, and keys of the v2 API.
  '3.4.23/empty/m1': ['REPLAY_V2_REQUESTS'],
  '3.4.23/nested/m1': ['REPLAY_V2_REQUESTS'],
  '3.4.23/tail-auth/m1': ['REPLAY_V2_REQUESTS', 'REPLAY_PASSWORDS_HASHED'],
  '3.4.23/tail-future/m1': ['REPLAY_V2_REQUESTS'],
  '3.4.23/tail-nospace/m1': ['REPLAY_V2_REQUESTS'],
  '3.4.23/v2/m1': ['REPLAY_V2_REQUESTS'],
};

describe('stored directories of real servers', () => {
  let seen = 0;

  test.each(dataDirFixtures())('%s: no alarm, and the same content if the log has no more', (name) => {
    const dir = openDirFixture(name);
    const replayed = drain(new ReplayJob(dir));
    const { tail, findings, parts } = replayed;
    expect(findings.map(({ code }) => code)).toEqual(TOLD[name] ?? []);
    expect(findings.every(({ severity }) => severity === 'info')).toBe(true);
    expect(tail.loneVoter).toBe(!/cluster|three/.test(name));
    if (tail.last >= tail.first || parts.keyspace.compaction !== undefined) return;
    seen++;
    const db = drain(new WriteReplayedJob(replayed, memoryFile()));
    const before = checkBolt(dir.db, { digest: true }).bolt?.digest;
    expect(db).toMatchObject({ pairs: before?.pairs, digest: before?.value });
  });

  test('most of them have no more', () => expect(seen).toBeGreaterThan(20));
});

// Everything was put behind the old records at once, and an event loop waited as long.
test.each([
  ['a db', 2n],
  ['no db', null],
])('a long tail is written in pieces: to %s', async (_name, consistentIndex) => {
  const value = 'v'.repeat(2000);
  const puts = Array.from({ length: 4000 }, (_, i) => put(2n, BigInt(3 + i), `k${i}`, value));
  const plan = { consistentIndex, records: [...START, ...puts, END] };
  const replayed = drain(new ReplayJob(await smallDir(plan)));
  const file = memoryFile();
  let inStep = 0;
  const counting: ByteFile = {
    ...file,
    get size() {
      return file.size;
    },
    readInto: (target, offset) => file.readInto(target, offset),
    write: (offset, data) => {
      inStep += data.length;
      file.write(offset, data);
    },
    truncate: (size) => file.truncate(size),
    sync: () => {},
    close: () => {},
  };
  const job = new WriteReplayedJob(replayed, counting);
  let most = 0;
  for (let ended = false; !ended; most = Math.max(most, inStep)) {
    inStep = 0;
    ended = job.step();
  }
  expect(file.size).toBeGreaterThan(8_000_000);
  expect(most).toBeLessThan(4_000_000);
  drain(new RewrittenCheckJob(file, { db: job.result, old: undefined, path: 'out', snapshot: false }));
});

test('a file that is not what was written does not pass', async () => {
  const replayed = drain(
    new ReplayJob(await smallDir({ consistentIndex: 2n, records: [...START, put(2n, 3n, 'a'), END] })),
  );
  const file = memoryFile();
  const db = drain(new WriteReplayedJob(replayed, file));
  const check = (changed: Partial<typeof db>) =>
    drain(new RewrittenCheckJob(file, { db: { ...db, ...changed }, old: undefined, path: 'out', snapshot: false }));
  expect(() => check({ pairs: db.pairs + 1 })).toThrow(expect.objectContaining({ code: 'SELF_CHECK_FAILED' }));
  expect(check({}).verdict).toBe('healthy');
});
