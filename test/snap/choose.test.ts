/**
 * Which snapshot a start begins with: by rule, and as the real servers were seen to do it.
 */
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { brokenName, chooseSnap, type SnapCandidate } from '../../src/snap/choose.ts';
import { listSnapFolder } from '../../src/snap/list.ts';
import { SnapReading } from '../../src/snap/reader.ts';
import { snapName } from '../../src/snap/snap-name.ts';
import { type EditedLog, editableLog } from '../support/edited-log.ts';
import { logFixture, observedLogDamage } from '../support/log-fixtures.ts';
import { snapRecipes } from '../support/snap-recipes.ts';

const at = (index: bigint, term = 2n): { index: bigint; term: bigint } => ({ index, term });
const readable = (index: bigint, term = 2n): SnapCandidate => ({
  name: snapName(term, index),
  snapshot: { index, term },
});
const damaged = (index: bigint, term = 2n): SnapCandidate => ({ name: snapName(term, index) });
const OLD = ['3.4', '3.5', '3.6'] as const;

describe.each(OLD)('etcd %s', (minor) => {
  test('takes the newest file that has a record', () => {
    const choice = chooseSnap([readable(30n), readable(20n), readable(10n)], [at(0n, 0n), at(10n), at(20n)], minor);
    expect(choice).toEqual({ start: at(20n), file: snapName(2n, 20n), broken: [] });
  });

  test('sets aside what it cannot read on the way, and nothing behind', () => {
    const choice = chooseSnap([damaged(30n), damaged(20n), readable(10n), damaged(5n)], [at(10n), at(20n)], minor);
    expect(choice).toEqual({ start: at(10n), file: snapName(2n, 10n), broken: [snapName(2n, 30n), snapName(2n, 20n)] });
  });

  test('goes by the content, not by the name', () => {
    const choice = chooseSnap(
      [{ name: snapName(2n, 30n), snapshot: at(10n) }, readable(20n)],
      [at(10n), at(20n)],
      minor,
    );
    expect(choice).toEqual({ start: at(10n), file: snapName(2n, 30n), broken: [] });
  });

  test('a record of another term is no record', () => {
    expect(chooseSnap([readable(20n, 3n)], [at(20n, 2n)], minor)).toEqual({ start: at(0n, 0n), broken: [] });
  });

  test('without files it begins at the beginning', () => {
    expect(chooseSnap([], [at(20n)], minor)).toEqual({ start: at(0n, 0n), broken: [] });
  });
});

describe('etcd 3.7', () => {
  test('takes the last record, and looks at no file', () => {
    expect(chooseSnap([damaged(30n)], [at(0n, 0n), at(20n), at(10n)], '3.7')).toEqual({ start: at(10n), broken: [] });
  });

  test('crashes without a record', () => {
    expect(chooseSnap([readable(30n)], [], '3.7')).toEqual({ start: undefined, broken: [] });
  });
});

function candidates(log: EditedLog): SnapCandidate[] {
  return listSnapFolder(log.snaps.keys()).snaps.map((name) => {
    const reading = new SnapReading(memorySource(log.snaps.get(name)!));
    while (!reading.step());
    const { snap } = reading;
    return { name, snapshot: snap && { index: snap.index, term: snap.term } };
  });
}

describe.each(Object.entries(observedLogDamage()))('as etcd %s was seen to', (version, rows) => {
  const minor = version.slice(0, 3) as EtcdMinor;
  const healthy = editableLog(logFixture(`${version}/busy/m1`));
  // What the fixture's log has records of: each of its files, see the tests of the log.
  const records = [
    at(0n, 0n),
    ...candidates(healthy)
      .reverse()
      .map(({ snapshot }) => snapshot!),
  ];

  test.each(snapRecipes)('$name', ({ name, apply }) => {
    const { broken } = chooseSnap(candidates(apply(healthy, 0)), records, minor);
    const added = (rows[name]!.filesAdded ?? []).filter((file) => file.startsWith('member/snap/'));
    expect(broken.map((file) => `member/snap/${brokenName(file)}`).sort()).toEqual([...added].sort());
  });
});
