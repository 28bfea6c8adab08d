/**
 * `bolt surgery clear-page FILE`: removes all elements of a page.
 */
import { planClearPageElements } from '../../bolt/surgery/clear-page-elements.ts';
import type { Invocation } from '../command.ts';
import { clearedWords } from '../render/cleared-elements.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export function run(invocation: Invocation): Promise<number> {
  const page = Number(invocation.options['pageId']);
  return runSurgery(
    invocation,
    (source, options) => planClearPageElements(source, page, 0, -1, options),
    (result) => clearedWords(`The page (${page}) was cleared`, result),
  );
}
