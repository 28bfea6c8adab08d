/**
 * `auth`: users, roles and permissions, and never a hash.
 */
import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, makeDb, toBytes } from '../support/backend-db.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();

describe('auth', () => {
  test.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('text of a cluster of %s', async (version) => {
    const path = unpackFixture(folder, `etcd/${version}/auth/m1`);
    expect(await run(['auth', path])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        path,
        'auth:      enabled',
        'revision:  15',
        'users:     3',
        '  name   password         roles',
        '  alice  set              reader',
        '  carol  none, by choice  -',
        '  root   set              root',
        'roles:     3',
        '  all',
        '    read and write  all keys',
        '  reader',
        '    write           prefix "/a"',
        '    read            prefix "/pub/"',
        '    read and write  key "/pub/counter"',
        '  root',
        '    read and write  everything',
        '',
      ].join('\n'),
    });
  });

  test('--json', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/auth/snapshot');
    const { code, stdout } = await run(['auth', path, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      path,
      enabled: true,
      revision: '15',
      users: [
        { name: 'alice', roles: ['reader'], noPassword: false, hasPassword: true, canonical: true },
        { name: 'carol', roles: [], noPassword: true, hasPassword: false, canonical: true },
        { name: 'root', roles: ['root'], noPassword: false, hasPassword: true, canonical: true },
      ],
      roles: [
        {
          name: 'all',
          permissions: [
            { type: 'readwrite', scope: 'all', key: '\0', keyHex: '00', rangeEnd: '\0', rangeEndHex: '00' },
          ],
          canonical: true,
        },
        {
          name: 'reader',
          permissions: [
            { type: 'write', scope: 'prefix', key: '/a', keyHex: '2f61', rangeEnd: '/b', rangeEndHex: '2f62' },
            {
              type: 'read',
              scope: 'prefix',
              key: '/pub/',
              keyHex: '2f7075622f',
              rangeEnd: '/pub0',
              rangeEndHex: '2f70756230',
            },
            {
              type: 'readwrite',
              scope: 'key',
              key: '/pub/counter',
              keyHex: '2f7075622f636f756e746572',
              rangeEnd: '',
              rangeEndHex: '',
            },
          ],
          canonical: true,
        },
        { name: 'root', permissions: [], canonical: true },
      ],
      unreadable: { count: 0, listed: [] },
    });
  });

  test('a cluster without users', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/fresh/m1');
    expect((await run(['auth', path])).stdout).toBe(
      `${path}\nauth:      not enabled\nrevision:  1\nusers:     none\nroles:     none\n`,
    );
  });

  test('hashes of passwords are in the files, and in no answer', async () => {
    const files = listDbFixtures().filter(({ name }) => /\/(tail-)?auth\//.test(name));
    expect(files.length).toBeGreaterThanOrEqual(16);
    for (const fixture of files) {
      expect(Buffer.from(readFixture(fixture)).includes('$2a$10$')).toBe(true);
      const path = unpackFixture(folder, fixture.name);
      for (const args of [[], ['--json']]) {
        const { stdout, stderr } = await run(['auth', path, ...args]);
        expect(`${stdout}${stderr}`).not.toContain('$2a$');
        expect(stdout.length).toBeGreaterThan(100);
      }
    }
  });

  test('all kinds of permissions, and bad records, which do not give their hash away either', async () => {
    const user = encodeMessage('authpb.User', { name: toBytes('u'), password: toBytes(`$2a$10$${'x'.repeat(53)}`) });
    const path = writeWorkFile(
      folder,
      'made.db',
      await makeDb({
        authUsers: [
          ['u', user.subarray(0, 40)],
          ['v', encodeMessage('authpb.User', { name: toBytes('v'), roles: ['r'] })],
        ],
        authRoles: [
          [
            'r',
            encodeMessage('authpb.Role', {
              name: toBytes('r'),
              keyPermission: [
                { permType: 0, key: toBytes('a'), range_end: toBytes('c') },
                { permType: 1, key: hex('ff00'), range_end: hex('00') },
                { permType: 9, key: toBytes('"x') },
              ],
            }),
          ],
          ['s', encodeMessage('authpb.Role', { name: toBytes('s') })],
        ],
      }),
    );
    const { code, stdout, stderr } = await run(['auth', path]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        'revision:  none stored',
        'users:     1',
        '  name  password  roles',
        '  v     none      r',
        'roles:     2',
        '  r',
        '    read    from key "a" to before "c"',
        '    write   from key ff00 on',
        '    type 9  key "\\"x"',
        '  s',
        '    nothing',
        '',
      ].join('\n'),
    );
    expect(stderr).toMatch(
      /1 record cannot be read and is not in the answer: bucket authUsers, key "u", page \d+, byte/,
    );
    expect(`${stdout}${stderr}${(await run(['auth', path, '--json'])).stdout}`).not.toContain('$2a$');
  });
});
