/**
 * `bolt surgery clear-page-elements FILE`: removes a range of elements of a page.
 */
import { planClearPageElements } from '../../bolt/surgery/clear-page-elements.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { clearedWords } from '../render/cleared-elements.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const page = Number(options['pageId']);
  const from = Number(options['from-index']);
  const to = Number(options['to-index']);
  if (to !== -1 && from >= to) throw usageError(`--from-index ${from} must be smaller than --to-index ${to}`);
  return runSurgery(
    invocation,
    (source, given) => planClearPageElements(source, page, from, to, given),
    (result) => clearedWords(`All elements in [${from}, ${to}) in page ${page} were cleared`, result),
  );
}
