/**
 * Several kinds of damage at once, at random: whatever they come to, there is an answer, and no contradiction between the
 * checker and the reader. fast-check prints the seed of a failure, and makes the damage as small as it can.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { BoltEdit, boundaryValues } from '../../support/bolt-edit.ts';
import { readFixture } from '../../support/fixtures.ts';
import { judge } from './judge.ts';
import { readEverything } from './read-everything.ts';

/** A piece of damage, in terms of the file it will be done to. */
type Damage =
  | { readonly kind: 'bytes'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'page'; readonly from: number; readonly to: number; readonly rightNumber: boolean }
  | { readonly kind: 'field'; readonly field: number; readonly value: number }
  | { readonly kind: 'reference'; readonly field: number; readonly page: number }
  | { readonly kind: 'cut'; readonly at: number };

const share = (): fc.Arbitrary<number> => fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const damage: fc.Arbitrary<Damage> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('bytes' as const),
      at: share(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('page' as const), from: share(), to: share(), rightNumber: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('field' as const), field: share(), value: share() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reference' as const), field: share(), page: share() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: share() }) },
);

function apply(original: Uint8Array, damages: readonly Damage[], sealed: boolean): Uint8Array {
  const healthy = new BoltEdit(original);
  const edit = new BoltEdit(original);
  const { highWaterMark } = healthy;
  const fields = [...healthy.fields()];
  const references = fields.filter(
    ({ field, structure }) => field === 'child' || field === 'root' || structure === 'freelist',
  );
  const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(at * list.length)]!;
  let length = original.length;
  for (const one of damages) {
    if (one.kind === 'bytes') edit.bytes.set(one.bytes, Math.floor(one.at * (original.length - one.bytes.length)));
    else if (one.kind === 'page') {
      const [from, to] = [Math.floor(one.from * highWaterMark), Math.floor(one.to * highWaterMark)];
      edit.bytes.set(healthy.bytes.subarray(edit.at(from), edit.at(from + 1)), edit.at(to));
      if (one.rightNumber) edit.setU64(edit.at(to), to);
    } else if (one.kind === 'field') {
      const field = pick(fields, one.field);
      edit.setField(field, pick(boundaryValues(field.size, healthy.getField(field), BigInt(highWaterMark)), one.value));
    } else if (one.kind === 'reference') {
      edit.setField(pick(references, one.field), BigInt(Math.floor(one.page * (highWaterMark + 2))));
    } else length = Math.floor(one.at * original.length);
  }
  if (sealed) {
    edit.sealMeta(0);
    edit.sealMeta(1);
  }
  return edit.bytes.subarray(0, length);
}

/** Damages fixture `name` in `runs` ways. */
export function damageAtRandom(name: string, runs: number): void {
  const original = readFixture(name);
  const { pageSize } = new BoltEdit(original);
  const several = fc.array(damage, { minLength: 1, maxLength: 6 });
  const property = fc.property(several, fc.boolean(), (damages, sealed) => {
    const damaged = apply(original, damages, sealed);
    const { outcome, report } = judge(damaged, pageSize);
    const read = readEverything(damaged);
    if (outcome === 'found') return;
    expect({ faults: read?.faults, errors: read?.errors, findings: report.findings }).toMatchObject({
      faults: [],
      errors: [],
    });
  });
  fc.assert(property, { numRuns: runs });
}
