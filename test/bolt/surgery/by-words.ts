/**
 * An operation named by the words of a `bbolt surgery` command line, done on a file in memory.
 */
import { abandonFreelist } from '../../../src/bolt/surgery/abandon-freelist.ts';
import { clearPage, clearPageElements } from '../../../src/bolt/surgery/clear-page-elements.ts';
import { copyPage } from '../../../src/bolt/surgery/copy-page.ts';
import { rebuildFreelist } from '../../../src/bolt/surgery/rebuild-freelist.ts';
import { revertMetaPage } from '../../../src/bolt/surgery/revert-meta-page.ts';
import { updateMeta } from '../../../src/bolt/surgery/update-meta.ts';
import type { ByteFile } from '../../../src/io/byte-source.ts';

/** `clear-page --pageId 4`, `freelist abandon` …; names of files among the words are passed over. */
export function operateByWords(file: ByteFile, words: readonly string[]): unknown {
  const option = (name: string): number => Number(words[words.indexOf(`--${name}`) + 1]);
  switch (words[0] === 'freelist' || words[0] === 'meta' ? `${words[0]} ${words[1]}` : words[0]) {
    case 'revert-meta-page':
      return revertMetaPage(file);
    case 'copy-page':
      return copyPage(file, option('from-page'), option('to-page'));
    case 'clear-page':
      return clearPage(file, option('pageId'));
    case 'clear-page-elements':
      return clearPageElements(file, option('pageId'), option('from-index'), option('to-index'));
    case 'freelist abandon':
      return abandonFreelist(file);
    case 'freelist rebuild':
      return rebuildFreelist(file);
    case 'meta update':
      return updateMeta(file, option('meta-page') as 0 | 1, metaFields(words[words.indexOf('--fields') + 1] ?? ''));
    default:
      throw new Error(`what is ${words.join(' ')}?`);
  }
}

function metaFields(text: string): Parameters<typeof updateMeta>[2] {
  const values = new Map(text.split(',').map((field) => field.split(':') as [string, string]));
  const big = (name: string): bigint | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : BigInt(value);
  };
  const pageSize = big('pageSize');
  return {
    ...(pageSize === undefined ? {} : { pageSize: Number(pageSize) }),
    root: big('root'),
    freelist: big('freelist'),
    highWaterMark: big('pgid'),
  };
}
