/**
 * The single changes that a repair is made of. Each looks at the check of a log as it would be made now, and says how it
 * would be made instead; whether that is any better is found out by checking it (`repair-plan.ts`).
 */
import type { AnyFinding } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import type { CheckReport } from '../report.ts';
import { LENGTH_FIELD, RECORD_TYPE } from './format.ts';
import { FrameReader } from './frame-reader.ts';
import { RecordScanner, ScanMemory } from './record-scanner.ts';
import type { RemovalReason } from './repair-removed.ts';
import { headLength, type PlannedSegment } from './repair-segment.ts';
import type { NamedSegment, SegmentInput } from './segment-input.ts';
import { parseSegmentName, parseSegmentNameAsEtcd, type SegmentName, segmentName } from './segment-name.ts';
import type { SegmentSummary } from './summary.ts';

/** A segment of the log to be made, and the one that it is made of. */
export interface DraftSegment {
  readonly input: SegmentInput;
  readonly planned: PlannedSegment;
}

/** The log to be made, as far as it is thought out. */
export interface Draft {
  readonly segments: readonly DraftSegment[];
  /** Why parts are left out, by the name of the old segment. */
  readonly removed: ReadonlyMap<string, RemovalReason>;
}

/** A draft and what a check says of it. */
export interface CheckedDraft {
  readonly draft: Draft;
  readonly report: CheckReport;
}

/** What a fix comes to. */
export interface Fixed {
  readonly draft: Draft;
  /** The finding because of which something is left out that nothing shows to be needless. */
  readonly lossBy?: Finding;
}

/** A change; undefined where there is nothing for it to do. */
export type Fix = (checked: CheckedDraft) => Fixed | undefined;

/** All segments as they are. */
export function wholeLog(segments: readonly NamedSegment[]): Draft {
  return {
    segments: segments.map(({ name, source }) => ({
      input: { name, source },
      planned: { name, from: name, start: 0, end: source.size, size: source.size },
    })),
    removed: new Map(),
  };
}

/** What is wrong with a log, without what is for information. */
export function problemsOf({ findings }: CheckReport): Finding[] {
  return findings.filter(({ severity }) => severity !== 'info');
}

const summaries = ({ wal }: CheckReport): readonly SegmentSummary[] => wal?.segments ?? [];

/** The findings of some codes, by the name of the segment. */
function byFile(report: CheckReport, ...codes: Finding['code'][]): Map<string, AnyFinding> {
  const found = problemsOf(report).filter(({ code }) => codes.includes(code)) as AnyFinding[];
  return new Map(found.map((finding) => [finding.file ?? '', finding]));
}

function rename(segment: DraftSegment, name: string): DraftSegment {
  return { ...segment, planned: { ...segment.planned, name } };
}

const nameOf = ({ planned }: DraftSegment): SegmentName =>
  parseSegmentNameAsEtcd(planned.name) ?? { sequence: 0n, index: 0n };

function withSegments(draft: Draft, segments: readonly DraftSegment[]): Fixed {
  return { draft: { ...draft, segments } };
}

/** Leaves out the segments for which `reason` gives one. */
function leaveOut(draft: Draft, reason: (segment: DraftSegment, i: number) => RemovalReason | undefined): Draft {
  const removed = new Map(draft.removed);
  const segments = draft.segments.filter((segment, i) => {
    const why = reason(segment, i);
    if (why !== undefined) removed.set(segment.input.name, why);
    return why === undefined;
  });
  return { segments, removed };
}

/** Names that etcd reads, but does not write: as it would write them, and in their place. */
export const usualNames: Fix = ({ draft }) => {
  if (draft.segments.every(({ planned }) => parseSegmentName(planned.name) !== undefined)) return undefined;
  const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
  const segments = draft.segments
    .map((segment) => rename(segment, segmentName(nameOf(segment).sequence, nameOf(segment).index)))
    .sort((a, b) => compare(nameOf(a).sequence, nameOf(b).sequence));
  return withSegments(draft, segments);
};

/** Segments without a record are left out, unless there is no other. */
export const withoutEmpty: Fix = ({ draft, report }) => {
  const empty = byFile(report, 'WAL_SEGMENT_EMPTY');
  if (empty.size === 0 || empty.size === draft.segments.length) return undefined;
  return { draft: leaveOut(draft, ({ planned }) => (empty.has(planned.name) ? 'empty' : undefined)) };
};

/** Numbers that follow one another, where the CRC chain does. */
export const rightNumbers: Fix = ({ draft, report }) => {
  const gaps = byFile(report, 'WAL_SEQUENCE_GAP');
  if (gaps.size === 0) return undefined;
  const segments: DraftSegment[] = [];
  let before: DraftSegment | undefined;
  for (const segment of draft.segments) {
    const { sequence, index } = nameOf(segment);
    const last = segments.at(-1);
    const step = gaps.has(segment.planned.name) || before === undefined ? 1n : sequence - nameOf(before).sequence;
    segments.push(last === undefined ? segment : rename(segment, segmentName(nameOf(last).sequence + step, index)));
    before = segment;
  }
  return withSegments(draft, segments);
};

/** The index in the name that the records before ask for. */
export const rightIndexes: Fix = ({ draft, report }) => {
  const wrong = byFile(report, 'WAL_SEGMENT_INDEX_NAME');
  if (wrong.size === 0) return undefined;
  const segments = draft.segments.map((segment) => {
    const expected = wrong.get(segment.planned.name)?.args['expected'];
    return expected === undefined ? segment : rename(segment, segmentName(nameOf(segment).sequence, BigInt(expected)));
  });
  return withSegments(draft, segments);
};

/** A crc record that is wrong, before records that continue the segment before. */
export const rightHeads: Fix = ({ draft, report }) => {
  const broken = byFile(report, 'WAL_CHAIN_BROKEN');
  let changed = false;
  const segments = draft.segments.map((segment) => {
    const { planned, input } = segment;
    const { args, offset } = broken.get(planned.name) ?? {};
    if (args?.['continues'] !== 'yes' || offset !== 0 || planned.headCrc !== undefined) return segment;
    const frames = new FrameReader(input.source);
    if (frames.next() !== 'frame') return segment;
    changed = true;
    const headCrc = Number.parseInt(args['expected'] ?? '', 16);
    const next = { ...planned, headCrc, start: frames.position };
    return { input, planned: { ...next, size: planned.size + headLength(next) - frames.position } };
  });
  return changed ? withSegments(draft, segments) : undefined;
};

/**
 * Segments that a start from the newest snapshot does not read are left out up to the last of them that something is wrong
 * with.
 */
export const withoutOld: Fix = ({ draft, report }) => {
  const needed = summaries(report).findIndex((segment) => segment.needed);
  let keepFrom = 0;
  for (const finding of problemsOf(report) as AnyFinding[]) {
    const at = draft.segments.findIndex(({ planned }) => planned.name === finding.file);
    if (at < 0 || at > needed) continue;
    const isBreak = breaksChain(finding);
    if (at < needed || isBreak) keepFrom = Math.max(keepFrom, isBreak ? at : at + 1);
  }
  if (keepFrom === 0) return undefined;
  return { draft: leaveOut(draft, (_, i) => (i < keepFrom ? 'old' : undefined)) };
};

/** Whether the segment does not continue the one before. */
function breaksChain({ code, offset }: AnyFinding): boolean {
  return code === 'WAL_SEGMENT_MISSING' || (code === 'WAL_CHAIN_BROKEN' && offset === 0);
}

/** A torn write at the end of the log, or what is left of an unfinished save behind a hole. */
export const withoutTorn: Fix = ({ draft, report }) => {
  const last = draft.segments.length - 1;
  const name = draft.segments[last]?.planned.name;
  const torn = (problemsOf(report) as AnyFinding[]).find(
    ({ code, severity, file }) =>
      file === name && severity === 'repairable' && (code === 'WAL_TORN_TAIL' || code === 'WAL_RECORDS_BEHIND_END'),
  );
  return torn === undefined ? undefined : { draft: cut(draft, last, torn.offset ?? 0, 'torn') };
};

/** The log up to the first place where something is wrong that cannot be mended: a loss. */
export const upToDamage: Fix = ({ draft, report }) => {
  let first: { at: number; offset: number; finding: Finding } | undefined;
  for (const finding of problemsOf(report)) {
    const { severity, file, offset } = finding as AnyFinding;
    const at = draft.segments.findIndex(({ planned }) => planned.name === file);
    if (severity === 'repairable' || at < 0) continue;
    const place = { at, offset: breaksChain(finding as AnyFinding) ? 0 : (offset ?? 0), finding };
    if (first === undefined || at < first.at || (at === first.at && place.offset < first.offset)) first = place;
  }
  if (first === undefined) return undefined;
  return { draft: cut(draft, first.at, first.offset, 'damaged'), lossBy: first.finding };
};

/** The log up to `offset` (in the new file) of segment number `at`; a segment of which only the head is left goes too. */
function cut(draft: Draft, at: number, offset: number, reason: RemovalReason): Draft {
  const segment = draft.segments[at];
  if (segment === undefined) return draft;
  const { planned, input } = segment;
  const end = planned.start + offset - headLength(planned);
  const isGone = end <= planned.start || (at > 0 && end <= headEnd(input));
  const rest = leaveOut(draft, (_, i) => {
    if (i === at) return isGone ? reason : undefined;
    return i > at ? 'behind-damage' : undefined;
  });
  if (isGone) return rest;
  const segments = rest.segments.map((each) =>
    each === segment ? { input, planned: { ...planned, end, size: lengthOf(end, planned, input) } } : each,
  );
  return { segments, removed: new Map(rest.removed).set(input.name, reason) };
}

/** Where the records end that a cut writes at the head of a segment, crc and metadata; 0 if they are not there. */
function headEnd({ source }: SegmentInput): number {
  const scanner = new RecordScanner(source, 0, new ScanMemory(LENGTH_FIELD * 1024));
  let next = 0;
  while (scanner.next()) {
    for (let i = 0; i < scanner.count; i++) {
      if (next === 2) return scanner.offsets[i] ?? 0;
      if (scanner.types[i] !== [RECORD_TYPE.crc, RECORD_TYPE.metadata][next]) return 0;
      next++;
    }
  }
  return next === 0 ? 0 : scanner.endOffset;
}

/**
 * How long the last segment is made: as long as it was, zeros behind its records, so that etcd goes on in it as it would
 * have. A rest of less than a length field would be taken for a torn write.
 */
function lengthOf(end: number, planned: PlannedSegment, { source }: SegmentInput): number {
  const length = headLength(planned) + end - planned.start;
  return source.size - end < LENGTH_FIELD ? length : length + source.size - end;
}

/** Nothing but records: whatever lies behind them is left out. For a log in which all segments are whole. */
export function tidy({ draft, report }: CheckedDraft): Draft {
  const removed = new Map(draft.removed);
  const list = summaries(report);
  const segments = draft.segments.map(({ input, planned }, i) => {
    const end = planned.start + (list[i]?.end ?? 0) - headLength(planned);
    if (!removed.has(input.name)) removed.set(input.name, 'behind-end');
    const isLast = i === draft.segments.length - 1;
    const size = isLast ? lengthOf(end, planned, input) : headLength(planned) + end - planned.start;
    return { input, planned: { ...planned, end, size } };
  });
  return { segments, removed };
}
