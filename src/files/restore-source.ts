/**
 * What a data directory is restored from (Node): a snapshot file, a plain db, or a data directory, whose log is replayed.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { readMeta } from '../backend/meta.ts';
import { type Revisions, readRevisions, revisionsOf } from '../backend/revisions.ts';
import { type DbVersions, readDbVersions } from '../datadir/create/target-release.ts';
import { DataDir } from '../datadir/data-dir.ts';
import type { ReplayFinding } from '../datadir/replay/findings.ts';
import type { ReplayedState } from '../datadir/replay/outcome.ts';
import { ReplayJob, type ReplayOptions } from '../datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../datadir/replay/write-db.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { RewriteJob, type WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { DatadirError } from '../errors.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { type FileSource, openFileSource } from '../io/file-source.ts';
import type { Job, RunOptions } from '../io/job.ts';
import { openDataDirFolder } from './data-dir-folder.ts';
import { isDirectory } from './member-folder.ts';
import type { Phases } from './phases.ts';
import { verifySnapshot } from './verify-snapshot.ts';

/** Options of everything that takes such a source. */
export interface RestoreSourceOptions extends Pick<ReplayOptions, 'tail' | 'minLeaseTtl' | 'persistCheckpoints'> {
  /** A file without the sha256 of a snapshot file is taken, and one that is there is not looked at. Default false. */
  readonly skipHashCheck?: boolean | undefined;
  /** Of a data directory: where its log is, if not in `member/wal`. */
  readonly sourceWalDir?: string | undefined;
}

/** Something to restore from, open. */
export interface RestoreSource {
  readonly kind: 'snapshot' | 'db' | 'data-dir';
  /** Of a large snapshot file: whether its sha256 is right is still being found out. To be waited for before anything gets a name. */
  readonly verified: Promise<void>;
  /** Bytes, about: for progress. */
  readonly size: number;
  /** The old db, whose flaws the new one may have. Undefined if everything comes from a log. */
  readonly old: ByteSource | undefined;
  readonly revisions: Revisions;
  readonly versions: DbVersions;
  readonly findings: readonly ReplayFinding[];
  /** The job that writes the db with what `edit` adds to its changes. */
  write(file: ByteFile, edit: (changes: DbChanges) => void): Job<WrittenDb>;
  close(): void;
}

/** Opens and verifies it. Throws `NOT_FOUND`, `UNKNOWN_KIND`, `BOLT_NO_META`, `SNAPSHOT_DAMAGED`, and what a replay throws. */
export async function openRestoreSource(
  path: string,
  options: RestoreSourceOptions & Pick<RunOptions, 'signal'>,
  phases: Phases,
): Promise<RestoreSource> {
  return isDirectory(path) ? openDirectory(path, options, phases) : openFile(path, options, phases);
}

async function openFile(
  path: string,
  options: RestoreSourceOptions & Pick<RunOptions, 'signal'>,
  phases: Phases,
): Promise<RestoreSource> {
  const source = openFileSource(path);
  let verified: Promise<void> = Promise.resolve();
  // A thread may still be reading: it must not find another file under the same descriptor.
  const close = (): void => void verified.catch(() => {}).finally(() => source.close());
  try {
    refuseOtherFiles(source, path);
    const file = new BackendFile(source);
    const end = file.read((db) => db.highWaterMark * db.pageSize);
    const { skipHashCheck: skip = false, signal } = options;
    const verification = await verifySnapshot(source, end, { skip, signal }, phases);
    verified = verification.verified;
    return {
      ...verification,
      size: source.size,
      old: source,
      revisions: file.read((db) => readRevisions(db)),
      versions: file.read(readDbVersions),
      findings: [],
      write(target, edit) {
        const changes = new DbChanges();
        edit(changes);
        return new RewriteJob(source, changes, target);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

const GZIP = 0x1f8b;

/** What people take for a snapshot file by mistake. */
function refuseOtherFiles(source: FileSource, path: string): void {
  const head = new Uint8Array(2);
  source.readInto(head, 0);
  if (((head[0] as number) << 8) + (head[1] as number) === GZIP) {
    throw new DatadirError('UNKNOWN_KIND', `${path}: compressed with gzip; unpack it first (gunzip)`, { path });
  }
  if (path.endsWith('.part')) {
    const words = 'what etcdctl snapshot save had not finished when it ended; if it is whole all the same, rename it';
    throw new DatadirError('SNAPSHOT_DAMAGED', `${path}: ${words}`, { path });
  }
}

/** Nothing at all: a db with empty buckets. */
export const BLANK_SOURCE: RestoreSource = {
  kind: 'db',
  verified: Promise.resolve(),
  size: 0,
  old: undefined,
  revisions: revisionsOf(null, { finishedCompact: null, scheduledCompact: null }),
  versions: { storageVersion: null, clusterVersion: null, downgradeTo: null },
  findings: [],
  write(target, edit) {
    const changes = new DbChanges();
    edit(changes);
    return new RewriteJob(undefined, changes, target);
  },
  close: () => {},
};

async function openDirectory(path: string, options: RestoreSourceOptions, phases: Phases): Promise<RestoreSource> {
  const { sourceWalDir: walDir, tail, minLeaseTtl, persistCheckpoints } = options;
  const dir = new DataDir(openDataDirFolder(path, { walDir }));
  try {
    const state = await phases.run(new ReplayJob(dir, { tail, minLeaseTtl, persistCheckpoints }));
    const { stoppedAt, findings } = state;
    if (stoppedAt !== undefined) {
      const words = `etcd ${state.tail.version} panics at entry ${stoppedAt.index} of the log (${stoppedAt.words})`;
      throw new DatadirError(
        'REPLAY_REFUSED',
        `${path}: ${words}; 'etcd-datadir snapshot' writes what comes before it, which can then be restored`,
        { path },
      );
    }
    return {
      kind: 'data-dir',
      verified: Promise.resolve(),
      size: state.tail.from.file?.source.size ?? 0,
      old: state.tail.from.file?.source,
      revisions: replayedRevisions(state),
      versions: replayedVersions(state),
      findings,
      write: (target, edit) => new WriteReplayedJob(state, target, edit),
      close: () => dir.close(),
    };
  } catch (error) {
    dir.close();
    throw error;
  }
}

function replayedRevisions({ db, parts: { keyspace } }: ReplayedState): Revisions {
  const { newRecords, compaction } = keyspace;
  const stored = db === undefined ? undefined : readRevisions(db);
  const last = newRecords.length > 0 ? newRecords.get(newRecords.length - 1) : (stored?.last ?? null);
  return revisionsOf(last && { main: last.main, sub: last.sub }, {
    finishedCompact: compaction ?? stored?.finishedCompact ?? null,
    scheduledCompact: compaction ?? stored?.scheduledCompact ?? null,
  });
}

function replayedVersions({ db, parts: { cluster } }: ReplayedState): DbVersions {
  return {
    storageVersion: db === undefined ? null : readMeta(db).storageVersion,
    clusterVersion: cluster.version,
    downgradeTo: cluster.downgradeTarget ?? null,
  };
}
