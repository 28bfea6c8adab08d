import { test } from 'vitest';
import { fc } from '@fast-check/vitest';
import { judgeDir } from './hostile-judge.ts';
import { loneDir, otherDir } from './hostile-dirs.ts';
import { change, changed, fault, withFaults } from './hostile-changes.ts';

test('fuzz', async () => {
  const bases = [await loneDir(), await loneDir('3.5.0'), await otherDir()];
  const seen = new Map<string, number>();
  const seed = Number(process.env.SEED ?? 1);
  const until = performance.now() + Number(process.env.MS ?? 60000);
  const samples = fc.sample(fc.record({ base: fc.nat(2), changes: fc.array(change, { maxLength: 3 }), faults: fc.array(fault, { maxLength: 2 }) }), { numRuns: 20000, seed });
  let n = 0; let slow = 0;
  for (const { base, changes, faults } of samples) {
    if (performance.now() > until) break;
    n++;
    let c = bases[base];
    for (const each of changes) c = changed(c, each, bases[(base + 2) % 3 === base ? 0 : 2]);
    const t = performance.now();
    try { judgeDir(() => withFaults(c, faults)); }
    catch (e) {
      const stack = String((e as Error).message).slice(0, 400) + '\n' + String((e as Error).stack).split('\n').filter(l => /src\/|judge/.test(l)).slice(0, 6).join('\n');
      const key = String((e as Error).message).replace(/\d+/g, 'N').slice(0, 60) + String((e as Error).stack).split('\n').filter(l => /src\/|hostile-judge/.test(l)).slice(0,2).join('|');
      if (!seen.has(key)) console.log('#', n, JSON.stringify({ base, changes, faults }), '\n', stack);
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const took = performance.now() - t;
    if (took > 1500 && slow++ < 5) console.log('slow', took, JSON.stringify({ base, changes, faults }));
  }
  console.log(n, [...seen.entries()]);
}, 6000000);
