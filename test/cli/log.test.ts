/**
 * `log`: what changed in which revision.
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

describe('log', () => {
  test('text, by revision', async () => {
    expect(await run(['log', path, '--from', '5', '--to', '7'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        'revision 5',
        '  put     /a/2  (version 1, created 5, 0 bytes)',
        'revision 6',
        '  put     /a/1  (version 3, created 2, 4 bytes)',
        '  put     /c  (version 1, created 6, 3 bytes)',
        '  delete  /b',
        'revision 7',
        '  delete  /a/1',
        '',
      ].join('\n'),
    });
  });

  test('who deleted a key, and what else changed then', async () => {
    const { stdout } = await run(['log', path, '--prefix', '/b', '--whole-revisions']);
    expect(stdout).toBe(
      [
        'revision 4',
        '* put     /b  (version 1, created 4, lease 1234, 3 bytes)',
        'revision 6',
        '  put     /a/1  (version 3, created 2, 4 bytes)',
        '  put     /c  (version 1, created 6, 3 bytes)',
        '* delete  /b',
        '',
      ].join('\n'),
    );
    expect((await run(['log', path, '--prefix', '/b'])).stdout).toBe(
      'revision 4\n  put     /b  (version 1, created 4, lease 1234, 3 bytes)\nrevision 6\n  delete  /b\n',
    );
  });

  test('--json: one object a change', async () => {
    const { stdout } = await run(['log', path, '--json', '--from', '9']);
    expect(JSON.parse(stdout)).toEqual({
      revision: '9',
      sub: '0',
      key: '/wA=',
      keyText: null,
      type: 'put',
      version: '1',
      createRevision: '9',
      lease: '0',
      valueSize: 2,
    });
    const { stdout: whole } = await run(['log', path, '--json', '--prefix', '/b', '--whole-revisions', '--from', '6']);
    const lines = whole.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { keyText: '/a/1', sub: '0', type: 'put', matches: false },
      { keyText: '/c', sub: '1', type: 'put', matches: false },
      { keyText: '/b', sub: '2', type: 'delete', version: '0', lease: '0', matches: true },
    ]);
  });

  test('says what is missing: what was compacted, and what is yet to come', async () => {
    const note = 'etcd-datadir: changes up to revision 4 were compacted: of each key at most the last one is left\n';
    expect(await run(['log', compacted])).toMatchObject({ code: 0, stderr: note });
    expect(await run(['log', compacted, '--from', '5'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['log', path, '--from', '10'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'etcd-datadir: the current revision is 9\n',
    });
  });
});
