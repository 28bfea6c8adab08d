/**
 * The db that etcd would have after a start on a data directory, written to a new file (Node): there whole, synced and checked, or not at
 * all. The directory is only read.
 */
import { BoltCheckJob } from '../bolt/check.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { DataDir } from '../datadir/data-dir.ts';
import type { BaseKind } from '../datadir/replay/base.ts';
import type { ReplayFinding } from '../datadir/replay/findings.ts';
import type { ReplayedState } from '../datadir/replay/outcome.ts';
import { ReplayJob, type ReplayOptions } from '../datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../datadir/replay/write-db.ts';
import { AppendSha256Job } from '../datadir/rewrite/append-sha256.ts';
import { RewrittenCheckJob } from '../datadir/rewrite/rewrite-check.ts';
import type { WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteFile } from '../io/byte-source.ts';
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { type DataDirOptions, openDataDirFolder } from './data-dir-folder.ts';
import { assertOutside } from './volume-root.ts';
import { writeChecked } from './write-checked.ts';

/** Options of `replayWal` and `snapshotFromDataDir`. */
export interface ReplayToFileOptions
  extends Omit<ReplayOptions, 'revisionsOnly'>,
    DataDirOptions,
    OutputOptions,
    RunOptions {}

/** What was written, and from what. */
export interface ReplaySummary {
  /** The new file, and how long it is. */
  readonly path: string;
  readonly size: number;
  /** The release whose behaviour was followed. */
  readonly etcdVersion: EtcdMinor;
  readonly base: BaseKind;
  readonly revision: { readonly db: bigint; readonly afterReplay: bigint };
  readonly entries: {
    /** The first and the last entry that was applied; `to` is below `from` if there was none. */
    readonly from: bigint;
    readonly to: bigint;
    readonly replayed: bigint;
    /** Entries of the log of which it is not known whether they are committed. */
    readonly notCommitted: bigint;
  };
  /** Whether the member decides alone what is committed: then nothing is uncertain. */
  readonly loneVoter: boolean;
  /** Where this release would panic, and in which words; the file has what came before. */
  readonly stoppedAt: { readonly index: bigint; readonly words: string } | null;
  readonly findings: readonly ReplayFinding[];
}

/** A snapshot file: with the sha256 that is at its end. */
export interface SnapshotSummary extends ReplaySummary {
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Applies the tail of the log to a copy of the db, and writes it to `out`, a plain db file. Throws `REPLAY_REFUSED` where there is nothing
 * to begin with, `FILE_LOCKED` while an etcd runs on the directory, `BOLT_SOURCE_DAMAGED` for a damaged db, `TARGET_EXISTS`.
 */
export async function replayWal(
  dir: string | DataDir,
  out: string,
  options: ReplayToFileOptions = {},
): Promise<ReplaySummary> {
  const { state, size } = await write(dir, out, options, false);
  return summaryOf(state, out, size);
}

/** As `replayWal`, but writes a snapshot file: a sha256 follows the db, as in those of `etcdctl snapshot save`. */
export async function snapshotFromDataDir(
  dir: string | DataDir,
  out: string,
  options: ReplayToFileOptions = {},
): Promise<SnapshotSummary> {
  const { state, size, sha256 } = await write(dir, out, options, true);
  return { ...summaryOf(state, out, size), sha256: Buffer.from(sha256).toString('hex') };
}

interface Written {
  readonly state: ReplayedState;
  readonly db: WrittenDb;
  readonly size: number;
  /** Empty without one. */
  readonly sha256: Uint8Array;
}

async function write(
  dir: string | DataDir,
  path: string,
  options: ReplayToFileOptions,
  snapshot: boolean,
): Promise<Written> {
  const opened = typeof dir === 'string' ? new DataDir(openDataDirFolder(dir, options)) : dir;
  try {
    for (const folder of [opened.path, options.walDir]) if (folder !== undefined) assertOutside(path, folder);
    return await writeChecked(
      path,
      (file, run) => replayInto(opened, file, options, snapshot, run),
      (source, { db, state }) =>
        new RewrittenCheckJob(source, {
          db,
          old: state.tail.from.file?.source,
          path,
          snapshot,
          sha256: createNodeSha256,
        }),
      options,
    );
  } finally {
    if (typeof dir === 'string') opened.close();
  }
}

async function replayInto(
  dir: DataDir,
  file: ByteFile,
  options: ReplayToFileOptions,
  snapshot: boolean,
  { signal, onProgress }: RunOptions,
): Promise<Written> {
  let before = 0;
  const run = async <Result>(job: Job<Result>): Promise<Result> => {
    let reached = 0;
    const tell = ({ done, total }: Progress): void => {
      reached = total;
      onProgress?.({ done: before + done, total: before + total });
    };
    const result = await runSliced(job, { signal, onProgress: tell });
    before += reached;
    return result;
  };
  const { tail, etcdVersion, withoutDb, minLeaseTtl, persistCheckpoints, maxStateBytes } = options;
  const job = new ReplayJob(dir, { tail, etcdVersion, withoutDb, minLeaseTtl, persistCheckpoints, maxStateBytes });
  const state = await withDamageTold(job, run);
  const db = await run(new WriteReplayedJob(state, file));
  const sha256 = snapshot ? await run(new AppendSha256Job(file, createNodeSha256)) : new Uint8Array();
  return { state, db, size: file.size, sha256 };
}

/** Damage that is met while reading is told as that which is met while copying: with all that is wrong. */
async function withDamageTold(
  job: ReplayJob,
  run: <Result>(job: Job<Result>) => Promise<Result>,
): Promise<ReplayedState> {
  try {
    return await run(job);
  } catch (error) {
    const { source } = job;
    if (!isDatadirError(error, 'BOLT_DAMAGED') || source === undefined) throw error;
    const report = await run(new BoltCheckJob(source));
    throw new DatadirError('BOLT_SOURCE_DAMAGED', error.message, {
      ...(source.path === undefined ? {} : { path: source.path }),
      cause: report,
    });
  }
}

function summaryOf(state: ReplayedState, path: string, size: number): ReplaySummary {
  const { tail, revision, replayed, last, stoppedAt, findings } = state;
  return {
    path,
    size,
    etcdVersion: tail.version,
    base: tail.base,
    revision,
    entries: {
      from: tail.first,
      to: last?.index ?? tail.consistentIndex,
      replayed,
      notCommitted: tail.notCommitted?.count ?? 0n,
    },
    loneVoter: tail.loneVoter,
    stoppedAt: stoppedAt ?? null,
    findings,
  };
}
