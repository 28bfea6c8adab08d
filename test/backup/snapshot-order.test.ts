// The order of backups, and what a restore takes of them, from names alone.
import { describe, expect, test } from 'vitest';
import { type BackupObject, parseObjectPath } from '../../src/backup/object-name.ts';
import { compareObjects, findChain } from '../../src/backup/snapshot-order.ts';

const object = (name: string): BackupObject => parseObjectPath(`v2/${name}`) as BackupObject;
const padded = (revision: number): string => `${revision}`.padStart(8, '0');
const full = (last: number, time = last): BackupObject => object(`Full-00000000-${padded(last)}-${time}.gz`);
const delta = (start: number, last: number, time = last): BackupObject =>
  object(`Incr-${padded(start)}-${padded(last)}-${time}.gz`);

test('order: revision, whole before parts, older before newer, full before delta, name', () => {
  const sorted = [
    full(10, 1),
    delta(11, 20, 5),
    full(20, 6),
    delta(11, 20, 6),
    object('Incr-00000011-00000020-6.zlib'),
    object('Full-00000000-00000020-1.gz/0000000001'),
    full(21, 1),
  ];
  expect(sorted.toReversed().sort(compareObjects)).toEqual(sorted);
});

describe('the chain', () => {
  test('is the newest full snapshot and the deltas behind it', () => {
    const chain = findChain([delta(33, 43), full(12), delta(22, 32), delta(13, 21)]);
    expect(chain).toMatchObject({ base: full(12), revision: 43n, restorable: 43n, gap: undefined });
    expect(chain.deltas.map(({ lastRevision }) => lastRevision)).toEqual([21n, 32n, 43n]);
  });

  test('begins anew with a full snapshot made by compaction', () => {
    const chain = findChain([full(12, 1), delta(13, 53, 2), full(53, 9)]);
    expect(chain).toMatchObject({ base: full(53, 9), deltas: [], revision: 53n, restorable: 53n });
  });

  test('is empty for an empty store', () => {
    expect(findChain([])).toEqual({
      base: undefined,
      deltas: [],
      revision: undefined,
      restorable: undefined,
      gap: undefined,
    });
  });

  // The reference crashes on this: it takes the base without asking whether there is one.
  test('deltas without a base tell a revision, but restore nothing', () => {
    expect(findChain([delta(13, 21), delta(22, 32)])).toMatchObject({
      base: undefined,
      revision: 32n,
      restorable: undefined,
    });
  });

  test('ends for a restore where a delta is missing', () => {
    expect(findChain([full(12), delta(13, 21), delta(33, 43)])).toMatchObject({
      revision: 43n,
      restorable: 21n,
      gap: { after: 21n, found: 33n },
    });
  });

  test('deltas that overlap are no hole', () => {
    expect(findChain([full(12), delta(10, 21), delta(20, 43)])).toMatchObject({ restorable: 43n, gap: undefined });
  });

  test('parts of uploads are no whole snapshots', () => {
    const part = object('Full-00000000-00000099-1.gz/0000000001');
    expect(findChain([full(12), part])).toMatchObject({ base: full(12), revision: 12n });
  });
});
