/**
 * `leases`: time to live, checkpoints, attached keys.
 */
import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, makeDb, put, uint64 } from '../support/backend-db.ts';
import { etcdRecording } from '../support/etcd-recordings.ts';
import { run } from './run.ts';
import { unpackFixture, workFolder, writeWorkFile } from './work-files.ts';

const folder = workFolder();

describe('leases', () => {
  test('text', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/busy/snapshot');
    expect(await run(['leases', path])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        path,
        'leases:   2 (when they end is not stored)',
        '  0a91a1e2ace52b30  granted for 864,000 s, 2 keys',
        '    /leased/a',
        '    /leased/b',
        '  0a91a1e2ace52b34  granted for 604,800 s, 0 keys',
        '',
      ].join('\n'),
    });
  });

  test.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])(
    '--json: ids, times and keys as the server of %s gave them',
    async (version) => {
      const path = unpackFixture(folder, `etcd/${version}/busy/m1`);
      const { code, stdout } = await run(['leases', path, '--json']);
      expect(code).toBe(0);
      const found = JSON.parse(stdout);
      expect(found).toMatchObject({ schema: 1, path, missing: [], unreadable: { count: 0, listed: [] } });
      const recording = etcdRecording(`${version}/busy`);
      const expected = recording.matching(/^online\/lease-([0-9a-f]{16})\.json$/).map(({ path: answer, group }) => {
        const {
          id,
          'granted-ttl': ttl,
          keys,
        } = Object.fromEntries(recording.object(answer)) as Record<string, unknown>;
        return {
          id: `${id}`,
          idHex: group,
          ttl: `${ttl}`,
          remainingTtl: null,
          canonical: true,
          keys: ((keys as string[] | null) ?? []).map((key) => ({
            key: Buffer.from(key, 'base64').toString(),
            keyHex: Buffer.from(key, 'base64').toString('hex'),
          })),
        };
      });
      expect(expected).toHaveLength(2);
      expect(found.leases).toEqual(expected);
    },
  );

  test('checkpoints, leases that are not there, a foreign key, and bad records', async () => {
    const bytes = await makeDb({
      key: [put(2, 0, { key: 'a', lease: 1 }), put(3, 0, { key: hex('ff00'), lease: 9 }), [hex('01'), '']],
      lease: [
        [uint64(1n), encodeMessage('leasepb.Lease', { ID: 1n, TTL: 1000n, RemainingTTL: 400n })],
        [uint64(2n), encodeMessage('leasepb.Lease', { ID: -1n, TTL: 5n })],
        [uint64(3n), hex('08')],
      ],
    });
    const path = writeWorkFile(folder, 'made.db', bytes);
    const { code, stdout, stderr } = await run(['leases', path]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        path,
        'leases:   2 (when they end is not stored)',
        '  0000000000000001  granted for 1,000 s, 400 s left at the last checkpoint, 1 key',
        '    a',
        '  ffffffffffffffff  granted for 5 s, stored under another id, 0 keys',
        'missing:  1 (keys name them, and never expire)',
        '  0000000000000009  1 key',
        '    "\\xff\\x00"',
        '',
      ].join('\n'),
    );
    expect(stderr).toMatch(/bucket lease, key 0000000000000003, page/);
    expect(stderr).toMatch(/1 record cannot be read and is not in the answer: it is on page/);
    const found = JSON.parse((await run(['leases', path, '--json'])).stdout);
    const { leases, missing, unreadable, unreadableRecords } = found;
    expect(unreadableRecords).toBe(1);
    expect(leases).toMatchObject([
      { id: '1', ttl: '1000', remainingTtl: '400', keys: [{ key: 'a' }] },
      { id: '-1', idHex: 'ffffffffffffffff', canonical: false, keys: [] },
    ]);
    expect(missing).toEqual([{ id: '9', idHex: '0000000000000009', keys: [{ key: null, keyHex: 'ff00' }] }]);
    expect(unreadable).toMatchObject({ count: 1, listed: [{ bucket: 'lease', keyHex: '0000000000000003' }] });
  });

  test('none', async () => {
    const path = unpackFixture(folder, 'etcd/3.6.14/fresh/m1');
    expect((await run(['leases', path])).stdout).toBe(`${path}\nleases:   none\n`);
    expect(JSON.parse((await run(['leases', path, '--json'])).stdout)).toMatchObject({ leases: [], missing: [] });
  });

  test('very many are printed all the same', async () => {
    const count = 20_000;
    const bytes = await makeDb({
      key: Array.from({ length: count }, (_, i) => put(i + 2, 0, { key: `key${i}`, lease: (i % 100) + 1 })),
      lease: Array.from({ length: count }, (_, i) => [
        uint64(BigInt(i + 1)),
        encodeMessage('leasepb.Lease', { ID: BigInt(i + 1), TTL: 1n }),
      ]),
    });
    const path = writeWorkFile(folder, 'many.db', bytes);
    const { leases } = JSON.parse((await run(['leases', path, '--json'])).stdout) as { leases: { keys: unknown[] }[] };
    expect(leases).toHaveLength(count);
    expect(leases.slice(0, 101).map(({ keys }) => keys.length)).toEqual([...Array(100).fill(200), 0]);
    expect((await run(['leases', path])).stdout.split('\n')).toHaveLength(2 + 2 * count + 1);
  });
});
