/**
 * The shape of a finding: what a check reports about the data, as data.
 *
 * A finding holds a code, a place and typed arguments, but no prose: `describe` makes the sentence and the remedy from the
 * tables of codes that each format folder keeps in its own `findings.ts`. This module joins those tables.
 */
import { type BackendFinding, backendFindings } from './backend/findings.ts';
import { type BoltFinding, boltFindings } from './bolt/findings.ts';
import { type DataDirFinding, dataDirFindings } from './datadir/findings.ts';
import { type ReplayFinding, replayFindings } from './datadir/replay/findings.ts';
import { type ValidationFinding, validationFindings } from './datadir/validation/findings.ts';
import { describeWith, type FindingTable } from './finding-table.ts';
import { type SnapFinding, snapFindings } from './snap/findings.ts';
import { type WalFinding, walFindings } from './wal/findings.ts';

export type { FindingDefinition, FindingPlace, FindingTable, Severity } from './finding-table.ts';
export type { Verdict } from './verdict.ts';

/** Everything a check can report; a union on `code`. */
export type Finding =
  | BackendFinding
  | BoltFinding
  | DataDirFinding
  | ReplayFinding
  | SnapFinding
  | ValidationFinding
  | WalFinding;
export type FindingCode = Finding['code'];

/** Every code with its severity, sentence, remedy and explanation. */
export const findingTable: FindingTable = /* @__PURE__ */ Object.assign(
  {},
  boltFindings,
  backendFindings,
  snapFindings,
  walFindings,
  dataDirFindings,
  validationFindings,
  replayFindings,
);

/** The sentence for a finding: lower case, the fact first, then the numbers. */
export function describeFinding(finding: Finding): { message: string; remedy: string } {
  return describeWith(findingTable, finding);
}
