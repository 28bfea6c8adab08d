/**
 * `bolt surgery freelist abandon FILE`: makes both metas name no freelist.
 */
import { META_PROBLEMS } from '../../bolt/meta-problem.ts';
import { planAbandonFreelist } from '../../bolt/surgery/abandon-freelist.ts';
import type { Invocation } from '../command.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  return runSurgery(invocation, planAbandonFreelist, ({ operation: _, metas, skipped }) => ({
    done: [
      skipped.length === 0
        ? 'The freelist was abandoned in both meta pages.'
        : `The freelist was abandoned in meta page ${metas[0]?.page}.`,
      'It may cause some delay on next startup because bbolt needs to scan the whole db to reconstruct the free list.',
      ...metas.map(
        ({ page, freelist }) => `Meta ${page} named ${freelist === undefined ? 'none' : `page ${freelist}`}.`,
      ),
    ],
    warnings: skipped.map(
      ({ page, problem }) => `meta ${page} was left as it is: it is not valid (${META_PROBLEMS[problem]})`,
    ),
    fields: {
      metas: metas.map(({ page, freelist }) => ({ page, freelistBefore: freelist ?? null })),
      skipped,
    },
  }));
}
