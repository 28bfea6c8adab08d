/**
 * What `bolt surgery clear-page` and `clear-page-elements` say.
 */
import type { ClearedElements } from '../../bolt/surgery/clear-page-elements.ts';
import { ABANDONED_PAGES, type SurgeryWords } from '../surgery.ts';
import { counted } from './size.ts';

/** `said` is bbolt's sentence. */
export function clearedWords(said: string, { operation: _, ...fields }: ClearedElements): SurgeryWords {
  const { page, type, countBefore, count, overflowBefore, overflow } = fields;
  const was = countBefore === 0 ? 'had no elements: nothing was changed' : `had ${counted(countBefore, 'element')}`;
  const now = countBefore === 0 ? '' : `, has ${count} now`;
  const shorter = overflow === overflowBefore ? '' : `; overflow pages: ${overflowBefore} before, ${overflow} now`;
  // What is lost sight of is free by itself where no freelist is stored.
  const abandonNext = fields.abandonsPages && fields.freelistStored;
  return {
    done: [said, `Page ${page}, a ${type} page, ${was}${now}${shorter}.`],
    warnings: abandonNext ? [ABANDONED_PAGES] : [],
    abandonNext,
    fields,
  };
}
