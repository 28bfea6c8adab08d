/**
 * Makes findings of what the check of a log sees: adds the severity of the code, unless the place makes it milder.
 */
import type { FindingPlace, Severity } from '../finding-table.ts';
import type { FindingList } from '../report.ts';
import { type WalFinding, type WalFindingArgs, type WalFindingCode, walFindings } from './findings.ts';

export class WalReporter {
  readonly #list: FindingList;

  constructor(list: FindingList) {
    this.#list = list;
  }

  report<Code extends WalFindingCode>(
    code: Code,
    args: WalFindingArgs[Code],
    place: FindingPlace = {},
    severity: Severity = walFindings[code].severity,
  ): void {
    // The union over all codes cannot be built from a generic code; code and args were matched by the signature.
    this.#list.add({ code, severity, ...place, args } as unknown as WalFinding);
  }
}
