/**
 * What a data directory is restored from (Node): a snapshot file, a plain db, or a data directory, whose log is replayed. Looked at and
 * verified before anything is written.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { readMeta } from '../backend/meta.ts';
import { type Revisions, readRevisions, revisionsOf } from '../backend/revisions.ts';
import { TrailerJob } from '../backend/trailer.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
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
import type { Job } from '../io/job.ts';
import { openDataDirFolder } from './data-dir-folder.ts';
import { isDirectory } from './member-folder.ts';
import type { Phases } from './phases.ts';

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
  options: RestoreSourceOptions,
  phases: Phases,
): Promise<RestoreSource> {
  return isDirectory(path) ? openDirectory(path, options, phases) : openFile(path, options, phases);
}

async function openFile(path: string, options: RestoreSourceOptions, phases: Phases): Promise<RestoreSource> {
  const source = openFileSource(path);
  try {
    refuseOtherFiles(source, path);
    const file = new BackendFile(source);
    const end = file.read((db) => db.highWaterMark * db.pageSize);
    const kind = await verifyTrailer(source, end, options.skipHashCheck ?? false, phases);
    return {
      kind,
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
      close: () => source.close(),
    };
  } catch (error) {
    source.close();
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

/** Whether it has a sha256, which then is right, unless nobody wants to know. `end`: where the last page ends. */
async function verifyTrailer(
  source: FileSource,
  end: number,
  skip: boolean,
  phases: Phases,
): Promise<'snapshot' | 'db'> {
  const { path, size } = source;
  const damaged = (words: string): DatadirError => new DatadirError('SNAPSHOT_DAMAGED', `${path}: ${words}`, { path });
  if (size < end) throw damaged(`the file is cut off: it has ${size} bytes, its pages end at ${end}`);
  const job = new TrailerJob(source, end, createNodeSha256);
  if (skip) return job.progress.total > 0 ? 'snapshot' : 'db';
  const { state, stored, computed } = await phases.run(job);
  const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
  switch (state) {
    case 'right':
      return 'snapshot';
    case 'wrong':
      throw damaged(
        `expected sha256 ${hex(stored)}, got ${hex(computed)}: the file is not what etcdctl snapshot save wrote; take another one, or see what 'etcd-datadir check' finds and skip the hash check (--skip-hash-check)`,
      );
    case 'truncated':
      throw damaged(
        `the sha256 at its end is cut off: it has ${size} bytes, its pages end at ${end} and 32 bytes must follow; 'etcd-datadir check' tells whether the db is whole, then the hash check can be skipped (--skip-hash-check)`,
      );
    case 'missing':
      throw damaged(
        'snapshot missing hash but --skip-hash-check=false: the db of a member has none, so skip the hash check (--skip-hash-check) if this is a copy of one; a snapshot file without it was cut off',
      );
  }
}

/** Nothing at all: a db with empty buckets. */
export const BLANK_SOURCE: RestoreSource = {
  kind: 'db',
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
