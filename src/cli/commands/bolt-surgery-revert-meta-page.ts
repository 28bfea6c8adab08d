/**
 * `bolt surgery revert-meta-page FILE`: goes back to the state before the last transaction.
 */
import { planRevertMetaPage } from '../../bolt/surgery/revert-meta-page.ts';
import type { Invocation } from '../command.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  return runSurgery(invocation, planRevertMetaPage, ({ operation: _, ...fields }) => {
    const { from, to, txid, previousTxid } = fields;
    return {
      done: [
        'The meta page is reverted.',
        `Meta ${to} (transaction ${previousTxid}) was overwritten with meta ${from} (transaction ${txid}).`,
      ],
      warnings: [],
      fields,
    };
  });
}
