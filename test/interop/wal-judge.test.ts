// The real wal packages of etcd 3.5, 3.6 and 3.7 on the damaged and unusual logs of test/wal/etcd: what they answer now is
// what was recorded, which the simulation is held to. Here one case in SAMPLE is asked; wal-judge.long.test.ts asks all.
// ETCD_DATADIR_RECORD=1 asks all and writes the recorded answers anew.
import { afterAll, describe, expect, it } from 'vitest';
import { digestOf, digestOfRequests, GROUPS, REQUESTS, readJudged, storeJudged } from '../wal/etcd/judged.ts';
import { requestCases } from '../wal/etcd/request-cases.ts';
import { DRIVEN, DRIVEN_MINORS, walDriverPark } from './wal-driver.ts';
import { askAll, askRequests } from './wal-judge.ts';

const SAMPLE = 60;

const park = walDriverPark();
afterAll(() => park.close());
const available = DRIVEN_MINORS.every((minor) => park.available(minor));

if (available && process.env['ETCD_DATADIR_RECORD'] === '1') {
  it.each(Object.entries(GROUPS))('record %s', { timeout: 1_800_000 }, async (group, cases) => {
    storeJudged(group, digestOf(cases()), await askAll(cases(), park), DRIVEN);
  });
  it('record payloads', { timeout: 300_000 }, async () => {
    storeJudged(REQUESTS, digestOfRequests(requestCases()), await askRequests(requestCases(), park), DRIVEN);
  });
}

describe.skipIf(!available)('the real wal packages', () => {
  it.each(Object.entries(GROUPS))('answer as recorded: %s', { timeout: 120_000 }, async (group, cases) => {
    const recorded = readJudged(group, digestOf(cases()));
    const sample = [...cases()].filter((_, position) => position % SAMPLE === 0);
    for (const [id, answers] of await askAll(sample, park)) expect(answers, id).toEqual(recorded.get(id));
  });

  it('parse payloads as recorded', { timeout: 120_000 }, async () => {
    const recorded = readJudged(REQUESTS, digestOfRequests(requestCases()));
    expect(await askRequests(requestCases(), park)).toEqual(recorded);
  });
});
