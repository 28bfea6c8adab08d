/**
 * What to do with a directory, from what was found: never its deletion or replacement where nothing can take its place.
 */
import type { Severity } from '../../finding-table.ts';

/**
 * `start`: etcd may be started. `start-after-repair`: nothing is lost, but it has to be mended first. `restore`: replace it from the
 * backups. `single-member-restore`: replace it from the other members. `keep-and-inspect`: keep it, a person has to look. `refuse`: not
 * to be started here or by this version, and not to be changed.
 */
export type Recommendation =
  | 'start'
  | 'start-after-repair'
  | 'restore'
  | 'single-member-restore'
  | 'keep-and-inspect'
  | 'refuse';

/** What decides. */
export interface RecommendationInputs {
  readonly counts: Readonly<Partial<Record<Severity, number>>>;
  readonly inUse: boolean;
  /** There is no directory at all. */
  readonly missing: boolean;
  /** The release that is to start mends what is repairable by itself, and everything committed is there afterwards. */
  readonly mendedByEtcd: boolean;
  /** There is a full snapshot, and a restore gets further than the directory itself, or the directory is lost. */
  readonly usableBase: boolean;
  readonly multiNode: boolean;
  /** Of one of several: whether others can be reached; undefined if that is not known. */
  readonly othersReachable: boolean | undefined;
}

/** Decides. */
export function recommend(inputs: RecommendationInputs): Recommendation {
  const { counts, inUse, missing, mendedByEtcd } = inputs;
  const has = (severity: Severity): boolean => (counts[severity] ?? 0) > 0;
  if (inUse || has('refuse')) return 'refuse';
  // Damage is certain, whatever else could not be looked at.
  if (has('corrupt')) return replacement(inputs);
  if (has('unknown')) return missing ? replacement(inputs) : 'keep-and-inspect';
  if (has('stale')) return replacement(inputs);
  if (has('repairable')) return mendedByEtcd ? 'start' : 'start-after-repair';
  return 'start';
}

/** What can take the place of the directory. */
function replacement({ usableBase, multiNode, othersReachable }: RecommendationInputs): Recommendation {
  if (multiNode && (othersReachable ?? usableBase)) return 'single-member-restore';
  return usableBase ? 'restore' : 'keep-and-inspect';
}
