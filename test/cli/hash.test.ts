/**
 * `hash` and `hashkv`: numbers, forms, and etcd's errors.
 */
import { describe, expect, test } from 'vitest';
import { makeDb, put } from '../support/backend-db.ts';
import { goldenDb } from '../support/golden-db.ts';
import { run } from './run.ts';
import { workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();
const golden = writeWorkFile(folder, 'golden.db', await goldenDb());

describe('hash', () => {
  test('by the own rule of the db, and all others beside it', async () => {
    expect(await run(['hash', golden])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        '3742006287, by the rule of etcd 3.6 and later',
        '  3.4              d54ad44c (3578451020)',
        '  3.5              ffac27c2 (4289472450)',
        '  3.6 and later    df0a7c0f (3742006287)',
        '  snapshot status  4d67fa9c (1298659996)',
        '',
      ].join('\n'),
    });
  });

  test('by the rule of a release', async () => {
    expect((await run(['hash', '--etcd-version', '3.4', golden])).stdout).toMatch(
      /^3578451020, by the rule of etcd 3\.4\n/,
    );
    expect((await run(['hash', '--etcd-version', '3.7', golden])).stdout).toMatch(/^3742006287, /);
    expect((await run(['hash', '--etcd-version', '2.3', golden])).code).toBe(2);
  });

  test('--json', async () => {
    expect(JSON.parse((await run(['hash', '--json', '--etcd-version', '3.5', golden])).stdout)).toEqual({
      schema: 1,
      path: golden,
      hash: 4289472450,
      rule: '3.5',
      serverHashes: { '3.4': 3578451020, '3.5': 4289472450, '3.6': 3742006287 },
      snapshotStatusHash: 1298659996,
    });
  });

  test('of a damaged db: its findings, and 1', async () => {
    const cut = writeWorkFile(folder, 'cut.db', (await goldenDb()).slice(0, 8192));
    const { code, stderr } = await run(['hash', cut]);
    expect(code).toBe(1);
    expect(stderr).toContain('the file is damaged, so it has no hash');
  });
});

describe('hashkv', () => {
  test('at the newest revision, and at an older one', async () => {
    expect((await run(['hashkv', golden])).stdout).toBe('322862713 at revision 14, compacted at 10\n');
    expect((await run(['hashkv', '--rev', '0', golden])).stdout).toBe('322862713 at revision 14, compacted at 10\n');
    expect((await run(['hashkv', '--rev', '12', golden])).stdout).toBe('2770325460 at revision 12, compacted at 10\n');
  });

  test('of a db that was never compacted', async () => {
    const path = writeWorkFile(folder, 'whole.db', await makeDb({}));
    expect((await run(['hashkv', path])).stdout).toBe('1084519789 at revision 1, never compacted\n');
  });

  test('forms of etcdutl', async () => {
    const { stdout } = await run(['hashkv', '--json', golden]);
    expect(stdout.startsWith('{"hash":322862713,"hashRevision":14,"compactRevision":10,"schema":1,')).toBe(true);
    expect((await run(['hashkv', '-w', 'json', golden])).stdout).toBe(stdout);
    expect((await run(['hashkv', '-w', 'simple', golden])).stdout).toBe('322862713, 14, 10\n');
    expect((await run(['hashkv', '-w', 'fields', golden])).stdout).toBe(
      '"Hash" : 322862713\n"Hash revision" : 14\n"Compact revision" : 10\n',
    );
  });

  test('revisions that cannot be read are refused in the words of etcd', async () => {
    const compacted = await run(['hashkv', '--rev', '9', golden]);
    expect(compacted).toMatchObject({ code: 1, stdout: '' });
    expect(compacted.stderr).toContain('mvcc: required revision has been compacted');
    const future = await run(['hashkv', '--rev', '15', '--json', golden]);
    expect(future.code).toBe(1);
    expect(JSON.parse(future.stdout)).toMatchObject({ error: { code: 'REVISION_FUTURE' } });
    expect((await run(['hashkv', '--rev', 'x', golden])).code).toBe(2);
  });

  test('records that cannot be read are counted; 1', async () => {
    const [revision] = put(3, 0, {});
    const key = [put(2, 0, { key: 'a' }), [revision, 'no message'] as const];
    const path = writeWorkFile(folder, 'record.db', await makeDb({ key }));
    const { code, stderr } = await run(['hashkv', path]);
    expect(code).toBe(1);
    expect(stderr).toContain('1 record cannot be read');
    expect(JSON.parse((await run(['hashkv', '--json', path])).stdout)).toMatchObject({ unreadableRecords: 1 });
  });
});
