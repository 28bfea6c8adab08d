/**
 * `status`: our own text, the forms of etcdutl, and how it ends for what is damaged.
 */
import { describe, expect, test } from 'vitest';
import { hex, makeDb, put, uint64 } from '../support/backend-db.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { GOLDEN_BUCKETS, goldenDb } from '../support/golden-db.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const golden = writeWorkFile(folder, 'golden.db', await goldenDb());

describe('text', () => {
  test('says first that all is well, and names both meanings of keys', async () => {
    const { code, stdout, stderr } = await run(['status', golden]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        `${golden}: a db in good order, every page checked`,
        'keys:             4 live (the total keys of etcdutl 3.6 and later)',
        'records:          19 in all buckets (the total keys of 3.4 and 3.5), 9 of them revisions of keys',
        'revision:         14',
        'compacted:        10',
        'size:             12,288 bytes (12.0 KiB)',
        'in use:           12,288 bytes (12.0 KiB), 100 % of it',
        'sha256:           none, as in any db that is no snapshot file: check --level deep looks at every record',
        'hash:             4d67fa9c (1298659996), of snapshot status',
        'storage version:  3.6.0',
        'cluster version:  3.6.0',
        'raft:             index 20, term 2',
        'members:          1',
        '',
      ].join('\n'),
    );
  });

  test('of a snapshot of 3.4', async () => {
    const { stdout } = await run(['status', unpackFixture(folder, 'etcd/3.4.23/busy/snapshot')]);
    expect(stdout).toContain(': a snapshot file in good order');
    expect(stdout).toContain('storage version:  none is stored; 3.4 or older\n');
    expect(stdout).toContain('raft:             index 380, no term stored\n');
    expect(stdout).toMatch(/^file: {13}430,112 bytes/m);
  });

  test('of a db of 3.5', async () => {
    const { stdout } = await run(['status', unpackFixture(folder, 'etcd/3.5.33/busy/m1')]);
    expect(stdout).toContain('storage version:  3.5 (none is stored, but a term)\n');
  });

  test('of a new db: no record, never compacted', async () => {
    const { stdout } = await run(['status', writeWorkFile(folder, 'new.db', await makeDb({}))]);
    expect(stdout).toContain('revision:         no record; a server starts at 1\n');
    expect(stdout).toContain('compacted:        never\n');
    expect(stdout).toContain('cluster version:  not stored\n');
    expect(stdout).toContain('raft:             no index stored\n');
    expect(stdout).toContain('members:          none\n');
  });

  test('of a compaction that has not finished', async () => {
    const revision = hex('00000000000000105f0000000000000000');
    const key = GOLDEN_BUCKETS['key'] ?? [];
    const first = await makeDb({ key, meta: [['scheduledCompactRev', revision]] });
    const { stdout } = await run(['status', writeWorkFile(folder, 'pending.db', first)]);
    expect(stdout).toContain('revision:         14 is that of the last record; a server starts at 16\n');
    expect(stdout).toContain(
      'compacted:        16, not finished (never before); a server goes on with it when it starts\n',
    );
    const finishedBefore = hex('000000000000000a5f0000000000000000');
    const meta = [
      ['finishedCompactRev', finishedBefore],
      ['scheduledCompactRev', revision],
    ] as const;
    const second = await run(['status', writeWorkFile(folder, 'pending-again.db', await makeDb({ key, meta }))]);
    expect(second.stdout).toContain('compacted:        16, not finished (10 before);');
  });
});

describe('forms of etcdutl', () => {
  test('--json: its names first, then ours', async () => {
    const { code, stdout } = await run(['status', '--json', golden]);
    expect(code).toBe(0);
    expect(
      stdout.startsWith('{"hash":1298659996,"revision":14,"totalKey":4,"totalSize":12288,"version":"3.6.0",'),
    ).toBe(true);
    expect(JSON.parse(stdout)).toEqual({
      hash: 1298659996,
      revision: 14,
      totalKey: 4,
      totalSize: 12288,
      version: '3.6.0',
      schema: 1,
      path: golden,
      kind: 'db',
      records: 19,
      keyRecords: 9,
      unreadableRecords: 0,
      currentRevision: '14',
      compactRevision: '10',
      scheduledCompactRevision: '10',
      finishedCompactRevision: '10',
      compactionPending: false,
      sizeInUse: 12288,
      fileSize: 12288,
      trailer: 'missing',
      pageSize: 4096,
      txid: '1',
      storageVersion: '3.6.0',
      storageVersionBy: 'stored',
      clusterVersion: '3.6.0',
      consistentIndex: '20',
      term: '2',
      members: 1,
      serverHashes: { '3.4': 3578451020, '3.5': 4289472450, '3.6': 3742006287 },
      serverHashRule: '3.6',
      findings: [],
    });
    expect((await run(['status', '-w', 'json', golden])).stdout).toBe(stdout);
  });

  test('simple counts as the release that is imitated', async () => {
    expect((await run(['status', '-w', 'simple', golden])).stdout).toBe('4d67fa9c, 14, 4, 12 kB, 3.6.0\n');
    expect((await run(['status', '-w', 'simple', '--etcd-version', '3.5', golden])).stdout).toBe(
      '4d67fa9c, 14, 19, 12 kB\n',
    );
  });

  test('fields', async () => {
    expect((await run(['status', '-w', 'fields', golden])).stdout).toBe(
      '"Hash" : 1298659996\n"Revision" : 14\n"Keys" : 4\n"Size" : 12288\n"Version" : 3.6.0\n',
    );
  });
});

describe('what is wrong with a db', () => {
  test('pages: the findings, and 1', async () => {
    const cut = writeWorkFile(folder, 'cut.db', (await goldenDb()).slice(0, 8192));
    const { code, stdout, stderr } = await run(['status', cut]);
    expect(code).toBe(1);
    expect(stdout).toBe('the file has 8192 bytes, its pages (up to number 3) need 12288\n');
    expect(stderr).toMatch(/cut\.db: the file is damaged, so it has no status; 'etcd-datadir check /);
    const json = await run(['status', '-w', 'json', cut]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 1,
      error: { code: 'BOLT_SOURCE_DAMAGED' },
      check: { verdict: 'damaged' },
    });
  });

  test('records: the rest, how many there are, and 1', async () => {
    const key = [put(2, 0, { key: 'a' }), [hex('0000000000000003 5f 0000000000000000'), 'no message'] as const];
    const path = writeWorkFile(folder, 'record.db', await makeDb({ key }));
    const { code, stdout, stderr } = await run(['status', path]);
    expect(code).toBe(1);
    expect(stdout).toContain('record.db: a db with 1 damaged record, every page checked\nkeys:             1 live');
    expect(stderr).toMatch(/1 record cannot be read and is not in the answer: it is on page \d+, byte \d+/);
  });

  test('a meta page: a note, and 0', async () => {
    const edit = new BoltEdit(readFixture('etcd/3.6.14/busy/m1'));
    edit.flip(edit.at(edit.newerMeta, 72), 1);
    const { code, stderr } = await run(['status', writeWorkFile(folder, 'meta.db', edit.bytes)]);
    expect(code).toBe(0);
    expect(stderr).toContain('meta.db: ');
  });

  test('no db at all: 3', async () => {
    expect((await run(['status', writeWorkFile(folder, 'text.txt', 'hello\n'.repeat(2000))])).code).toBe(3);
    expect((await run(['status', `${folder}/absent.db`])).code).toBe(3);
  });
});

describe('meta', () => {
  test('text', async () => {
    expect(await run(['meta', golden])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        golden,
        'consistent index:      20',
        'term:                  2',
        'configuration:         voters 64674cd17a494f9e',
        'storage version:       3.6.0',
        'cluster version:       3.6.0',
        'downgrade:             none',
        'compaction asked for:  10',
        'compaction finished:   10',
        'readable revisions:    10 to 14',
        '',
      ].join('\n'),
    });
  });

  test('--json', async () => {
    expect(JSON.parse((await run(['meta', '--json', golden])).stdout)).toEqual({
      schema: 1,
      path: golden,
      present: true,
      consistentIndex: '20',
      term: '2',
      confState: {
        voters: ['7234835788977491870'],
        learners: [],
        votersOutgoing: [],
        learnersNext: [],
        autoLeave: false,
      },
      storedVersion: '3.6.0',
      storageVersion: '3.6.0',
      storageVersionBy: 'stored',
      storageVersionByEtcd34: '3.6.0',
      scheduledCompactRevision: '10',
      finishedCompactRevision: '10',
      compactRevision: '10',
      compactionPending: false,
      currentRevision: '14',
      clusterVersion: '3.6.0',
      downgrade: null,
      unreadable: { count: 0, listed: [] },
    });
  });

  test('a downgrade, learners, traces of 3.5', async () => {
    const meta = [['confState', '{"voters":[1],"learners":[18446744073709551615],"auto_leave":false}']] as const;
    const cluster = [['downgrade', '{"target-version":"3.5.0","enabled":true}']] as const;
    const { stdout } = await run(['meta', writeWorkFile(folder, 'downgrade.db', await makeDb({ meta, cluster }))]);
    expect(stdout).toContain('configuration:         voters 1, learners ffffffffffffffff\n');
    expect(stdout).toContain('storage version:       none is stored; there are traces of 3.5\n');
    expect(stdout).toContain('downgrade:             to 3.5.0 is under way\n');
    expect(stdout).toContain('compaction asked for:  never\n');
    expect(stdout).toContain('readable revisions:    1 to 1\n');
  });

  test('values that cannot be read are named, and the rest is told', async () => {
    const meta = [
      ['consistent_index', uint64(7n)],
      ['term', hex('0102')],
      ['finishedCompactRev', new Uint8Array(100).fill(0xab)],
    ] as const;
    const cluster = [['clusterVersion', 'three']] as const;
    const path = writeWorkFile(folder, 'values.db', await makeDb({ meta, cluster }));
    const { code, stdout, stderr } = await run(['meta', path]);
    expect(code).toBe(0);
    expect(stdout).toContain('consistent index:      7\n');
    expect(stdout).toContain('cannot be read:        term: 2 bytes, 0102\n');
    expect(stdout).toContain(`cannot be read:        finishedCompactRev: 100 bytes, ${'ab'.repeat(64)}…\n`);
    expect(stderr).toContain('bucket cluster, key');
    const json = JSON.parse((await run(['meta', '--json', path])).stdout) as { unreadable: { count: number } };
    expect(json.unreadable).toMatchObject({
      count: 3,
      listed: [{ bucket: 'meta', key: 'term' }, { key: 'finishedCompactRev' }, { bucket: 'cluster' }],
    });
  });

  test('a db without the bucket', async () => {
    const path = writeWorkFile(folder, 'bare.db', await makeDb({ key: [] }, { bare: true }));
    const { code, stdout } = await run(['meta', path]);
    expect(code).toBe(0);
    expect(stdout).toContain('bare.db: there is no bucket meta\n');
  });
});
