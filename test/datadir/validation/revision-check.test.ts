// Whether a directory is older than its backups, without a server.
import { describe, expect, test } from 'vitest';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import type { Folder } from '../../../src/datadir/data-dir-files.ts';
import { createValidationTools } from '../../../src/datadir/validation/default-tools.ts';
import {
  RevisionCheckJob,
  type RevisionCheckOptions,
  type RevisionOutcome,
} from '../../../src/datadir/validation/revision-check.ts';
import type { ToolReplay, ValidationTools } from '../../../src/datadir/validation/tools.ts';
import { DatadirError } from '../../../src/errors.ts';
import { drain, type Job } from '../../../src/io/job.ts';
import { dataDirFixture, openDirFixture } from '../../support/data-dir-fixtures.ts';
import { damagedDataDir } from '../../support/data-dir-recipes.ts';

const OPTIONS: RevisionCheckOptions = {
  store: undefined,
  minimum: undefined,
  replay: false,
  damaged: false,
  catchesUp: false,
  etcdVersion: undefined,
};

const tools = createValidationTools();

function check(
  dir: Parameters<typeof openDataDir>[0],
  options: Partial<RevisionCheckOptions>,
  used: ValidationTools = tools,
): RevisionOutcome {
  return drain(new RevisionCheckJob(openDataDir(dir), { ...OPTIONS, ...options }, used));
}

const codes = ({ findings }: RevisionOutcome): string[] => findings.map(({ code, severity }) => `${code} ${severity}`);

/** A job that has its result at once. */
function done<Result>(make: () => Result): Job<Result> {
  let result: Result | undefined;
  return {
    step: () => {
      result = make();
      return true;
    },
    progress: { done: 1, total: 1 },
    get result() {
      return result as Result;
    },
  };
}

/** What must not be asked for. */
const unused: ValidationTools = {
  check: () => expect.unreachable('no check is needed'),
  startsWithoutLoss: () => expect.unreachable('no start is simulated'),
  planTail: () => expect.unreachable('the log must not be read'),
  replay: () => expect.unreachable('nothing must be replayed'),
};

// It was called stale, and so to be replaced, although nobody had seen what it has.
test.each(['root', 'snap', 'wal'] as const)('a folder that cannot be read, %s, is no sign of old data', (hidden) => {
  const files = dataDirFixture('3.6.14/busy/m1');
  const unreadable = (folder: Folder): Folder => ({
    ...folder,
    state: 'unreadable',
    reason: 'no permission',
    items: [],
  });
  const parts = hidden === 'root' ? (['root', 'member', 'snap', 'wal'] as const) : [hidden];
  const dir = { ...files, ...Object.fromEntries(parts.map((part) => [part, unreadable(files[part])])) };
  expect(codes(check(dir, { store: 1000n }, unused))).toEqual(['VALIDATE_REVISION_UNKNOWN unknown']);
  // The db alone is enough.
  if (hidden === 'wal') expect(codes(check(dir, { store: 351n }, unused))).toEqual([]);
});

describe('a db that is as far as its backups', () => {
  test('costs no look into the log', () => {
    const outcome = check(dataDirFixture('3.5.33/busy/m1'), { store: 351n }, unused);
    expect(codes(outcome)).toEqual([]);
    expect(outcome).toMatchObject({
      dbRevision: 'read',
      reached: 351n,
      revision: { db: '351', compactFinished: '187', effective: '351', afterWalReplay: null, store: '351' },
    });
  });

  test('counts what was compacted: the newest records may be gone', () => {
    const outcome = check(dataDirFixture('3.5.33/restored/bumped'), { store: 1351n }, unused);
    expect(outcome.revision).toMatchObject({ compactScheduled: '1351', effective: '1351' });
    expect(codes(outcome)).toEqual([]);
  });

  test('an empty db has revision 1', () => {
    const outcome = check(dataDirFixture('3.5.33/empty/m1'), {}, unused);
    expect(outcome.revision).toMatchObject({ db: null, effective: '1' });
  });
});

describe.each(['3.4.23', '3.5.33', '3.6.14', '3.7.1'])('%s: a db that was put back under its log', (version) => {
  const whole = openDirFixture(`${version}/underload/m1`);
  const newest = check(whole.files, { replay: true }).reached as bigint;
  const older = () => damagedDataDir('dir-db-older', version);

  test('is not stale: the log has the rest', () => {
    const outcome = check(older(), { store: newest });
    expect(codes(outcome).filter((code) => !code.endsWith('info'))).toEqual([]);
    expect(outcome.revision.afterWalReplay).toBe(`${newest}`);
    expect(BigInt(outcome.revision.effective ?? 0)).toBeLessThan(newest);
  });

  test('is stale one revision further on, which only the replay shows', () => {
    const outcome = check(older(), { store: newest + 1n });
    expect(codes(outcome)).toContain('VALIDATE_STALE stale');
    expect(outcome.revision.afterWalReplay).toBe(`${newest}`);
    expect(outcome.findings.find(({ code }) => code === 'VALIDATE_STALE')?.args).toEqual({
      revision: `${newest}`,
      store: `${newest + 1n}`,
    });
  });

  test('is stale far behind, which the number of entries shows', () => {
    const outcome = check(older(), { store: 1_000_000n }, { ...tools, replay: unused.replay });
    expect(codes(outcome)).toEqual(['VALIDATE_STALE stale']);
    expect(outcome.revision.afterWalReplay).toBeNull();
    expect(BigInt(outcome.revision.atMost ?? 0)).toBeGreaterThanOrEqual(newest);
  });
});

describe('a directory behind its backups in db and log', () => {
  test('is stale', () => {
    const outcome = check(dataDirFixture('3.5.33/fresh/m1'), { store: 53n });
    expect(codes(outcome)).toEqual(['VALIDATE_STALE stale']);
  });

  test('is worth knowing only, where others can be reached', () => {
    const outcome = check(dataDirFixture('3.5.33/fresh/m1'), { store: 53n, catchesUp: true });
    expect(codes(outcome)).toEqual(['VALIDATE_STALE info']);
  });

  test('is not asked for where it is damaged anyway', () => {
    expect(codes(check(dataDirFixture('3.5.33/fresh/m1'), { store: 53n, damaged: true }, unused))).toEqual([]);
  });
});

describe('a revision that was asked for', () => {
  test('is refused below it, reached with the log counts', () => {
    expect(codes(check(dataDirFixture('3.5.33/fresh/m1'), { minimum: 53n }))).toEqual([
      'VALIDATE_BELOW_REVISION refuse',
    ]);
    expect(codes(check(dataDirFixture('3.5.33/busy/m1'), { minimum: 351n }, unused))).toEqual([]);
    expect(codes(check(damagedDataDir('dir-db-older', '3.5.33'), { minimum: 462n }))).not.toContain(
      'VALIDATE_BELOW_REVISION refuse',
    );
  });

  test('is not reached by a directory with nothing in it', () => {
    const empty = damagedDataDir('dir-member-missing', '3.5.33');
    expect(codes(check(empty, { minimum: 1n }, unused))).toEqual(['VALIDATE_BELOW_REVISION refuse']);
    expect(codes(check(empty, { store: 53n }, unused))).toEqual(['VALIDATE_STALE stale']);
    expect(codes(check(empty, {}, unused))).toEqual([]);
  });
});

test('without a db the log from its first entry on tells the revision', () => {
  const outcome = check(damagedDataDir('dir-db-missing-young', '3.5.33'), { store: 5n });
  expect(outcome).toMatchObject({ dbRevision: 'not-there', revision: { effective: null, afterWalReplay: '5' } });
  expect(codes(outcome).filter((code) => code.startsWith('VALIDATE'))).toEqual([]);
});

test('a db whose newest record cannot be reached is broken', () => {
  const broken = check(damagedDataDir('bolt-meta-both-zeroed', '3.5.33'), { store: 5n }, unused);
  expect(broken).toMatchObject({ dbRevision: 'broken', reached: null });
  expect(codes(broken)).toEqual(['VALIDATE_REVISION_UNKNOWN unknown']);
});

test('a db that has lost bucket key is damaged, not empty', () => {
  const outcome = check(damagedDataDir('backend-bucket-key-renamed', '3.5.33'), {}, unused);
  expect(codes(outcome)).toEqual(['BACKEND_BUCKET_MISSING corrupt']);
  expect(outcome.dbRevision).toBe('broken');
});

describe('what the replay leaves open', () => {
  const replayTo = (auto: Partial<ToolReplay>, all: Partial<ToolReplay> = {}): ValidationTools => {
    const outcome: ToolReplay = { revision: 5n, notCommitted: 0n, stopped: undefined, findings: [] };
    return {
      ...unused,
      planTail: () => done(() => ({ base: 5n, bound: 100 })),
      replay: (_, { tail }) => done(() => ({ ...outcome, ...(tail === 'auto' ? auto : all) })),
    };
  };
  const fresh = dataDirFixture('3.5.33/fresh/m1');

  test('entries that no majority is shown to have may be what the backups have', () => {
    const outcome = check(fresh, { store: 8n }, replayTo({ revision: 6n, notCommitted: 2n }, { revision: 8n }));
    expect(codes(outcome)).toEqual(['VALIDATE_NEEDS_UNCOMMITTED info']);
    expect(outcome.revision.afterWalReplay).toBe('6');
  });

  test('with these entries too it may be stale', () => {
    const outcome = check(fresh, { store: 9n }, replayTo({ revision: 6n, notCommitted: 2n }, { revision: 8n }));
    expect(codes(outcome)).toEqual(['VALIDATE_STALE stale']);
  });

  test('an entry at which etcd panics leaves it undecided', () => {
    const stopped = 'etcd ends at entry 7';
    expect(codes(check(fresh, { store: 8n }, replayTo({ stopped })))).toEqual(['VALIDATE_REVISION_UNKNOWN unknown']);
    expect(codes(check(fresh, { store: 8n }, replayTo({ stopped, revision: 8n })))).toEqual([]);
  });

  test('a log that cannot be replayed leaves it undecided', () => {
    const refusing: ValidationTools = {
      ...unused,
      planTail: () =>
        done((): never => {
          throw new DatadirError('REPLAY_REFUSED', 'entries are missing');
        }),
    };
    const outcome = check(fresh, { store: 8n }, refusing);
    expect(codes(outcome)).toEqual(['VALIDATE_REVISION_UNKNOWN unknown']);
    expect(outcome.findings[0]?.args).toMatchObject({ needed: '8', reason: 'entries are missing' });
  });
});
