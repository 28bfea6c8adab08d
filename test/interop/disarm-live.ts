/**
 * A server that has run out of space, given back its freedom offline: history compacted, db defragmented, the alarm taken back. It then takes
 * writes again, under the same quota.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { recluster } from '../../src/files/change-members.ts';
import { compactHistory } from '../../src/files/compact-history.ts';
import { defrag } from '../../src/files/defrag.ts';
import { disarmAlarms } from '../../src/files/disarm-alarms.ts';
import { DB_PATH } from '../support/data-dir-fixtures.ts';
import { toBase64 } from '../support/etcd-gateway.ts';
import { bootstrapFlags, type EtcdPlace, EtcdServer, etcdPlace } from '../support/etcd-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { bucketLines, revisionsOf } from './edited-buckets.ts';
import type { LiveEtcd } from './live-etcds.ts';
import { putAndRead, read } from './recluster-live.ts';
import { ServerGroup } from './server-group.ts';

/** So large may the db become. */
const QUOTA = 2 * 1024 * 1024;
const FLAGS = [`--quota-backend-bytes=${QUOTA}`];

interface AlarmsAnswer {
  readonly alarms?: readonly { readonly memberID: string; readonly alarm: string }[];
}

/** A server is filled until it raises the alarm, and stopped. */
async function filled(program: string, place: EtcdPlace): Promise<void> {
  const flags = [...FLAGS, ...bootstrapFlags([place], place, 'new')];
  const server = await EtcdServer.start(program, place, { flags });
  await server.settled();
  const value = toBase64('x'.repeat(64 * 1024));
  let refusal: string | undefined;
  for (let i = 0; refusal === undefined; i++) {
    if (i > 200) throw new Error('the quota is never used up');
    refusal = (await server.gateway.call('kv/put', { key: toBase64(`large${i % 3}`), value })).error;
  }
  expect(refusal).toBe('etcdserver: mvcc: database space exceeded');
  const armed = async (): Promise<number> =>
    (await server.gateway.ask<AlarmsAnswer>('maintenance/alarm', { action: 'GET' })).alarms?.length ?? 0;
  await expect.poll(armed, { timeout: 10_000, interval: 20 }).toBe(1);
  await server.stop();
}

/** Without the alarm there is space again. */
export async function writesAgain({ program, minor }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const place = await etcdPlace('one', join(folder, 'full'));
  await filled(program, place);
  let { dataDir } = place;
  if (minor === '3.4') {
    // It has not noted that it has applied the alarm, and would raise it again from the log: refused, until that is behind it.
    await expect(disarmAlarms(dataDir, join(folder, 'too-early'))).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('the log has entries that the db has not') as string,
    });
    await recluster(dataDir, join(folder, 'applied'));
    dataDir = join(folder, 'applied');
  }
  await compactHistory(dataDir, join(folder, 'compacted'), revisionsOf(dataDir).current);
  await defrag(join(folder, 'compacted'), join(folder, 'defragmented'));
  const free = { ...place, dataDir: join(folder, 'disarmed') };
  const disarmed = await disarmAlarms(join(folder, 'defragmented'), free.dataDir);
  expect(disarmed).toMatchObject({ disarmed: [{ type: 'NOSPACE' }], left: [] });
  expect(bucketLines(free.dataDir).get('alarm')).toEqual([]);
  expect(statSync(join(free.dataDir, DB_PATH)).size).toBeLessThan(QUOTA / 2);

  // The directory as it was takes nothing; what was made of it does.
  const before = await EtcdServer.start(program, place, { flags: FLAGS });
  const refused = await before.gateway.call('kv/put', { key: toBase64('k'), value: toBase64('v') });
  expect(refused.error).toBe('etcdserver: mvcc: database space exceeded');
  await before.stop();
  for (const _ of [1, 2]) {
    const server = await EtcdServer.start(program, free, { flags: FLAGS });
    expect((await server.gateway.ask<AlarmsAnswer>('maintenance/alarm', { action: 'GET' })).alarms ?? []).toEqual([]);
    await putAndRead(server.gateway, 'k', `${Date.now()}`);
    expect(await read(server.gateway, 'large0')).toHaveLength(64 * 1024);
    await server.stop();
  }
}

/** Refused where entries are waiting, and where others decide too. */
export async function refusedAlarms({ program }: LiveEtcd): Promise<void> {
  const folder = temporaryDirectory();
  const place = await etcdPlace('one', join(folder, 'killed'));
  const server = await EtcdServer.start(program, place, {
    flags: ['--backend-batch-interval=1h', '--backend-batch-limit=1000000', ...bootstrapFlags([place], place, 'new')],
  });
  for (let i = 0; i < 5; i++) await putAndRead(server.gateway, 'k', `${i}`);
  await server.kill();
  const target = join(folder, 'target');
  const waiting = {
    code: 'EDIT_REFUSED',
    message: expect.stringContaining('the log has entries that the db has not') as string,
  };
  await expect(disarmAlarms(place.dataDir, target)).rejects.toMatchObject(waiting);
  await expect(compactHistory(place.dataDir, target, 1n)).rejects.toMatchObject(waiting);

  const group = await ServerGroup.start(program, folder, 3);
  await group.stop();
  const { dataDir } = group.places[0]!;
  const others = {
    code: 'EDIT_REFUSED',
    message: expect.stringContaining('is agreed on by all members that vote') as string,
  };
  await expect(disarmAlarms(dataDir, target)).rejects.toMatchObject(others);
  await expect(compactHistory(dataDir, target, 1n)).rejects.toMatchObject(others);
}
