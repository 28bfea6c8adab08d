/**
 * The report of a validation for people: may etcd start, why, what was found.
 */
import { styleText } from 'node:util';
import { MODE_REASONS } from '../../datadir/validation/mode.ts';
import type { Recommendation } from '../../datadir/validation/recommendation.ts';
import type { ValidationReport } from '../../datadir/validation/report.ts';
import { reportText } from './report.ts';
import { counted, grouped } from './size.ts';
import { visible } from './visible.ts';

type Style = Parameters<typeof styleText>[0];

const WORDS: Readonly<Record<Recommendation, readonly [words: string, style: Style]>> = {
  start: ['START: etcd may be started on it', 'green'],
  'start-after-repair': ['REPAIR FIRST: nothing is lost, but it has to be mended before etcd is started', 'yellow'],
  restore: ['RESTORE: replace it from the backups', 'red'],
  'single-member-restore': ['REPLACE: let the member get its data from the others', 'red'],
  'keep-and-inspect': ['KEEP AND INSPECT: do not start etcd, and do not delete anything', 'red'],
  refuse: ['REFUSED: do not start this etcd on it, and do not change it', 'red'],
};

/** The report as text: the decision and what it rests on first, then the report of the check. */
export function validationText(report: ValidationReport, color: boolean): string {
  const [words, style] = WORDS[report.recommendation];
  const head = color ? styleText([style as never, 'bold'], words, { validateStream: false }) : words;
  const lines = [...whyLines(report), ...planLines(report)].map((line) => `${visible(line)}\n`);
  return `${head}\n${lines.join('')}\n${reportText(report, color)}`;
}

function whyLines(report: ValidationReport): string[] {
  const { mode, modeReason, status, action } = report;
  return [
    `mode:      ${mode}: ${MODE_REASONS[modeReason]}`,
    `guard:     ${guardWords(report)}`,
    `revision:  ${revisionWords(report)}`,
    `backups:   ${storeWords(report)}`,
    ...(report.marker.written.length === 0 ? [] : [`marker:    written: ${report.marker.written.join(', then ')}`]),
    `reference: ${status}, ${action}`,
  ];
}

function guardWords({ guard }: ValidationReport): string {
  const { state, path } = guard;
  switch (state) {
    case 'skipped':
      return 'not looked at: no owner was named';
    case 'equal':
      return `${path} names the right owner`;
    case 'different':
      return `${path} names another owner`;
    case 'missing':
      return `${path} is missing`;
    case 'created':
      return `${path} was missing and has been made`;
    case 'unreadable':
      return `${path} cannot be read`;
  }
}

const number = (value: string | null): string => (value === null ? 'unknown' : grouped(BigInt(value)));

function revisionWords({ revision }: ValidationReport): string {
  const { effective, afterWalReplay, atMost } = revision;
  if (afterWalReplay !== null) return `${number(effective)} in the db, ${number(afterWalReplay)} with its log`;
  if (atMost !== null) return `${number(effective)} in the db, at most ${number(atMost)} with its log`;
  return `${number(effective)} in the db`;
}

function storeWords({ store }: ValidationReport): string {
  const { state, location, revision, base, deltas, restorable } = store;
  switch (state) {
    case 'none':
      return 'no store was named';
    case 'empty':
      return `${location} holds none`;
    case 'unreadable':
      return `${location} cannot be listed`;
    case 'found': {
      const what = base === null ? 'no full snapshot' : `${base} and ${counted(deltas, 'delta')}`;
      const reach = restorable === revision ? '' : `, can be restored up to ${number(restorable)}`;
      return `revision ${number(revision)} in ${location}: ${what}${reach}`;
    }
  }
}

function planLines({ plan }: ValidationReport): string[] {
  if (plan === null) return [];
  return [`plan:      ${plan.name}: ${plan.steps.map((step) => step.do).join(', ')}`, `  only if: ${plan.needs}`];
}
