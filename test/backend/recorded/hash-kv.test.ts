/**
 * HashKV of every stored db, at the newest revision and half-way back to the compacted one, against the real servers and `etcdutl`.
 */
import { describe, expect, test } from 'vitest';
import { HashKvJob } from '../../../src/backend/hash-kv.ts';
import { drain } from '../../../src/io/job.ts';
import type { JsonObject } from '../../../src/json/parse.ts';
import { type EtcdRecording, etcdRecordings } from '../../support/etcd-recordings.ts';

function hashKv(recording: EtcdRecording, dbFile: string, rev?: bigint) {
  return drain(new HashKvJob(recording.open(dbFile), { revision: rev }));
}

/** The revision that a recording was asked for: `hashkv-rev-269.json`. */
function revisionOf(path: string): bigint | undefined {
  const found = /-rev-(\d+)/.exec(path)?.[1];
  return found === undefined ? undefined : BigInt(found);
}

const offline = etcdRecordings().flatMap((recording) =>
  recording.matching(/^([^/]+)\/hashkv[^/]*\.json$/).flatMap(({ path, group }) => {
    return group === 'online' || group === 'after-restart'
      ? []
      : [{ name: recording.name, recording, path, dbFile: group }];
  }),
);

test('every db has an answer of etcdutl', () => {
  const answered = new Set(offline.map(({ name, dbFile }) => `${name}/${dbFile}`));
  const all = etcdRecordings().flatMap(({ name, dbFiles }) => dbFiles.map((dbFile) => `${name}/${dbFile}`));
  // Of the dbs found after a kill only bucket meta was looked at.
  expect(all.filter((db) => !answered.has(db) && !db.endsWith('/killed'))).toEqual([]);
});

test.each(offline)('etcdutl: $name $path', ({ recording, path, dbFile }) => {
  const expected = recording.object(path);
  const { hash, hashRevision, compactRevision, unreadable } = hashKv(recording, dbFile, revisionOf(path));
  expect({ hash: BigInt(hash), hashRevision, compactRevision }).toEqual(Object.fromEntries(expected));
  expect(unreadable.count).toBe(0);
});

const asked = etcdRecordings().flatMap((recording) =>
  recording.answered.flatMap(({ folder, dbFile }) =>
    recording
      .matching(new RegExp(`^${folder}/(hashkv.*\\.json)$`))
      .map(({ path }) => ({ name: `${recording.name}/${dbFile}`, recording, path, dbFile })),
  ),
);

describe('servers', () => {
  test.each(asked)('$name: $path', ({ recording, path, dbFile }) => {
    const answers = recording.json(path) as unknown as JsonObject[];
    expect(answers.length).toBeGreaterThan(0);
    const { hash, hashRevision, compactRevision } = hashKv(recording, dbFile, revisionOf(path));
    for (const answer of answers) {
      const expected = answer.get('HashKV') as JsonObject;
      const header = expected.get('header') as JsonObject;
      expect(BigInt(hash)).toBe(expected.get('hash'));
      expect(compactRevision).toBe(expected.get('compact_revision'));
      // Servers before 3.6 do not say which revision they hashed.
      const { minor } = recording;
      const asWanted = revisionOf(path) ?? header.get('revision');
      expect(hashRevision).toBe(minor === '3.4' || minor === '3.5' ? asWanted : expected.get('hash_revision'));
    }
  });
});
