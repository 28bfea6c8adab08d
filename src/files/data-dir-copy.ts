/**
 * A copy of a data directory in which something is different (Node): there whole, synced and checked, or not at all. The original is only
 * read.
 */
import { DataDirCheckJob } from '../datadir/check-dir.ts';
import { DataDir } from '../datadir/data-dir.ts';
import { type FolderItem, itemNamed } from '../datadir/data-dir-files.ts';
import type { WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { startsOf } from '../datadir/start/start.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { describeFinding } from '../findings.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import type { RunOptions } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { type NewDirectory, writeOutputDirectories } from '../io/output-directory.ts';
import type { CheckReport } from '../report.ts';
import { parseSnapshotDbName, snapFolderKind } from '../snap/snap-name.ts';
import { isHarmless } from '../verdict.ts';
import { CopyBytesJob } from './copy-bytes.ts';
import { checkNewDataDir } from './data-dir-check.ts';
import { type DataDirOptions, openDataDirFolder } from './data-dir-folder.ts';
import type { Phases } from './phases.ts';
import { assertOutside } from './volume-root.ts';

/** Where a copy goes. */
export interface DataDirCopyOptions extends DataDirOptions, OutputOptions, RunOptions {
  /** The new directory of the log, outside of the new data directory. Default: in it. */
  readonly outputWalDir?: string | undefined;
}

/** What is different in the copy. */
export interface CopyPlan {
  /** Writes the db. */
  db(file: ByteFile): Promise<WrittenDb>;
  /** Goes on with the copied log, whose directory this is, and adds to the snap folder. */
  finish?(folders: {
    readonly wal: string;
    readonly snap: string;
    readonly output: NewDirectory;
  }): void | Promise<void>;
  /** Whether dbs that were received from a leader are copied too. */
  readonly keepsReceived: boolean;
  /** The release that must start on it. Default: the one whose data it is. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** Whether that release need not start on it: it is made for another one. Default false. */
  readonly mayBeRefused?: boolean | undefined;
}

/**
 * Opens a directory that is to be copied: `FILE_LOCKED` if an etcd runs on it, `EDIT_REFUSED` with the worst finding if it is damaged, or, with
 * `mustStart`, if the release whose data it is does not start on it.
 */
export async function openForCopy(
  path: string,
  options: DataDirOptions & { readonly mustStart?: boolean | undefined },
  phases: Phases,
): Promise<DataDir> {
  const dir = new DataDir(openDataDirFolder(path, options));
  try {
    if (dir.inUse) {
      const words = `${path}: a running etcd has the directory: stop it first`;
      throw new DatadirError('FILE_LOCKED', words, { path });
    }
    const { kind } = dir.layout;
    if (kind !== 'member' && kind !== 'both') {
      throw new DatadirError('UNKNOWN_KIND', `${path}: not a data directory, there is no member in it`, { path });
    }
    const report = await phases.run(new DataDirCheckJob(dir, { level: 'full' }));
    refuseDamage(report, path);
    if (options.mustStart === true) refuseUnlessStarts(report, path);
    return dir;
  } catch (error) {
    dir.close();
    throw error;
  }
}

/** What etcd mends itself is no reason not to go on. */
function refuseDamage({ findings }: CheckReport, path: string): void {
  const worst = findings.find((finding) => !isHarmless(finding) && finding.severity !== 'refuse');
  if (worst === undefined) return;
  const { message, remedy } = describeFinding(worst);
  throw new DatadirError('EDIT_REFUSED', `${path}: ${message}; ${remedy}`, { path });
}

/** A copy with a change of no concern to it would not start either. */
function refuseUnlessStarts(report: CheckReport, path: string): void {
  const etcdVersion = report.dataDir?.etcdVersion;
  const start = startsOf(report).find(({ version }) => version === etcdVersion);
  if (start === undefined || start.outcome === 'starts' || start.outcome === 'repairs') return;
  const words = start.words === '' ? start.outcome : start.words;
  throw new DatadirError('EDIT_REFUSED', `${path}: etcd ${etcdVersion} does not start on it (${words})`, { path });
}

/** Writes the copy. */
export async function copyDataDir(
  dir: DataDir,
  target: string,
  plan: CopyPlan,
  options: DataDirCopyOptions,
  phases: Phases,
): Promise<CheckReport> {
  const { outputWalDir, walDir, mode, sync, signal } = options;
  for (const path of [target, outputWalDir]) {
    if (path === undefined) continue;
    for (const folder of [dir.path, walDir]) if (folder !== undefined) assertOutside(path, folder);
  }
  let db: WrittenDb | undefined;
  let report: CheckReport | undefined;
  await writeOutputDirectories(
    [
      ...(outputWalDir === undefined ? [] : [{ path: outputWalDir, makeParents: true }]),
      { path: target, intoEmpty: true, makeParents: true },
    ],
    async (directories) => {
      const output = directories.at(-1) as NewDirectory;
      const walOutput = outputWalDir === undefined ? undefined : directories[0];
      db = await writeCopy(dir, output, walOutput, plan, phases);
    },
    {
      mode,
      sync,
      signal,
      selfCheck: async (paths) => {
        const expected = {
          path: paths.at(-1) as string,
          walDir: outputWalDir === undefined ? undefined : paths[0],
          target,
          db,
          old: oldDbOf(dir),
          etcdVersion: plan.etcdVersion,
          mayBeRefused: plan.mayBeRefused,
        };
        report = await checkNewDataDir(expected, phases);
      },
    },
  );
  return report as unknown as CheckReport;
}

/** The db that there was, if it can be opened: a replay of all of the log does without. */
function oldDbOf(dir: DataDir): ByteSource | undefined {
  try {
    return dir.hasDb ? dir.db : undefined;
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return undefined;
  }
}

async function writeCopy(
  dir: DataDir,
  output: NewDirectory,
  walOutput: NewDirectory | undefined,
  plan: CopyPlan,
  phases: Phases,
): Promise<WrittenDb> {
  const snap = output.makeFolder('member/snap');
  const db = await plan.db(output.create('member/snap/db'));
  for (const item of dir.files.snap.items) {
    if (isKept(item, plan.keepsReceived)) await copyFile(item, output.create(`member/snap/${item.name}`), phases);
  }
  const wal = walOutput?.temporaryPath ?? output.makeFolder('member/wal');
  const logOutput = walOutput ?? output;
  const prefix = walOutput === undefined ? 'member/wal/' : '';
  for (const { name } of dir.walFiles.segments) {
    const item = itemNamed(dir.files.wal, name) as FolderItem;
    await copyFile(item, logOutput.create(`${prefix}${name}`), phases);
  }
  await plan.finish?.({ wal, snap, output });
  return db;
}

/** Files that a server reads; what crashes have left is not taken along. */
function isKept({ name, type }: FolderItem, keepsReceived: boolean): boolean {
  if (type !== 'file') return false;
  if (parseSnapshotDbName(name) !== undefined) return keepsReceived;
  return snapFolderKind(name) === 'snap';
}

async function copyFile(item: FolderItem, target: ByteFile, phases: Phases): Promise<void> {
  const source = item.open();
  try {
    await phases.run(new CopyBytesJob(source, target));
  } finally {
    source.close();
  }
}
