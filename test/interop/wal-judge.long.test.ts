// All the logs of which wal-judge.test.ts asks a sample, and random ones that are not recorded, which the simulation is
// compared with at once.
import { afterAll, describe, expect, it } from 'vitest';
import { ourAnswers } from '../wal/etcd/answers.ts';
import { digestOf, GROUPS, readJudged } from '../wal/etcd/judged.ts';
import { randomCases } from '../wal/etcd/random-cases.ts';
import { DRIVEN_MINORS, walDriverPark } from './wal-driver.ts';
import { askAll } from './wal-judge.ts';

const park = walDriverPark();
afterAll(() => park.close());
const available = DRIVEN_MINORS.every((minor) => park.available(minor));

describe.skipIf(!available)('the real wal packages', () => {
  it.each(Object.entries(GROUPS))('answer as recorded: %s', async (group, cases) => {
    const recorded = readJudged(group, digestOf(cases()));
    for (const [id, answers] of await askAll(cases(), park)) expect(answers, id).toEqual(recorded.get(id));
  });

  it('answer as the simulation does, whatever the damage', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);
    console.log(`SEED=${seed}`);
    const cases = [...randomCases(seed, 1500)];
    const real = await askAll(cases, park);
    for (const one of cases) {
      for (const minor of DRIVEN_MINORS)
        expect(ourAnswers(one, minor), `${one.id} ${minor}`).toEqual(real.get(one.id)?.[minor]);
    }
  });
});
