/**
 * Why a log is not repaired, or what a repair loses: data with codes, and the sentences for them.
 */
import type { SnapshotSummary } from './summary.ts';

/**
 * A loss, which a repair refuses unless it was accepted; or something that stands in the way of one. 64-bit numbers are
 * decimal text.
 */
export type RepairReason = RepairLoss | RepairObstacle;

/** What is lost. */
export type RepairLoss =
  /** The log is cut before a damaged place. `findings` are codes: what made it necessary. */
  | {
      readonly code: 'DAMAGE';
      readonly segment: string;
      readonly offset: number;
      readonly findings: readonly string[];
    }
  /** Records behind the cut that can be read. Entries: lowest and highest index and term. */
  | ({ readonly code: 'RECORDS'; readonly records: number; readonly entries: number } & EntryRange)
  /** Entries were committed that the log does not have any more. */
  | { readonly code: 'COMMITTED'; readonly commit: string; readonly lastIndex: string }
  /** The db holds changes of entries that the log does not have any more. */
  | { readonly code: 'APPLIED'; readonly keepIndex: string; readonly lastIndex: string }
  /** Segments are left out that hold entries which the db does not have yet. */
  | { readonly code: 'NOT_APPLIED'; readonly keepIndex: string; readonly snapshot: string }
  /** The hard state goes back to an earlier term. */
  | { readonly code: 'TERM'; readonly before: string; readonly after: string };

/** What stands in the way. */
export type RepairObstacle =
  /** There are no segments, or none is left. */
  | { readonly code: 'NOTHING_LEFT' }
  /** Findings remain that no copy without re-encoding can mend. */
  | { readonly code: 'NOT_MENDABLE'; readonly findings: readonly string[] }
  /** Two files claim the same number, and one of them has a name that etcd does not write. */
  | { readonly code: 'AMBIGUOUS_NAME'; readonly files: readonly string[] }
  /** What would be left begins at a snapshot whose `.snap` file is not there. */
  | { readonly code: 'SNAP_MISSING'; readonly snapshot: SnapshotSummary }
  /** No release of etcd would start on what is left. */
  | { readonly code: 'NO_START'; readonly versions: readonly string[] };

interface EntryRange {
  readonly firstIndex: string | null;
  readonly lastIndex: string | null;
  readonly firstTerm: string | null;
  readonly lastTerm: string | null;
}

/** Whether accepting a loss is enough. */
export function isLoss({ code }: RepairReason): boolean {
  return ['DAMAGE', 'RECORDS', 'COMMITTED', 'APPLIED', 'NOT_APPLIED', 'TERM'].includes(code);
}

/** The sentence for it: what is so, whether or not it was accepted. */
export function describeRepairReason(reason: RepairReason): string {
  switch (reason.code) {
    case 'DAMAGE':
      return `${reason.segment}, byte ${reason.offset} (0x${reason.offset.toString(16)}): everything from here on is lost (${reason.findings.join(', ')})`;
    case 'RECORDS': {
      const { records, entries } = reason;
      const list = entries === 0 ? '' : `, among them ${entryText(reason)}`;
      return `${records === 1 ? '1 good record that was' : `${records} good records that were`} saved before ${records === 1 ? 'is' : 'are'} lost${list}`;
    }
    case 'COMMITTED':
      return `entries up to ${reason.commit} were committed, and the log would end with entry ${reason.lastIndex}: acknowledged writes are lost`;
    case 'APPLIED':
      return `the db has applied entries up to ${reason.keepIndex}, and the log would end with entry ${reason.lastIndex}: a server would give these indexes to new writes, and never apply them`;
    case 'NOT_APPLIED':
      return `the db has applied entries up to ${reason.keepIndex} only, and the log would begin at the snapshot of index ${reason.snapshot}: the entries between are lost`;
    case 'TERM':
      return `the hard state goes back from term ${reason.before} to ${reason.after}: the member may vote twice in a term, which is harmless only if it is alone`;
    case 'NOTHING_LEFT':
      return 'nothing is left of which a log could be made';
    case 'NOT_MENDABLE':
      return `leaving parts out does not mend this: ${reason.findings.join(', ')}`;
    case 'AMBIGUOUS_NAME':
      return `${reason.files.join(' and ')} claim to be the same segment: find out which is the right one, and move the other elsewhere`;
    case 'SNAP_MISSING':
      return `the log would begin at the snapshot of index ${reason.snapshot.index}, term ${reason.snapshot.term}, whose .snap file is not there: etcd up to 3.6 would not start`;
    case 'NO_START':
      return `etcd ${reason.versions.join(', ')} would not start on what is left`;
  }
}

/** `entries 12 to 40 (29) of terms 2 to 3`. */
export function entryText({
  entries,
  firstIndex,
  lastIndex,
  firstTerm,
  lastTerm,
}: EntryRange & { readonly entries: number }): string {
  const one = entries === 1 || firstIndex === lastIndex;
  const terms = firstTerm === lastTerm ? `of term ${firstTerm}` : `of terms ${firstTerm} to ${lastTerm}`;
  return `${one ? `entry ${firstIndex}` : `entries ${firstIndex} to ${lastIndex}`} (${entries}) ${terms}`;
}
