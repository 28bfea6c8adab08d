/**
 * `bolt surgery copy-page FILE`: puts a copy of a page in the place of another.
 */
import { planCopyPage } from '../../bolt/surgery/copy-page.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { counted } from '../render/size.ts';
import { runSurgery } from '../surgery.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const from = Number(invocation.options['from-page']);
  const to = Number(invocation.options['to-page']);
  if (from === to) throw usageError(`--from-page and --to-page have the same value: ${from}`);
  return runSurgery(
    invocation,
    (source, options) => planCopyPage(source, from, to, options),
    ({ operation: _, ...fields }) => ({
      done: [
        `The page ${from} was successfully copied to page ${to}`,
        `${counted(fields.pages, 'page')} of the file overwritten: a ${fields.type} page with its overflow pages.`,
      ],
      warnings: fields.freelistStored ? ['the free list might have changed; it should be abandoned'] : [],
      abandonNext: fields.freelistStored,
      fields,
    }),
  );
}
