/**
 * The status of every stored db against `snapshot status` of the real tools, and its hash against `etcd-dump-db hash`.
 */
import { expect, test } from 'vitest';
import { DbHashJob } from '../../../src/backend/db-hash.ts';
import { StatusJob } from '../../../src/backend/status.ts';
import { drain } from '../../../src/io/job.ts';
import { etcdRecordings } from '../../support/etcd-recordings.ts';

const asked = (file: string) =>
  etcdRecordings().flatMap((recording) =>
    recording
      .matching(new RegExp(`^([^/]+)/${file}$`))
      .map(({ path, group }) => ({ name: `${recording.name}/${group}`, recording, path, dbFile: group })),
  );

const statuses = asked('status\\.json');
const hashes = asked('dump-db-hash\\.txt');

test('every snapshot has a status, every db a hash', () => {
  const names = (suffix: RegExp) =>
    etcdRecordings().flatMap(({ name, dbFiles }) =>
      dbFiles.filter((file) => suffix.test(file)).map((file) => `${name}/${file}`),
    );
  expect(statuses.map(({ name }) => name)).toEqual(names(/^snapshot/));
  // Of the dbs found after a kill only bucket meta was looked at.
  expect(hashes.map(({ name }) => name)).toEqual(names(/^(?!killed)/));
});

test.each(statuses)('snapshot status of $name', ({ recording, path, dbFile }) => {
  const expected = recording.object(path);
  const { hash, revision, totalKey, records, totalSize, version } = drain(new StatusJob(recording.open(dbFile)));
  const older = recording.minor === '3.4' || recording.minor === '3.5';
  const status = {
    hash: BigInt(hash),
    revision,
    totalKey: BigInt(older ? records : totalKey),
    totalSize: BigInt(totalSize),
    ...(older ? {} : { version }),
  };
  expect(status).toEqual(Object.fromEntries(expected));
  // What the other releases would count: live keys are never more than the records there are.
  expect(totalKey).toBeLessThan(records);
});

test.each(hashes)('etcd-dump-db hash of $name', ({ recording, path, dbFile }) => {
  const expected = Number(/^Hash: (\d+)$/m.exec(recording.words(path).text)?.[1]);
  // The tool was that of 3.6 or later for all of them.
  expect(drain(new DbHashJob(recording.open(dbFile), { etcdVersion: '3.6' })).hash).toBe(expected);
});
