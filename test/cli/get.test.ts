/**
 * `get`: etcdctl's options, output and errors.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { etcdRecording } from '../support/etcd-recordings.ts';
import { keysDb } from './keys-db.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder } from './work-files.ts';

const folder = workFolder();
let path: string;
let compacted: string;

beforeAll(async () => {
  path = await keysDb(folder);
  compacted = await keysDb(folder, { compacted: true });
});

/** Standard output of a run that ends well. */
async function get(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['get', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Names of the keys, in order. */
async function keys(...args: string[]): Promise<string[]> {
  const { kvs = [] } = JSON.parse(await get(path, ...args, '--json')) as { kvs?: { key: string }[] };
  return kvs.map(({ key }) => Buffer.from(key, 'base64').toString('latin1'));
}

describe('get', () => {
  test('a key', async () => {
    expect(await get(path, '/a/1')).toBe('/a/1\nagain\n');
    expect(await get(path, '/a/1', '--print-value-only')).toBe('again\n');
    expect(await get(path, '/a/1', '--keys-only')).toBe('/a/1\n\n');
    expect(await get(path, '/a/1', '--hex')).toBe('\\x2f\\x61\\x2f\\x31\n\\x61\\x67\\x61\\x69\\x6e\n');
  });

  test('nothing found is no failure', async () => {
    expect(await get(path, '/b')).toBe('');
    expect(await get(path, '/b', '--json')).toBe('{"header":{"revision":9}}\n');
  });

  test('at a revision', async () => {
    expect(await get(path, '/a/1', '--rev', '3')).toBe('/a/1\nuno\n');
    expect(await get(path, '/a/1', '--rev', '7')).toBe('');
    expect(await get(path, '/a/1', '--rev', '0')).toBe('/a/1\nagain\n');
    expect(JSON.parse(await get(path, '/b', '--rev', '5', '--json'))).toEqual({
      header: { revision: 9 },
      kvs: [{ key: 'L2I=', create_revision: 4, mod_revision: 4, version: 1, value: 'YmVl', lease: 0x1234 }],
      count: 1,
    });
  });

  test('compacted and future revisions give the errors of etcd, and 1', async () => {
    expect(await run(['get', compacted, '/a/1', '--rev', '3'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'etcd-datadir: etcdserver: mvcc: required revision has been compacted\n',
    });
    const future = await run(['get', compacted, '/a/1', '--rev', '10', '--json']);
    expect(future).toMatchObject({
      code: 1,
      stderr: 'etcd-datadir: etcdserver: mvcc: required revision is a future revision\n',
    });
    expect(JSON.parse(future.stdout)).toMatchObject({ schema: 1, error: { code: 'REVISION_FUTURE', actual: '10' } });
    expect(await get(compacted, '/a/1', '--rev', '4')).toBe('/a/1\nuno\n');
  });

  test('ranges: END, --prefix, --from-key, none of them', async () => {
    expect(await keys('/a/1', '/c')).toEqual(['/a/1', '/a/2']);
    expect(await keys('/a', '--prefix')).toEqual(['/a/1', '/a/2']);
    expect(await keys('/a/2', '--from-key')).toEqual(['/a/2', '/c', '\xff\x00']);
    for (const all of [[], ['', '--prefix'], ['', '--from-key'], ['--prefix'], ['--from-key']]) {
      expect(await keys(...all)).toEqual(['/a/1', '/a/2', '/c', '\xff\x00']);
    }
    expect(await keys('/c', '/a')).toEqual([]);
    expect(await keys('/a/1', '')).toEqual(['/a/1']);
  });

  test('keys in hex and base64', async () => {
    expect(await keys('ff00', '--key-format', 'hex')).toEqual(['\xff\x00']);
    expect(await keys('/wA=', '--key-format', 'base64')).toEqual(['\xff\x00']);
    expect(await keys('2f63', '00', '--key-format', 'hex')).toEqual(['/c', '\xff\x00']);
  });

  test('order, limit and revisions', async () => {
    expect(await keys('--order', 'DESCEND')).toEqual(['\xff\x00', '/c', '/a/2', '/a/1']);
    expect(await keys('--order', 'descend', '--limit', '2')).toEqual(['\xff\x00', '/c']);
    expect(await keys('--order', 'ASCEND', '--limit', '2')).toEqual(['/a/1', '/a/2']);
    expect(await keys('--sort-by', 'MODIFY')).toEqual(['/a/2', '/c', '/a/1', '\xff\x00']);
    expect(await keys('--sort-by', 'CREATE', '--order', 'DESCEND')).toEqual(['\xff\x00', '/a/1', '/c', '/a/2']);
    expect(await keys('--sort-by', 'VALUE')).toEqual(['/a/2', '\xff\x00', '/a/1', '/c']);
    expect(await keys('--rev', '6', '--sort-by', 'VERSION', '--order', 'DESCEND')).toEqual(['/a/1', '/a/2', '/c']);
    // As a server does it: without an order, the first three keys are sorted, and the last of these left out.
    expect(await keys('--sort-by', 'MODIFY', '--limit', '2')).toEqual(['/a/2', '/c']);
    expect(await keys('--min-mod-rev', '6', '--max-mod-rev', '8')).toEqual(['/a/1', '/c']);
    expect(await keys('--min-create-rev', '6')).toEqual(['/a/1', '/c', '\xff\x00']);
    expect(await keys('--max-create-rev', '6', '--limit', '1')).toEqual(['/a/2']);
  });

  test('the count is that of all keys in the range; more says that there are others', async () => {
    const answer = async (...args: string[]) => JSON.parse(await get(path, ...args, '--json'));
    expect(await answer('--limit', '1')).toMatchObject({ count: 4, more: true });
    expect(await answer('--limit', '4')).not.toHaveProperty('more');
    expect(await answer('--min-mod-rev', '9')).toMatchObject({ count: 4, kvs: [{ mod_revision: 9 }] });
    expect(await answer('--count-only')).toEqual({ header: { revision: 9 }, count: 4 });
    expect(await get(path, '--count-only')).toBe('4\n');
    expect(await get(path, '/a', '--prefix', '--count-only', '-w', 'fields')).toContain('"Count" : 2\n');
  });

  test.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('the answers of etcd %s', async (version) => {
    const snapshot = unpackFixture(folder, `etcd/${version}/busy/snapshot`);
    const recording = etcdRecording(`${version}/busy`);
    const answers = recording.matching(/^online\/get-(?:all|rev-(\d+))\.json$/);
    expect(answers.length).toBe(2);
    for (const { path: answer, group } of answers) {
      const revision = group === undefined || group === '' ? [] : ['--rev', group];
      const got = JSON.parse(await get(snapshot, '', '--from-key', '--json', ...revision));
      const expected = JSON.parse(new TextDecoder().decode(recording.bytes(answer)));
      expect(got.header.revision).toBe(expected.header.revision);
      expect({ ...got, header: 0 }).toEqual({ ...expected, header: 0 });
    }
  });
});
