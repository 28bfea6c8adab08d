import { describe, expect, test } from 'vitest';
import { listSnapFolder, newestSnap } from '../../src/snap/list.ts';
import {
  parseSnapName,
  parseSnapshotDbName,
  snapFolderKind,
  snapName,
  snapshotDbName,
} from '../../src/snap/snap-name.ts';

describe('names', () => {
  test('term comes first, then index', () => {
    expect(parseSnapName('0000000000000002-000000000000012f.snap')).toEqual({ term: 2n, index: 303n });
    expect(snapName(2n, 303n)).toBe('0000000000000002-000000000000012f.snap');
    expect(snapName(1n, 0xffffffffffffffffn)).toBe('0000000000000001-ffffffffffffffff.snap');
  });

  test('a received database has its index alone', () => {
    expect(parseSnapshotDbName('0000000000000010.snap.db')).toBe(16n);
    expect(snapshotDbName(16n)).toBe('0000000000000010.snap.db');
    expect(parseSnapshotDbName('10.snap.db')).toBeUndefined();
  });

  test.each([
    '2-12f.snap',
    '0000000000000002-000000000000012F.snap',
    '0000000000000002-000000000000012f.snap.broken',
    '00000000000000002-000000000000012f.snap',
    '.snap',
    '0000000000000002-000000000000012f.snap\n',
  ])('%j is not one that etcd writes', (name) => {
    expect(parseSnapName(name)).toBeUndefined();
  });

  test.each([
    ['db', 'db'],
    ['0000000000000002-000000000000012f.snap', 'snap'],
    ['anything.snap', 'snap'],
    ['0000000000000010.snap.db', 'snapshot-db'],
    ['tmp123456', 'receiving'],
    ['tmp.snap', 'receiving'],
    ['db.tmp.1234567', 'defragmenting'],
    ['0000000000000002-000000000000012f.snap.broken', 'broken'],
    ['.touch', 'other'],
    ['db.bak', 'other'],
  ])('%s is: %s', (name, kind) => {
    expect(snapFolderKind(name)).toBe(kind);
  });
});

describe('the names of a folder', () => {
  const [old, newer, highTerm] = [snapName(2n, 9n), snapName(2n, 16n), snapName(3n, 5n)];

  test('newest first is the highest term, then the highest index', () => {
    expect(listSnapFolder([newer, 'db', highTerm, old]).snaps).toEqual([highTerm, newer, old]);
  });

  test('what crashes leave behind is listed, what nobody knows is not', () => {
    expect(
      listSnapFolder(['tmp1', 'x', 'db', '.touch', `${old}.broken`, 'db.tmp.1', '0000000000000010.snap.db']),
    ).toEqual({
      snaps: [],
      leftovers: [
        { name: '0000000000000002-0000000000000009.snap.broken', kind: 'broken' },
        { name: '0000000000000010.snap.db', kind: 'snapshot-db' },
        { name: 'db.tmp.1', kind: 'defragmenting' },
        { name: 'tmp1', kind: 'receiving' },
      ],
      db: true,
    });
  });

  test('the newest is one with a real name, if there is any', () => {
    const { snaps } = listSnapFolder(['zzz.snap', old, newer]);
    expect(snaps[0]).toBe('zzz.snap');
    expect(newestSnap(snaps)).toBe(newer);
    expect(newestSnap(['zzz.snap'])).toBe('zzz.snap');
    expect(newestSnap([])).toBeUndefined();
  });
});
