import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { damagedCases } from './bbolt-compare.ts';

it('x', () => {
  const [seed, n] = process.env.CASE!.split(' ').map(Number);
  const c = [...damagedCases(seed, n + 1)].at(-1)!;
  writeFileSync('/tmp/case.db', c.bytes());
  console.log(
    c.name,
    JSON.stringify(
      checkBolt(c.bytes()).findings.map((f: any) => [f.code, f.page, f.pages, f.path, f.element, f.args, f.causedBy]),
      null,
      0,
    ).replaceAll('],["', '],\n["'),
  );
});
