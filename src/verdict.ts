/**
 * What findings come to: the worst severity decides.
 */
import type { Severity } from './finding-table.ts';

/** What the findings of a check come to. */
export type Verdict =
  | 'healthy'
  | 'repairable'
  | 'stale'
  | 'damaged'
  | 'undecided'
  | 'refused'
  | 'unreadable'
  | 'in-use';

// Worst last. Damage comes after refusal for the verdict: it is never hidden behind one.
const VERDICTS: readonly (readonly [Severity, Verdict])[] = [
  ['info', 'healthy'],
  ['repairable', 'repairable'],
  ['stale', 'stale'],
  ['unknown', 'undecided'],
  ['refuse', 'refused'],
  ['corrupt', 'damaged'],
];

/** The worst severity decides. */
export function verdictOf(counts: Readonly<Partial<Record<Severity, number>>>): Verdict {
  let verdict: Verdict = 'healthy';
  for (const [severity, name] of VERDICTS) if ((counts[severity] ?? 0) > 0) verdict = name;
  return verdict;
}

/** Whether nothing is lost or wrong for good: what there is to mend, etcd mends itself. */
export function isHarmless({ severity }: { readonly severity: Severity }): boolean {
  return severity === 'info' || severity === 'repairable';
}

/** How bad a severity is, for sorting: greater is worse. */
export function severityRank(severity: Severity): number {
  return VERDICTS.findIndex(([name]) => name === severity);
}
