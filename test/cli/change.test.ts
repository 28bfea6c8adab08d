/**
 * `recluster`, `member add|remove|update`, `defrag`, `compact`, `migrate` and `alarm disarm`: what they print, and what they refuse.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkBackend } from '../../src/backend/check.ts';
import { readMeta } from '../../src/backend/meta.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { loneDir, otherDir } from '../datadir/hostile-dirs.ts';
import { makeDb, uint64 } from '../support/backend-db.ts';
import { checkDataDir } from '../support/check-made.ts';
import { memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { readFixture } from '../support/fixtures.ts';
import { dbOf, pairsOf } from '../support/restore-cases.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './run.ts';

const LONE = await loneDir();
const OTHER = await otherDir();

let folder: string;
let out: string;
beforeEach(() => {
  folder = temporaryDirectory();
  out = join(folder, 'out');
});

const lone = (): string => writeDataDir(memoryDir(LONE), join(folder, 'lone'));
const other = (): string => writeDataDir(memoryDir(OTHER), join(folder, 'other'));
const file = (name: string): string => {
  const path = join(folder, 'source.db');
  writeFileSync(path, readFixture(`etcd/${name}`));
  return path;
};
const rows = (stdout: string): string[][] => stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
const made = (): Buffer => readFileSync(out);

describe('recluster', () => {
  test('for people', async () => {
    const source = other();
    const { code, stdout, stderr } = await run(['recluster', source, '-o', out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      'DONE: the data directory was written',
      `${source} -> ${out}`,
      'member:    55, cluster 5951d36986a171c, etcd 3.4',
      'revision:  3 (the db had 1)',
      'log:       all committed, up to entry 8',
    ]);
    expect(stdout).toMatch(/^taken as committed: 1 /m);
    expect(stdout).toContain('change:    20 is removed\nchange:    30 is removed\n');
    expect(rows(stdout)).toContainEqual(['55', 'm85', 'voter', 'http://m85:2380']);
    expect(stdout).toContain('the other members must not be started again: add them anew, with empty directories\n');
    await checkDataDir(out, '3.4');
  });

  test('as JSON, of a member that was alone already', async () => {
    const source = lone();
    const { code, stdout } = await run(['recluster', source, '--output', out, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      source,
      path: out,
      etcdVersion: '3.6',
      changes: [],
      lastIndex: '15',
      revision: { db: '7', afterReplay: '10' },
      notCommitted: '0',
      notes: [],
      memberId: '16',
      memberIdHex: '10',
      clusterId: '3322689417707815967',
      clusterIdHex: '2e1c906bc96c841f',
      addedId: null,
      addedIdHex: null,
      members: [
        {
          id: '16',
          idHex: '10',
          name: 'm16',
          peerURLs: ['http://m16:2380'],
          clientURLs: ['http://m16:2379'],
          isLearner: false,
        },
      ],
      findings: [],
    });
    await checkDataDir(out, '3.6');
    const again = await run(['recluster', out, '-o', join(folder, 'again')]);
    expect(again.stdout).toContain('change:    none, it was alone already\n');
  });

  test('the log goes elsewhere, and comes from there again', async () => {
    const log = join(folder, 'log');
    expect((await run(['recluster', lone(), '-o', out, '--output-wal-dir', log])).code).toBe(0);
    expect(readdirSync(join(out, 'member'))).toEqual(['snap']);
    await checkDataDir(out, '3.6', log);
    const next = join(folder, 'next');
    expect((await run(['recluster', out, '--wal-dir', log, '-o', next])).code).toBe(0);
    await checkDataDir(next, '3.6');
  });

  test('wrong inputs and outputs', async () => {
    const source = lone();
    expect((await run(['recluster', source])).code).toBe(2);
    expect((await run(['recluster', source, '-o', join(source, 'new')])).code).toBe(2);
    expect((await run(['recluster', source, '-o', source])).code).not.toBe(0);
    expect((await run(['recluster', join(folder, 'none'), '-o', out])).code).toBe(3);
    expect((await run(['recluster', folder, '-o', out])).code).toBe(3);
    writeFileSync(out, 'mine');
    expect(await run(['recluster', source, '-o', out])).toMatchObject({ code: 3 });
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['lone', 'out']);
  });
});

describe('member', () => {
  test('add: a learner, and what it is started with', async () => {
    const args = ['member', 'add', 'n9', '--peer-urls', 'http://10.0.0.9:2380', '--data-dir', lone(), '-o', out];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const id = /change: {4}([0-9a-f]{1,16}) at http:\/\/10\.0\.0\.9:2380 is added as learner/.exec(stdout)?.[1];
    expect(rows(stdout)).toContainEqual([id, '-', 'learner', 'http://10.0.0.9:2380']);
    expect(stdout.split('\n').slice(-6)).toEqual([
      'start the new member, with an empty directory, with:',
      '  ETCD_NAME="n9"',
      '  ETCD_INITIAL_CLUSTER="m16=http://m16:2380,n9=http://10.0.0.9:2380"',
      '  ETCD_INITIAL_ADVERTISE_PEER_URLS="http://10.0.0.9:2380"',
      '  ETCD_INITIAL_CLUSTER_STATE="existing"',
      '',
    ]);
    await checkDataDir(out, '3.6');

    // The learner is another member: it can be removed, but there is no room for a second one.
    const more = ['--data-dir', out, '-o', join(folder, 'more')];
    const second = await run(['member', 'add', '--peer-urls', 'http://10.0.0.8:2380', ...more]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('too many learner members in cluster') });
    const removed = await run(['member', 'remove', id as string, ...more, '--json']);
    expect(removed.code).toBe(0);
    expect(JSON.parse(removed.stdout)).toMatchObject({ changes: [`${id} is removed`], members: [{ idHex: '10' }] });
    await checkDataDir(join(folder, 'more'), '3.6');
    const gone = ['--data-dir', join(folder, 'more'), '-o', join(folder, 'x')];
    expect(await run(['member', 'remove', id as string, ...gone])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('membership: ID removed'),
    });
  });

  test('add --voter, as JSON', async () => {
    const args = ['member', 'add', '--voter', '--peer-urls', 'http://10.0.0.9:2380', '--data-dir', lone(), '-o', out];
    const { code, stdout } = await run([...args, '--json']);
    expect(code).toBe(0);
    const { addedIdHex, members, changes, environment } = JSON.parse(stdout);
    expect(changes).toEqual([`${addedIdHex} at http://10.0.0.9:2380 is added`]);
    expect(members).toHaveLength(2);
    expect(members[1]).toMatchObject({ idHex: addedIdHex, isLearner: false, name: '' });
    expect(environment).toMatchObject({ ETCD_NAME: '', ETCD_INITIAL_CLUSTER_STATE: 'existing' });
  });

  test('update', async () => {
    const args = ['member', 'update', '10', '--peer-urls', 'http://h:1,http://g:2', '--data-dir', lone(), '-o', out];
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain('change:    10 is at http://h:1, http://g:2\n');
    expect(rows(stdout)).toContainEqual(['10', 'm16', 'voter', 'http://h:1 http://g:2']);
    const json = await run([
      'member',
      'update',
      '10',
      '--peer-urls',
      'http://h:3',
      '--data-dir',
      out,
      '-o',
      join(folder, 'j'),
      '--json',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      members: [{ peerURLs: ['http://h:3'], clientURLs: ['http://m16:2379'] }],
    });
  });

  test('what is refused, and why', async () => {
    const [alone, one] = [lone(), other()];
    const urls = ['--peer-urls', 'http://10.0.0.9:2380'];
    for (const [words, args] of [
      ['10 is the member whose directory this is, and the only one that votes', ['remove', '10', '--data-dir', alone]],
      ['membership: ID not found: there is no member 99', ['remove', '99', '--data-dir', alone]],
      ['membership: ID not found: there is no member 99', ['update', '99', ...urls, '--data-dir', alone]],
      [
        'membership: peerURL exists: http://m16:2380 is that of 10',
        ['add', '--peer-urls', 'http://m16:2380', '--data-dir', alone],
      ],
      ["'etcd-datadir recluster' makes this one the only member", ['remove', '20', '--data-dir', one]],
      ['there are other members that vote (20, 30)', ['add', ...urls, '--data-dir', one]],
      ['there are other members that vote (20, 30)', ['update', '55', ...urls, '--data-dir', one]],
    ] as const) {
      const { code, stderr } = await run(['member', ...args, '-o', out]);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(stderr).toContain(words);
    }
    for (const [words, args] of [
      ["ID must be the id of a member in hexadecimal digits, not 'xyz'", ['remove', 'xyz', '--data-dir', alone]],
      ['URL must not contain a path', ['add', '--peer-urls', 'http://a:1/', '--data-dir', alone]],
      ['the scheme is missing', ['update', '10', '--peer-urls', 'a:1', '--data-dir', alone]],
      ['member add needs --peer-urls', ['add', '--data-dir', alone]],
      ['member remove needs --data-dir', ['remove', '10']],
    ] as const) {
      const { code, stderr } = await run(['member', ...args, '-o', out]);
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr });
      expect(stderr).toContain(words);
    }
    expect(readdirSync(folder).sort()).toEqual(['lone', 'other']);
  });
});

describe('defrag', () => {
  test('for people: a snapshot file has a new sha256', async () => {
    const source = file('3.6.14/busy/snapshot');
    const { code, stdout, stderr } = await run(['defrag', source, '-o', out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const size = (bytes: number): string => `${bytes.toLocaleString('en')} bytes`;
    expect(stdout.split('\n')).toEqual([
      'DONE: the snapshot file was written',
      `${source} -> ${out}`,
      expect.stringMatching(`^size of db: ${size(made().length)} .*; before: ${size(409_632)} `),
      `sha256:     ${made().subarray(-32).toString('hex')}`,
      '',
    ]);
    expect(checkBackend(made(), { snapshot: true }).verdict).toBe('healthy');
    expect(pairsOf(dbOf(made()), 'key')).toEqual(pairsOf(dbOf(readFileSync(source)), 'key'));
  });

  test('as JSON, of a db and of a directory', async () => {
    const source = file('3.6.14/busy/m1');
    const { code, stdout } = await run(['defrag', source, '-o', out, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      source,
      path: out,
      kind: 'db',
      size: { before: readFileSync(source).length, after: made().length },
      sha256: null,
    });
    const dir = join(folder, 'dir');
    const directory = await run(['defrag', '--data-dir', lone(), '-o', dir, '--json']);
    expect(JSON.parse(directory.stdout)).toMatchObject({ kind: 'data-dir', path: dir, sha256: null });
    await checkDataDir(dir, '3.6');
  });

  test('PATH or --data-dir, one of them', async () => {
    const source = lone();
    expect(await run(['defrag', source, '--data-dir', source, '-o', out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PATH and --data-dir exclude one another'),
    });
    expect(await run(['defrag', '-o', out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a PATH is needed'),
    });
  });
});

describe('compact', () => {
  test('for people and as JSON', async () => {
    const source = file('3.6.14/busy/snapshot');
    const { code, stdout } = await run(['compact', source, '--rev', '300', '-o', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('compacted:  at revision 300\n');
    expect(readRevisions(dbOf(made()))).toMatchObject({ compact: 300n, finishedCompact: 300n, current: 351n });
    const json = await run(['compact', source, '--rev', '300', '-o', join(folder, 'j'), '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      schema: 1,
      source,
      path: join(folder, 'j'),
      kind: 'snapshot',
      size: { before: 409_632, after: made().length },
      sha256: made().subarray(-32).toString('hex'),
      revision: '300',
    });
  });

  test('revisions that cannot be, and directories that others decide of', async () => {
    const source = file('3.6.14/busy/snapshot');
    const { compact } = readRevisions(dbOf(readFileSync(source)));
    for (const [rev, words] of [
      [`${compact}`, 'mvcc: required revision has been compacted'],
      ['352', 'mvcc: required revision is a future revision'],
    ]) {
      const { code, stderr } = await run(['compact', source, '--rev', rev as string, '-o', out]);
      expect({ rev, code }).toEqual({ rev, code: 1 });
      expect(stderr).toContain(words);
    }
    expect((await run(['compact', source, '-o', out])).code).toBe(2);
    expect((await run(['compact', source, '--rev', '0', '-o', out])).code).toBe(2);
    expect(await run(['compact', lone(), '--rev', '3', '-o', out])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(10 to 14)'),
    });
    expect(await run(['compact', other(), '--rev', '1', '-o', out])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('what is compacted is agreed on by all members that vote'),
    });
    expect(readdirSync(folder).sort()).toEqual(['lone', 'other', 'source.db']);
  });
});

describe('migrate', () => {
  test('for people and as JSON', async () => {
    const source = file('3.6.14/busy/snapshot');
    const { code, stdout } = await run(['migrate', source, '--target-version', '3.5', '-o', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('storage version: none stored; before: 3.6.0\n');
    expect(readMeta(dbOf(made())).storageVersion).toBeNull();
    const json = await run(['migrate', out, '--target-version', '3.7', '-o', join(folder, 'j'), '--json']);
    expect(json.stderr).toBe('');
    expect(JSON.parse(json.stdout)).toEqual({
      schema: 1,
      source: out,
      path: join(folder, 'j'),
      kind: 'snapshot',
      size: { before: made().length, after: made().length },
      sha256: readFileSync(join(folder, 'j')).subarray(-32).toString('hex'),
      from: null,
      to: '3.7.0',
      notes: [],
    });
  });

  test('a directory on which the release does not start yet is told of', async () => {
    const { code, stdout } = await run([
      'migrate',
      '--data-dir',
      lone(),
      '--target-version',
      '3.5',
      '-o',
      out,
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      from: '3.6.0',
      to: null,
      notes: [expect.stringMatching(/^etcd 3\.5 does not start on it yet \(.*cluster version\)/)],
    });
  });

  test('what has no term is refused', async () => {
    const source = file('3.4.23/busy/m1');
    const args = ['migrate', source, '--target-version', '3.6', '-o', out];
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('missing term information') });
    expect(await run([...args.slice(0, 3), '3.4', '-o', out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('target version "3.4" not supported. Minimal "3.5"'),
    });
    // Nothing can be said of the steps then, so force is of no use.
    expect((await run([...args, '--force'])).code).toBe(1);
  });

  test('a version that is not known is left, if forced', async () => {
    const source = join(folder, 'future.db');
    writeFileSync(
      source,
      await makeDb({
        meta: [
          ['consistent_index', uint64(5n)],
          ['storageVersion', '3.9.0'],
          ['term', uint64(2n)],
        ],
      }),
    );
    const args = ['migrate', source, '--target-version', '3.6', '-o', out];
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('no steps from there') });
    const forced = await run([...args, '--force']);
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain(
      'note:       done all the same, as asked for: the storage version of the db is 3.9.0',
    );
    expect(readMeta(dbOf(made())).storageVersion).toBe('3.6.0');
  });
});

describe('alarm disarm', () => {
  test('for people and as JSON', async () => {
    const source = file('3.6.14/alarm/snapshot');
    const { code, stdout } = await run(['alarm', 'disarm', source, '-o', out]);
    expect(code).toBe(0);
    expect(stdout).toContain('disarmed:   NOSPACE of 37bc617ddb288130\n');
    expect(pairsOf(dbOf(made()), 'alarm')).toEqual([]);
    const other = join(folder, 'j');
    const json = await run(['alarm', 'disarm', source, '-o', other, '--type', 'corrupt', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: 1,
      source,
      path: other,
      disarmed: [],
      left: [{ memberId: '4016192160883310896', type: 'NOSPACE' }],
    });
    expect(pairsOf(dbOf(readFileSync(other)), 'alarm')).toHaveLength(1);
  });

  test('of one member, by its id', async () => {
    const source = file('3.6.14/alarm/snapshot');
    const args = ['alarm', 'disarm', source, '--json', '--member'];
    const [right, wrong] = [
      await run([...args, '37bc617ddb288130', '-o', out]),
      await run([...args, '1', '-o', join(folder, 'x')]),
    ];
    expect(JSON.parse(right.stdout)).toMatchObject({ disarmed: [{ type: 'NOSPACE' }], left: [] });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ disarmed: [], left: [{ type: 'NOSPACE' }] });
    expect((await run([...args, 'x', '-o', join(folder, 'y')])).code).toBe(2);
  });
});
