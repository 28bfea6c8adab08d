/**
 * What a validation is put together from: the check of a directory, what releases of etcd do with it, and the replay of its log.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { Finding } from '../../findings.ts';
import type { Job } from '../../io/job.ts';
import type { CheckReport } from '../../report.ts';
import type { DataDir } from '../data-dir.ts';

/** Options of the check. */
export interface ToolCheckOptions {
  readonly level: CheckReport['level'];
  readonly maxFindings?: number | undefined;
  readonly path?: string | undefined;
  readonly etcdVersion?: EtcdMinor | undefined;
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
}

/** The entries that a start would apply. */
export interface ToolTail {
  /** The newest revision of what they are applied to: the db, one that was received from a leader, or an empty one. */
  readonly base: bigint;
  /** How many of them may make a revision. */
  readonly bound: number;
}

/** What came of applying them. */
export interface ToolReplay {
  readonly revision: bigint;
  /** Entries behind those, of which the log of one of several members does not show that they are committed. */
  readonly notCommitted: bigint;
  /** Why it ended before the last entry; undefined if it did not. */
  readonly stopped: string | undefined;
  readonly findings: readonly Finding[];
}

/** Each may throw a `DatadirError` where what it needs cannot be read. */
export interface ValidationTools {
  check(dir: DataDir, options: ToolCheckOptions): Job<CheckReport>;
  /** Whether a release starts on it, mends by itself what has to be mended, and has everything that was committed then. */
  startsWithoutLoss(report: CheckReport, version: string): boolean;
  planTail(dir: DataDir, options: { readonly etcdVersion?: EtcdMinor | undefined }): Job<ToolTail>;
  replay(
    dir: DataDir,
    options: { readonly etcdVersion?: EtcdMinor | undefined; readonly tail: 'auto' | 'all' },
  ): Job<ToolReplay>;
}
