/**
 * Which files of a log's directory are segments, and what the others are.
 */
import type { WalReporter } from './check-reporter.ts';
import type { SegmentInput } from './segment-input.ts';
import { parseSegmentName, parseSegmentNameAsEtcd, SEGMENT_SUFFIX, type SegmentName } from './segment-name.ts';

/** A segment as etcd sees it. */
export interface NamedSegment extends SegmentInput {
  readonly parsed: SegmentName;
}

/** The files of a directory. */
export interface WalFiles {
  /** Those whose names end in `.wal`, with what is in them. */
  readonly segments: readonly SegmentInput[];
  /** The names of all others. */
  readonly others?: readonly string[] | undefined;
}

/** Whether a file has to be opened: etcd looks at no others. */
export function isSegmentFile(name: string): boolean {
  return name.endsWith(SEGMENT_SUFFIX);
}

/** The segments in the order in which etcd reads them; findings about the names of all files. */
export function checkNames({ segments, others = [] }: WalFiles, reporter: WalReporter): NamedSegment[] {
  const named: NamedSegment[] = [];
  for (const { name, source } of segments) {
    const parsed = parseSegmentNameAsEtcd(name);
    if (parsed === undefined) {
      reporter.report('WAL_NAME_STRAY', {}, { file: name });
      continue;
    }
    named.push({ name, source, parsed });
    if (parseSegmentName(name) === undefined) {
      const args = { sequence: `${parsed.sequence}`, index: `${parsed.index}` };
      reporter.report('WAL_NAME_UNUSUAL', args, { file: name });
    }
  }
  for (const name of others) reporter.report('WAL_LEFTOVER', { kind: leftoverKind(name) }, { file: name });
  // Go sorts by bytes; the names that get here are ASCII up to their first `.wal`.
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function leftoverKind(name: string): string {
  if (/^\d+\.tmp$/.test(name)) return 'the next segment, prepared';
  if (name.endsWith('.tmp')) return 'a temporary file';
  if (name.endsWith('.wal.broken')) return 'a segment set aside by a repair';
  if (name === '.touch') return 'left by a test whether the directory can be written to';
  return 'not a file of a log';
}
