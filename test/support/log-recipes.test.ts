import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSegmentName } from '../../src/wal/segment-name.ts';
import { editableLog, type LogRecipe, segmentInputs, writeLog } from './edited-log.ts';
import { logFixture, logFixtures, type ObservedLog, observedLogDamage } from './log-fixtures.ts';
import { leftoverRecipes, snapRecipes } from './snap-recipes.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { CRC, referenceCrc, SegmentEdit } from './wal-edit.ts';
import { walRecipes } from './wal-recipes.ts';

const recipes: readonly LogRecipe[] = [...walRecipes, ...snapRecipes, ...leftoverRecipes];
const observed = Object.entries(observedLogDamage());

test('the checksum of the recipes is CRC-32C', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(referenceCrc(digits)).toBe(0xe3069283);
  expect(referenceCrc(digits.subarray(4), referenceCrc(digits.subarray(0, 4)))).toBe(0xe3069283);
});

describe.each(logFixtures().filter(({ scenario }) => scenario !== 'segments'))('segments of $name', ({ walFiles }) => {
  test('are byte for byte the same when written anew from their records', () => {
    for (const file of walFiles.filter(({ name }) => name.endsWith('.wal'))) {
      const segment = new SegmentEdit(file);
      segment.rebuild(segment.frames);
      expect(segment.file.size).toBe(file.size);
      expect(Buffer.compare(segment.file.bytes.subarray(0, file.bytes.length), file.bytes)).toBe(0);
      expect(segment.file.bytes.subarray(file.bytes.length).every((byte) => byte === 0)).toBe(true);
    }
  });
});

test('a segment after a cut is the same when written anew, and its chain begins where the one before ended', () => {
  const [, second, third] = logFixture('3.6.14/segments/m1').walFiles;
  const end = new SegmentEdit(second!).frames.at(-1)!.crc;
  const segment = new SegmentEdit(third!);
  expect(segment.frames[0]).toMatchObject({ type: CRC, crc: end });
  segment.rebuild(segment.frames);
  expect(Buffer.compare(segment.file.bytes.subarray(0, third!.bytes.length), third!.bytes)).toBe(0);
});

test.each(observed)('every recipe was observed with etcd %s', (_, rows: Readonly<Record<string, ObservedLog>>) => {
  expect(Object.keys(rows).sort()).toEqual([...recipes.map(({ name }) => name), 'none-busy', 'none-segments'].sort());
});

describe.each(observed.map(([version]) => version))('recipes for etcd %s', (version) => {
  test('change the log and leave the fixture as it was', () => {
    const base = { busy: logFixture(`${version}/busy/m1`), segments: logFixture(`${version}/segments/m1`) };
    const before = new SegmentEdit(base.busy.walFiles[0]!).frames;
    // In order of base, so that the large one is unpacked once.
    for (const recipe of recipes.toSorted((a, b) => (a.base < b.base ? -1 : 1))) {
      const log = editableLog(base[recipe.base]);
      const changed = recipe.apply(log, 0);
      const same = (['segments', 'snaps', 'others'] as const).every(
        (files) =>
          changed[files].size === log[files].size &&
          [...changed[files]].every(([name, file]) => log[files].get(name) === file),
      );
      expect(same, recipe.name).toBe(false);
      for (const { bytes, size } of changed.segments.values()) expect(bytes.length).toBeLessThanOrEqual(size);
      for (const { name, source } of segmentInputs(changed)) {
        if (name !== 'stray.wal') expect(parseSegmentName(name), recipe.name).toBeDefined();
        expect(source.size).toBe(changed.segments.get(name)!.size);
      }
    }
    expect(new SegmentEdit(base.busy.walFiles[0]!).frames).toEqual(before);
  });
});

test('a changed log can be written as a data directory', () => {
  const recipe = recipes.find(({ name }) => name === 'dir-leftovers')!;
  const log = recipe.apply(editableLog(logFixture('3.6.14/busy/m1')), 0);
  const directory = temporaryDirectory();
  writeLog(log, directory);
  expect(readdirSync(join(directory, 'member')).sort()).toEqual(['.touch', 'snap', 'wal']);
  expect(readdirSync(join(directory, 'member', 'wal')).sort()).toEqual([...log.segments.keys()].sort());
  expect(readdirSync(join(directory, 'member', 'snap')).sort()).toEqual([...log.snaps.keys()].sort());
});
