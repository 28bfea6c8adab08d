/**
 * A replay as a job: what it comes to, what it tells of, and where it stops.
 */
import { describe, expect, test } from 'vitest';
import type { ReplayedState } from '../../../src/datadir/replay/outcome.ts';
import { ReplayJob, type ReplayOptions, replay } from '../../../src/datadir/replay/replay-job.ts';
import { describeFinding } from '../../../src/findings.ts';
import { drain, runSliced } from '../../../src/io/job.ts';
import { emptyEntry, state } from '../../support/small-log.ts';
import { change, OTHERS, put, request, SELF, type SmallDirPlan, smallDir, v2Request } from './small-dir.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const START = [change(1n, 1n, 'add', SELF), emptyEntry(2n, 2n)];
const END = state(2n, SELF, 2n);

async function replayed(plan: SmallDirPlan, options: ReplayOptions = {}): Promise<ReplayedState> {
  const job = new ReplayJob(await smallDir(plan), options);
  return drain(job);
}

const words = ({ findings }: ReplayedState): string[] =>
  findings.map((each) => `${each.code}: ${describeFinding(each).message}`);

describe('what it comes to', () => {
  test('revisions before and after, and the last entry with its term', async () => {
    const records = [...START, put(2n, 3n, 'a'), put(2n, 4n, 'a'), emptyEntry(3n, 5n), END];
    const outcome = await replayed({ consistentIndex: 2n, records });
    expect(outcome).toMatchObject({
      revision: { db: 1n, afterReplay: 3n },
      replayed: 3n,
      last: { index: 5n, term: 3n },
      stoppedAt: undefined,
      findings: [],
      configuration: undefined,
    });
    expect(outcome.parts.keyspace.newRecords.length).toBe(2);
  });

  test('nothing to apply leaves the revision as it is', async () => {
    const outcome = await replayed({ consistentIndex: 2n, records: [...START, END] });
    expect(outcome).toMatchObject({ revision: { db: 1n, afterReplay: 1n }, replayed: 0n, last: undefined });
  });

  test('only revisions, without reading keys, are the same', async () => {
    const records = [...START, put(2n, 3n, 'a'), put(2n, 4n, 'b'), END];
    const outcome = await replayed({ consistentIndex: 2n, records }, { revisionsOnly: true });
    expect(outcome.revision).toEqual({ db: 1n, afterReplay: 3n });
  });

  test('in slices it is the same, and can be stopped', async () => {
    const records = [...START, ...Array.from({ length: 500 }, (_, i) => put(2n, BigInt(i + 3), `key ${i % 7}`)), END];
    const progress: number[] = [];
    const job = new ReplayJob(await smallDir({ consistentIndex: 2n, records }));
    const { revision } = await runSliced(job, { onProgress: ({ done, total }) => progress.push(done / total) });
    expect(revision.afterReplay).toBe(501n);
    expect(progress.at(-1)).toBe(1);
    expect(replay(await smallDir({ consistentIndex: 2n, records })).revision).toEqual(revision);
    const stopped = new ReplayJob(await smallDir({ consistentIndex: 2n, records }));
    await expect(runSliced(stopped, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('a db that is written to meanwhile ends it', async () => {
    const dir = await smallDir({ consistentIndex: 2n, records: [...START, put(2n, 3n, 'a'), END] });
    const job = new ReplayJob(dir);
    // When the tail is known the db has been opened, and its first page is looked at again in the end.
    while (job.source === undefined) job.step();
    const db = dir.backend.db;
    Object.defineProperty(db, 'hasChanged', { value: () => true });
    expect(() => drain(job)).toThrow(expect.objectContaining({ code: 'SOURCE_CHANGED' }));
  });
});

describe('what it tells of', () => {
  test('where a release panics, with its words; what comes before is applied', async () => {
    const records = [...START, put(2n, 3n, 'a'), v2Request(2n, 4n, 'QGET', ''), put(2n, 5n, 'b'), END];
    const plan = { consistentIndex: 2n, records };
    const outcome = await replayed(plan, { etcdVersion: '3.6' });
    expect(outcome).toMatchObject({ revision: { afterReplay: 2n }, replayed: 1n, last: { index: 3n } });
    expect(outcome.stoppedAt?.index).toBe(4n);
    expect(words(outcome)).toEqual([
      `REPLAY_PANICS: etcd 3.6 panics at entry 4: ${outcome.stoppedAt?.words}; it and what follows, 2 entries, were not applied`,
    ]);
    const old = await replayed(plan, { etcdVersion: '3.5' });
    expect(old).toMatchObject({ revision: { afterReplay: 3n }, stoppedAt: undefined });
    expect(words(old)).toEqual([
      'REPLAY_V2_REQUESTS: 1 requests of the v2 API change nothing in the db and were passed over',
    ]);
  });

  test('3.7 panics at what 3.6 applies', async () => {
    const plan = { consistentIndex: 2n, records: [...START, v2Request(2n, 3n, 'PUT', '/0/version', '3.5.0'), END] };
    expect((await replayed(plan, { etcdVersion: '3.7' })).stoppedAt?.index).toBe(3n);
    const outcome = await replayed(plan, { etcdVersion: '3.6' });
    expect(outcome).toMatchObject({ stoppedAt: undefined, findings: [] });
    expect(outcome.parts.cluster.version).toBe('3.5.0');
  });

  test('that the member itself is removed; what follows is applied', async () => {
    const [second] = OTHERS;
    const records = [
      START[0]!,
      change(1n, 2n, 'add', second),
      change(2n, 3n, 'remove', SELF),
      put(2n, 4n, 'a'),
      state(2n, SELF, 4n),
    ];
    const members = [[SELF], [second]] as const;
    const outcome = await replayed({ consistentIndex: 2n, records, members });
    expect(outcome).toMatchObject({ revision: { afterReplay: 2n }, replayed: 2n });
    expect(outcome.findings).toMatchObject([{ code: 'REPLAY_MEMBER_REMOVED', args: { index: '3', member: '10' } }]);
    expect(outcome.configuration?.voters).toEqual(new Set([second]));
  });

  test('members of the bucket that are not those of the log', async () => {
    const members = [[SELF], [OTHERS[1]]] as const;
    const outcome = await replayed({ consistentIndex: 2n, records: [...START, END], members });
    expect(words(outcome)).toEqual([
      'REPLAY_MEMBERS_DIFFER: bucket members has 10, 30, the configuration of the log 10',
    ]);
    expect((await replayed({ consistentIndex: 2n, records: [...START, END] })).findings).toEqual([]);
  });

  test('passwords that stand in the log as they are, without telling them', async () => {
    const add = { name: 'u', password: 'open sesame' };
    const records = [...START, request(2n, 3n, { auth_user_add: add }), request(2n, 4n, { auth_user_add: add }), END];
    const outcome = await replayed({ consistentIndex: 2n, records });
    expect(words(outcome)).toEqual([
      'REPLAY_PASSWORDS_HASHED: 1 passwords stand in the log as they are and were hashed anew',
    ]);
    expect(JSON.stringify(outcome.findings)).not.toContain('sesame');
  });

  test('a rebuild counts transactions that are applied only without what they read', async () => {
    const future = { request_range: { key: utf8('a'), revision: 1000n } };
    const txn = { success: [{ request_put: { key: utf8('a'), value: utf8('v') } }, future] };
    const records = [...START, request(2n, 3n, { txn }), END];
    const outcome = await replayed({ consistentIndex: 2n, records }, { etcdVersion: '3.6', withoutDb: true });
    expect(outcome).toMatchObject({ tail: { base: 'none' }, revision: { db: 1n, afterReplay: 2n } });
    expect(outcome.findings).toMatchObject([{ code: 'REPLAY_RANGES_DECIDE', args: { transactions: '1' } }]);
    // Whoever has the db knows what became of it.
    expect((await replayed({ consistentIndex: 2n, records }, { etcdVersion: '3.6' })).findings).toEqual([]);
  });
});
