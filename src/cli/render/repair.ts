/**
 * What a repair of a log did, or why it did not: for people and as JSON.
 */
import type { RepairWalResult } from '../../files/repair-wal.ts';
import type { CheckReport } from '../../report.ts';
import { describeRepairReason, entryText, type RepairReason } from '../../wal/repair-reasons.ts';
import type { RemovalReason, RemovedPart } from '../../wal/repair-removed.ts';
import type { PlannedSegment } from '../../wal/repair-segment.ts';
import { findingJson, findingLine } from './report.ts';
import { counted, exactSize, grouped } from './size.ts';
import { visible } from './visible.ts';

/** What the result is about. */
export interface RepairContext {
  readonly path: string;
  readonly output: string;
  /** The index that had to be kept; undefined: the commit index alone decided. */
  readonly keepIndex: bigint | undefined;
}

const REMOVED_WORDS: Readonly<Record<RemovalReason, string>> = {
  old: 'not needed from the newest snapshot on',
  empty: 'holds no record',
  torn: 'a write that was not finished',
  'behind-end': 'behind the end of the log, never read',
  damaged: 'damaged from here on',
  'behind-damage': 'behind the damage',
};

/** The result as text. */
export function repairText(result: RepairWalResult, context: RepairContext): string {
  const lines = [...headLines(result, context), ...bodyLines(result)];
  return lines.map((line) => `${visible(line)}\n`).join('');
}

function headLines({ outcome, directory, plan }: RepairWalResult, { output, keepIndex }: RepairContext): string[] {
  const kept =
    keepIndex === undefined
      ? 'the db was not looked at: whether it has got further than the log is not known'
      : `the db has applied entries up to ${grouped(keepIndex)}`;
  switch (outcome) {
    case 'nothing':
      return plan.remaining.length === 0
        ? ['NOTHING TO REPAIR: the log is healthy', directory, kept]
        : ['NOTHING TO REPAIR: etcd starts with what is wrong, and no copy can mend it', directory, kept];
    case 'refused':
      return ['REFUSED: nothing was written', directory, kept];
    case 'repaired':
      return [
        plan.losses.length > 0
          ? 'REPAIRED WITH LOSS: the new log is whole, but see what is lost'
          : `REPAIRED: the new log is whole, and nothing is missing that ${keepIndex === undefined ? 'the old one shows to be committed' : 'was acknowledged'}`,
        `${directory} -> ${output}`,
        kept,
      ];
  }
}

function bodyLines({ outcome, plan, report, needsSnapFile }: RepairWalResult): string[] {
  const { reasons, losses, removed, segments, notCopied, remaining, before } = plan;
  if (outcome === 'refused') {
    return [
      ...section('because', reasons.map(describeRepairReason)),
      ...section('found', findingLines(before)),
      ...section('would leave out', removed.map(removedText)),
    ];
  }
  const done = [
    ...section('lost', losses.map(describeRepairReason)),
    ...section('left out', removed.map(removedText)),
    ...section('renamed', renamed(segments)),
    ...section('crc record written anew', heads(segments)),
    ...section('not copied', notCopied),
    ...section('remains', remaining.map(findingLine)),
  ];
  return report === null ? done : [...done, ...section('new log', newLogLines(report, needsSnapFile))];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

const MAX_LINES = 20;

function findingLines({ findings }: CheckReport): string[] {
  const problems = findings.filter(({ severity }) => severity !== 'info');
  const lines = problems.slice(0, MAX_LINES).map((finding) => `${finding.severity}: ${findingLine(finding)}`);
  const left = problems.length - lines.length;
  return left > 0 ? [...lines, `${counted(left, 'more finding')} not listed`] : lines;
}

function removedText(part: RemovedPart): string {
  const { segment, offset, bytes, reason, records, entries } = part;
  const place = offset === 0 ? segment : `${segment} from byte ${grouped(offset)} (0x${offset.toString(16)}) on`;
  const list = records === 0 ? 'no readable record' : counted(records, 'readable record');
  const which = entries === 0 ? '' : `, ${entryText(part)}`;
  return `${place}: ${REMOVED_WORDS[reason]}; ${exactSize(bytes)}, ${list}${which}`;
}

function renamed(segments: readonly PlannedSegment[]): string[] {
  return segments.filter(({ name, from }) => name !== from).map(({ name, from }) => `${from} -> ${name}`);
}

function heads(segments: readonly PlannedSegment[]): string[] {
  return segments.flatMap(({ name, headCrc }) =>
    headCrc === undefined ? [] : [`${name}: ${headCrc.toString(16).padStart(8, '0')}, as the records before it give`],
  );
}

function newLogLines({ wal, verdict }: CheckReport, needsSnapFile: string | null): string[] {
  if (wal === undefined) return [];
  const { segments, firstIndex, lastIndex, commit, term, snapshot, etcd } = wal;
  const entries = firstIndex === null ? 'no entries' : `entries ${firstIndex} to ${lastIndex}`;
  const state = commit === null ? 'no hard state' : `commit ${commit}, term ${term}`;
  const start = snapshot === null ? '' : `, newest snapshot at ${snapshot.index}`;
  const starts = etcd.filter(({ outcome }) => outcome === 'starts').map(({ version }) => version);
  const others = etcd.filter(({ outcome }) => outcome !== 'starts');
  return [
    `${verdict}: ${counted(segments.length, 'segment')}, ${entries}, ${state}${start}`,
    `etcd ${starts.join(', ')}: starts on it`,
    ...others.map(({ version, outcome, words }) => `etcd ${version}: ${outcome}: ${words}`),
    ...(needsSnapFile === null ? [] : [`etcd up to 3.6 needs ${needsSnapFile} in member/snap`]),
  ];
}

/** The fields of the JSON document. */
export function repairJson(result: RepairWalResult, context: RepairContext): Record<string, unknown> {
  const { outcome, directory, plan, report, needsSnapFile } = result;
  const { before, segments, removed, notCopied, losses, reasons, remaining } = plan;
  return {
    schema: 1,
    path: context.path,
    output: outcome === 'repaired' ? context.output : null,
    outcome,
    directory,
    keepIndex: context.keepIndex === undefined ? null : `${context.keepIndex}`,
    reasons: reasons.map(reasonJson),
    losses: losses.map(reasonJson),
    removed,
    segments: outcome === 'nothing' ? [] : segments,
    notCopied,
    remaining: remaining.map(findingJson),
    needsSnapFile,
    before: { verdict: before.verdict, counts: before.counts, findings: before.findings.map(findingJson) },
    check: report === null ? null : { ...report, findings: report.findings.map(findingJson) },
  };
}

function reasonJson(reason: RepairReason): Record<string, unknown> {
  const { code, ...rest } = reason;
  return { code, message: describeRepairReason(reason), ...rest };
}
