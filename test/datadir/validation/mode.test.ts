// Which mode follows from which marker.
import { describe, expect, test } from 'vitest';
import { openDataDir } from '../../../src/datadir/data-dir.ts';
import { type Identity, readIdentity } from '../../../src/datadir/validation/identity.ts';
import { type Marker, parseMarker, type RunMarker } from '../../../src/datadir/validation/marker.ts';
import { chooseMode, MODE_REASONS } from '../../../src/datadir/validation/mode.ts';
import { dataDirContent, memoryDir, openDirFixture } from '../../support/data-dir-fixtures.ts';

const never = (): Identity => {
  throw new Error('the directory must not be read for this');
};

const marker = (text: string): Marker => parseMarker(new TextEncoder().encode(text));

describe('markers of other programs', () => {
  test.each([
    ['no marker', undefined, 'full', 'no-marker'],
    ['0', marker('0\n'), 'sanity', 'normal-exit'],
    ['130', marker('130\n'), 'sanity', 'normal-exit'],
    ['143', marker('143\n'), 'sanity', 'normal-exit'],
    ['1', marker('1\n'), 'full', 'abnormal-exit'],
    ['2', marker('2\n'), 'full', 'abnormal-exit'],
    ['137', marker('137\n'), 'full', 'abnormal-exit'],
    ['terminated', marker('terminated'), 'sanity', 'normal-exit'],
    ['interrupt', marker(' interrupt\n'), 'sanity', 'normal-exit'],
    ['killed', marker('killed'), 'full', 'abnormal-exit'],
    ['an empty file', marker(''), 'full', 'marker-unreadable'],
    ['another text', marker('Terminated by signal 15'), 'full', 'marker-unreadable'],
  ] as const)('%s', (_, found, mode, reason) => {
    expect(chooseMode(found, never)).toEqual({ mode, reason });
    expect(MODE_REASONS[reason]).not.toBe('');
  });
});

describe('our own marker', () => {
  const dir = openDirFixture('3.5.33/busy/m1');
  const identity = readIdentity(dir);
  const run: RunMarker = { state: 'clean', runId: 'r', time: '', exit: { status: 0 }, ...identity };
  const choose = (change: Partial<RunMarker>, found = () => identity) =>
    chooseMode({ form: 'run', run: { ...run, ...change } }, found);

  test('the directory tells whose it is and how far it has got', () => {
    expect(identity.memberId).toBeGreaterThan(0n);
    expect(identity.clusterId).toBeGreaterThan(0n);
    expect(identity).toMatchObject({ consistentIndex: dir.meta.consistentIndex, revision: 351n });
  });

  test('clean, of this member and this state of its db: sanity', () => {
    expect(choose({})).toEqual({ mode: 'sanity', reason: 'clean' });
    expect(choose({ exit: { signal: 'SIGTERM' } })).toEqual({ mode: 'sanity', reason: 'clean' });
    expect(choose({ exit: null })).toEqual({ mode: 'sanity', reason: 'clean' });
  });

  test.each([
    ['validating', { state: 'validating' }, 'validation-interrupted'],
    ['running', { state: 'running' }, 'not-ended'],
    ['stopping', { state: 'stopping' }, 'not-ended'],
    ['clean after a failure', { exit: { status: 1 } }, 'abnormal-exit'],
    ['clean without ids', { memberId: null }, 'no-ids'],
    ['clean without an index', { consistentIndex: null }, 'no-ids'],
    ['another member', { memberId: 5n }, 'other-member'],
    ['another cluster', { clusterId: 5n }, 'other-member'],
    ['an index behind that of the db', { consistentIndex: 1n }, 'db-moved-on'],
    ['an index ahead of that of the db', { consistentIndex: 1n << 60n }, 'db-moved-on'],
  ] as const)('%s: full', (_, change, reason) => {
    expect(choose(change)).toEqual({ mode: 'full', reason });
  });

  test('a directory that cannot be read is not the one of the marker', () => {
    const gone = { clusterId: null, memberId: null, consistentIndex: null, revision: null };
    expect(choose({}, () => gone)).toEqual({ mode: 'full', reason: 'other-member' });
    const content = dataDirContent('3.5.33/busy/m1');
    content.files.clear();
    expect(readIdentity(openDataDir(memoryDir(content)))).toEqual(gone);
  });
});
