/**
 * The decisions that the real etcd-backup-restore (v0.44.0-dev, one member, data of etcd 3.5.33) was seen to make, beside ours. Where
 * they differ the reason is given: it misses damage, or throws a healthy directory away.
 */
import { describe, expect, test } from 'vitest';
import type { DataDirFiles } from '../../../src/datadir/data-dir-files.ts';
import { missingFolder } from '../../../src/datadir/data-dir-files.ts';
import type { ReferenceStatus } from '../../../src/datadir/validation/reference-status.ts';
import { NO_STORE, type StoreState } from '../../../src/datadir/validation/store-state.ts';
import { copyContent, dataDirContent, dataDirFixture, memoryDir, plainFile } from '../../support/data-dir-fixtures.ts';
import { damagedDataDir } from '../../support/data-dir-recipes.ts';
import { EMPTY_STORE, storeAt, validateFiles } from './situation.ts';

const VERSION = '3.5.33';
const damaged = (recipe: string) => (): DataDirFiles => damagedDataDir(recipe, VERSION);

const MISSING: DataDirFiles = {
  path: 'data',
  root: missingFolder('.'),
  member: missingFolder('member'),
  snap: missingFolder('member/snap'),
  wal: missingFolder('member/wal'),
  separateWal: false,
};

/** A plain file has the name of the log's folder. */
function walIsAFile(): DataDirFiles {
  const content = copyContent(dataDirContent(`${VERSION}/busy/m1`));
  for (const path of [...content.files.keys()].filter((each) => each.startsWith('member/wal/')))
    content.files.delete(path);
  content.folders.delete('member/wal');
  content.files.set('member/wal', plainFile(new Uint8Array(3)));
  return memoryDir(content);
}

type Statuses = readonly [sanity: ReferenceStatus, full: ReferenceStatus];
const VALID = 'DataDirectoryValid';
const CORRUPT = 'DataDirectoryCorrupt';
const INVALID = 'DataDirectoryInvStruct';

interface Seen {
  readonly what: string;
  readonly files: () => DataDirFiles;
  /** What the reference says, in both modes, with a store. */
  readonly reference: Statuses;
  /** What we say, where that is something else, and why. */
  readonly ours?: { readonly statuses: Statuses; readonly because: string };
}

const CASES: readonly Seen[] = [
  { what: 'healthy', files: () => dataDirFixture(`${VERSION}/busy/m1`), reference: [VALID, VALID] },
  { what: 'absent', files: () => MISSING, reference: ['DataDirectoryNotExist', 'DataDirectoryNotExist'] },
  { what: 'wal missing', files: damaged('dir-wal-missing'), reference: [INVALID, INVALID] },
  {
    what: 'wal empty',
    files: damaged('dir-wal-empty'),
    reference: [VALID, CORRUPT],
    ours: { statuses: [CORRUPT, CORRUPT], because: 'etcd would begin a new log over the old db, and lose writes' },
  },
  {
    what: 'wal a plain file',
    files: walIsAFile,
    reference: [VALID, CORRUPT],
    ours: { statuses: [INVALID, INVALID], because: 'folders must be folders' },
  },
  {
    what: 'db missing under a whole log',
    files: damaged('dir-db-missing'),
    reference: [CORRUPT, CORRUPT],
    ours: { statuses: [VALID, VALID], because: 'nothing is lost: the log rebuilds it. Repair first is recommended' },
  },
  {
    what: 'one flipped byte in a log record',
    files: damaged('wal-middle-flip'),
    reference: [VALID, CORRUPT],
    ours: { statuses: [CORRUPT, CORRUPT], because: 'sanity reads the last segment' },
  },
  { what: 'last segment cut inside a record', files: damaged('wal-torn-tail-short'), reference: [VALID, VALID] },
  {
    what: 'log zeroed from a record boundary on, db ahead of it',
    files: damaged('wal-tail-zeroed'),
    reference: [VALID, VALID],
    ours: { statuses: [CORRUPT, CORRUPT], because: 'committed entries are gone, which the reference does not see' },
  },
  {
    what: 'log zeroed from inside a record on',
    files: damaged('wal-torn-tail-zero-sector'),
    reference: [VALID, CORRUPT],
    ours: { statuses: [CORRUPT, CORRUPT], because: 'sanity reads the last segment' },
  },
  { what: 'newest .snap damaged', files: damaged('snap-newest-data-flip'), reference: [VALID, VALID] },
  {
    what: 'newest .snap without a log record',
    files: damaged('snap-orphan'),
    reference: [VALID, CORRUPT],
    ours: { statuses: [VALID, VALID], because: 'a crash leaves it, and etcd passes over it' },
  },
  {
    what: 'middle segment missing, before the newest snapshot',
    files: damaged('wal-segment-missing-middle'),
    reference: [VALID, CORRUPT],
    ours: { statuses: [VALID, VALID], because: 'no start reads it. Repair first is recommended' },
  },
];

describe.each(CASES)('$what', ({ files, reference, ours }) => {
  test.each(['sanity', 'full'] as const)('%s', (mode) => {
    const at = mode === 'sanity' ? 0 : 1;
    const report = validateFiles(files(), { mode, store: storeAt(53) });
    expect(report.status).toBe((ours?.statuses ?? reference)[at]);
    if (ours !== undefined) expect(ours.because).not.toBe('');
    // What the reference restores without need is never recommended to be replaced.
    if (report.status === VALID) expect(['start', 'start-after-repair']).toContain(report.recommendation);
    else expect(report).toMatchObject({ recommendation: 'restore', action: 'restore' });
  });
});

describe('what the reference does without backups', () => {
  const actionOf = (files: DataDirFiles, store: StoreState, referenceActions: boolean): string =>
    validateFiles(files, { store }, { referenceActions }).action;

  test.each([
    ['no store', NO_STORE],
    ['an empty store', EMPTY_STORE],
  ])('%s: it deletes the directory, we keep it', (_, store) => {
    for (const recipe of ['dir-wal-missing', 'wal-middle-flip']) {
      expect(actionOf(damagedDataDir(recipe, VERSION), store, true)).toBe('delete');
      expect(actionOf(damagedDataDir(recipe, VERSION), store, false)).toBe('fail');
    }
    expect(actionOf(MISSING, store, true)).toBe('begin-anew');
  });
});

test('stale: db and log behind the backups, in both modes', () => {
  for (const mode of ['sanity', 'full'] as const) {
    const report = validateFiles(dataDirFixture(`${VERSION}/fresh/m1`), { mode, store: storeAt(53) });
    expect(report).toMatchObject({ status: 'RevisionConsistencyError', verdict: 'stale', recommendation: 'restore' });
  }
});

test('guard mismatch: fail, in both modes', () => {
  const guard = { state: 'different', path: 'g', expected: 'a', actual: 'a\n', reason: null } as const;
  for (const mode of ['sanity', 'full'] as const) {
    const report = validateFiles(dataDirFixture(`${VERSION}/fresh/m1`), { mode, guard, store: storeAt(53) });
    expect(report).toMatchObject({ status: 'WrongVolumeMounted', action: 'fail' });
  }
});

// Seen: the process dies of a fault in its memory map at every attempt, and nothing is ever restored.
test('a db cut to its metas has a verdict', () => {
  const content = copyContent(dataDirContent(`${VERSION}/busy/m1`));
  const db = content.files.get('member/snap/db')?.bytes.slice(0, 8192) as Uint8Array;
  content.files.set('member/snap/db', plainFile(db));
  for (const mode of ['sanity', 'full'] as const) {
    const report = validateFiles(memoryDir(content), { mode, store: storeAt(53) });
    expect(report).toMatchObject({ status: 'BoltDBCorrupt', verdict: 'damaged', recommendation: 'restore' });
  }
});

test('a db whose way to the newest revision is broken', () => {
  for (const recipe of ['bolt-root-zeroed', 'bolt-meta-both-zeroed', 'bolt-empty']) {
    const report = validateFiles(damagedDataDir(recipe, VERSION), { store: storeAt(53) });
    expect({ recipe, status: report.status }).toEqual({ recipe, status: 'BoltDBCorrupt' });
  }
});
