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
import type { CheckReport, Level } from '../report.ts';
import { SnapCheckJob, type SnapFile, snapFileCheck } from '../snap/check.ts';
import { WalCheckJob } from '../wal/check.ts';
import type { WalFiles } from '../wal/segment-input.ts';
import { parseSegmentNameAsEtcd, segmentName } from '../wal/segment-name.ts';
import { DataDirCheckJob } from './check-dir.ts';
import { DataDir } from './data-dir.ts';
import type { DataDirFiles } from './data-dir-files.ts';
import { detectKind, type FileKind } from './detect-kind.ts';

/** What to check, and how much of it. */
export interface CheckOptions {
  /** Default: `full`. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** What the file is, when the caller knows: it is then checked as that, however little of it is left. */
  readonly kind?: FileKind | undefined;
  /** Name for the report. Default: the source's own. */
  readonly path?: string | undefined;
  /** Reads all values too and gives a digest of all pairs of a db, see `CheckReport.bolt`. */
  readonly digest?: boolean | undefined;
  /** The release of etcd that is to start on it, for rules that depend on one (a data directory; level `deep` of a db). Default: the one it is of. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** It is a snapshot file, so its sha256 must be there. Default: one that is there must be right. */
  readonly snapshot?: boolean | undefined;
  /** Of a data directory: the member and the cluster whose it should be. Default: not known. */
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
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

/** A data directory; what is opened of it is closed by whoever closes `dataDir`. */
export interface DataDirInput {
  readonly dataDir: DataDir | DataDirFiles;
}

/** Anything that can be checked: one file, the files of a folder, or a data directory. */
export type CheckInput = Input | WalFolderInput | SnapFolderInput | DataDirInput;

/** The job that checks an input. Throws `UNKNOWN_KIND` when it cannot be told what it is. */
export function createCheckJob(
  input: CheckInput,
  options: CheckOptions = {},
  platform: CheckPlatform = {},
): Job<CheckReport> {
  if ('wal' in input) return new WalCheckJob(input.wal, options);
  if ('snap' in input) return new SnapCheckJob(input.snap, options);
  if ('dataDir' in input) return new DataDirCheckJob(asDataDir(input), { ...options, ...platform });
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

function asDataDir({ dataDir }: DataDirInput): DataDir {
  return dataDir instanceof DataDir ? dataDir : new DataDir(dataDir);
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
