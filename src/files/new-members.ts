/**
 * Writes the data directories of the members of a new cluster (Node): db, log and `.snap` file of each, all of them or none.
 */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { writeFirstLog } from '../datadir/create/first-log.ts';
import { firstSnap } from '../datadir/create/first-snap.ts';
import { changeIdentity } from '../datadir/create/new-identity.ts';
import type { DbChanges } from '../datadir/rewrite/db-changes.ts';
import type { WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { OutputOptions } from '../io/output.ts';
import { assertFree, type DirectoryTarget, type NewDirectory, writeOutputDirectories } from '../io/output-directory.ts';
import type { NewCluster, NewMember } from '../membership/new-cluster.ts';
import { snapName } from '../snap/snap-name.ts';
import { encodeSnap } from '../snap/writer.ts';
import { segmentName } from '../wal/segment-name.ts';
import { CopyBytesJob } from './copy-bytes.ts';
import { checkNewDataDir } from './data-dir-check.ts';
import type { Phases } from './phases.ts';
import type { RestoreSource } from './restore-source.ts';
import { fileLogDirectory } from './wal-directory.ts';

/** A member whose directory is to be made. */
export interface MemberPlace {
  readonly member: NewMember;
  readonly dataDir: string;
  /** If the log is not to be in the data directory. */
  readonly walDir?: string | undefined;
}

/** What is to be made. */
export interface NewMembersPlan {
  readonly cluster: NewCluster;
  readonly places: readonly MemberPlace[];
  /** The directory that holds the data directories of all of them, and is made with them; undefined for a single one. */
  readonly outDir?: string | undefined;
  /** Whose bytes log and `.snap` file have. */
  readonly bytesOf: EtcdMinor;
  /** The release that must start on it. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** Further changes of the db. */
  edit(changes: DbChanges): void;
}

/** The files that there will be, each with its path. */
export function plannedFiles({ cluster, places }: NewMembersPlan): string[] {
  const { index, term } = firstSnap(cluster, '3.6');
  return places.flatMap(({ dataDir, walDir }) => [
    join(dataDir, 'member', 'snap', 'db'),
    join(dataDir, 'member', 'snap', snapName(term, index)),
    join(walDir ?? join(dataDir, 'member', 'wal'), segmentName(0n, 0n)),
  ]);
}

/** Where a member is while it is made. */
interface Making {
  readonly place: MemberPlace;
  readonly directory: NewDirectory;
  /** Of the data directory in `directory`: empty, or a name and a slash. */
  readonly prefix: string;
  /** Of a log outside of it. */
  readonly walDirectory: NewDirectory | undefined;
  /** Where the log is in the data directory, if it is in it. */
  readonly walFolder: string;
}

/** Writes all of them. Throws `TARGET_EXISTS` for what is there already, with the words of etcd. */
export async function writeNewMembers(
  source: RestoreSource,
  plan: NewMembersPlan,
  options: OutputOptions & { readonly signal?: AbortSignal | undefined },
  phases: Phases,
): Promise<void> {
  const { mode, sync, signal } = options;
  const { targets, makingsIn } = layOut(plan);
  let db: WrittenDb | undefined;
  let makings: readonly Making[] = [];
  try {
    await writeOutputDirectories(
      targets,
      async (directories) => {
        makings = makingsIn(directories);
        db = await writeAll(source, plan, makings, phases);
        await source.verified;
      },
      {
        mode,
        sync,
        signal,
        selfCheck: async () => {
          for (const { place, directory, prefix, walDirectory, walFolder } of makings) {
            const path = join(directory.temporaryPath, prefix);
            const inside = walFolder === DEFAULT_WAL ? undefined : join(path, walFolder);
            await checkNewDataDir(
              {
                path,
                walDir: walDirectory?.temporaryPath ?? inside,
                target: place.dataDir,
                db,
                old: source.old,
                etcdVersion: plan.etcdVersion,
                memberId: place.member.id,
                clusterId: plan.cluster.clusterId,
              },
              phases,
            );
          }
        },
      },
    );
  } catch (error) {
    throw inWordsOfEtcd(error, plan);
  }
}

/** Throws at once for what is in the way, before a large source is verified. */
export function assertTargetsFree(plan: Pick<NewMembersPlan, 'places' | 'outDir'>): void {
  const { targets } = layOut(plan);
  // As etcd does it: the data directory before that of the log.
  for (const { path, intoEmpty = false } of targets.toReversed()) {
    try {
      assertFree(path, intoEmpty);
    } catch (error) {
      throw inWordsOfEtcd(error, plan);
    }
  }
}

/** Which directories are made, and which member is where in them. */
function layOut({ places, outDir }: Pick<NewMembersPlan, 'places' | 'outDir'>): {
  readonly targets: readonly DirectoryTarget[];
  makingsIn(directories: readonly NewDirectory[]): readonly Making[];
} {
  if (outDir !== undefined) {
    return {
      targets: [{ path: outDir, intoEmpty: true, makeParents: true }],
      makingsIn: ([directory]) =>
        places.map((place) => ({
          place,
          directory: directory as NewDirectory,
          prefix: `${relative(resolve(outDir), resolve(place.dataDir))}/`,
          walDirectory: undefined,
          walFolder: DEFAULT_WAL,
        })),
    };
  }
  const [place] = places;
  if (place === undefined) throw new DatadirError('INTERNAL', 'there is no member to be made');
  const { dataDir, walDir } = place;
  const walFolder = folderInside(dataDir, walDir);
  const outside = walFolder === undefined ? walDir : undefined;
  // The log first: without a db beside it no server does anything with it.
  const targets = [
    ...(outside === undefined ? [] : [{ path: outside, makeParents: true }]),
    { path: dataDir, intoEmpty: true, makeParents: true },
  ];
  return {
    targets,
    makingsIn: (directories) => [
      {
        place,
        directory: directories.at(-1) as NewDirectory,
        prefix: '',
        walDirectory: outside === undefined ? undefined : directories[0],
        walFolder: walFolder ?? DEFAULT_WAL,
      },
    ],
  };
}

/** Where etcd looks for the log if nobody says otherwise. */
const DEFAULT_WAL = 'member/wal';

/** Where in the data directory the log goes, if it goes there; undefined if it goes elsewhere, or nobody says. */
function folderInside(dataDir: string, walDir: string | undefined): string | undefined {
  if (walDir === undefined) return undefined;
  const folder = within(dataDir, walDir);
  const isInTheWay = folder === '' || folder === 'member' || `${folder}/`.startsWith('member/snap/');
  if (isInTheWay || within(walDir, dataDir) !== undefined) {
    throw new DatadirError('USAGE', `${walDir}: no place for the log of ${dataDir}, which has other files there`, {
      path: walDir,
    });
  }
  return folder;
}

/** The path of `inner` from `outer` on, with slashes; undefined if it does not lie there. */
function within(outer: string, inner: string): string | undefined {
  const path = relative(resolve(outer), resolve(inner));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path.split(sep).join('/');
}

async function writeAll(
  source: RestoreSource,
  plan: NewMembersPlan,
  makings: readonly Making[],
  phases: Phases,
): Promise<WrittenDb> {
  const { cluster, bytesOf } = plan;
  let written: { readonly file: ByteFile; readonly db: WrittenDb } | undefined;
  for (const { place, directory, prefix, walDirectory, walFolder } of makings) {
    directory.makeFolder(`${prefix}member/snap`);
    const file = directory.create(`${prefix}member/snap/db`);
    if (written === undefined) {
      const db = await phases.run(
        source.write(file, (changes) => {
          changeIdentity(changes, cluster);
          plan.edit(changes);
        }),
      );
      written = { file, db };
    } else await phases.run(new CopyBytesJob(written.file, file));
    const snap = firstSnap(cluster, bytesOf);
    directory.create(`${prefix}member/snap/${snapName(snap.term, snap.index)}`).write(0, encodeSnap(snap, bytesOf));
    const walPath = walDirectory?.temporaryPath ?? directory.makeFolder(`${prefix}${walFolder}`);
    writeFirstLog(fileLogDirectory(walPath), cluster, place.member.id, bytesOf);
  }
  return (written as { readonly db: WrittenDb }).db;
}

/** Of directories that are in the way etcd's own tools speak so. */
function inWordsOfEtcd(error: unknown, { places }: Pick<NewMembersPlan, 'places'>): unknown {
  if (!isDatadirError(error, 'TARGET_EXISTS')) return error;
  for (const { dataDir, walDir } of places) {
    const words =
      error.path === walDir
        ? `wal-dir "${walDir}" exists`
        : error.path === dataDir
          ? `data-dir "${dataDir}" not empty or could not be read`
          : undefined;
    if (words !== undefined)
      return new DatadirError('TARGET_EXISTS', words, { path: error.path as string, cause: error });
  }
  return error;
}
