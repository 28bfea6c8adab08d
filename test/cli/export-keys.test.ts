/**
 * `export`: keys as JSON lines.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { readFixture } from '../support/fixtures.ts';
import { keysDb } from './keys-db.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
let path: string;
let compacted: string;

beforeAll(async () => {
  path = await keysDb(folder);
  compacted = await keysDb(folder, { compacted: true });
});

interface Line {
  readonly key: string;
  readonly modRevision: string;
  readonly deleted: boolean;
}

async function lines(...args: string[]): Promise<Line[]> {
  const { code, stdout } = await run(['export', ...args]);
  expect(code).toBe(0);
  const all = stdout.split('\n');
  expect(all.pop()).toBe('');
  return all.map((line) => JSON.parse(line));
}

const names = (found: readonly Line[]): string[] =>
  found.map(({ key, modRevision }) => `${Buffer.from(key, 'base64').toString('latin1')} ${modRevision}`);

describe('export', () => {
  test('live keys, in the order of their last change', async () => {
    expect(await run(['export', path, '--prefix', '/a'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout:
        '{"key":"L2EvMg==","value":"","createRevision":"5","modRevision":"5","sub":"0","version":"1","lease":"0","deleted":false}\n' +
        '{"key":"L2EvMQ==","value":"YWdhaW4=","createRevision":"8","modRevision":"8","sub":"0","version":"1","lease":"0","deleted":false}\n',
    });
    expect(names(await lines(path))).toEqual(['/a/2 5', '/c 6', '/a/1 8', '\xff\x00 9']);
    expect(names(await lines(path, '--json'))).toEqual(['/a/2 5', '/c 6', '/a/1 8', '\xff\x00 9']);
  });

  test('at a revision', async () => {
    expect(names(await lines(path, '--rev', '5'))).toEqual(['/a/1 3', '/b 4', '/a/2 5']);
    expect(await run(['export', compacted, '--rev', '3'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'etcd-datadir: etcdserver: mvcc: required revision has been compacted\n',
    });
    expect(await run(['export', path, '--rev', '10'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('--all-revisions: every version, deletions too', async () => {
    const all = await lines(path, '--all-revisions', '--prefix', '/a/1');
    expect(names(all)).toEqual(['/a/1 2', '/a/1 3', '/a/1 6', '/a/1 7', '/a/1 8']);
    expect(all.map(({ deleted }) => deleted)).toEqual([false, false, false, true, false]);
    expect(names(await lines(path, '--all-revisions', '--rev', '3'))).toEqual(['/a/1 2', '/a/1 3']);
    const { stderr } = await run(['export', compacted, '--all-revisions']);
    expect(stderr).toBe(
      'etcd-datadir: changes up to revision 4 were compacted: of each key at most the last one is left\n',
    );
  });

  test('the same keys as get has', async () => {
    const snapshot = unpackFixture(folder, 'etcd/3.6.14/k8s/snapshot');
    const { stdout } = await run(['get', snapshot, '--json', '--sort-by', 'MODIFY']);
    const { kvs } = JSON.parse(stdout) as { kvs: { key: string; value?: string; mod_revision: number }[] };
    const exported = (await lines(snapshot)) as (Line & { value: string })[];
    expect(exported.length).toBeGreaterThan(100);
    const comparable = (key: string, value: string, revision: string | number): string => `${revision} ${key} ${value}`;
    expect(exported.map(({ key, value, modRevision }) => comparable(key, value, modRevision)).sort()).toEqual(
      kvs.map(({ key, value = '', mod_revision }) => comparable(key, value, mod_revision)).sort(),
    );
  });

  test('of a damaged file ends with an error, on the last line too', async () => {
    const bytes = readFixture('etcd/3.6.14/k8s/snapshot').slice();
    // Of the leaves of the bucket, the one in the middle: its page gets another number.
    const { openBolt } = await import('../../src/bolt/index.ts');
    const { memorySource } = await import('../../src/io/byte-source.ts');
    const db = openBolt(memorySource(bytes));
    const ids: number[] = [];
    const scan = db.requireBucket('key').leaves();
    for (let leaf = scan.next(); leaf !== undefined; leaf = scan.next()) ids.push(leaf.id);
    const at = (ids[Math.floor(ids.length / 2)] as number) * db.pageSize;
    bytes.fill(0xee, at, at + 8);
    const damaged = writeWorkFile(folder, 'damaged.db', bytes);
    const { code, stdout, stderr } = await run(['export', damaged, '--all-revisions']);
    expect(code).toBe(3);
    const printed = stdout.trim().split('\n');
    expect(printed.length).toBeGreaterThan(10);
    expect(JSON.parse(printed.at(-1) as string)).toMatchObject({ error: { code: 'BOLT_DAMAGED' } });
    expect(stderr).toContain('carries the page number');
  });
});
