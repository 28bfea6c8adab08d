import { describe, expect, it } from 'vitest';
import { type DirStart, mends, startsOf } from '../../../src/datadir/start/start.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import type { CheckReport } from '../../../src/report.ts';
import { type Made, madeFinding, madeReport } from '../../support/made-report.ts';

function startOf(version: EtcdMinor, made: Made): DirStart {
  return startsOf(madeReport(made)).find((start) => start.version === version) as DirStart;
}

const outcomes = (made: Made): string[] => startsOf(madeReport(made)).map(({ outcome }) => outcome);

describe('a healthy directory', () => {
  it('starts with every release, from its newest snapshot, with nothing to apply', () => {
    const starts = startsOf(madeReport());
    expect(starts.map(({ version }) => version)).toEqual(ETCD_MINORS);
    for (const { version, ...start } of starts) {
      expect(start, version).toEqual({
        outcome: 'starts',
        words: '',
        lossless: true,
        certain: true,
        causes: [],
        stage: null,
        serves: 'clients',
        snapshot: {
          index: '303',
          term: '2',
          file: version === '3.7' ? null : '0000000000000002-000000000000012f.snap',
        },
        renames: [],
        replacesDb: null,
        makesDb: false,
        cut: null,
        applies: null,
        loneVoter: true,
      });
    }
  });

  it('applies the entries that the db does not have', () => {
    const { applies } = startOf('3.6', { dataDir: { consistentIndex: '350' } });
    expect(applies).toEqual({ first: '351', last: '380' });
  });
});

describe('facts of the parts', () => {
  it('a db behind the snapshot makes a server panic', () => {
    const start = startOf('3.5', {
      dataDir: { consistentIndex: '200' },
      findings: [madeFinding('DIR_DB_BEHIND_SNAPSHOT', { consistentIndex: '200', snapshot: '303', received: 'none' })],
    });
    expect(start).toMatchObject({
      outcome: 'panics',
      stage: 'snapshot',
      certain: true,
      lossless: false,
      causes: ['DIR_DB_BEHIND_SNAPSHOT'],
    });
    expect(start.words).toBe(
      'failed to recover v3 backend from snapshot {"error":"failed to find database snapshot file (snap: snapshot file doesn\'t exist)"}',
    );
  });

  it('a received db takes the place of one that is behind', () => {
    const start = startOf('3.6', { dataDir: { consistentIndex: '200', receivedDbs: ['303'] } });
    expect(start).toMatchObject({
      outcome: 'starts',
      replacesDb: '000000000000012f.snap.db',
      applies: { first: '304', last: '380' },
    });
  });

  it('a missing db is made anew if the start is from the first entry', () => {
    const start = startOf('3.6', {
      dataDir: { hasDb: false, consistentIndex: null },
      log: { snapshot: null },
      snap: { files: [] },
      findings: [madeFinding('DIR_DB_MISSING', { reason: 'none', lastIndex: '380' }, { severity: 'repairable' })],
    });
    expect(start).toMatchObject({ outcome: 'starts', makesDb: true, applies: { first: '1', last: '380' } });
    expect(start.snapshot).toEqual({ index: '0', term: '0', file: null });
    expect(mends(start)).toBe(true);
  });

  it('a db far ahead of its log: old releases answer reads, newer ones nobody', () => {
    const made: Made = { dataDir: { consistentIndex: '500' } };
    expect(outcomes(made)).toEqual(['hangs', 'hangs', 'hangs', 'hangs']);
    expect(startsOf(madeReport(made)).map(({ serves }) => serves)).toEqual(['reads', 'reads', 'nobody', 'nobody']);
  });

  it('a db ahead by what a server writes at its start is not noticed', () => {
    expect(outcomes({ dataDir: { consistentIndex: '382' } })).toEqual(['starts', 'starts', 'starts', 'starts']);
  });

  it('one of several members gets what its log lacks from the others', () => {
    const newest = madeReport().snap?.newest;
    const confState = { ...newest!.confState, voters: ['1', '2', '3'] };
    const start = startOf('3.6', { dataDir: { consistentIndex: '500' }, snap: { newest: { ...newest!, confState } } });
    expect(start).toMatchObject({ outcome: 'hangs', certain: false, loneVoter: false });
  });

  it('without a log a new member is made, over an old db in vain', () => {
    const none = { hasWal: false, hasDb: false, consistentIndex: null };
    expect(outcomes({ dataDir: none })).toEqual(['begins-anew', 'begins-anew', 'begins-anew', 'begins-anew']);
    expect(outcomes({ dataDir: { hasWal: false } })).toEqual(['hangs', 'hangs', 'hangs', 'hangs']);
    expect(startOf('3.6', { dataDir: { hasWal: false, consistentIndex: '1' } }).outcome).toBe('begins-anew');
  });

  it('an empty file counts as no db', () => {
    const findings = [madeFinding('BOLT_FILE_TOO_SMALL', { size: '0', needed: '8192' })];
    expect(startOf('3.6', { findings, dataDir: { consistentIndex: null } })).toMatchObject({
      outcome: 'panics',
      stage: 'snapshot',
      causes: ['BOLT_FILE_TOO_SMALL'],
    });
  });
});

describe('the log', () => {
  it('ends a start where its simulation ends, in its words', () => {
    const segment = '0000000000000000-0000000000000000.wal';
    const start = startOf('3.6', {
      log: { outcome: 'refuses', stage: 'search', words: 'discovery failed', segment, offset: 80 },
      findings: [
        madeFinding('WAL_RECORD_CRC', {}, { file: `member/wal/${segment}`, offset: 80 }),
        madeFinding('WAL_LEFTOVER', {}, { file: 'member/wal/0.tmp' }),
      ],
    });
    expect(start).toMatchObject({ outcome: 'refuses', words: 'discovery failed', causes: ['WAL_RECORD_CRC'] });
    expect(start.snapshot).toBeNull();
  });

  it('with a torn end is repaired, without loss', () => {
    const cut = { segment: 's', offset: 10, bytes: 20 };
    const start = startOf('3.5', {
      log: { outcome: 'repairs', words: 'repaired WAL', cut },
      findings: [madeFinding('WAL_TORN_TAIL', {})],
    });
    expect(start).toMatchObject({ outcome: 'repairs', cut, lossless: true, causes: ['WAL_TORN_TAIL'] });
    expect(mends(start)).toBe(true);
  });

  it('that lost more than a torn end is not mended', () => {
    const start = startOf('3.5', {
      log: { outcome: 'repairs', words: 'repaired WAL' },
      findings: [madeFinding('WAL_TAIL_LOSES_COMMITTED', {})],
    });
    expect(mends(start)).toBe(false);
  });

  it('that was not simulated leaves the start open', () => {
    const report = madeReport();
    const starts = startsOf({ ...report, wal: { ...report.wal!, etcd: [] } } as CheckReport);
    expect(starts.map(({ outcome, certain }) => [outcome, certain])).toEqual(ETCD_MINORS.map(() => ['unknown', false]));
  });
});

describe('.snap files', () => {
  it('that cannot be read are renamed up to 3.6, on the way to the chosen one', () => {
    const files = [
      { name: '0000000000000002-00000000000001ff.snap', size: 0, usable: false, problem: 'SNAP_EMPTY' },
      { name: 'chosen.snap', size: 10, usable: true, index: '303', term: '2' },
      { name: 'older.snap', size: 0, usable: false },
    ];
    expect(startsOf(madeReport({ snap: { files } })).map(({ renames }) => renames)).toEqual([
      [files[0]!.name],
      [files[0]!.name],
      [files[0]!.name],
      [],
    ]);
  });

  it('with keys of the v2 API stop 3.6 alone, if it chooses the file', () => {
    const finding = (name: string): Made => ({
      findings: [madeFinding('SNAP_V2_CUSTOM_CONTENT', { name, paths: '/1', files: '1', directories: '0' })],
    });
    const chosen = '0000000000000002-000000000000012f.snap';
    expect(outcomes(finding(chosen))).toEqual(['starts', 'starts', 'refuses', 'starts']);
    expect(outcomes(finding('another.snap'))).toEqual(['starts', 'starts', 'starts', 'starts']);
  });
});

describe('findings', () => {
  it('the first step that does not go on decides', () => {
    const start = startOf('3.6', {
      dataDir: { consistentIndex: '200' },
      findings: [
        madeFinding('BACKEND_RECORD_UNREADABLE', { revision: '5_0' }),
        madeFinding('BOLT_META_BOTH_INVALID', { reason: 'checksum', expected: '', actual: '' }, { page: 1 }),
        madeFinding('BOLT_META_BOTH_INVALID', { reason: 'magic', expected: '', actual: '' }, { page: 0 }),
      ],
    });
    expect(start).toMatchObject({
      outcome: 'panics',
      words: 'failed to open database {"path":"member/snap/db","error":"invalid database"}',
      certain: true,
      causes: ['BOLT_META_BOTH_INVALID'],
      snapshot: null,
    });
  });

  it('of damaged pages are never certain', () => {
    const start = startOf('3.6', { findings: [madeFinding('BOLT_PAGE_ZEROED', {}, { page: 7 })] });
    expect(start).toMatchObject({ outcome: 'panics', certain: false });
    expect(start.words).toContain('Page expected to be: 7');
  });

  it('for one release do not count for the others', () => {
    const finding = madeFinding('BACKEND_STORAGE_VERSION_UNSUPPORTED', { version: '3.7.0', target: '3.6' });
    const made: Made = {
      findings: [finding],
      dataDir: {
        etcdVersion: '3.6',
        versions: ETCD_MINORS.map((version) => ({ version, findings: version === '3.6' ? [finding] : [] })),
      },
    };
    expect(outcomes(made)).toEqual(['starts', 'starts', 'refuses', 'starts']);
    expect(startOf('3.6', made)).toMatchObject({
      words: 'discovery failed {"error":"version \\"3.7.0\\" is not supported"}',
      causes: ['BACKEND_STORAGE_VERSION_UNSUPPORTED'],
    });
  });

  it('that could not be examined make nothing certain', () => {
    expect(startOf('3.7', { findings: [madeFinding('SNAP_UNREADABLE', { name: 'x', reason: 'EIO' })] })).toMatchObject({
      outcome: 'starts',
      certain: false,
      lossless: false,
    });
  });

  it('a directory in use: a second server waits for the lock', () => {
    const starts = startsOf(madeReport({ findings: [madeFinding('DIR_IN_USE')], dataDir: { inUse: true } }));
    expect(starts.map(({ outcome, stage }) => [outcome, stage])).toEqual(ETCD_MINORS.map(() => ['hangs', 'open-db']));
  });

  it('an alarm limits whom a server is there for', () => {
    const nospace = [madeFinding('BACKEND_ALARM', { type: 'NOSPACE', memberId: '1' })];
    expect(startOf('3.6', { findings: nospace })).toMatchObject({ outcome: 'starts', serves: 'reads' });
    const corrupt = [madeFinding('BACKEND_ALARM_CORRUPT', { memberId: '1' })];
    expect(startOf('3.6', { findings: corrupt })).toMatchObject({
      outcome: 'starts',
      serves: 'nobody',
      lossless: false,
    });
  });
});

describe('other kinds of directories', () => {
  it.each([
    ['both', ['refuses', 'refuses', 'refuses', 'refuses']],
    ['proxy', ['begins-anew', 'begins-anew', 'panics', 'panics']],
    ['empty', ['begins-anew', 'begins-anew', 'begins-anew', 'begins-anew']],
    ['etcd-2.0', ['begins-anew', 'begins-anew', 'begins-anew', 'begins-anew']],
  ])('%s', (layout, expected) => {
    expect(outcomes({ dataDir: { layout, hasDb: false, hasWal: false, consistentIndex: null } })).toEqual(expected);
  });

  it('the report of anything else tells nothing', () => {
    const { dataDir: _, ...report } = madeReport();
    expect(() => startsOf({ ...report, kind: 'wal' })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
