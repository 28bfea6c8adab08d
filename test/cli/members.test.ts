/**
 * `members`: the forms of etcdctl, our own text, and what is said of data of old releases.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDb, type Pairs } from '../support/backend-db.ts';
import { etcdRecording } from '../support/etcd-recordings.ts';
import { readFixture } from '../support/fixtures.ts';
import { logFixture, unpack } from '../support/log-fixtures.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const OLD = /this db is of etcd 3\.4 or 3\.5, which do not go by these records/;

/** The data directory of a member, log included. */
function dataDirectory(name: string): string {
  const path = join(folder, name.replaceAll('/', '-'));
  unpack(logFixture(name), path);
  mkdirSync(join(path, 'member', 'snap'), { recursive: true });
  writeFileSync(join(path, 'member', 'snap', 'db'), readFixture(`etcd/${name}`));
  return path;
}

async function madeDb(name: string, members: Pairs, more: Readonly<Record<string, Pairs>> = {}): Promise<string> {
  return writeWorkFile(folder, name, await makeDb({ members, ...more }));
}

describe('members', () => {
  test('text: the version, learners, and who was removed', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/cluster/snapshot');
    expect(await run(['members', path])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        path,
        'cluster:    its id is in the log only, not in a db',
        'version:    3.6.0',
        'downgrade:  none',
        'members:    3',
        '  id                name  state             peer URLs               client URLs',
        '  a8f4b7bc114d572b  m1    started           http://127.0.0.1:12443  http://127.0.0.1:12442',
        '  baac6154b28a4819  m4    started, learner  http://127.0.0.1:12449  http://127.0.0.1:12448',
        '  dde262c6a3c423fe  m2    started           http://127.0.0.1:12445  http://127.0.0.1:12444',
        'removed:    9a09726f7507cf96',
        '',
      ].join('\n'),
    });
  });

  test('--json of a snapshot: the shape of etcdctl and more; the id of the cluster is not known', async () => {
    const path = unpackFixture(folder, 'etcd/3.7.1/cluster/snapshot');
    const { code, stdout } = await run(['members', path, '--json']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `{"header":{},"members":[{"ID":2146459920839817998,"name":"m2","peerURLs":["http://127.0.0.1:13125"],"clientURLs":["http://127.0.0.1:13124"]},{"ID":2867065902666370583,"name":"m4","peerURLs":["http://127.0.0.1:13129"],"clientURLs":["http://127.0.0.1:13128"],"isLearner":true},{"ID":10457630520013351133,"name":"m1","peerURLs":["http://127.0.0.1:13123"],"clientURLs":["http://127.0.0.1:13122"]}],"schema":1,"path":${JSON.stringify(path)},"removed":["1197066720773243208"],"clusterId":null,"clusterIdHex":null,"clusterVersion":"3.7.0","downgrade":null,"authoritative":true,"unreadable":{"count":0,"listed":[]}}\n`,
    );
    expect((await run(['members', path, '-w', 'json'])).stdout).toBe(stdout);
  });

  test('--json of a data directory begins as the answer of its server does', async () => {
    const { stdout } = await run(['members', dataDirectory('3.6.14/busy/m1'), '--json']);
    const answer = new TextDecoder().decode(etcdRecording('3.6.14/busy').bytes('online/members.json')).trimEnd();
    expect(stdout.startsWith(`${answer.slice(0, -1)},"schema":1,`)).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      clusterId: '3784574454373908735',
      clusterIdHex: '3485826a2af980ff',
      notReplayed: '0',
    });
  });

  test.each([
    ['etcd/3.4.23/cluster/m1', '3.4.0'],
    ['etcd/3.5.33/cluster/m1', '3.5.0'],
  ])('%s: its servers do not go by the bucket', async (name, version) => {
    const path = unpackFixture(folder, name);
    const text = await run(['members', path]);
    expect(text.stderr).toMatch(OLD);
    expect(text.stdout).toContain(`version:    ${version}`);
    const json = JSON.parse((await run(['members', path, '--json'])).stdout);
    expect(json).toMatchObject({ authoritative: false, clusterVersion: version });
  });

  test('a restore by 3.4 leaves the members of the old cluster, and it is said', async () => {
    const path = unpackFixture(folder, 'etcd/3.4.23/restored/one');
    const { stdout, stderr } = await run(['members', path]);
    // The peer URL of ../busy, not the one that the restore was given.
    expect(stdout).toContain('http://127.0.0.1:24143');
    expect(stderr).toMatch(/after a restore by 3\.4 they are still those of the old cluster/);
  });

  test('data that was upgraded goes by it again', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/upgraded/m1');
    expect((await run(['members', path])).stderr).toBe('');
  });

  test('a new member that never started, and one whose URL has an escaped character', async () => {
    const path = await madeDb(
      'unstarted.db',
      [
        ['a', '{"id":10,"peerURLs":["http://h:1/?a\\u0026b"],"isLearner":true}'],
        ['b', '{"id":11,"peerURLs":["http://h:2","http://h:3"],"name":"b"}'],
      ],
      { cluster: [['clusterVersion', '3.6.0']] },
    );
    const { stdout } = await run(['members', path]);
    expect(stdout).toContain('  a   -     unstarted, learner  http://h:1/?a&b        -\n');
    expect(stdout).toContain('  b   b     started             http://h:2 http://h:3  -\n');
    expect((await run(['members', path, '-w', 'simple'])).stdout).toBe(
      'a, unstarted, , http://h:1/?a&b, , true\nb, started, b, http://h:2,http://h:3, , false\n',
    );
  });

  test('a downgrade under way', async () => {
    const path = await madeDb('downgrade.db', [['a', '{"id":10}']], {
      cluster: [
        ['clusterVersion', '3.6.0'],
        ['downgrade', '{"target-version":"3.5.0","enabled":true}'],
      ],
    });
    expect((await run(['members', path])).stdout).toContain('downgrade:  to 3.5.0 is under way\n');
    const { downgrade } = JSON.parse((await run(['members', path, '--json'])).stdout);
    expect(downgrade).toEqual({ targetVersion: '3.5.0', enabled: true });
  });

  test('bad records are told, and the others listed', async () => {
    const path = await madeDb(
      'bad.db',
      [
        ['a', '{"id":10,"name":"good"}'],
        ['b', '{'],
        ['\u0007', '{}'],
      ],
      { cluster: [['clusterVersion', 'three']] },
    );
    const text = await run(['members', path]);
    expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('members:    1\n') });
    expect(text.stderr).toMatch(
      /3 records cannot be read and are not in the answer: the first is bucket members, key 07, page \d+, byte [\d,]+: its key is not a 64-bit number in hexadecimal digits/,
    );
    const { unreadable } = JSON.parse((await run(['members', path, '--json'])).stdout);
    expect(unreadable).toMatchObject({
      count: 3,
      listed: [
        { bucket: 'members', key: '\u0007', keyHex: '07', page: expect.any(Number), offset: expect.any(Number) },
        { bucket: 'members', key: 'b', keyHex: '62' },
        { bucket: 'cluster', key: 'clusterVersion', reason: 'it is not a version' },
      ],
    });
  });

  test('names with control characters do not reach the terminal', async () => {
    const path = await madeDb('control.db', [['a', '{"id":10,"name":"\\u001b[31m"}']]);
    expect((await run(['members', path])).stdout).toContain('\\x1b[31m');
  });

  test('what is no db', async () => {
    const path = writeWorkFile(folder, 'text.txt', 'not a db');
    expect((await run(['members', path])).code).toBe(3);
    expect((await run(['members', join(folder, 'none')])).code).toBe(3);
  });
});
