/**
 * `bolt surgery freelist rebuild FILE`: stores the list of free pages.
 */
import { planRebuildFreelist } from '../../bolt/surgery/rebuild-freelist.ts';
import type { Invocation } from '../command.ts';
import { counted } from '../render/size.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  return runSurgery(invocation, planRebuildFreelist, ({ operation: _, ...fields }) => ({
    done: [
      'The freelist was successfully rebuilt.',
      `${counted(fields.freePages, 'free page')} listed at page ${fields.page}, by transaction ${fields.txid} (meta ${fields.metaPage}).`,
    ],
    warnings: [],
    fields,
  }));
}
