/**
 * The shape of a finding: what a check reports about the data, as data.
 *
 * A finding holds a code, a place and typed arguments, but no prose: `describe` makes the sentence and the remedy from the
 * tables of codes that each format folder keeps in its own `findings.ts`. This module joins those tables.
 */
import { type BoltFinding, boltFindings } from './bolt/findings.ts';
import type { FindingDefinition, FindingTable, Severity } from './finding-table.ts';
import { type SnapFinding, snapFindings } from './snap/findings.ts';

import { type WalFinding, walFindings } from './wal/findings.ts';

export type { FindingDefinition, FindingPlace, FindingTable, Severity } from './finding-table.ts';

/** Everything a check can report; a union on `code`. */
export type Finding = BoltFinding | SnapFinding | WalFinding;
export type FindingCode = Finding['code'];

/** Every code with its severity, sentence, remedy and explanation. */
export const findingTable: FindingTable = { ...boltFindings, ...snapFindings, ...walFindings };

/** The sentence for a finding: lower case, the fact first, then the numbers. */
export function describeFinding(finding: Finding): { message: string; remedy: string } {
  const definition = findingTable[finding.code] as FindingDefinition;
  const { milder } = definition;
  const remedy = milder?.severity === finding.severity ? milder.remedy : definition.remedy;
  return { message: definition.message(finding), remedy };
}

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

/** How bad a severity is, for sorting: greater is worse. */
export function severityRank(severity: Severity): number {
  return VERDICTS.findIndex(([name]) => name === severity);
}
