/**
 * What becomes of an entry when it is applied.
 */

/**
 * `changed`: something is different in the db. `nothing`: it was right and changed nothing. `failed`: etcd refuses it, in these
 * words, and nothing changes. `panics`: etcd ends there, with these words.
 */
export type Applied =
  | { readonly outcome: 'changed' | 'nothing' }
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'panics'; readonly words: string };

export const CHANGED: Applied = { outcome: 'changed' };
export const NOTHING_CHANGED: Applied = { outcome: 'nothing' };

export function failed(reason: string): Applied {
  return { outcome: 'failed', reason };
}

export function panics(words: string): Applied {
  return { outcome: 'panics', words };
}
