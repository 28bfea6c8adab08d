/**
 * The check of a file and of a folder: what is told, how bad it is, and what is not claimed.
 */
import { describe, expect, test } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import type { CheckReport } from '../../src/report.ts';
import { checkSnap, checkSnapFolder, snapFileCheck } from '../../src/snap/check.ts';
import { MAX_SNAP_SIZE } from '../../src/snap/format.ts';
import { snapName } from '../../src/snap/snap-name.ts';
import { severityRank, verdictOf } from '../../src/verdict.ts';
import { editableLog } from '../support/edited-log.ts';
import { faultySource } from '../support/faulty.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { checkFolder, folderJob, snapFile, v2Document } from '../support/snap-files.ts';
import { leftoverRecipes, snapRecipes } from '../support/snap-recipes.ts';

const NEWEST = snapName(2n, 5n);
const OLDER = snapName(2n, 4n);
const older = snapFile({ index: 4n });
const codes = ({ findings }: CheckReport): string[] => findings.map(({ code }) => code);
const flipped = (bytes: Uint8Array, at = 40): Uint8Array => bytes.with(at, bytes[at]! ^ 1);

const VERSIONS = ['3.4.23', '3.5.33', '3.6.14', '3.7.1'];
const VARIANTS = [0, 1, 2, 7, 30];

describe.each(VERSIONS)('recipes on %s', (version) => {
  const log = editableLog(logFixture(`${version}/busy/m1`));

  test.each([...snapRecipes, ...leftoverRecipes])('$name: $severity, to be seen in $needs', (recipe) => {
    for (const variant of VARIANTS) {
      const report = checkFolder(Object.fromEntries(recipe.apply(log, variant).snaps));
      const worst = verdictOf(report.counts);
      // What only the log could show is not claimed.
      const expected = recipe.needs === 'dir' || recipe.severity === 'info' ? 'healthy' : recipe.severity;
      expect(worst).toBe(expected);
      expect(report.verdict).toBe(worst);
      if (recipe.severity === 'info') expect(codes(report)).toEqual(['SNAP_OLDER_DAMAGED']);
    }
  });
});

describe('a folder', () => {
  test('without .snap files is healthy, and says so', () => {
    const report = checkFolder({ db: new Uint8Array(3), '.touch': new Uint8Array(0) });
    expect(report).toMatchObject({
      verdict: 'healthy',
      findings: [],
      kind: 'snap',
      level: 'full',
      path: 'member/snap',
    });
    expect(report.examined).toEqual(['the names in the folder; there is no .snap file']);
    expect(report.snap).toEqual({ files: [], startsFrom: null });
  });

  test('damage of the newest is a problem, of others not', () => {
    const good = snapFile();
    expect(codes(checkFolder({ [NEWEST]: flipped(good), [OLDER]: older }))).toEqual(['SNAP_CRC_MISMATCH']);
    const report = checkFolder({ [NEWEST]: good, [OLDER]: flipped(older) });
    expect(report).toMatchObject({
      verdict: 'healthy',
      findings: [{ code: 'SNAP_OLDER_DAMAGED', file: OLDER, args: { name: OLDER, problem: 'SNAP_CRC_MISMATCH' } }],
    });
    expect(report.snap).toMatchObject({
      newest: { name: NEWEST, index: '5', term: '2' },
      files: [
        { name: NEWEST, usable: true, index: '5', term: '2' },
        { name: OLDER, usable: false, problem: 'SNAP_CRC_MISMATCH' },
      ],
      startsFrom: NEWEST,
    });
  });

  test('when the newest is damaged the next one is what etcd starts from', () => {
    const { snap } = checkFolder({ [NEWEST]: new Uint8Array(0), [OLDER]: older });
    expect(snap).toMatchObject({ newest: { name: OLDER }, startsFrom: OLDER });
  });

  test('when none can be used that is told besides', () => {
    const report = checkFolder({ [NEWEST]: new Uint8Array(0), [OLDER]: flipped(older) });
    expect(codes(report)).toEqual(['SNAP_EMPTY', 'SNAP_ALL_DAMAGED', 'SNAP_OLDER_DAMAGED']);
    expect(report).toMatchObject({ verdict: 'repairable', snap: { startsFrom: null } });
    expect(report.snap).not.toHaveProperty('newest');
  });

  test('a name that etcd does not write is not the newest, whatever is in it', () => {
    const report = checkFolder({ 'zzz.snap': new Uint8Array(4), [NEWEST]: snapFile() });
    expect(report.verdict).toBe('healthy');
    expect(codes(report).sort()).toEqual(['SNAP_NAME_ODD', 'SNAP_OLDER_DAMAGED']);
  });

  test('v2 keys are told of once', () => {
    const document = v2Document('"1":{"Children":{"a":{"Value":"v","Children":null}}}');
    const report = checkFolder({ [NEWEST]: snapFile({ document }), [OLDER]: snapFile({ index: 4n, document }) });
    expect(report).toMatchObject({
      verdict: 'healthy',
      findings: [{ code: 'SNAP_V2_CUSTOM_CONTENT', file: NEWEST, args: { paths: '/1', files: '1', directories: '0' } }],
    });
  });

  test('the rest of the report says what was not looked at', () => {
    const report = checkFolder({ [NEWEST]: snapFile(), [OLDER]: older });
    expect(report.examined).toEqual(['checksum, raft snapshot and v2 store of 2 .snap files']);
    expect(report.notExamined[0]).toMatch(/^whether the log has a record of each snapshot/);
  });

  test('a file that etcd is just writing is read once more', () => {
    let opened = 0;
    const growing = (): ByteSource => memorySource(opened++ === 0 ? new Uint8Array(0) : snapFile());
    expect(checkFolder({ [NEWEST]: growing })).toMatchObject({ verdict: 'healthy', findings: [] });
    let longer = 0;
    const endless = (): ByteSource => memorySource(new Uint8Array(longer++));
    expect(codes(checkFolder({ [NEWEST]: endless, [OLDER]: older }))).toEqual(['SNAP_UNPARSABLE']);
  });

  test('a file that a running etcd has purged meanwhile is left out', () => {
    const gone = (): never => {
      throw new DatadirError('NOT_FOUND', 'no such file or directory');
    };
    expect(checkFolder({ [NEWEST]: snapFile(), [OLDER]: gone })).toMatchObject({ findings: [], snap: { files: [{}] } });
  });

  test('a file that cannot be read leaves the verdict open, an older one does not', () => {
    const failing = faultySource(memorySource(snapFile()), { failAt: [[10, 20]] });
    const report = checkFolder({ [NEWEST]: failing, [OLDER]: older });
    expect(report).toMatchObject({
      verdict: 'undecided',
      findings: [{ code: 'SNAP_UNREADABLE', severity: 'unknown' }],
    });
    expect(failing.closed).toBe(true);
    const directory = (): never => {
      throw new DatadirError('NOT_A_REGULAR_FILE', 'a directory, not a regular file');
    };
    expect(checkFolder({ [NEWEST]: snapFile(), [OLDER]: directory })).toMatchObject({
      verdict: 'healthy',
      findings: [{ code: 'SNAP_OLDER_DAMAGED', args: { problem: 'SNAP_UNREADABLE' } }],
    });
  });

  test('findings are cut at the limit, all are counted', () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`tmp${i}`, new Uint8Array(0)]));
    const report = checkFolder(files, { maxFindings: 3 });
    expect(report.findings).toHaveLength(3);
    expect(report.counts).toEqual({ info: 50 });
  });

  test('worse findings come first', () => {
    const report = checkFolder({ tmp1: new Uint8Array(0), [NEWEST]: flipped(snapFile()), [OLDER]: flipped(older) });
    const ranks = report.findings.map(({ severity }) => severityRank(severity));
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
  });
});

describe('a lone file', () => {
  test('is compared with its name', () => {
    expect(checkSnap(snapFile(), { path: `/some/where/${NEWEST}` })).toMatchObject({
      verdict: 'healthy',
      findings: [],
    });
    const report = checkSnap(snapFile(), { path: `/some/where/${OLDER}` });
    expect(report).toMatchObject({
      verdict: 'repairable',
      findings: [{ code: 'SNAP_NAME_MISMATCH', file: OLDER, args: { term: '2', index: '5' } }],
    });
    expect(report.notExamined[0]).toMatch(/^whether the log has a record of this snapshot/);
    expect(report.snap).not.toHaveProperty('startsFrom');
  });

  test('without a name is not', () => {
    expect(checkSnap(snapFile())).toMatchObject({ verdict: 'healthy', path: '' });
    expect(checkSnap(snapFile(), { path: 'copy-of-a-file' })).toMatchObject({ verdict: 'healthy', findings: [] });
  });

  test('of another kind is damaged', () => {
    expect(codes(checkSnap(new TextEncoder().encode('no snapshot at all')))).toEqual(['SNAP_UNPARSABLE']);
  });

  test('is read in pieces, and no more than can be held', () => {
    const document = v2Document(`"1":{"Children":{"k":{"Value":"${'x'.repeat(3 << 20)}","Children":null}}}`);
    const job = snapFileCheck(memorySource(snapFile({ document })));
    let steps = 1;
    while (!job.step()) {
      steps++;
      expect(job.progress.done).toBeLessThanOrEqual(job.progress.total);
    }
    expect(steps).toBeGreaterThan(6);
    expect(job.progress).toEqual({ done: job.result.bytesRead, total: job.result.bytesRead });
    const huge = { ...memorySource(new Uint8Array(0)), size: MAX_SNAP_SIZE + 1 };
    expect(drain(snapFileCheck(huge))).toMatchObject({ verdict: 'undecided', findings: [{ code: 'SNAP_TOO_LARGE' }] });
  });

  test('that shrinks while it is read is not judged', () => {
    const source = faultySource(memorySource(snapFile()), { shrinkTo: 20 });
    expect(drain(snapFileCheck(source))).toMatchObject({
      verdict: 'undecided',
      findings: [{ code: 'SNAP_UNREADABLE' }],
    });
    expect(source.closed).toBe(false);
  });
});

test('a folder is checked without a pause too', () => {
  const file = { name: NEWEST, open: () => memorySource(snapFile()) };
  expect(checkSnapFolder([file])).toMatchObject({ path: '', verdict: 'healthy', snap: { startsFrom: NEWEST } });
});

test('a result that is not there yet is a bug of the caller', () => {
  expect(() => folderJob({ [NEWEST]: snapFile() }).result).toThrow(/has not finished/);
});
