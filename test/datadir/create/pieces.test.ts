/**
 * The parts that a restore is made of, one by one.
 */
import { test as property } from '@fast-check/vitest';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCluster } from '../../../src/backend/cluster.ts';
import { readMeta } from '../../../src/backend/meta.ts';
import { readRevisions, revisionsOf } from '../../../src/backend/revisions.ts';
import { blankBuckets } from '../../../src/datadir/create/blank-db.ts';
import { memberUrls } from '../../../src/datadir/create/client-urls.ts';
import { assertCompactable, markCompacted } from '../../../src/datadir/create/compaction.ts';
import { AUTO_BUMP, bumpRevision, planBump } from '../../../src/datadir/create/revision-bump.ts';
import { startCommand } from '../../../src/datadir/create/start-command.ts';
import { assertKnownSchema, storedVersionOf } from '../../../src/datadir/create/storage-migration.ts';
import { changeForRelease, type DbVersions, readDbVersions } from '../../../src/datadir/create/target-release.ts';
import { DbChanges } from '../../../src/datadir/rewrite/db-changes.ts';
import { RewriteJob } from '../../../src/datadir/rewrite/rewrite-job.ts';
import { isDatadirError } from '../../../src/errors.ts';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { drain } from '../../../src/io/job.ts';
import { memoryFile } from '../../../src/io/memory-file.ts';
import { parseInitialCluster } from '../../../src/membership/initial-cluster.ts';
import { type NewCluster, newCluster } from '../../../src/membership/new-cluster.ts';
import { makeDb, type Pairs, put, uint64 } from '../../support/backend-db.ts';
import { goldenReplays } from '../../support/golden-replay.ts';
import { bucketNames, dbOf, pairsOf } from '../../support/restore-cases.ts';

/** A db with changes, written anew. */
function rewritten(bytes: Uint8Array, change: (changes: DbChanges) => void) {
  const changes = new DbChanges();
  change(changes);
  const file = memoryFile();
  drain(new RewriteJob(memorySource(bytes), changes, file));
  return dbOf(file.bytes());
}

describe('blank dbs', () => {
  test.each(goldenReplays().filter(({ sequence }) => sequence === 'keys'))(
    'have the buckets that a new server of $minor makes',
    ({ minor, directory }) => {
      const made = directory('new').content.files.get('member/snap/db');
      expect(blankBuckets(minor)).toEqual(bucketNames(dbOf(made!.bytes)));
      expect(blankBuckets()).toEqual(blankBuckets(minor));
    },
  );

  test('minimal has those of the members alone', () => {
    expect(blankBuckets('minimal')).toEqual(['cluster', 'members']);
  });
});

describe('a bump', () => {
  const LIMIT = 1n << 62n;
  const revision = fc.bigInt({ min: 0n, max: 1n << 61n });
  const maybe = fc.option(revision, { nil: null });

  /** What etcd's own tool does, and what must hold besides. */
  function model(
    by: bigint | 'auto',
    last: bigint | null,
    known: readonly (bigint | null)[],
    notBelow: bigint,
  ): { by: bigint; revision: bigint } | undefined {
    const from = last ?? 0n;
    const amount = by === 'auto' ? (notBelow - from > AUTO_BUMP ? notBelow - from : AUTO_BUMP) : by;
    const to = from + amount;
    const least = [1n, from, ...known.map((each) => each ?? 0n)].reduce((a, b) => (a > b ? a : b));
    return to < LIMIT && to > least && to >= notBelow ? { by: amount, revision: to } : undefined;
  }

  property.prop([
    fc.oneof(fc.constant('auto' as const), fc.bigInt({ min: 1n, max: 1n << 63n }), fc.bigInt({ min: 1n, max: 5000n })),
    maybe,
    maybe,
    maybe,
    fc.oneof(fc.constant(0n), revision),
  ])('goes by the last record, and ends above all that was reached', (by, last, finished, scheduled, notBelow) => {
    const revisions = revisionsOf(last === null ? null : { main: last, sub: 3n }, {
      finishedCompact: finished,
      scheduledCompact: scheduled,
    });
    const expected = model(by, last, [finished, scheduled], notBelow);
    let planned: ReturnType<typeof planBump> | undefined;
    try {
      planned = planBump(by, revisions, notBelow);
    } catch (error) {
      if (!isDatadirError(error, 'EDIT_REFUSED')) throw error;
    }
    expect(planned).toEqual(expected);
  });

  test('is an empty record, and a compaction that a server will do', async () => {
    const bytes = await makeDb({ key: [put(2, 0, { key: 'a' }), put(3, 0, { key: 'a', version: 2 })] });
    const plan = planBump(1000n, readRevisions(dbOf(bytes)));
    expect(plan).toEqual({ by: 1000n, revision: 1003n });
    const db = rewritten(bytes, (changes) => bumpRevision(changes, plan));
    expect(pairsOf(db, 'key')?.at(-1)).toEqual(['00000000000003eb5f0000000000000000', '']);
    expect(pairsOf(db, 'meta')).toEqual([
      [Buffer.from('scheduledCompactRev').toString('hex'), '00000000000003eb5f0000000000000000'],
    ]);
    expect(readRevisions(db)).toMatchObject({ current: 1003n, compact: 1003n, compactionPending: true });
  });

  test('of an empty db begins at its number', () => {
    const nothing = revisionsOf(null, { finishedCompact: null, scheduledCompact: null });
    expect(planBump(1000n, nothing)).toEqual({ by: 1000n, revision: 1000n });
    // A new cluster is at revision 1 already.
    expect(() => planBump(1n, nothing)).toThrow('it must be above 1');
  });
});

describe('a compaction', () => {
  const revisions = revisionsOf({ main: 10n, sub: 0n }, { finishedCompact: 4n, scheduledCompact: 6n });

  test('is at a revision that can be read, and above the last one', () => {
    expect(() => assertCompactable(revisions, 7n)).not.toThrow();
    expect(() => assertCompactable(revisions, 10n)).not.toThrow();
    for (const [revision, code] of [
      [6n, 'REVISION_COMPACTED'],
      [0n, 'REVISION_COMPACTED'],
      [11n, 'REVISION_FUTURE'],
    ] as const) {
      expect(() => assertCompactable(revisions, revision)).toThrow(expect.objectContaining({ code }));
    }
  });

  test('is noted as asked for and as done', async () => {
    const db = rewritten(await makeDb({ key: [put(5, 0, { key: 'a' })] }), (changes) => markCompacted(changes, 5n));
    expect(readRevisions(db)).toMatchObject({ finishedCompact: 5n, scheduledCompact: 5n, compactionPending: false });
  });
});

describe('for a release', () => {
  const NONE: DbVersions = { storageVersion: null, clusterVersion: null, downgradeTo: null };

  async function changed(versions: Partial<DbVersions>, options: Parameters<typeof changeForRelease>[2]) {
    const meta: Pairs = versions.storageVersion ? [['storageVersion', versions.storageVersion]] : [];
    const cluster: Pairs = [
      ...(versions.clusterVersion ? ([['clusterVersion', versions.clusterVersion]] as const) : []),
      ...(versions.downgradeTo
        ? ([['downgrade', `{"target-version":"${versions.downgradeTo}","enabled":true}`]] as const)
        : []),
    ];
    const bytes = await makeDb({ meta: [...meta, ['term', uint64(2n)]], cluster });
    expect(readDbVersions(dbOf(bytes))).toEqual({ ...NONE, ...versions });
    let notes: readonly string[] = [];
    const db = rewritten(bytes, (changes) => {
      notes = changeForRelease(changes, { ...NONE, ...versions }, options);
    });
    const { version, downgrade } = readCluster(db);
    return {
      storage: readMeta(db).storageVersion,
      cluster: version,
      downgrade: downgrade?.targetVersion ?? null,
      notes: notes.length,
    };
  }

  /** [storage, cluster] before, then for 3.4, 3.5, 3.6, 3.7. */
  const rows: readonly [string | null, string | null, ...(readonly [string | null, string | null])[]][] = [
    [null, null, [null, null], [null, null], [null, null], [null, null]],
    [null, '3.4.0', [null, '3.4.0'], [null, '3.4.0'], [null, '3.4.0'], [null, '3.4.0']],
    [null, '3.5.0', [null, null], [null, '3.5.0'], [null, '3.5.0'], [null, '3.5.0']],
    ['3.6.0', '3.6.0', [null, null], [null, null], ['3.6.0', '3.6.0'], ['3.6.0', '3.6.0']],
    ['3.7.0', '3.7.0', [null, null], [null, null], ['3.6.0', null], ['3.7.0', '3.7.0']],
    ['3.7.0', null, [null, null], [null, null], ['3.6.0', null], ['3.7.0', null]],
    ['3.6.0', '3.7.0', [null, null], [null, null], ['3.6.0', null], ['3.6.0', '3.7.0']],
  ];

  test.each(rows)('storage version %s, cluster version %s', async (storageVersion, clusterVersion, ...targets) => {
    for (const [i, [storage, cluster]] of targets.entries()) {
      const target = ETCD_MINORS[i]!;
      const found = await changed({ storageVersion, clusterVersion }, { target });
      const notes = Number(storage !== storageVersion) + Number(cluster !== clusterVersion);
      expect({ target, ...found }).toEqual({ target, storage, cluster, downgrade: null, notes });
    }
    const untouched = { storage: storageVersion, cluster: clusterVersion, downgrade: null, notes: 0 };
    expect(await changed({ storageVersion, clusterVersion }, {})).toEqual(untouched);
  });

  test('a downgrade under way is left out, unless it is to stay; whatever the release', async () => {
    const versions = { clusterVersion: '3.6.0', storageVersion: '3.6.0', downgradeTo: '3.5.0' };
    for (const target of [undefined, '3.6'] as const) {
      expect(await changed(versions, { target })).toMatchObject({ downgrade: null, notes: 1, cluster: '3.6.0' });
      expect(await changed(versions, { target, keepDowngrade: true })).toMatchObject({ downgrade: '3.5.0', notes: 0 });
    }
  });

  test('a version from which no steps are known is refused', () => {
    for (const stored of ['3.8.0', '4.0.0', 'x', '']) {
      expect(() => assertKnownSchema(stored), stored).toThrow(expect.objectContaining({ code: 'EDIT_REFUSED' }));
      const change = () => changeForRelease(new DbChanges(), { ...NONE, storageVersion: stored }, { target: '3.5' });
      expect(change).toThrow(expect.objectContaining({ code: 'EDIT_REFUSED' }));
    }
    for (const stored of ['3.5.0', '3.6.0', '3.7.0', '3.6.14']) expect(() => assertKnownSchema(stored)).not.toThrow();
  });

  test('what each release stores', () => {
    expect(ETCD_MINORS.map(storedVersionOf)).toEqual([null, null, '3.6.0', '3.7.0']);
  });
});

describe('addresses for clients', () => {
  const cluster = (list: string): NewCluster => newCluster(parseInitialCluster(list, '3.7'), 'token');
  const urlsOf = (list: string) => {
    const of = cluster(list);
    const urls = memberUrls(of);
    return of.members.map(({ id, name }) => ({ name, ...urls.get(id)! })).sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  test('one port below the peers, at the same host', () => {
    expect(urlsOf('a=http://10.0.0.1:2380,b=https://10.0.0.2:12380')).toEqual([
      {
        name: 'a',
        listenPeer: ['http://10.0.0.1:2380'],
        listenClient: 'http://10.0.0.1:2379',
        advertiseClient: 'http://10.0.0.1:2379',
      },
      {
        name: 'b',
        listenPeer: ['https://10.0.0.2:12380'],
        listenClient: 'https://10.0.0.2:12379',
        advertiseClient: 'https://10.0.0.2:12379',
      },
    ]);
  });

  test('names are listened for at all addresses; sockets and missing ports get the usual one', () => {
    expect(urlsOf('a=http://node.example:2380')[0]).toMatchObject({
      listenPeer: ['http://0.0.0.0:2380'],
      listenClient: 'http://0.0.0.0:2379',
      advertiseClient: 'http://node.example:2379',
    });
    expect(urlsOf('a=http://[::1]:2380')[0]).toMatchObject({
      listenPeer: ['http://[::1]:2380'],
      advertiseClient: 'http://[::1]:2379',
    });
    expect(urlsOf('a=unix:///run/a.sock')[0]).toMatchObject({
      listenPeer: ['unix:///run/a.sock'],
      advertiseClient: 'http://localhost:2379',
    });
    expect(urlsOf('a=http://10.0.0.1:')[0]).toMatchObject({ advertiseClient: 'http://10.0.0.1:2379' });
    expect(urlsOf('a=http://user:pw@10.0.0.1:5?q#f')[0]).toMatchObject({ advertiseClient: 'http://10.0.0.1:4' });
  });

  const port = fc.integer({ min: 1, max: 65_535 });
  const list = fc.uniqueArray(
    fc.tuple(fc.constantFrom('10.0.0.1', 'localhost', '[::1]'), fc.oneof(port, fc.integer({ min: 2370, max: 2390 }))),
    {
      minLength: 1,
      maxLength: 12,
      selector: ([host, at]) => `${host}:${at}`,
    },
  );

  property.prop([list])('no two members, and no peer and client, share one', (places) => {
    const text = places.map(([host, at], i) => `n${i}=http://${host}:${at}`).join(',');
    const clients = urlsOf(text).map(({ advertiseClient }) => advertiseClient);
    const peers = places.map(([host, at]) => `http://${host}:${at}`);
    expect(new Set([...clients, ...peers]).size).toBe(2 * places.length);
    for (const url of clients) expect(Number(/:(\d+)$/.exec(url)?.[1])).toBeLessThanOrEqual(65_535);
  });
});

describe('the command line of a start', () => {
  const urls = { listenPeer: ['http://h:1', 'http://g:2'], listenClient: 'http://h:3', advertiseClient: 'http://h:3' };
  const line = (name: string, dataDir: string, walDir?: string): string =>
    startCommand({ member: { id: 1n, name, peerUrls: [], isLearner: false }, urls, dataDir, walDir });

  test('plain words stay as they are', () => {
    expect(line('n1', '/var/lib/etcd', '/wal')).toBe(
      'etcd --name n1 --data-dir /var/lib/etcd --wal-dir /wal --listen-peer-urls http://h:1,http://g:2 --listen-client-urls http://h:3 --advertise-client-urls http://h:3',
    );
  });

  test('all others are quoted as a shell needs it', () => {
    for (const [word, quoted] of [
      ['two words', "'two words'"],
      ["it's", "'it'\\''s'"],
      ['$HOME', "'$HOME'"],
      ['', "''"],
      ['a;b|c&d<e>f*g?h`i"j\\k(l)m#n~o!p', `'a;b|c&d<e>f*g?h\`i"j\\k(l)m#n~o!p'`],
      ['zeile\nzwei', "'zeile\nzwei'"],
      ['ä', "'ä'"],
    ]) {
      expect(line(word as string, '/d')).toContain(`--name ${quoted} --data-dir /d `);
    }
  });
});
