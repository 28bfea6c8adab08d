/**
 * The repair of a log by path, always into a new directory (Node).
 *
 * The plan is made, and the log that it gives checked, before anything is written (`wal/repair-plan.ts`). What was written is
 * read again and must come to the same.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { DatadirError, isDatadirError } from '../errors.ts';
import { openFileSource } from '../io/file-source.ts';
import type { RunOptions } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { writeOutputDirectory } from '../io/output-directory.ts';
import { pathError } from '../io/system-error.ts';
import type { CheckReport } from '../report.ts';
import { snapName } from '../snap/snap-name.ts';
import { WalCheckJob } from '../wal/check.ts';
import type { SnapshotId } from '../wal/etcd/index.ts';
import { type RepairPlan, RepairPlanJob } from '../wal/repair-plan.ts';
import { plannedSource } from '../wal/repair-segment.ts';
import { CopyBytesJob } from './copy-bytes.ts';
import { folderIn, isDirectory } from './member-folder.ts';
import { Phases } from './phases.ts';
import { readSnapFile } from './read-snap.ts';
import type { IgnoreLockOptions } from './wal-directory.ts';
import { openWalFolder, type WalFolder } from './wal-folder.ts';

/** Options of `repairWal`. */
export interface RepairWalOptions extends IgnoreLockOptions, OutputOptions, RunOptions {
  /** The index that the log must reach: the consistent index of the db. Default: the log's own commit index alone decides. */
  readonly keepIndex?: bigint | undefined;
  /** Makes the new log also where something is lost, and tells what. Default false. */
  readonly acceptLoss?: boolean | undefined;
  /** Leaves old segments out also where the `.snap` file of the snapshot is not there that the log then begins at. */
  readonly withoutSnap?: boolean | undefined;
}

/** What came of it. */
export interface RepairWalResult {
  /** `nothing`: nothing is wrong that a copy could mend. `refused`: `plan.reasons` tells why. Both leave no directory. */
  readonly outcome: 'nothing' | 'refused' | 'repaired';
  /** The directory of the log that was looked at. */
  readonly directory: string;
  readonly plan: RepairPlan;
  /** The check of the new log as it is on the disk; null if there is none. */
  readonly report: CheckReport | null;
  /** Name of the `.snap` file that etcd up to 3.6 needs beside the new log; null if it needs none. */
  readonly needsSnapFile: string | null;
}

/**
 * Makes a repaired copy of the log at `path` in the new directory `target`, which must not exist. The log itself is never
 * touched. Throws `TARGET_EXISTS`, `FILE_LOCKED` if an etcd is seen to write to the log, `SOURCE_CHANGED`,
 * `SELF_CHECK_FAILED`; then, too, there is no target.
 */
export async function repairWal(
  path: string,
  target: string,
  options: RepairWalOptions = {},
): Promise<RepairWalResult> {
  const folder = openLog(path);
  try {
    const { directory, files } = folder;
    if (folder.inUse && options.ignoreLock !== true) {
      throw new DatadirError('FILE_LOCKED', `${directory}: locked, an etcd seems to be running`, { path: directory });
    }
    assertOutside(target, directory);
    const size = files.segments.reduce((sum, { source }) => sum + source.size, 0);
    const phases = new Phases(options, 4 * size);
    const before = signatureOf(folder);
    const { keepIndex, acceptLoss, withoutSnap } = options;
    const snaps = withoutSnap === true ? undefined : snapFolderOf(path);
    const hasSnap = snaps === undefined ? undefined : (snapshot: SnapshotId) => hasSnapFile(snaps, snapshot);
    const plan = await phases.run(new RepairPlanJob(files, { path: directory, keepIndex, acceptLoss, hasSnap }));
    const { needsSnap } = plan;
    const needsSnapFile = needsSnap === null ? null : snapName(BigInt(needsSnap.term), BigInt(needsSnap.index));
    if (plan.outcome !== 'repair') return { outcome: plan.outcome, directory, plan, report: null, needsSnapFile };
    const report = await write(folder, plan, target, options, phases, () => {
      if (signatureOf(folder) === before) return;
      const words = `${directory}: another program wrote to it while it was copied; stop that first`;
      throw new DatadirError('SOURCE_CHANGED', words, { path: directory });
    });
    return { outcome: 'repaired', directory, plan, report, needsSnapFile };
  } finally {
    folder.close();
  }
}

/** Opens the log; a segment stands for its log if it is the only one. */
function openLog(path: string): WalFolder {
  const folder = openWalFolder(isDirectory(path) ? path : dirname(path));
  const { files } = folder;
  if (isDirectory(path) || (files.segments.length === 1 && files.segments[0]?.name === basename(path))) return folder;
  folder.close();
  const words = `${path}: one of ${files.segments.length} segments; a repair needs all of them, so give their directory`;
  throw new DatadirError('USAGE', words, { path });
}

/** Nothing is written into the directory of the log itself. */
function assertOutside(target: string, directory: string): void {
  if (!`${resolve(dirname(target))}${sep}`.startsWith(`${resolve(directory)}${sep}`)) return;
  throw new DatadirError('USAGE', `${target}: lies in the directory of the log, which is left as it is`, {
    path: target,
  });
}

/** The snap folder of the data directory or member's directory that was given. */
function snapFolderOf(path: string): string | undefined {
  return isDirectory(path) ? folderIn(path, 'snap') : undefined;
}

function hasSnapFile(folder: string, { index, term }: SnapshotId): boolean {
  try {
    const snap = readSnapFile(join(folder, snapName(term, index)), { maxKeys: 0 });
    return snap.index === index && snap.term === term;
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return false;
  }
}

/** Sizes and times of the segments: every write of etcd changes them. */
function signatureOf({ directory, files }: WalFolder): string {
  const parts = files.segments.map(({ name }) => {
    const path = join(directory, name);
    try {
      const { size, mtimeNs, ino } = statSync(path, { bigint: true });
      return `${name} ${size} ${mtimeNs} ${ino}`;
    } catch (error) {
      throw pathError(error, path, 'cannot be looked at');
    }
  });
  return parts.join('\n');
}

async function write(
  { files }: WalFolder,
  plan: RepairPlan,
  target: string,
  options: RepairWalOptions,
  phases: Phases,
  assertUnchanged: () => void,
): Promise<CheckReport> {
  const { mode, sync, signal, keepIndex } = options;
  let report: CheckReport | undefined;
  await writeOutputDirectory(
    target,
    async (directory) => {
      for (const planned of plan.segments) {
        const old = files.segments.find(({ name }) => name === planned.from);
        if (old === undefined) throw new DatadirError('INTERNAL', `the plan names ${planned.from}`);
        await phases.run(new CopyBytesJob(plannedSource(planned, old.source), directory.create(planned.name)));
      }
      assertUnchanged();
    },
    {
      mode,
      sync,
      signal,
      selfCheck: async (temporaryPath) => {
        const segments = plan.segments.map(({ name }) => ({ name, source: openFileSource(join(temporaryPath, name)) }));
        try {
          report = await phases.run(new WalCheckJob({ segments }, { path: target, mustReach: keepIndex }));
        } finally {
          for (const { source } of segments) source.close();
        }
        assertSame(plan.after, report);
      },
    },
  );
  return report as unknown as CheckReport;
}

/** What is on the disk comes to what was planned. */
function assertSame(planned: CheckReport | null, { verdict, counts, wal }: CheckReport): void {
  const text = (value: unknown): string => JSON.stringify(value);
  if (
    text({ verdict, counts, wal }) === text({ verdict: planned?.verdict, counts: planned?.counts, wal: planned?.wal })
  )
    return;
  throw new DatadirError('SELF_CHECK_FAILED', `the new log is ${verdict}, and not what was planned`);
}
