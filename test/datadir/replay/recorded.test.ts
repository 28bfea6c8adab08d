/**
 * Directories of real servers whose log has more than the db, replayed: the db that comes of it has all that a server of the same release said
 * when it was started on the directory. With the db of before the last requests, and with the one that was found after the kill.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../../src/backend/backend-file.ts';
import { checkBackend } from '../../../src/backend/check.ts';
import { TrailerJob } from '../../../src/backend/trailer.ts';
import { ReplayJob } from '../../../src/datadir/replay/replay-job.ts';
import { replayWal, snapshotFromDataDir } from '../../../src/files/replay-to-file.ts';
import { openFileSource } from '../../../src/io/file-source.ts';
import { drain } from '../../../src/io/job.ts';
import { readAsSaid } from '../../support/after-restart.ts';
import { passwordsOf } from '../../support/after-restart-passwords.ts';
import { type RestartedFixture, restartedFixtures } from '../../support/after-restart-recordings.ts';
import { openDirFixture } from '../../support/data-dir-fixtures.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const fixtures = restartedFixtures();
const cases = fixtures.flatMap((fixture) =>
  fixture.dbFiles.map((db) => ({ name: `${fixture.name}/${db}`, fixture, db })),
);
const PASSWORDS = new Map([
  ['alice', 'alicepw2'],
  ['bob', 'bobpw'],
  ['dave', null],
  ['erin', 'erinpw'],
  ['root', 'rootpw'],
]);

const open = ({ name }: RestartedFixture, db: string) => openDirFixture(`${name}/m1`, { db });

test('there is a recording of every release and scenario', () => {
  expect(fixtures).toHaveLength(4 * 5);
  // A crash has but the db that it left.
  expect(cases).toHaveLength(4 * (5 + 4));
});

describe.each(cases)('$name', ({ fixture, db }) => {
  test('the replay knows beforehand which entries it takes, and what revision they lead to', () => {
    const { tail, revision, replayed } = drain(new ReplayJob(open(fixture, db)));
    expect(`${revision.afterReplay}`).toBe(fixture.said().revision);
    expect(tail).toMatchObject({ loneVoter: true, notCommitted: undefined, base: 'db' });
    expect(replayed).toBe(tail.last - tail.first + 1n);
    if (fixture.tail === undefined) return;
    const { consistentIndex, consistentIndexOfKilledDb, lastEntry } = fixture.tail;
    expect(tail.first).toBe((db === 'm1' ? consistentIndex : consistentIndexOfKilledDb) + 1n);
    expect(tail.last).toBe(lastEntry);
  });

  test('the db that is written has what the server said', async () => {
    const out = join(temporaryDirectory(), 'db');
    await replayWal(open(fixture, db), out);
    using source = disposable(out);
    const said = fixture.said();
    expect(readAsSaid(source.file, said)).toEqual(said);
    expect(checkBackend(source.file.source).findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    // Later releases log the hash; golden.test.ts tries those.
    if (said.users !== null && fixture.minor === '3.4') {
      expect(passwordsOf(source.file, (user) => [PASSWORDS.get(user) ?? ''])).toEqual(Object.fromEntries(PASSWORDS));
    }
  });
});

test.each(fixtures)('$name: a snapshot file has the same, and a sha256', async (fixture) => {
  const out = join(temporaryDirectory(), 'snapshot.db');
  await snapshotFromDataDir(open(fixture, 'm1'), out);
  using source = disposable(out);
  const said = fixture.said();
  expect(readAsSaid(source.file, said)).toEqual(said);
  const { db, source: bytes } = source.file;
  expect(drain(new TrailerJob(bytes, db.highWaterMark * db.pageSize)).state).toBe('right');
});

function disposable(path: string): Disposable & { readonly file: BackendFile } {
  const file = new BackendFile(openFileSource(path));
  return { file, [Symbol.dispose]: () => file.close() };
}
