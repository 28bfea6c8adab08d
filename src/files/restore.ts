/**
 * Data directories from a snapshot (Node): one member's, or those of a whole cluster. What etcd's `snapshot restore` does, for any release.
 */
import { join } from 'node:path';
import { memberUrls } from '../datadir/create/client-urls.ts';
import { changeIdentity } from '../datadir/create/new-identity.ts';
import { type BumpRevision, bumpRevision, planBump, type RevisionBump } from '../datadir/create/revision-bump.ts';
import { startCommand } from '../datadir/create/start-command.ts';
import { changeForRelease, type ReleaseNotes } from '../datadir/create/target-release.ts';
import type { ReplayFinding } from '../datadir/replay/findings.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { RunOptions } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { type InitialCluster, parseInitialCluster } from '../membership/initial-cluster.ts';
import { type NewCluster, type NewMember, newCluster } from '../membership/new-cluster.ts';
import { parsePeerUrls } from '../membership/peer-urls.ts';
import { verifyBootstrap, verifyNoDuplicateUrls } from '../membership/verify-bootstrap.ts';
import {
  assertTargetsFree,
  type MemberPlace,
  type NewMembersPlan,
  plannedFiles,
  writeNewMembers,
} from './new-members.ts';
import { Phases } from './phases.ts';
import { openRestoreSource, type RestoreSource, type RestoreSourceOptions } from './restore-source.ts';
import { assertOutside } from './volume-root.ts';

/** What a new cluster is made of. */
export interface ClusterOptions {
  /** Who belongs to it: `n1=http://10.0.0.1:2380,n2=…`, or names with their peer URLs. Default `default=http://localhost:2380`. */
  readonly initialCluster?: string | Readonly<Record<string, string | readonly string[]>> | InitialCluster | undefined;
  /** Makes the ids differ from those of other clusters with the same URLs. Default `etcd-cluster`. */
  readonly initialClusterToken?: string | undefined;
  /** Members that do not vote until they are promoted: at most one. */
  readonly learners?: Iterable<string> | undefined;
  /** The release that is to start: decides the bytes of log and `.snap` file, and what is left out of the db. Default: that of the data. */
  readonly etcdVersion?: EtcdMinor | undefined;
}

/** What everything that makes members takes. */
export interface NewMemberOptions extends ClusterOptions, OutputOptions, RunOptions {
  /** Verifies the source and tells what would be made. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** How a snapshot is restored. */
export interface RestoreOptions extends NewMemberOptions, RestoreSourceOptions {
  /** Raises the revision, so that no client has seen what is written next. */
  readonly bumpRevision?: BumpRevision | undefined;
  /** The highest revision that any client may have seen. */
  readonly notBelow?: bigint | undefined;
  /** A downgrade that was under way stays so. Default false. */
  readonly keepDowngrade?: boolean | undefined;
}

/** Which member it is, and where it goes. */
export interface OneMemberOptions {
  /** Its name in the initial cluster. Default `default`. */
  readonly name?: string | undefined;
  /** Its peer URLs, which must be those of the initial cluster. Default: just these. */
  readonly peerUrls?: readonly string[] | undefined;
  /** The new data directory: it must not exist, or be empty. Default `NAME.etcd`. */
  readonly dataDir?: string | undefined;
  /** The new directory of the log, outside of it. Default: in it. */
  readonly walDir?: string | undefined;
}

/** A member of the new cluster. */
export interface CreatedMember extends NewMember {
  /** Its directory, if it was made. */
  readonly dataDir: string | null;
  readonly walDir: string | null;
  /** The command line that starts it, if it was made. */
  readonly startCommand: string | null;
}

/** What was made. */
export interface CreatedMembers {
  readonly clusterId: bigint;
  /** The one that was made, its name and how it is started; null if it is all of them. */
  readonly memberId: bigint | null;
  readonly startCommand: string | null;
  /** All members of the cluster, ascending by id. */
  readonly members: readonly CreatedMember[];
  /** The revision that a client sees first. */
  readonly revision: bigint;
  readonly bump: RevisionBump | null;
  /** The release that was asked for. */
  readonly etcdVersion: EtcdMinor | null;
  readonly files: readonly string[];
  /** What was changed of the data besides, and why. */
  readonly notes: ReleaseNotes;
  /** Of the replay, where a data directory was the source. */
  readonly findings: readonly ReplayFinding[];
  readonly dryRun: boolean;
}

const DEFAULT_NAME = 'default';
const DEFAULT_CLUSTER = 'default=http://localhost:2380';
const DEFAULT_TOKEN = 'etcd-cluster';
/** Whose bytes are written where no release is named: those of 3.5 and 3.6 are the same but for one number in the `.snap` file. */
const DEFAULT_BYTES: EtcdMinor = '3.6';
/** Whose rules for URLs count there. */
const DEFAULT_RULES: EtcdMinor = '3.7';

/**
 * Makes the data directory of one member of a new cluster from a snapshot file, a db, or another data directory, which are only read.
 * Throws `USAGE` for members that etcd refuses, in its words; `SNAPSHOT_DAMAGED`, `BOLT_SOURCE_DAMAGED`, `TARGET_EXISTS`, `EDIT_REFUSED`.
 */
export async function restoreSnapshot(
  source: string,
  options: RestoreOptions & OneMemberOptions = {},
): Promise<CreatedMembers> {
  const { cluster, place } = oneMember(options);
  return restore(source, { cluster, places: [place] }, options);
}

/** Makes the data directories of all members, each in a folder of its name in the new directory `outDir`. As `restoreSnapshot`. */
export async function restoreCluster(
  source: string,
  outDir: string,
  options: RestoreOptions = {},
): Promise<CreatedMembers> {
  const { cluster, places } = allMembers(outDir, options);
  return restore(source, { cluster, places, outDir }, options);
}

/** The cluster, and the member of it that is to be made. @internal */
export function oneMember(options: ClusterOptions & OneMemberOptions): { cluster: NewCluster; place: MemberPlace } {
  const { name = DEFAULT_NAME, peerUrls, walDir } = options;
  const { dataDir = `${name}.etcd` } = options;
  const { etcdVersion = DEFAULT_RULES } = options;
  const initial = initialClusterOf(options, etcdVersion);
  // A name that is not in the list has no URLs; that it is missing is what has to be said.
  const advertised = peerUrls ?? initial.get(name);
  verifyBootstrap(initial, name, advertised === undefined ? [] : parsePeerUrls(advertised, etcdVersion), etcdVersion);
  const cluster = clusterOf(initial, options);
  const member = cluster.members.find((each) => each.name === name) as NewMember;
  return { cluster, place: { member, dataDir, walDir } };
}

/** The cluster, and a place for each member. @internal */
export function allMembers(outDir: string, options: ClusterOptions): { cluster: NewCluster; places: MemberPlace[] } {
  const { etcdVersion = DEFAULT_RULES } = options;
  const initial = initialClusterOf(options, etcdVersion);
  verifyNoDuplicateUrls(initial, etcdVersion);
  const cluster = clusterOf(initial, options);
  const places = cluster.members.map((member) => ({ member, dataDir: join(outDir, folderName(member.name)) }));
  return { cluster, places };
}

function initialClusterOf({ initialCluster = DEFAULT_CLUSTER }: ClusterOptions, rules: EtcdMinor): InitialCluster {
  if (typeof initialCluster === 'string') return parseInitialCluster(initialCluster, rules);
  const pairs = initialCluster instanceof Map ? [...initialCluster] : Object.entries(initialCluster);
  const cluster = new Map<string, readonly string[]>();
  for (const [name, urls] of pairs) cluster.set(name, parsePeerUrls(typeof urls === 'string' ? [urls] : urls, rules));
  return cluster;
}

function clusterOf(
  initial: InitialCluster,
  { initialClusterToken = DEFAULT_TOKEN, learners }: ClusterOptions,
): NewCluster {
  return newCluster(initial, initialClusterToken, new Set(learners));
}

/** A name that can be that of a folder. */
function folderName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255)
    return name;
  throw new DatadirError(
    'USAGE',
    `the member name ${JSON.stringify(name)} cannot be that of a folder: restore it by itself`,
  );
}

async function restore(
  path: string,
  where: Pick<NewMembersPlan, 'cluster' | 'places' | 'outDir'>,
  options: RestoreOptions,
): Promise<CreatedMembers> {
  assertTargetsFree(where);
  const phases = new Phases(options, 0);
  const source = await openRestoreSource(path, options, phases);
  try {
    if (source.kind === 'data-dir') {
      for (const { dataDir, walDir } of where.places) {
        for (const target of [dataDir, walDir]) if (target !== undefined) assertOutside(target, path);
      }
    }
    return await makeMembers(source, where, options, phases);
  } finally {
    source.close();
  }
}

/** Makes them from an open source. @internal */
export async function makeMembers(
  source: RestoreSource,
  where: Pick<NewMembersPlan, 'cluster' | 'places' | 'outDir'>,
  options: RestoreOptions,
  phases: Phases,
): Promise<CreatedMembers> {
  const { etcdVersion, keepDowngrade, dryRun = false, notBelow } = options;
  const { versions, revisions, findings } = source;
  if (notBelow !== undefined && options.bumpRevision === undefined) {
    throw new DatadirError('USAGE', 'notBelow says how far bumpRevision must go at least, which is not given');
  }
  const bump = options.bumpRevision === undefined ? null : planBump(options.bumpRevision, revisions, notBelow);
  const release = (changes: DbChanges): ReleaseNotes =>
    changeForRelease(changes, versions, { target: etcdVersion, keepDowngrade });
  // Refuses what has no way to the release before anything is written.
  const notes = release(new DbChanges());
  const plan: NewMembersPlan = {
    ...where,
    bytesOf: etcdVersion ?? DEFAULT_BYTES,
    etcdVersion,
    edit(changes) {
      release(changes);
      if (bump !== null) bumpRevision(changes, bump);
    },
  };
  if (dryRun) await verifyContent(source, plan, phases);
  else await writeNewMembers(source, plan, options, phases);
  return {
    ...describe(plan),
    revision: bump?.revision ?? revisions.current,
    bump,
    etcdVersion: etcdVersion ?? null,
    files: plannedFiles(plan),
    notes,
    findings,
    dryRun,
  };
}

/** What the writing would find out on the way: it goes nowhere. */
async function verifyContent(source: RestoreSource, plan: NewMembersPlan, phases: Phases): Promise<void> {
  await source.verified;
  const edit = (changes: DbChanges): void => {
    changeIdentity(changes, plan.cluster);
    plan.edit(changes);
  };
  await phases.run(source.write(nowhere(), edit));
}

/** A file that keeps nothing of what is written to it. */
function nowhere(): ByteFile {
  let size = 0;
  return {
    get size() {
      return size;
    },
    write(offset, bytes) {
      size = Math.max(size, offset + bytes.length);
    },
    truncate(to) {
      size = to;
    },
    readInto: () => 0,
    sync() {},
    close() {},
  };
}

function describe({
  cluster,
  places,
  outDir,
}: NewMembersPlan): Pick<CreatedMembers, 'clusterId' | 'memberId' | 'startCommand' | 'members'> {
  const urls = memberUrls(cluster);
  const members = cluster.members.map((member): CreatedMember => {
    const place = places.find((each) => each.member.id === member.id);
    if (place === undefined) return { ...member, dataDir: null, walDir: null, startCommand: null };
    const { dataDir, walDir } = place;
    const own = urls.get(member.id);
    if (own === undefined) throw new DatadirError('INTERNAL', 'a member has no URLs');
    return {
      ...member,
      dataDir,
      walDir: walDir ?? null,
      startCommand: startCommand({ member, urls: own, dataDir, walDir }),
    };
  });
  const only = outDir === undefined ? members.find(({ dataDir }) => dataDir !== null) : undefined;
  return {
    clusterId: cluster.clusterId,
    memberId: only?.id ?? null,
    startCommand: only?.startCommand ?? null,
    members,
  };
}
