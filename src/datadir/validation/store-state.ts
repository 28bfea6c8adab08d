/**
 * What is known of the backups when a directory is judged. Who lists a store is not known here: any store gives the same facts.
 */

/** A backup store as a validation sees it. Revisions are decimal text. */
export interface StoreState {
  /** `none`: no store was named. `unreadable`: it could not be listed. */
  readonly state: 'none' | 'empty' | 'found' | 'unreadable';
  /** Where it is. */
  readonly location: string | null;
  /** The newest revision that any name speaks of; null if there is none, or that is not known. */
  readonly revision: string | null;
  /** How far a restore gets: up to the first hole behind the base; null without a base. */
  readonly restorable: string | null;
  /** The newest full snapshot; null if there is none. */
  readonly base: string | null;
  /** How many deltas lie behind it. */
  readonly deltas: number;
  /** Where the deltas have a hole. */
  readonly gap: { readonly after: string; readonly found: string; readonly path: string } | null;
  /** Things in the store that are no snapshots, or empty ones. */
  readonly ignored: number;
  /** Why it could not be listed. */
  readonly reason: string | null;
}

/** Where no store was named. */
export const NO_STORE: StoreState = {
  state: 'none',
  location: null,
  revision: null,
  restorable: null,
  base: null,
  deltas: 0,
  gap: null,
  ignored: 0,
  reason: null,
};
