// What follows from what was found: row by row.
import { describe, expect, test } from 'vitest';
import { type RecommendationInputs, recommend } from '../../../src/datadir/validation/recommendation.ts';
import { actionOf, agreedAction } from '../../../src/datadir/validation/reference-status.ts';

const INPUTS: RecommendationInputs = {
  counts: {},
  inUse: false,
  missing: false,
  mendedByEtcd: false,
  usableBase: false,
  multiNode: false,
  othersReachable: undefined,
};

describe('one member', () => {
  test.each([
    ['nothing above info', { counts: { info: 3 } }, 'start'],
    ['repairable, and etcd mends it itself', { counts: { repairable: 1 }, mendedByEtcd: true }, 'start'],
    ['repairable, and etcd would refuse or lose something', { counts: { repairable: 1 } }, 'start-after-repair'],
    ['stale, with a usable base', { counts: { stale: 1 }, usableBase: true }, 'restore'],
    ['corrupt, with a usable base', { counts: { corrupt: 1, repairable: 2 }, usableBase: true }, 'restore'],
    ['stale, without one', { counts: { stale: 1 } }, 'keep-and-inspect'],
    ['corrupt, without one', { counts: { corrupt: 1 } }, 'keep-and-inspect'],
    ['a refusal', { counts: { refuse: 1 } }, 'refuse'],
    ['a refusal wins over damage with a base', { counts: { refuse: 1, corrupt: 5 }, usableBase: true }, 'refuse'],
    ['in use', { inUse: true, counts: { corrupt: 1 }, usableBase: true }, 'refuse'],
    ['unknown', { counts: { unknown: 1 } }, 'keep-and-inspect'],
    ['unknown beside stale', { counts: { unknown: 1, stale: 1 }, usableBase: true }, 'keep-and-inspect'],
    [
      'damage is certain, whatever else is unknown',
      { counts: { unknown: 1, corrupt: 1 }, usableBase: true },
      'restore',
    ],
    ['no directory, with a base', { counts: { unknown: 1 }, missing: true, usableBase: true }, 'restore'],
    ['no directory, without one', { counts: { unknown: 1 }, missing: true }, 'keep-and-inspect'],
    ['no directory, and that is allowed', { counts: { info: 1 }, missing: true }, 'start'],
  ] as const)('%s', (_, change, expected) => {
    expect(recommend({ ...INPUTS, ...change })).toBe(expected);
  });
});

describe('one of several', () => {
  const damaged = { ...INPUTS, multiNode: true, counts: { corrupt: 1 } };

  test.each([
    ['others can be reached: they replace it, backups or not', { othersReachable: true }, 'single-member-restore'],
    ['not known whether, but there are backups', { usableBase: true }, 'single-member-restore'],
    ['not known whether, and no backups', {}, 'keep-and-inspect'],
    ['no others, but backups', { othersReachable: false, usableBase: true }, 'restore'],
    ['no others, no backups', { othersReachable: false }, 'keep-and-inspect'],
  ] as const)('%s', (_, change, expected) => {
    expect(recommend({ ...damaged, ...change })).toBe(expected);
  });
});

// The one promise that matters most: whatever is found, nothing is given up that nothing can replace.
test('nothing is ever replaced without a replacement', () => {
  const flags = [true, false];
  const severities = ['info', 'repairable', 'stale', 'corrupt', 'unknown', 'refuse'] as const;
  for (let set = 0; set < 64; set++) {
    const counts = Object.fromEntries(severities.filter((_, at) => set & (1 << at)).map((name) => [name, 1]));
    for (const multiNode of flags) {
      for (const missing of flags) {
        const inputs = { ...INPUTS, counts, multiNode, missing, othersReachable: false, usableBase: false };
        const recommendation = recommend(inputs);
        expect(['start', 'start-after-repair', 'keep-and-inspect', 'refuse']).toContain(recommendation);
        for (const storeHasBackups of flags) {
          for (const inCluster of flags) {
            const theirs = actionOf('DataDirectoryCorrupt', { multiNode, storeHasBackups, inCluster });
            expect(['start', 'begin-anew', 'fail']).toContain(agreedAction(theirs, recommendation));
          }
        }
      }
    }
  }
});
