/**
 * `history`: all versions of one key.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { keysDb } from './keys-db.ts';
import { run } from './run.ts';
import { workFolder } from './work-files.ts';

const folder = workFolder();
let path: string;
let compacted: string;

beforeAll(async () => {
  path = await keysDb(folder);
  compacted = await keysDb(folder, { compacted: true });
});

describe('history', () => {
  test('text, oldest first', async () => {
    expect(await run(['history', path, '/a/1'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        'revision 2       put     version 1, created 2, 3 bytes: one',
        'revision 3       put     version 2, created 2, 3 bytes: uno',
        'revision 6       put     version 3, created 2, 4 bytes: eins',
        'revision 7       delete',
        'revision 8       put     version 1, created 8, 5 bytes: again',
        '',
      ].join('\n'),
    });
    const { stdout } = await run(['history', path, '/b']);
    expect(stdout).toContain('version 1, created 4, lease 1234, 3 bytes: bee');
  });

  test('--json is a list', async () => {
    const { stdout } = await run(['history', path, '/b', '--json']);
    const zero = { createRevision: '0', version: '0', lease: '0', value: '' };
    expect(JSON.parse(stdout)).toEqual([
      { modRevision: '4', sub: '0', createRevision: '4', version: '1', lease: '4660', deleted: false, value: 'YmVl' },
      { modRevision: '6', sub: '2', ...zero, deleted: true },
    ]);
  });

  test('--limit: the newest ones', async () => {
    const { stdout } = await run(['history', path, '/a/1', '--limit', '2', '--json']);
    expect(JSON.parse(stdout).map(({ modRevision }: { modRevision: string }) => modRevision)).toEqual(['7', '8']);
  });

  test('says what compaction has taken', async () => {
    expect(await run(['history', compacted, '/a/1'])).toMatchObject({
      stdout: expect.stringMatching(/^revision 3 .*\nrevision 6 /),
      stderr: 'etcd-datadir: older versions were compacted, as all changes up to revision 4\n',
    });
    // All of it is there.
    expect(await run(['history', compacted, '/c'])).toMatchObject({ stderr: '' });
    expect(await run(['history', compacted, '/a/1', '--limit', '1'])).toMatchObject({ stderr: '' });
  });

  test('of a key that is not there', async () => {
    expect(await run(['history', path, '/none'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'etcd-datadir: there is no record of this key\n',
    });
    expect(await run(['history', compacted, '/none', '--json'])).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: 'etcd-datadir: there is no record of this key; changes up to revision 4 were compacted\n',
    });
  });

  test('of a key given in hex', async () => {
    const { stdout } = await run(['history', path, 'ff00', '--key-format', 'hex']);
    expect(stdout).toBe('revision 9       put     version 1, created 9, 2 bytes: "\\x01\\n"\n');
  });
});
