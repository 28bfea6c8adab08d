/**
 * Members changed in copies of small directories: what the log, the db and the `.snap` file of the copy say.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readMembers } from '../../src/backend/members.ts';
import { readMeta } from '../../src/backend/meta.ts';
import { readRevisions } from '../../src/backend/revisions.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import { addMember, recluster, removeMember, updateMember } from '../../src/files/change-members.ts';
import { openDataDirFolder } from '../../src/files/data-dir-folder.ts';
import { decodeEntryPayload } from '../../src/proto/entry-payload.ts';
import { readSnap } from '../../src/snap/index.ts';
import { clusterIdOf } from '../../src/wal/bootstrap-members.ts';
import { loneDir, otherDir } from '../datadir/hostile-dirs.ts';
import {
  change,
  FIRST_SEGMENT,
  OTHERS,
  put,
  SELF,
  type SmallDirPlan,
  smallContent,
  v2Request,
} from '../datadir/replay/small-dir.ts';
import { checkDataDir } from '../support/check-made.ts';
import { type DirContent, memoryDir, writeDataDir } from '../support/data-dir-fixtures.ts';
import { dbOf } from '../support/restore-cases.ts';
import { emptyEntry, metadata, snapshot, state } from '../support/small-log.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder: string;
let out: string;
beforeEach(() => {
  folder = temporaryDirectory();
  out = join(folder, 'out');
});

const write = (content: DirContent): string => writeDataDir(memoryDir(content), join(folder, 'old'));

/** A directory with a log of one segment; `first`: the members that it begins with, who make the id of the cluster. */
async function small({ records = [], ...plan }: SmallDirPlan, first: readonly bigint[] = [SELF]): Promise<string> {
  const beginning = [metadata(SELF, clusterIdOf(first)), snapshot(0n, 0n)];
  return write(
    await smallContent({ ...plan, segments: [{ name: FIRST_SEGMENT, records: [...beginning, ...records] }] }),
  );
}

/** What the copy says of itself. */
function look(path = out) {
  using dir = new DataDir(openDataDirFolder(path, {}));
  const { state: log } = dir.wal;
  const entries = [...dir.wal.entries()].map((entry) => {
    const payload = decodeEntryPayload(entry);
    return {
      index: entry.index,
      term: entry.term,
      change: payload.kind === 'conf-change' ? [payload.change.type, payload.change.nodeId] : payload.kind,
    };
  });
  const { members, removed } = readMembers(dir.backend.db);
  const { consistentIndex, term, confState } = readMeta(dir.backend.db);
  const snaps = readdirSync(join(path, 'member/snap'))
    .filter((name) => name.endsWith('.snap'))
    .sort();
  const newest =
    snaps.length === 0 ? undefined : readSnap(new Uint8Array(readFileSync(join(path, 'member/snap', snaps.at(-1)!))));
  return {
    hardState: log.hardState,
    snapshot: log.validSnapshots.at(-1),
    entries,
    members: members.map(({ id, isLearner, peerUrls }) => ({ id, isLearner, peerUrls })),
    removed,
    consistentIndex,
    term,
    confState,
    snaps,
    newest,
    revision: readRevisions(dir.backend.db).current,
  };
}

const START = [change(1n, 1n, 'add', SELF), emptyEntry(2n, 2n)];

describe('recluster', () => {
  test('of one of three: the others are removed in log, db, configuration and snapshot', async () => {
    const changed = await recluster(write(await otherDir()), out);
    expect(changed).toMatchObject({
      memberId: 0x55n,
      etcdVersion: '3.4',
      changes: ['20 is removed', '30 is removed'],
      lastIndex: 8n,
      notCommitted: 1n,
      revision: { db: 1n, afterReplay: 3n },
      notes: [],
    });
    const {
      entries,
      hardState,
      snapshot,
      members,
      removed,
      consistentIndex,
      term,
      confState,
      snaps,
      newest,
      revision,
    } = look();
    expect(entries.slice(-2)).toEqual([
      { index: 7n, term: 2n, change: [1, 0x20n] },
      { index: 8n, term: 2n, change: [1, 0x30n] },
    ]);
    // Without a commit of its own the new log would still ask the old voters.
    expect(hardState).toMatchObject({ term: 2n, commit: 8n });
    expect(snapshot).toMatchObject({ index: 8n, term: 2n });
    expect(members).toEqual([{ id: 0x55n, isLearner: false, peerUrls: ['http://m85:2380'] }]);
    expect(removed).toEqual([0x20n, 0x30n]);
    // 3.4 keeps neither the term nor who takes part.
    expect({ consistentIndex, term, confState, revision }).toEqual({
      consistentIndex: 8n,
      term: null,
      confState: null,
      revision: 3n,
    });
    expect(snaps).toEqual(['0000000000000002-0000000000000008.snap']);
    expect(newest).toMatchObject({ index: 8n, term: 2n, confState: { voters: [0x55n] } });
    expect(newest?.store?.members.map(({ id }) => id)).toEqual([0x55n]);
    await checkDataDir(out, '3.4');
  });

  test('of one that is alone: an entry as a new leader writes it, and a snapshot behind it', async () => {
    const changed = await recluster(write(await loneDir()), out);
    expect(changed).toMatchObject({ changes: [], lastIndex: 15n, notCommitted: 0n });
    const { entries, hardState, members, revision, snaps, term, confState } = look();
    expect(entries.at(-1)).toEqual({ index: 15n, term: 2n, change: 'noop' });
    expect({ term, confState }).toMatchObject({ term: 2n, confState: { voters: [SELF] } });
    expect(hardState).toMatchObject({ commit: 15n });
    expect(members.map(({ id }) => id)).toEqual([SELF]);
    expect(revision).toBe(10n);
    // The old files stay, as a server leaves them.
    expect(snaps).toHaveLength(3);
    await checkDataDir(out, '3.6');
  });

  test('a learner votes, alone', async () => {
    const path = await small(
      {
        members: [[SELF, true], [OTHERS[0]]],
        records: [
          change(1n, 1n, 'add', OTHERS[0]),
          change(1n, 2n, 'add-learner', SELF),
          emptyEntry(2n, 3n),
          put(2n, 4n, 'k'),
          state(2n, OTHERS[0], 4n),
        ],
        consistentIndex: 2n,
      },
      [SELF, OTHERS[0]],
    );
    const changed = await recluster(path, out);
    expect(changed.changes).toEqual(['10 votes', '20 is removed']);
    const { members, confState } = look();
    expect(members).toMatchObject([{ id: SELF, isLearner: false }]);
    expect(confState).toMatchObject({ voters: [SELF], learners: [] });
    await checkDataDir(out, '3.6');
  });

  test('members that the db has and the log has not are taken out, and one that it lacks is put in', async () => {
    const path = await small({
      // As 3.4's restore leaves it: 20 is one of the old cluster, the own member is missing.
      version: '3.4.0',
      members: [[OTHERS[0]]],
      records: [...START, put(2n, 3n, 'k'), state(2n, SELF, 3n)],
      consistentIndex: 2n,
    });
    const changed = await recluster(path, out);
    expect(changed.notes).toEqual([
      'the db did not know member 10: its peer URL is http://localhost:2380 now, change it with member update',
      'the db had member 20, which took no part any more: it is removed',
    ]);
    const { members, removed } = look();
    expect(members).toEqual([{ id: SELF, isLearner: false, peerUrls: ['http://localhost:2380'] }]);
    expect(removed).toEqual([0x20n]);
    await checkDataDir(out, '3.4');
  });

  test('one that was removed is refused', async () => {
    const path = await small(
      {
        members: [[OTHERS[0]]],
        records: [
          change(1n, 1n, 'add', SELF),
          change(1n, 2n, 'add', OTHERS[0]),
          emptyEntry(2n, 3n),
          change(2n, 4n, 'remove', SELF),
          state(2n, SELF, 4n),
        ],
        consistentIndex: 4n,
        buckets: { members_removed: [['10', 'removed']] },
      },
      [SELF, OTHERS[0]],
    );
    await expect(recluster(path, out)).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('10'),
    });
    expect(readdirSync(folder)).toEqual(['old']);
  });

  test('keys of the v2 API keep the old snapshot', async () => {
    const path = await small({
      version: '3.5.0',
      consistentIndex: 2n,
      records: [...START, v2Request(2n, 3n, 'PUT', '/1/key', 'value'), put(2n, 4n, 'k'), state(2n, SELF, 4n)],
    });
    const changed = await recluster(path, out, { etcdVersion: '3.5' });
    expect(changed.notes).toEqual([expect.stringContaining('there are keys of the v2 API')]);
    const { snaps, snapshot, hardState } = look();
    expect(snaps).toEqual([]);
    expect(snapshot).toMatchObject({ index: 0n });
    expect(hardState).toMatchObject({ commit: 5n });
  });

  test('what does not say whose it is, and damage, are refused', async () => {
    const path = write(await loneDir());
    const segments = readdirSync(join(path, 'member/wal')).sort();
    const first = join(path, 'member/wal', segments[0]!);
    const bytes = readFileSync(first);
    writeFileSync(first, bytes.fill(0xee, 40, 120));
    await expect(recluster(path, out)).rejects.toMatchObject({ code: 'EDIT_REFUSED', path });
    expect(readdirSync(folder)).toEqual(['old']);
  });
});

describe('member', () => {
  const TIME = 1_700_000_000n;

  test('add, update and remove one after the other', async () => {
    const path = write(await loneDir());
    const added = await addMember(path, out, ['http://10.0.0.1:2380'], { unixSeconds: TIME });
    expect(added.addedId?.toString(16)).toBe('20887cfd5ab65081');
    const id = added.addedId as bigint;
    expect(look()).toMatchObject({
      members: [{ id: SELF }, { id, isLearner: true, peerUrls: ['http://10.0.0.1:2380'] }],
      confState: { voters: [SELF], learners: [id] },
      hardState: { commit: 15n },
    });
    expect(look().entries.at(-1)).toEqual({ index: 15n, term: 2n, change: [3, id] });
    await checkDataDir(out, '3.6');

    const next = join(folder, 'next');
    await updateMember(out, next, id, ['http://10.0.0.2:2380']);
    expect(look(next)).toMatchObject({
      members: [{ id: SELF }, { id, isLearner: true, peerUrls: ['http://10.0.0.2:2380'] }],
      confState: { voters: [SELF], learners: [id] },
    });
    expect(look(next).entries.at(-1)).toEqual({ index: 16n, term: 2n, change: [2, id] });
    await checkDataDir(next, '3.6');

    const last = join(folder, 'last');
    await removeMember(next, last, id);
    const { members, removed, confState, newest } = look(last);
    expect({ members, removed }).toMatchObject({ members: [{ id: SELF }], removed: [id] });
    expect(confState).toMatchObject({ voters: [SELF], learners: [] });
    expect(newest?.store?.removed).toEqual([id]);
    await checkDataDir(last, '3.6');
    // Removed is removed, for good.
    await expect(
      addMember(last, join(folder, 'x'), ['http://10.0.0.1:2380'], { unixSeconds: TIME }),
    ).rejects.toMatchObject({ code: 'EDIT_REFUSED' });
  });

  test('where others vote all of them are refused, before anything is written', async () => {
    const path = write(await otherDir());
    const refusal = {
      code: 'EDIT_REFUSED',
      message: expect.stringContaining('there are other members that vote (20, 30)'),
    };
    await expect(addMember(path, out, ['http://10.0.0.1:2380'])).rejects.toMatchObject(refusal);
    await expect(removeMember(path, out, 0x20n)).rejects.toMatchObject(refusal);
    await expect(updateMember(path, out, 0x55n, ['http://10.0.0.1:2380'])).rejects.toMatchObject(refusal);
    expect(readdirSync(folder)).toEqual(['old']);
  });

  test('also for a learner', async () => {
    const path = await small(
      {
        members: [[SELF, true], [OTHERS[0]]],
        records: [
          change(1n, 1n, 'add', OTHERS[0]),
          change(1n, 2n, 'add-learner', SELF),
          emptyEntry(2n, 3n),
          state(2n, OTHERS[0], 3n),
        ],
        consistentIndex: 3n,
      },
      [SELF, OTHERS[0]],
    );
    await expect(updateMember(path, out, SELF, ['http://a:1'])).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      message: 'member 10 does not vote: change members of the running cluster',
    });
  });

  test('in use, in the way, and inside', async () => {
    const path = write(await loneDir());
    await expect(updateMember(path, join(path, 'in'), SELF, ['http://a:1'])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(
      updateMember(path, out, SELF, ['http://a:1'], { outputWalDir: join(path, 'member', 'w') }),
    ).rejects.toMatchObject({ code: 'USAGE' });
    await expect(updateMember(join(path, 'member'), out, SELF, ['http://a:1'])).rejects.toMatchObject({
      code: 'UNKNOWN_KIND',
    });
    expect(readdirSync(folder)).toEqual(['old']);
    expect(dbOf(readFileSync(join(path, 'member/snap/db'))).pageSize).toBe(4096);
  });
});
