/**
 * `init-db`, `populate` and `restore`: what they print, their options, and what they refuse.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../src/backend/check.ts';
import { BUCKETS } from '../../src/backend/format.ts';
import { readMembers } from '../../src/backend/members.ts';
import { ETCD_MINORS } from '../../src/etcd-version.ts';
import { loneDir } from '../datadir/hostile-dirs.ts';
import { checkDataDir } from '../support/check-made.ts';
import { memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { readFixture } from '../support/fixtures.ts';
import { bucketNames, dbOf } from '../support/restore-cases.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const TWO = 'n1=http://10.0.0.1:2380,n2=http://10.0.0.2:2380';
const IDS = { n1: '3ebc01aec68d6d70', n2: 'ee274cacce804b21', cluster: '8ba396abbfd67d09' };
const WAL = 'member/wal/0000000000000000-0000000000000000.wal';
const SNAP = 'member/snap/0000000000000001-0000000000000002.snap';

const decimal = (hex: string): string => `${BigInt(`0x${hex}`)}`;
const startOf = (name: string, dataDir: string, host: string): string =>
  `etcd --name ${name} --data-dir ${dataDir} --listen-peer-urls http://${host}:2380 --listen-client-urls http://${host}:2379 --advertise-client-urls http://${host}:2379`;

async function* stream(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

describe('init-db', () => {
  test('for people', async () => {
    const out = join(temporaryDirectory(), 'blank.db');
    const { code, stdout, stderr } = await run(['init-db', out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'DONE: the blank db was written',
      out,
      'buckets:  alarm auth authRoles authUsers cluster key lease members members_removed meta',
      'size:     12,288 bytes (12.0 KiB)',
      'sha256:   none: etcd restores it with --skip-hash-check',
      '',
    ]);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(checkBackend(readFileSync(out)).verdict).toBe('healthy');
  });

  test('as JSON, with a sha256', async () => {
    const out = join(temporaryDirectory(), 'blank.db');
    const { code, stdout } = await run(['init-db', out, '--with-hash', '--page-size', '1024', '--json']);
    expect(code).toBe(0);
    const bytes = readFileSync(out);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      path: out,
      size: bytes.length,
      buckets: BUCKETS,
      sha256: bytes.subarray(-32).toString('hex'),
    });
    expect(bytes.length % 512).toBe(32);
    expect(checkBackend(bytes, { snapshot: true }).verdict).toBe('healthy');
    expect(dbOf(bytes).pageSize).toBe(1024);
  });

  test('--minimal makes two buckets; every release has the same ten', async () => {
    const folder = temporaryDirectory();
    expect((await run(['init-db', join(folder, 'minimal'), '--minimal'])).code).toBe(0);
    expect(bucketNames(dbOf(readFileSync(join(folder, 'minimal'))))).toEqual(['cluster', 'members']);
    for (const version of ETCD_MINORS) {
      expect((await run(['init-db', join(folder, version), '--etcd-version', version])).code).toBe(0);
      expect(bucketNames(dbOf(readFileSync(join(folder, version))))).toEqual([...BUCKETS]);
    }
  });

  test('what is there stays, and wrong options are told', async () => {
    const folder = temporaryDirectory();
    const out = join(folder, 'blank.db');
    writeFileSync(out, 'mine');
    expect(await run(['init-db', out])).toMatchObject({
      code: 3,
      stderr: `etcd-datadir: ${out}: exists already\n`,
    });
    expect(readFileSync(out, 'utf8')).toBe('mine');
    for (const [args, words] of [
      [['--minimal', '--etcd-version', '3.6'], '--minimal and --etcd-version exclude one another'],
      [['--page-size', '5'], '--page-size must be at least 512, not 5'],
      [['--etcd-version', '3.3'], "--etcd-version must be one of 3.4, 3.5, 3.6, 3.7, not '3.3'"],
    ] as const) {
      const { code, stderr } = await run(['init-db', join(folder, 'new'), ...args]);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toContain(words);
    }
    expect(await run(['init-db'])).toMatchObject({ code: 2, stderr: expect.stringContaining('init-db needs OUT: ') });
    expect(await run(['init-db', join(folder, 'no', 'such')])).toMatchObject({ code: 3 });
    expect(readdirSync(folder)).toEqual(['blank.db']);
  });
});

describe('populate', () => {
  test('for people', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const args = ['populate', '--data-dir', dataDir, '--name', 'n1', '--initial-cluster', TWO];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, , , , , header, first, second] = stdout.split('\n');
    expect(stdout.split('\n')).toEqual([
      'DONE: the data directory was made',
      dataDir,
      `cluster:   ${IDS.cluster}`,
      'revision:  1',
      'members:   2',
      header,
      first,
      second,
      'start it with:',
      `  ${startOf('n1', dataDir, '10.0.0.1')}`,
      '',
    ]);
    const words = [header, first, second].map((line) => line?.trim().split(/\s{2,}/));
    expect(words).toEqual([
      ['id', 'name', 'kind', 'peer URLs', 'directory'],
      [IDS.n1, 'n1', 'voter', 'http://10.0.0.1:2380', dataDir],
      [IDS.n2, 'n2', 'voter', 'http://10.0.0.2:2380', 'not made here'],
    ]);
    for (const minor of ETCD_MINORS) await checkDataDir(dataDir, minor);
  });

  test('as JSON', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const args = ['populate', '--data-dir', dataDir, '--name', 'n1', '--initial-cluster', TWO, '--json'];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    const startCommand = startOf('n1', dataDir, '10.0.0.1');
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      source: null,
      memberId: decimal(IDS.n1),
      memberIdHex: IDS.n1,
      clusterId: decimal(IDS.cluster),
      clusterIdHex: IDS.cluster,
      members: [
        {
          id: decimal(IDS.n1),
          idHex: IDS.n1,
          name: 'n1',
          peerURLs: ['http://10.0.0.1:2380'],
          isLearner: false,
          dataDir,
          walDir: null,
          startCommand,
        },
        {
          id: decimal(IDS.n2),
          idHex: IDS.n2,
          name: 'n2',
          peerURLs: ['http://10.0.0.2:2380'],
          isLearner: false,
          dataDir: null,
          walDir: null,
          startCommand: null,
        },
      ],
      startCommand,
      revision: '1',
      bump: null,
      etcdVersion: null,
      files: ['member/snap/db', SNAP, WAL].map((path) => join(dataDir, path)),
      notes: [],
      dryRun: false,
      findings: [],
    });
    for (const path of ['member/snap/db', SNAP, WAL]) expect(existsSync(join(dataDir, path)), path).toBe(true);
  });

  test('--all-members makes all of them; each log is that of its member', async () => {
    const outDir = join(temporaryDirectory(), 'all');
    const args = ['populate', '--all-members', outDir, '--initial-cluster', TWO, '--learner', 'n2', '--json'];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    const made = JSON.parse(stdout);
    expect(made).toMatchObject({ memberId: null, memberIdHex: null, startCommand: null });
    expect(
      made.members.map(({ name, isLearner, dataDir }: Record<string, unknown>) => [name, isLearner, dataDir]),
    ).toEqual([
      ['n1', false, join(outDir, 'n1')],
      ['n2', true, join(outDir, 'n2')],
    ]);
    expect(readdirSync(outDir)).toEqual(['n1', 'n2']);
    for (const name of ['n1', 'n2'] as const) {
      await checkDataDir(join(outDir, name), '3.6');
      const { stdout: info } = await run(['wal', 'info', join(outDir, name, 'member/wal')]);
      expect(info).toContain(IDS[name]);
    }
    const { stdout: text } = await run(['populate', '--all-members', join(outDir, 'more'), '--initial-cluster', TWO]);
    expect(text).toContain('DONE: 2 data directories were made\n');
    expect(text).toContain('start them with:\n');
  });

  test.each([
    [
      'JSON of etcdctl member list',
      '{"header":{"cluster_id":1},"members":[{"ID":5,"name":"n1","peerURLs":["http://10.0.0.1:2380"]},{"ID":6,"name":"n2","peerURLs":["http://10.0.0.2:2380"]}]}',
    ],
    ['a JSON map', '{"n1": "http://10.0.0.1:2380", "n2": ["http://10.0.0.2:2380"]}'],
    ['a YAML list', '- name: n1\n  peerURLs: [http://10.0.0.1:2380]\n- {name: n2, peerURLs: http://10.0.0.2:2380}\n'],
    ['a YAML map', 'n1: http://10.0.0.1:2380\nn2: http://10.0.0.2:2380\n'],
    ['a configuration of etcd', `name: n1\ninitial-cluster: ${TWO}\ninitial-cluster-token: etcd-cluster\n`],
  ])('members from %s, in a file and from standard input, in pieces', async (_, text) => {
    const folder = temporaryDirectory();
    const list = join(folder, 'members');
    writeFileSync(list, text);
    const args = ['populate', '--name', 'n1', '--json', '--dry-run'];
    const [file, piped] = [
      await run([...args, '--members', list]),
      await run([...args, '--members', '-'], { stdin: stream(text.slice(0, 20), text.slice(20)) }),
    ];
    for (const { code, stdout, stderr } of [file, piped]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ clusterIdHex: IDS.cluster, memberIdHex: IDS.n1, dryRun: true });
    }
    expect(readdirSync(folder)).toEqual(['members']);
  });

  test('a list may say who learns, and the token', async () => {
    const text =
      '{"initial-cluster-token":"t","members":[{"name":"n1","peerURLs":["http://10.0.0.1:2380"]},{"name":"n2","peerURLs":["http://10.0.0.2:2380"],"isLearner":true}]}';
    const { stdout } = await run(['populate', '--name', 'n1', '--members', '-', '--json', '--dry-run'], {
      stdin: stream(text),
    });
    const { clusterIdHex, members } = JSON.parse(stdout);
    expect(clusterIdHex).not.toBe(IDS.cluster);
    expect(members.filter(({ isLearner }: { isLearner: boolean }) => isLearner)).toMatchObject([{ name: 'n2' }]);
  });

  test('from a blank db of init-db, of either kind; not from one with keys', async () => {
    const folder = temporaryDirectory();
    for (const flags of [[], ['--minimal'], ['--with-hash', '--page-size', '8192']]) {
      const db = join(folder, `db${flags.length}`);
      const dataDir = join(folder, `data${flags.length}`);
      await run(['init-db', db, ...flags]);
      const { code, stdout } = await run(['populate', db, '--data-dir', dataDir, '--skip-hash-check']);
      expect(code).toBe(0);
      expect(stdout).toContain(`${db} -> ${dataDir}\n`);
      await checkDataDir(dataDir, '3.7');
      const made = dbOf(readFileSync(join(dataDir, 'member/snap/db')));
      expect(bucketNames(made)).toEqual([...BUCKETS]);
      expect(readMembers(made).members).toMatchObject([{ name: 'default', peerUrls: ['http://localhost:2380'] }]);
    }
    const full = join(folder, 'full.db');
    writeFileSync(full, readFixture('etcd/3.6.14/fresh/snapshot'));
    const { code, stderr } = await run(['populate', full, '--data-dir', join(folder, 'new')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /full\.db: not a blank db, there are keys in it \(revision \d+\): 'etcd-datadir restore' makes a cluster that has them/,
    );
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  test('--dry-run makes nothing, and finds what is in the way', async () => {
    const folder = temporaryDirectory();
    const dataDir = join(folder, 'a', 'data');
    const args = ['populate', '--data-dir', dataDir, '--dry-run'];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WOULD WORK: the data directory can be made; nothing was written\n/);
    expect(stdout).toContain(`would be made: ${join(dataDir, 'member/snap/db')}\n`);
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'x'), '');
    expect(await run(args)).toMatchObject({
      code: 3,
      stderr: `etcd-datadir: data-dir "${dataDir}" not empty or could not be read\n`,
    });
  });

  test('wrong command lines', async () => {
    const folder = temporaryDirectory();
    const list = join(folder, 'list');
    writeFileSync(list, 'n1: [\n');
    for (const [args, words] of [
      [['--members', list, '--initial-cluster', TWO], '--members and --initial-cluster exclude one another'],
      [['--all-members', join(folder, 'x'), '--name', 'n1'], '--all-members and --name exclude one another'],
      [['--all-members', join(folder, 'x'), '--wal-dir', 'w'], '--all-members and --wal-dir exclude one another'],
      [
        ['--initial-cluster', 'test1=test1.local:2380', '--name', 'test1'],
        'the scheme is missing: write http://test1.local:2380',
      ],
      [
        ['--name', 'n3', '--initial-cluster', TWO],
        `couldn't find local name "n3" in the initial cluster configuration`,
      ],
      [
        ['--all-members', join(folder, 'x'), '--initial-cluster', 'a/b=http://10.0.0.1:2380'],
        'cannot be that of a folder',
      ],
      [
        ['--all-members', join(folder, 'x'), '--initial-cluster', '..=http://10.0.0.1:2380'],
        'cannot be that of a folder',
      ],
      [['--learner', 'n9', '--name', 'n1', '--initial-cluster', TWO], 'the learner "n9" is no member of the cluster'],
      [['--learner', 'default'], 'all members are learners: a cluster needs at least one that votes'],
      [['--members', list], ''],
    ] as const) {
      const { code, stderr } = await run(['populate', ...args]);
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr });
      expect(stderr).toContain(words);
    }
    expect((await run(['populate', '--members', join(folder, 'none')])).code).toBe(3);
    const long = stream(...Array.from({ length: 20 }, () => ' '.repeat(1 << 16)));
    expect((await run(['populate', '--members', '-'], { stdin: long })).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['list']);
  });
});

describe('restore', () => {
  const snapshot = (folder: string, name = 'etcd/3.6.14/busy/snapshot'): string => {
    const path = join(folder, 'snapshot.db');
    writeFileSync(path, readFixture(name));
    return path;
  };

  test('for people: what was raised and left out is told', async () => {
    const folder = temporaryDirectory();
    const source = snapshot(folder);
    const dataDir = join(folder, 'data');
    const args = ['restore', source, '--data-dir', dataDir, '--etcd-version', '3.5', '--bump-revision', 'auto'];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 7)).toEqual([
      'DONE: the data directory was made',
      `${source} -> ${dataDir}`,
      'cluster:   cdf818194e3a8c32',
      'revision:  1,000,000,351 (raised by 1,000,000,000; what was before counts as compacted)',
      'note:      the storage version 3.6.0 is left out, for 3.5',
      'note:      the cluster version 3.6.0 is left out, for 3.5: the servers agree on a new one',
      'members:   1',
    ]);
    expect(stdout).toMatch(
      /start it with:\n {2}etcd --name default --data-dir \S+ --listen-peer-urls http:\/\/localhost:2380 .*\n$/,
    );
    await checkDataDir(dataDir, '3.5');
  });

  test('as JSON', async () => {
    const folder = temporaryDirectory();
    const source = snapshot(folder);
    const dataDir = join(folder, 'data');
    const flags = ['--bump-revision', '1000', '--mark-compacted', '--wal-dir', join(folder, 'log')];
    const { code, stdout } = await run(['restore', source, '--data-dir', dataDir, ...flags, '--json']);
    expect(code).toBe(0);
    const made = JSON.parse(stdout);
    expect(Object.keys(made).sort()).toEqual(
      [
        ...['schema', 'source', 'memberId', 'memberIdHex', 'clusterId', 'clusterIdHex', 'members', 'startCommand'],
        ...['revision', 'bump', 'etcdVersion', 'files', 'notes', 'dryRun', 'findings'],
      ].sort(),
    );
    expect(made).toMatchObject({
      source,
      memberIdHex: '8e9e05c52164694d',
      clusterIdHex: 'cdf818194e3a8c32',
      revision: '1351',
      bump: { by: '1000', revision: '1351' },
      members: [{ idHex: '8e9e05c52164694d', dataDir, walDir: join(folder, 'log') }],
      startCommand: expect.stringContaining(`--wal-dir ${join(folder, 'log')}`),
      files: [
        join(dataDir, 'member/snap/db'),
        join(dataDir, 'member/snap/0000000000000001-0000000000000001.snap'),
        join(folder, 'log/0000000000000000-0000000000000000.wal'),
      ],
    });
    await checkDataDir(dataDir, '3.6', join(folder, 'log'));
  });

  test('--all-members: one db for all, from a data directory with its log', async () => {
    const folder = temporaryDirectory();
    const source = writeDataDir(memoryDir(await loneDir()), join(folder, 'old'));
    const outDir = join(folder, 'all');
    const args = ['restore', source, '--all-members', outDir, '--initial-cluster', TWO, '--json'];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    // The db of the directory is at 7: the rest is in its log.
    expect(JSON.parse(stdout)).toMatchObject({ revision: '10', memberId: null, startCommand: null, source });
    const dbs = ['n1', 'n2'].map((name) => readFileSync(join(outDir, name, 'member/snap/db')));
    expect(dbs[0]?.equals(dbs[1] as Buffer)).toBe(true);
    for (const name of ['n1', 'n2']) await checkDataDir(join(outDir, name), '3.6');
    const committed = await run(['restore', source, '--data-dir', join(folder, 'c'), '--tail', 'committed', '--json']);
    expect(JSON.parse(committed.stdout)).toMatchObject({ revision: '9' });
  });

  test('switches can be switched off, as those of etcdutl', async () => {
    const folder = temporaryDirectory();
    const source = join(folder, 'db');
    writeFileSync(source, readFixture('etcd/3.6.14/busy/m1'));
    const code = async (...flags: string[]): Promise<number> =>
      (await run(['restore', source, '--data-dir', join(folder, 'x'), '--dry-run', ...flags])).code;
    expect(await code('--skip-hash-check')).toBe(0);
    expect(await code('--skip-hash-check=true')).toBe(0);
    expect(await code('--skip-hash-check=false')).toBe(1);
    expect(await code()).toBe(1);
    expect(await code('--skip-hash-check=yes')).toBe(2);
    expect(await code('--skip-hash-check', '--mark-compacted=false', '--bump-revision=0')).toBe(0);
    expect(await code('--skip-hash-check', '--mark-compacted=true')).toBe(2);
    expect(await code('--skip-hash-check', '--initial-memory-map-size', '10737418240')).toBe(0);
    expect(await code('--skip-hash-check', '--bump-revision', 'auto', '--mark-compacted')).toBe(0);
    expect(readdirSync(folder)).toEqual(['db']);
  });

  test('--not-below is the least that a bump comes to, and nothing without one', async () => {
    const folder = temporaryDirectory();
    const source = snapshot(folder);
    const dry = (...flags: string[]) =>
      run(['restore', source, '--dry-run', '--json', '--data-dir', join(folder, 'x'), ...flags]);
    const raised = await dry('--bump-revision', 'auto', '--not-below', '5000000000');
    expect(JSON.parse(raised.stdout)).toMatchObject({ revision: '5000000000', bump: { by: '4999999649' } });
    const enough = await dry('--bump-revision', 'auto', '--not-below', '400');
    expect(JSON.parse(enough.stdout)).toMatchObject({ revision: '1000000351' });
    const alone = await dry('--not-below', '400');
    expect(alone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--not-below says how far --bump-revision'),
    });
  });

  test('help names what differs from etcdutl', async () => {
    for (const command of ['restore', 'populate', 'init-db']) {
      const { code, stdout } = await run(['help', command]);
      expect(code).toBe(0);
      expect(stdout).toContain(`etcd-datadir ${command}`);
    }
    const { stdout } = await run(['restore', '--help']);
    for (const words of ['--bump-revision', '--all-members', 'a failed restore leaves nothing behind']) {
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    }
  });

  test('one who gives up finds nothing', async () => {
    const folder = temporaryDirectory();
    const source = snapshot(folder);
    const { code } = await run(['restore', source, '--data-dir', join(folder, 'x')], { signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(readdirSync(folder)).toEqual(['snapshot.db']);
  });
});
