// The flow of a validation: what is done after what, and what is not done any more.
import { describe, expect, test } from 'vitest';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { type DataDirFiles, missingFolder } from '../../../src/datadir/data-dir-files.ts';
import { createValidationTools } from '../../../src/datadir/validation/default-tools.ts';
import type { GuardState, ValidationReport } from '../../../src/datadir/validation/report.ts';
import { NO_STORE } from '../../../src/datadir/validation/store-state.ts';
import type { ValidationTools } from '../../../src/datadir/validation/tools.ts';
import { ValidationJob } from '../../../src/datadir/validation/validation-job.ts';
import { drain } from '../../../src/io/job.ts';
import { dataDirFixture, openDirFixture } from '../../support/data-dir-fixtures.ts';
import { damagedDataDir } from '../../support/data-dir-recipes.ts';
import { EMPTY_STORE, SITUATION, storeAt, validateFiles } from './situation.ts';

const HEALTHY = '3.5.33/fresh/m1';
const codes = ({ findings }: ValidationReport): string[] => findings.map(({ code }) => code);
const steps = ({ steps: all }: ValidationReport): string[] => all.map(({ name, success }) => `${name} ${success}`);

/** The parts of the library, and the levels that were checked with them. */
function watched(): { tools: ValidationTools; levels: string[] } {
  const levels: string[] = [];
  const real = createValidationTools();
  const tools: ValidationTools = {
    ...real,
    check: (dir, options) => {
      levels.push(options.level);
      return real.check(dir, options);
    },
  };
  return { tools, levels };
}

const MISSING: DataDirFiles = {
  path: 'data',
  root: missingFolder('.'),
  member: missingFolder('member'),
  snap: missingFolder('member/snap'),
  wal: missingFolder('member/wal'),
  separateWal: false,
};

describe('a healthy directory', () => {
  test.each(['sanity', 'full', 'deep'] as const)('mode %s', (mode) => {
    const { tools, levels } = watched();
    const report = validateFiles(dataDirFixture(HEALTHY), { mode }, {}, tools);
    expect(levels).toEqual([mode]);
    expect(report).toMatchObject({
      schema: 1,
      kind: 'data-dir',
      level: mode,
      mode,
      verdict: 'healthy',
      recommendation: 'start',
      status: 'DataDirectoryValid',
      action: 'start',
      plan: null,
      revision: { db: '5', effective: '5', afterWalReplay: null, store: null },
    });
    expect(steps(report)).toEqual(['structure true', 'content true', 'revision true', 'decision true']);
    expect(report.notExamined).toContain('whether it is older than its backups: no store was named');
  });

  test('tells the state of raft', () => {
    const dir = openDirFixture(HEALTHY);
    const { raft } = validateFiles(dir);
    expect(raft).toMatchObject({
      consistentIndex: `${dir.meta.consistentIndex}`,
      commit: `${dir.wal.state.hardState?.commit}`,
      memberId: `${dir.wal.state.metadata?.nodeId}`,
      clusterId: `${dir.wal.state.metadata?.clusterId}`,
      lastIndex: `${dir.wal.state.lastIndex}`,
      snapshots: expect.any(Array),
    });
  });

  test('is plain data: nothing is lost on the way through JSON', () => {
    const report = validateFiles(dataDirFixture(HEALTHY), { store: storeAt(5) });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('the revision after the log has been applied is told when asked for', () => {
    const report = validateFiles(dataDirFixture(HEALTHY), { mode: 'sanity' }, { replay: true });
    expect(report.revision.afterWalReplay).toBe('5');
  });
});

describe('mode sanity', () => {
  test('goes on to look at everything before anything is decided against the directory', () => {
    const { tools, levels } = watched();
    const report = validateFiles(damagedDataDir('wal-torn-tail-short', '3.5.33'), { mode: 'sanity' }, {}, tools);
    expect(levels).toEqual(['sanity', 'full']);
    expect(report).toMatchObject({ mode: 'sanity', level: 'full', verdict: 'repairable', recommendation: 'start' });
  });

  // What looks like damage in the last segment alone is an empty segment that etcd passes over.
  test.each(['wal-segment-empty-added', 'wal-segment-zero-added'])('is no false alarm: %s', (recipe) => {
    const report = validateFiles(damagedDataDir(recipe, '3.5.33'), { mode: 'sanity' });
    expect(report).toMatchObject({ verdict: 'repairable', recommendation: 'start' });
  });
});

// The last segment is whole, so sanity finds nothing; the replay has to read the others.
test('damage that only the replay meets makes mode sanity look at everything', () => {
  const { tools, levels } = watched();
  const files = damagedDataDir('wal-segment-missing-middle', '3.5.33');
  const healthy = validateFiles(files, { mode: 'sanity' }, {}, tools);
  expect({ levels: [...levels], verdict: healthy.verdict }).toEqual({ levels: ['sanity'], verdict: 'healthy' });
  levels.length = 0;
  const report = validateFiles(files, { mode: 'sanity' }, { replay: true }, tools);
  expect(levels).toEqual(['sanity', 'full']);
  expect(report).toMatchObject({ verdict: 'repairable', recommendation: 'start-after-repair' });
});

describe('what is repairable', () => {
  test('and mended by etcd itself may be started', () => {
    const report = validateFiles(damagedDataDir('wal-torn-append-short', '3.6.14'));
    expect(report).toMatchObject({ verdict: 'repairable', recommendation: 'start', action: 'start' });
  });

  test('and not mended by etcd must be repaired first', () => {
    const report = validateFiles(damagedDataDir('dir-db-missing', '3.6.14'));
    expect(report).toMatchObject({ verdict: 'repairable', recommendation: 'start-after-repair', action: 'fail' });
    expect(report.status).toBe('DataDirectoryValid');
  });
});

describe('the guard', () => {
  const guard = (state: GuardState['state']): GuardState => ({
    state,
    path: '/volume/safe_guard',
    expected: 'shoot--a',
    actual: 'shoot--b',
    reason: 'no permission',
  });

  test.each([
    ['different', 'VALIDATE_GUARD_DIFFERS'],
    ['unreadable', 'VALIDATE_GUARD_UNREADABLE'],
  ] as const)('%s: nothing more is looked at, also without a directory', (state, code) => {
    const { tools, levels } = watched();
    for (const files of [dataDirFixture(HEALTHY), MISSING]) {
      const report = validateFiles(files, { guard: guard(state), store: storeAt(53) }, {}, tools);
      expect(codes(report)).toEqual([code]);
      expect(report).toMatchObject({
        verdict: 'refused',
        recommendation: 'refuse',
        status: 'WrongVolumeMounted',
        action: 'fail',
      });
      expect(report.notExamined).toContain('everything else');
    }
    expect(levels).toEqual([]);
  });

  test('missing is worth knowing', () => {
    const report = validateFiles(dataDirFixture(HEALTHY), { guard: guard('missing') });
    expect(codes(report)).toContain('VALIDATE_GUARD_MISSING');
    expect(report.recommendation).toBe('start');
  });

  test.each(['equal', 'created', 'skipped'] as const)('%s is nothing to speak of', (state) => {
    const report = validateFiles(dataDirFixture(HEALTHY), { guard: guard(state) });
    expect(codes(report).filter((code) => code.includes('GUARD'))).toEqual([]);
    expect(report.notExamined.includes('whether it is the right volume: no owner was named')).toBe(state === 'skipped');
  });
});

describe('a directory in use', () => {
  test('is not looked into', () => {
    const { tools, levels } = watched();
    const files = { ...dataDirFixture(HEALTHY), lookForUse: () => true };
    const report = validateFiles(files, { store: storeAt(999) }, {}, tools);
    expect(levels).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'in-use',
      recommendation: 'refuse',
      status: 'FailToOpenBoltDBError',
      action: 'fail',
    });
    expect(codes(report)).toEqual(['DIR_IN_USE']);
  });
});

describe('no directory', () => {
  test.each([
    ['no store', NO_STORE, {}, 'unreadable', 'keep-and-inspect', 'fail'],
    ['an empty store', EMPTY_STORE, {}, 'unreadable', 'keep-and-inspect', 'fail'],
    ['backups', storeAt(53), {}, 'unreadable', 'restore', 'restore'],
    ['no store, and it may be missing', NO_STORE, { allowMissing: true }, 'healthy', 'start', 'begin-anew'],
    ['backups, and it may be missing', storeAt(53), { allowMissing: true }, 'unreadable', 'restore', 'restore'],
  ] as const)('%s', (_, store, expected, verdict, recommendation, action) => {
    const report = validateFiles(MISSING, { store }, expected);
    expect(report).toMatchObject({ verdict, recommendation, action, status: 'DataDirectoryNotExist' });
    expect(codes(report)).toEqual(['VALIDATE_NO_DIRECTORY']);
  });

  test('an empty one is the same where it may be missing, and lost data otherwise', () => {
    const empty = damagedDataDir('dir-member-missing', '3.5.33');
    expect(validateFiles(empty)).toMatchObject({ verdict: 'damaged', status: 'DataDirectoryInvStruct' });
    expect(validateFiles(empty, {}, { allowMissing: true })).toMatchObject({
      recommendation: 'start',
      action: 'begin-anew',
    });
    expect(validateFiles(empty, { store: storeAt(53) }, { allowMissing: true }).recommendation).toBe('restore');
  });

  test('below a revision that was asked for it is refused', () => {
    const report = validateFiles(MISSING, {}, { allowMissing: true, failBelowRevision: 10n });
    expect(report).toMatchObject({ recommendation: 'refuse', status: 'FailBelowRevisionConsistencyError' });
  });
});

describe('the backups', () => {
  test('that cannot be listed leave it undecided', () => {
    const store = { ...NO_STORE, state: 'unreadable' as const, location: 's', reason: 'no permission' };
    const report = validateFiles(dataDirFixture(HEALTHY), { store });
    expect(report).toMatchObject({
      verdict: 'undecided',
      recommendation: 'keep-and-inspect',
      status: 'DataDirectoryStatusUnknown',
    });
  });

  test('without a full snapshot are told of, and restore nothing', () => {
    const store = { ...storeAt(5), base: null, restorable: null };
    expect(validateFiles(dataDirFixture(HEALTHY), { store }).recommendation).toBe('start');
    const stale = validateFiles(dataDirFixture(HEALTHY), { store: { ...store, revision: '53' } });
    expect(codes(stale).sort()).toEqual(['VALIDATE_STALE', 'VALIDATE_STORE_NO_BASE']);
    expect(stale).toMatchObject({ verdict: 'stale', recommendation: 'keep-and-inspect' });
  });

  // A delta under a wrong name makes a healthy directory look stale: the restore would lose what it has.
  test('with a hole are not restored over data that are further than the hole', () => {
    const gap = { after: '4', found: '40', path: 'v2/Incr-00000040-00000053-9.gz' };
    const stale = validateFiles(dataDirFixture(HEALTHY), { store: { ...storeAt(53), restorable: '4', gap } });
    expect(codes(stale)).toContain('VALIDATE_STORE_GAP');
    expect(stale).toMatchObject({ verdict: 'stale', recommendation: 'keep-and-inspect', action: 'fail' });
  });
});

describe('a revision that was asked for', () => {
  test.each([
    ['without a store', NO_STORE],
    ['with an empty one', EMPTY_STORE],
  ])('%s is refused below it', (_, store) => {
    const report = validateFiles(dataDirFixture(HEALTHY), { store }, { failBelowRevision: 10n });
    expect(report).toMatchObject({
      verdict: 'refused',
      recommendation: 'refuse',
      status: 'FailBelowRevisionConsistencyError',
      action: 'fail',
    });
    expect(validateFiles(dataDirFixture(HEALTHY), { store }, { failBelowRevision: 5n }).recommendation).toBe('start');
  });

  test('has no effect where there are backups', () => {
    const report = validateFiles(dataDirFixture(HEALTHY), { store: storeAt(5) }, { failBelowRevision: 10n });
    expect(report.recommendation).toBe('start');
  });
});

describe('what is expected of it', () => {
  test('another member or cluster is refused, and touched by nobody', () => {
    for (const expected of [{ memberId: 5n }, { clusterId: 5n }]) {
      const report = validateFiles(dataDirFixture(HEALTHY), { store: storeAt(53) }, expected);
      expect(report).toMatchObject({
        recommendation: 'refuse',
        status: 'DataDirectoryStatusUnknown',
        action: 'fail',
      });
    }
    const { memberId, clusterId } = validateFiles(dataDirFixture(HEALTHY)).raft;
    const own = { memberId: BigInt(memberId ?? 0), clusterId: BigInt(clusterId ?? 0) };
    expect(validateFiles(dataDirFixture(HEALTHY), {}, own).recommendation).toBe('start');
  });

  test('a release that cannot read it is refused; its own is not', () => {
    const files = dataDirFixture('3.7.1/fresh/m1');
    expect(validateFiles(files, {}, { etcdVersion: '3.6' }).recommendation).toBe('refuse');
    expect(validateFiles(files).recommendation).toBe('start');
  });

  test('the hash of another member', () => {
    const files = dataDirFixture('3.5.33/fresh/m1');
    const compare = (hash: number, revision = 5n, compactRevision?: bigint) =>
      validateFiles(files, {}, { expectHashKv: { hash, revision, compactRevision } });
    const wrong = compare(1);
    expect(codes(wrong)).toContain('VALIDATE_HASHKV_DIFFERS');
    expect(wrong).toMatchObject({ verdict: 'damaged', status: 'DataDirectoryCorrupt' });
    const actual = wrong.findings.find(({ code }) => code === 'VALIDATE_HASHKV_DIFFERS')?.args as { actual: string };
    const right = compare(Number(actual.actual), 5n, -1n);
    expect(right).toMatchObject({ verdict: 'healthy', recommendation: 'start' });
    expect(steps(right)).toContain('hashkv true');
    for (const report of [compare(1, 99n), compare(1, 5n, 3n)]) {
      expect(codes(report)).toContain('VALIDATE_HASHKV_NOT_COMPARED');
      expect(report).toMatchObject({ verdict: 'undecided', recommendation: 'keep-and-inspect' });
    }
  });
});

describe('one of several members', () => {
  const stale = (expected: object) =>
    validateFiles(dataDirFixture(HEALTHY), { store: storeAt(53) }, { multiNode: true, ...expected });

  test('catches up from the others if they can be reached', () => {
    expect(stale({ othersReachable: true })).toMatchObject({ verdict: 'healthy', recommendation: 'start' });
  });

  test('is stale if they cannot: all volumes may have been put back', () => {
    const report = stale({ othersReachable: false });
    expect(report).toMatchObject({ verdict: 'stale', recommendation: 'restore' });
    expect(report.status).toBe('DataDirStatusInvalidInMultiNode');
  });

  test('damaged gets its data from the others, with a plan', () => {
    const report = validateFiles(
      damagedDataDir('wal-middle-flip', '3.5.33'),
      { store: storeAt(53) },
      { multiNode: true, othersReachable: true, inCluster: true },
    );
    expect(report).toMatchObject({
      recommendation: 'single-member-restore',
      status: 'DataDirectoryCorrupt',
      action: 'single-member-restoration',
      plan: { name: 'single-member-restoration' },
    });
  });
});

test('what the reference would delete is kept, unless its own action is asked for', () => {
  const damaged = damagedDataDir('wal-middle-flip', '3.5.33');
  expect(validateFiles(damaged)).toMatchObject({ recommendation: 'keep-and-inspect', action: 'fail' });
  expect(validateFiles(damaged, {}, { referenceActions: true })).toMatchObject({
    recommendation: 'keep-and-inspect',
    action: 'delete',
  });
});

test('findings are cut, and all are counted', () => {
  const all = validateFiles(damagedDataDir('wal-middle-flip', '3.5.33'));
  const some = validateFiles(damagedDataDir('wal-middle-flip', '3.5.33'), {}, { maxFindings: 1 });
  expect(some.findings).toHaveLength(1);
  expect(some.counts).toEqual(all.counts);
  expect(some.findings[0]?.severity).toBe('corrupt');
});

test('progress never shrinks, and steps are short', () => {
  const job = new ValidationJob(
    openDataDir(damagedDataDir('dir-db-older', '3.5.33')),
    { ...SITUATION, store: storeAt(462) },
    {},
    createValidationTools(),
  );
  let before = 0;
  let count = 0;
  do {
    expect(job.progress.done).toBeGreaterThanOrEqual(before);
    before = job.progress.done;
    count++;
  } while (!job.step());
  expect(count).toBeGreaterThan(10);
  expect(drain(job).recommendation).toBe('start');
});
