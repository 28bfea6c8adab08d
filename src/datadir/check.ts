/**
 * The check of anything: detects what it is, and makes the job that checks it.
 */
import { BackendCheckJob } from '../backend/check.ts';
import { BoltCheckJob } from '../bolt/check.ts';
import type { Sha256Factory } from '../checksum/sha256.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type Job, type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport, Kind, Level } from '../report.ts';
import { SnapCheckJob, type SnapFile, snapFileCheck } from '../snap/check.ts';
import { WalCheckJob } from '../wal/check.ts';
import type { WalFiles } from '../wal/segment-input.ts';
import { parseSegmentNameAsEtcd, segmentName } from '../wal/segment-name.ts';
import { detectKind } from './detect-kind.ts';

/** What to check, and how much of it. */
export interface CheckOptions {
  /** Default: `full`. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** What the file is, when the caller knows: it is then checked as that, however little of it is left. */
  readonly kind?: Kind | undefined;
  /** Name for the report. Default: the source's own. */
  readonly path?: string | undefined;
  /** Reads all values too and gives a digest of all pairs of a db, see `CheckReport.bolt`. */
  readonly digest?: boolean | undefined;
  /** The release of etcd that is to start on it, for rules that depend on one (level `deep` of a db). Default: the one it is of. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** It is a snapshot file, so its sha256 must be there. Default: one that is there must be right. */
  readonly snapshot?: boolean | undefined;
}

/** What the platform does better than the portable code. */
export interface CheckPlatform {
  /** Computes a sha256. */
  readonly sha256?: Sha256Factory | undefined;
}

/** The files of a log's directory. */
export interface WalFolderInput {
  readonly wal: WalFiles;
}

/** The files of a snap folder. */
export interface SnapFolderInput {
  readonly snap: readonly SnapFile[];
}

/** Anything that can be checked: one file, or the files of a folder. */
export type CheckInput = Input | WalFolderInput | SnapFolderInput;

/** The job that checks an input. Throws `UNKNOWN_KIND` when it cannot be told what it is. */
export function createCheckJob(
  input: CheckInput,
  options: CheckOptions = {},
  platform: CheckPlatform = {},
): Job<CheckReport> {
  if ('wal' in input) return new WalCheckJob(input.wal, options);
  if ('snap' in input) return new SnapCheckJob(input.snap, options);
  const source = toSource(input);
  const kind = options.kind ?? detectKind(source, options.path);
  switch (kind) {
    case 'db':
      return options.level === 'sanity'
        ? new BoltCheckJob(source, options)
        : new BackendCheckJob(source, { ...options, level: options.level ?? 'full', ...platform });
    case 'snap':
      return snapFileCheck(source, options);
    case 'wal':
      return segmentCheck(source, options);
  }
}

/** The check of one segment, of which the others are not known. */
function segmentCheck(source: ByteSource, options: CheckOptions): Job<CheckReport> {
  const name = (options.path ?? source.path ?? '').replace(/^.*[/\\]/, '');
  const known = parseSegmentNameAsEtcd(name) === undefined ? segmentName(0n, 0n) : name;
  return new WalCheckJob({ segments: [{ name: known, source }] }, { ...options, alone: true });
}

/** Checks an input in slices, on this thread, without ever holding the event loop for more than a few milliseconds. */
export async function check(input: CheckInput, options: CheckOptions & RunOptions = {}): Promise<CheckReport> {
  return runSliced(createCheckJob(input, options), options);
}
