/**
 * A recipe for damage, applied to a fixture and checked.
 */
import { checkBackend } from '../../../src/backend/check.ts';
import { createNodeSha256 } from '../../../src/checksum/node-sha256.ts';
import type { CheckReport } from '../../../src/report.ts';
import type { BackendRecipe, Damaged } from '../../support/backend-recipes.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { readFixture } from '../../support/fixtures.ts';

/** A db without the megabytes that servers preallocate: they do not matter here. */
function withoutTail(name: string): Uint8Array {
  const bytes = readFixture(name);
  const edit = new BoltEdit(bytes);
  return bytes.subarray(0, edit.at(edit.highWaterMark));
}

export function checkDamaged(
  recipe: BackendRecipe,
  version: string,
  variant: number,
): { readonly damaged: Damaged; readonly report: CheckReport } {
  const snapshot = recipe.needs === 'snapshot';
  const name = `etcd/${version}/${recipe.base}`;
  const damaged = recipe.apply(snapshot ? readFixture(`${name}/snapshot`) : withoutTail(`${name}/m1`), variant);
  return { damaged, report: checkBackend(damaged.bytes, { snapshot, sha256: createNodeSha256 }) };
}
