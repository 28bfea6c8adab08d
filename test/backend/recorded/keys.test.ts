/**
 * All keys of every stored db, at the newest revision and half-way back to the compacted one, against the answers of the real servers.
 */
import { expect, test } from 'vitest';
import { rangeJob } from '../../../src/backend/range.ts';
import { fromKeyRange } from '../../../src/backend/range-bounds.ts';
import { drain } from '../../../src/io/job.ts';
import type { JsonObject } from '../../../src/json/parse.ts';
import { etcdRecordings } from '../../support/etcd-recordings.ts';

const asked = etcdRecordings().flatMap((recording) =>
  recording.answered.flatMap(({ folder, dbFile }) =>
    recording
      .matching(new RegExp(`^${folder}/get-(?:all|rev-(\\d+))\\.json$`))
      .map(({ path, group }) => ({ name: `${recording.name}/${dbFile}`, recording, path, dbFile, revision: group })),
  ),
);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

test.each(asked)('$name: $path', ({ recording, path, dbFile, revision }) => {
  const answer = recording.object(path);
  const file = recording.open(dbFile);
  const everything = fromKeyRange(new Uint8Array(0));
  const found = drain(rangeJob(file, { ...everything, revision: revision === '' ? undefined : BigInt(revision) }));
  const keyValues = [...found.keyValues].map(({ key, value, createRevision, modRevision, version, lease }) => [
    base64(key),
    createRevision,
    modRevision,
    version,
    base64(value),
    lease,
  ]);
  const expected = ((answer.get('kvs') ?? []) as unknown as JsonObject[]).map((kv) => [
    kv.get('key') ?? '',
    kv.get('create_revision'),
    kv.get('mod_revision'),
    kv.get('version'),
    kv.get('value') ?? '',
    kv.get('lease') ?? 0n,
  ]);
  expect(keyValues).toEqual(expected);
  expect(BigInt(found.count)).toBe(answer.get('count') ?? 0n);
  expect(found.revision).toBe((answer.get('header') as JsonObject).get('revision'));
  expect({ more: found.more, unreadable: found.unreadable.count }).toEqual({ more: false, unreadable: 0 });
});

test('every server was asked for its keys', () => {
  const all = etcdRecordings().flatMap(({ name, answered }) => answered.map(({ dbFile }) => `${name}/${dbFile}`));
  expect([...new Set(asked.map(({ name }) => name))]).toEqual(all);
});
