/**
 * Which files of a log's directory are segments, and what the others are.
 */
import type { WalReporter } from './check-reporter.ts';
import { type NamedSegment, namedSegments, type WalFiles } from './segment-input.ts';
import { parseSegmentName, parseSegmentNameAsEtcd } from './segment-name.ts';

/** The segments in the order in which etcd reads them; findings about the names of all files. */
export function checkNames({ segments, others = [] }: WalFiles, reporter: WalReporter): NamedSegment[] {
  for (const { name: file } of segments) {
    const parsed = parseSegmentNameAsEtcd(file);
    if (parsed === undefined) reporter.report('WAL_NAME_STRAY', {}, { file });
    else if (parseSegmentName(file) === undefined) {
      reporter.report('WAL_NAME_UNUSUAL', { sequence: `${parsed.sequence}`, index: `${parsed.index}` }, { file });
    }
  }
  for (const file of others) reporter.report('WAL_LEFTOVER', { kind: leftoverKind(file) }, { file });
  return namedSegments(segments);
}

function leftoverKind(name: string): string {
  if (/^\d+\.tmp$/.test(name)) return 'the next segment, prepared';
  if (name.endsWith('.tmp')) return 'a temporary file';
  if (name.endsWith('.wal.broken')) return 'a segment set aside by a repair';
  if (name === '.touch') return 'left by a test whether the directory can be written to';
  return 'not a file of a log';
}
