/**
 * What the facts around a directory come to as findings: guard, backups, no directory.
 */
import type { Finding } from '../../findings.ts';
import type { GuardState } from './report.ts';
import type { StoreState } from './store-state.ts';

/** What the guard file tells against the volume. */
export function guardFindings({ state, path, expected, actual, reason }: GuardState): Finding[] {
  const file = path === null ? {} : { file: path };
  const owner = expected ?? '';
  switch (state) {
    case 'different':
      return [
        {
          code: 'VALIDATE_GUARD_DIFFERS',
          severity: 'refuse',
          args: { expected: owner, actual: actual ?? '' },
          ...file,
        },
      ];
    case 'unreadable':
      return [{ code: 'VALIDATE_GUARD_UNREADABLE', severity: 'refuse', args: { reason: reason ?? '' }, ...file }];
    case 'missing':
      return [{ code: 'VALIDATE_GUARD_MISSING', severity: 'info', args: { expected: owner }, ...file }];
    case 'skipped':
    case 'equal':
    case 'created':
      return [];
  }
}

/** What is wrong with the backups themselves. */
export function storeFindings({ state, location, reason, base, deltas, gap }: StoreState): Finding[] {
  const store = location ?? '';
  if (state === 'unreadable') {
    return [{ code: 'VALIDATE_STORE_UNREADABLE', severity: 'unknown', args: { store, reason: reason ?? '' } }];
  }
  if (state === 'found' && base === null) {
    return [{ code: 'VALIDATE_STORE_NO_BASE', severity: 'info', args: { store, deltas: `${deltas}` } }];
  }
  if (gap === null) return [];
  const args = { after: gap.after, found: gap.found, object: gap.path };
  return [{ code: 'VALIDATE_STORE_GAP', severity: 'info', args }];
}

/** No directory: right only for a new member of which no backups are there, and nothing else is expected. */
export function missingFindings(inputs: {
  readonly allowMissing: boolean;
  readonly failBelowRevision: bigint;
  readonly store: StoreState;
}): Finding[] {
  const { allowMissing, failBelowRevision, store } = inputs;
  const withoutStore = store.state === 'none' || store.state === 'empty';
  const severity = allowMissing && withoutStore ? 'info' : 'unknown';
  const findings: Finding[] = [{ code: 'VALIDATE_NO_DIRECTORY', severity, args: {} }];
  if (withoutStore && failBelowRevision > 0n) {
    const args = { revision: 'none', minimum: `${failBelowRevision}` };
    findings.push({ code: 'VALIDATE_BELOW_REVISION', severity: 'refuse', args });
  }
  return findings;
}
