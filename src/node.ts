/**
 * The entry for Node: everything of the portable one, with paths, files and worker threads.
 */
import { createNodeSha256 } from './checksum/node-sha256.ts';
import { createCheckJob } from './datadir/check.ts';
import { buildBoltFile } from './files/build-bolt.ts';
import { checkOpened, checkPath } from './files/check-path.ts';
import { compactBoltFile } from './files/compact-bolt.ts';
import { copyBoltFile } from './files/copy-bolt.ts';
import { type DataDirOptions, isDataDir, openDataDirFolder } from './files/data-dir-folder.ts';
import { type ExplainOptions, explain as explainHere } from './files/explain.ts';
import { createBoltFile, openReadableFile, openWritableFile } from './files/open-bolt.ts';
import { type OpenCheck, openForCheck } from './files/open-check.ts';
import { checkSnapPath, readSnapFile } from './files/read-snap.ts';
import { type ValidateOptions, validate as validateHere } from './files/validate.ts';
import { createWalDirectory, type IgnoreLockOptions, openWalDirectory } from './files/wal-directory.ts';
import { openWalFolder } from './files/wal-folder.ts';
import { withSource } from './files/write-checked.ts';
import {
  type Backend,
  type BoltDb,
  type BuildBoltOptions,
  type BuildEntries,
  type BuildSummary,
  type ByteFile,
  buildBolt as buildBoltIn,
  type CheckBoltOptions,
  type CheckInput,
  type CheckOptions,
  type CheckReport,
  type CheckSnapOptions,
  type CheckWalOptions,
  type CompactOptions,
  type CompactSummary,
  type CopyOptions,
  type CopySummary,
  type CreateBoltOptions,
  type CreateWalOptions,
  checkBolt as checkBoltInput,
  checkSnap as checkSnapInput,
  checkWal as checkWalFiles,
  compactBolt as compactBoltInto,
  copyBolt as copyBoltInto,
  createBolt as createBoltInput,
  createWal as createWalIn,
  type DataDir,
  type DataDirFiles,
  type Explanation,
  type Input,
  type LogDirectory,
  type Metadata,
  type OpenBackendOptions,
  type OpenBoltOptions,
  type OpenWalOptions,
  type OpenWritableOptions,
  openBackend as openBackendInput,
  openBolt as openBoltInput,
  openDataDir as openDataDirFiles,
  openWal as openWalIn,
  type RunOptions,
  readSnap as readSnapInput,
  readWal as readWalFiles,
  type Snap,
  type V2StoreOptions,
  type ValidationReport,
  type Wal,
  type WalFiles,
  type WalWriter,
  type WritableBoltDb,
} from './index.ts';
import type { LockOptions } from './io/file-lock.ts';
import { type FileSource, openFileSource } from './io/file-source.ts';
import { runSliced } from './io/job.ts';
import type { OutputOptions } from './io/output.ts';
import { noteInUse } from './wal/in-use.ts';
import { BackendAtPath } from './worker/backend-at-path.ts';
import type { HandedFile, HandedLog } from './worker/messages.ts';
import { handed, inWorker, plainOptions, type WorkerOptions } from './worker/worker-options.ts';

export {
  type AddMemberOptions,
  addMember,
  type ChangedDirectory,
  type ChangeMembersOptions,
  recluster,
  removeMember,
  updateMember,
} from './files/change-members.ts';
export { type CompactedHistory, type CompactHistoryOptions, compactHistory } from './files/compact-history.ts';
export { readConsistentIndex } from './files/consistent-index.ts';
export type { DataDirOptions } from './files/data-dir-folder.ts';
export { defrag } from './files/defrag.ts';
export { type Disarmed, type DisarmOptions, disarmAlarms } from './files/disarm-alarms.ts';
export type { EditCopyOptions, EditedCopy } from './files/edit-copy.ts';
export type { ExplainOptions } from './files/explain.ts';
export type { GuardOptions } from './files/guard-file.ts';
export {
  type BlankDb,
  type InitDbOptions,
  initDb,
} from './files/init-db.ts';
export type { LogBeside } from './files/log-beside.ts';
export { type MarkerDetails, type WriteMarkerOptions, writeExitCode, writeMarker } from './files/marker-file.ts';
export { type Migrated, type MigrateOptions, migrate } from './files/migrate.ts';
export { type OperateOptions, type OperationOutcome, operateOnCopy } from './files/operate-on-copy.ts';
export { type MemberSource, type PopulateOptions, populate, populateCluster } from './files/populate.ts';
export { type RepairWalOptions, type RepairWalResult, repairWal } from './files/repair-wal.ts';
export {
  type ReplaySummary,
  type ReplayToFileOptions,
  replayWal,
  type SnapshotSummary,
  snapshotFromDataDir,
} from './files/replay-to-file.ts';
export {
  type ClusterOptions,
  type CreatedMember,
  type CreatedMembers,
  type NewMemberOptions,
  type OneMemberOptions,
  type RestoreOptions,
  restoreCluster,
  restoreSnapshot,
} from './files/restore.ts';
export type { RestoreSourceOptions } from './files/restore-source.ts';
export type { ValidateOptions } from './files/validate.ts';
export type { IgnoreLockOptions } from './files/wal-directory.ts';
export { type WriteSnapOptions, writeSnap } from './files/write-snap.ts';
export * from './index.ts';
export { openByteFile } from './io/byte-file.ts';
export type { LockOptions } from './io/file-lock.ts';
export { type FileSource, openFileSource } from './io/file-source.ts';
export { type OutputOptions, removeTemporaries, writeOutput, writeOutputAsync } from './io/output.ts';
export type { BackendAtPath } from './worker/backend-at-path.ts';
export type { WorkerOptions } from './worker/worker-options.ts';

/** A path, or anything that the portable functions take. */
export type NodeInput = Input | string;

/** Opens a bolt database for reading, as the portable `openBolt`; also by path. `close()` closes the file. */
export function openBolt(input: NodeInput, options?: OpenBoltOptions): BoltDb;
/**
 * Opens a bolt database for writing, as the portable `openBolt`; also by path. Then the file is locked as bbolt and etcd
 * lock theirs, until `close()`: throws `FILE_LOCKED` when another program has it, `LOCK_UNKNOWN` when that cannot be told.
 */
export function openBolt(file: ByteFile | string, options: OpenWritableOptions & LockOptions): WritableBoltDb;
export function openBolt(
  input: NodeInput | ByteFile,
  options: OpenBoltOptions | (OpenWritableOptions & LockOptions) = {},
): BoltDb | WritableBoltDb {
  if (options.readOnly === false) {
    if (typeof input === 'string') return openWritableFile(input, options);
    return openBoltInput(input as ByteFile, options);
  }
  return typeof input === 'string' ? openReadableFile(input, options) : openBoltInput(input, options);
}

/**
 * Makes an empty bolt database, as the portable `createBolt`, or as a new file: `TARGET_EXISTS` if there is one. The file is
 * locked until `close()`, as `openBolt` does it.
 */
export function createBolt(
  target: ByteFile | string,
  options: CreateBoltOptions & LockOptions & OutputOptions = {},
): WritableBoltDb {
  return typeof target === 'string' ? createBoltFile(target, options) : createBoltInput(target, options);
}

/** Checks a bolt file without a pause, as the portable `checkBolt`; also by path. Throws if it cannot be opened. */
export function checkBolt(input: NodeInput, options: CheckBoltOptions = {}): CheckReport {
  if (typeof input !== 'string') return checkBoltInput(input, options);
  const source = openFileSource(input);
  try {
    return checkBoltInput(source, options);
  } finally {
    source.close();
  }
}

/**
 * Builds a bolt file from sorted entries, as the portable `buildBolt`, or as a new file, which is there whole, synced and
 * checked, or not at all: `TARGET_EXISTS` if there is one.
 */
export function buildBolt(
  target: ByteFile | string,
  entries: BuildEntries,
  options: BuildBoltOptions & OutputOptions = {},
): Promise<BuildSummary> {
  return typeof target === 'string' ? buildBoltFile(target, entries, options) : buildBoltIn(target, entries, options);
}

/** Compacts a bolt file, as the portable `compactBolt`; also by path, and into a new file as `buildBolt` makes it. */
export function compactBolt(
  input: NodeInput,
  target: ByteFile | string,
  options: CompactOptions & OutputOptions & RunOptions = {},
): Promise<CompactSummary> {
  if (typeof target === 'string') return compactBoltFile(input, target, options);
  return withSource(input, (source) => compactBoltInto(source, target, options));
}

/** Copies a bolt file, as the portable `copyBolt`; also by path, and into a new file as `buildBolt` makes it. */
export function copyBolt(
  input: NodeInput,
  target: ByteFile | string,
  options: CopyOptions & OutputOptions & RunOptions = {},
): Promise<CopySummary> {
  if (typeof target === 'string') return copyBoltFile(input, target, options);
  return withSource(input, (source) => copyBoltInto(source, target, options));
}

/**
 * Opens a log for reading, as the portable `readWal`; also by path: the directory of the log, a data directory, or one
 * segment. `close()` closes the files.
 */
export function readWal(input: WalFiles | string): Wal {
  return readWalFiles(typeof input === 'string' ? openWalFolder(input).files : input);
}

/** Checks a log without a pause, as the portable `checkWal`; also by path. Throws if it cannot be opened. */
export function checkWal(input: WalFiles | string, options: CheckWalOptions = {}): CheckReport {
  if (typeof input !== 'string') return checkWalFiles(input, options);
  const folder = openWalFolder(input);
  try {
    const report = checkWalFiles(folder.files, { alone: folder.alone, path: input, ...options });
    return folder.inUse ? noteInUse(report) : report;
  } finally {
    folder.close();
  }
}

/** Makes a new log, as the portable `createWal`; also by path, whole or not at all: `TARGET_EXISTS` if something is there. */
export function createWal(
  target: LogDirectory | string,
  metadata: Metadata | Uint8Array | undefined,
  options: CreateWalOptions,
): WalWriter {
  return typeof target === 'string'
    ? createWalDirectory(target, metadata, options)
    : createWalIn(target, metadata, options);
}

/** Opens a log for appending, in place, as the portable `openWal`; also by path: `FILE_LOCKED` if an etcd is seen to have it. */
export function openWal(target: LogDirectory | string, options: OpenWalOptions & IgnoreLockOptions): WalWriter {
  return typeof target === 'string' ? openWalDirectory(target, options) : openWalIn(target, options);
}

/** Reads a `.snap` file, as the portable `readSnap`; also by path. */
export function readSnap(input: NodeInput, options: V2StoreOptions = {}): Snap {
  return typeof input === 'string' ? readSnapFile(input, options) : readSnapInput(input, options);
}

/**
 * Checks a `.snap` file without a pause, as the portable `checkSnap`; also by path, which may be that of a snap folder or a data
 * directory. Throws if it cannot be opened.
 */
export function checkSnap(input: NodeInput, options: CheckSnapOptions = {}): CheckReport {
  return typeof input === 'string' ? checkSnapPath(input, options) : checkSnapInput(input, options);
}

/**
 * Opens what etcd keeps in a db for reading, as the portable `openBackend`; also by path: a db file, a snapshot file, or a data
 * directory, whose db is read as it is. `close()` closes the file.
 */
export function openBackend(path: string, options?: DataDirOptions): BackendAtPath;
export function openBackend(input: NodeInput, options?: OpenBackendOptions & DataDirOptions): Backend;
export function openBackend(input: NodeInput, options: OpenBackendOptions & DataDirOptions = {}): Backend {
  return typeof input === 'string' ? new BackendAtPath(input, options) : openBackendInput(input, options);
}

/**
 * Opens a data directory for reading, as the portable `openDataDir`; also by path: `NOT_FOUND` if nothing is there,
 * `UNKNOWN_KIND` if it is no directory. An etcd may be running on it.
 */
export function openDataDir(input: DataDirFiles | string, options: DataDirOptions = {}): DataDir {
  return openDataDirFiles(typeof input === 'string' ? openDataDirFolder(input, options) : input);
}

/**
 * Checks what is at a path (a data directory, a file, the directory of a log, a snap folder), or bytes, or a source, without
 * blocking the event loop.
 */
export async function check(
  input: CheckInput | string,
  options: CheckOptions & DataDirOptions & RunOptions & WorkerOptions = {},
): Promise<CheckReport> {
  if (typeof input !== 'string') {
    return runSliced(createCheckJob(input, options, { sha256: createNodeSha256 }), options);
  }
  if (isDataDir(input)) {
    const request = { job: 'directory', task: 'check', path: input, options: plainOptions(options) } as const;
    return inWorker(request, options, () => checkPath(input, options));
  }
  const opened = openForCheck(input, options);
  const checkOptions = { ...options, path: options.path ?? input };
  try {
    const subject = subjectOf(opened);
    const request = subject && ({ job: 'check', subject, options: plainOptions(checkOptions) } as const);
    return await opened.finish(await inWorker(request, options, () => checkOpened(opened, checkOptions)));
  } finally {
    opened.close();
  }
}

/**
 * Decides whether etcd may start on the data directory at a path: marker, guard, content, backups. Writes nothing, but for what
 * `updateMarker` and `createGuard` ask for, which is never in the directory. What is wrong with the directory is in the report.
 */
export function validate(
  path: string,
  options: ValidateOptions & RunOptions & WorkerOptions = {},
): Promise<ValidationReport> {
  const request = { job: 'directory', task: 'validate', path, options: plainOptions(options) } as const;
  return inWorker(request, options, () => validateHere(path, options));
}

/** Tells what each release of etcd does when it is started on the data directory at a path. Nothing is changed. */
export function explain(path: string, options: ExplainOptions & WorkerOptions = {}): Promise<Explanation> {
  const request = { job: 'directory', task: 'explain', path, options: plainOptions(options) } as const;
  return inWorker(request, options, () => explainHere(path, options));
}

/** What can be handed to another thread; undefined if it is too little to be worth it. */
function subjectOf({ input, file }: OpenCheck): HandedFile | HandedLog | undefined {
  if (file !== undefined) return handed(file);
  if (!('wal' in input)) return undefined;
  const { wal } = input;
  // They were all opened from the disk.
  const segments = wal.segments.map(({ name, source }) => ({ name, ...handed(source as FileSource) }));
  return { segments, others: wal.others ?? [] };
}
