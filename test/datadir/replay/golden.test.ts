/**
 * Sequences of requests whose records are known one by one, out of logs of real servers of every release, replayed to the db of before, to one that has
 * everything already, to a new one that does not even tell its release, and to none: what comes of it is what a server said that was started on the same.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAuth } from '../../../src/backend/auth.ts';
import { BackendFile } from '../../../src/backend/backend-file.ts';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { ReplayJob } from '../../../src/datadir/replay/replay-job.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { replayWal } from '../../../src/files/replay-to-file.ts';
import { openFileSource } from '../../../src/io/file-source.ts';
import { drain } from '../../../src/io/job.ts';
import { readAsSaid } from '../../support/after-restart.ts';
import { passwordsOf } from '../../support/after-restart-passwords.ts';
import {
  GOLDEN_ENDS,
  GOLDEN_HASH_AT_17,
  GOLDEN_SEQUENCES,
  type GoldenDb,
  goldenPassword,
  goldenReplays,
} from '../../support/golden-replay.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const replays = goldenReplays();
const DBS: readonly GoldenDb[] = ['new', 'before', 'flushed', 'none'];
const USERS = ['another', 'root', 'u'];

test('every release has been driven through every sequence', () => {
  expect(replays).toHaveLength(ETCD_MINORS.length * Object.keys(GOLDEN_SEQUENCES).length);
});

describe.each(replays)('$name', ({ minor, sequence, said, directory }) => {
  const end = GOLDEN_ENDS[sequence](minor);

  test.each(DBS)('db: %s', async (db) => {
    const out = join(temporaryDirectory(), 'db');
    await replayWal(openDataDir(directory(db)), out);
    const file = new BackendFile(openFileSource(out));
    try {
      const read = readAsSaid(file, said[db]);
      expect(read).toEqual(said[db]);
      // What is known without a server. Only a db that saw the requests while they were made can end otherwise.
      if (db !== 'flushed') expect(read.revision).toBe(end.revision);
      if (sequence === 'keys') {
        expect(read.hashes.find(({ revision }) => revision === '17')?.hash).toBe(GOLDEN_HASH_AT_17);
        if (db !== 'flushed') expect(read.hashes[0]).toMatchObject({ revision: end.revision, hash: end.hash });
      } else {
        expect(file.read(readAuth)).toMatchObject({ enabled: true, revision: end.authRevision });
        const passwords = Object.fromEntries(USERS.map((user) => [user, goldenPassword(user)]));
        if (db === 'before') expect(passwordsOf(file, (user) => [goldenPassword(user)])).toEqual(passwords);
      }
    } finally {
      file.close();
    }
  });
});

/**
 * Releases that panic at a request of the v2 API, of which 3.4 and 3.5 make some, or at one that is newer than they are; as the real ones did when
 * started on these directories. 3.5, 3.6 and 3.7 came to the same revisions as here on that of the release before; a
 * release that refuses an older or newer cluster by its version alone is replayed all the same.
 */
const PANICKING: Readonly<Record<EtcdMinor, readonly EtcdMinor[]>> = {
  3.4: ['3.6', '3.7'],
  3.5: ['3.7'],
  3.6: ['3.4'],
  3.7: ['3.4'],
};

describe.each(replays)('$name, replayed as by another release', ({ minor, sequence, directory }) => {
  test.each(ETCD_MINORS)('%s', (etcdVersion) => {
    const { tail, revision, stoppedAt } = drain(new ReplayJob(openDataDir(directory('before')), { etcdVersion }));
    expect(tail.version).toBe(etcdVersion);
    expect(stoppedAt !== undefined).toBe(PANICKING[minor].includes(etcdVersion));
    if (stoppedAt === undefined) expect(`${revision.afterReplay}`).toBe(GOLDEN_ENDS[sequence](etcdVersion).revision);
  });
});

test.each(replays)(
  '$name: a rebuild from nothing counts what hangs on ranges that were dropped',
  ({ minor, directory }) => {
    const { findings } = drain(new ReplayJob(openDataDir(directory('none'))));
    // 3.7 drops none. The others apply a transaction now that was refused when it was made.
    const told = findings.filter(({ code }) => code === 'REPLAY_RANGES_DECIDE');
    expect(told.map(({ args }) => args)).toEqual(minor === '3.7' ? [] : [{ transactions: '1' }]);
  },
);
