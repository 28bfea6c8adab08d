/**
 * Changes of members in a copy of a data directory (Node): what `--force-new-cluster` and `etcdctl member` do, without a running server.
 *
 * The tail of the log is replayed first, so that the db has every entry; then the changes are appended to the log and made in the db, and
 * a snapshot behind them is where the next start begins.
 */
import type { DataDir } from '../datadir/data-dir.ts';
import { type ChangedMember, changeMembers, membershipOf } from '../datadir/member-change/changed-member.ts';
import {
  additionChange,
  type Membership,
  type PlannedChange,
  reclusterChanges,
  removalChange,
  updateChange,
} from '../datadir/member-change/planned-change.ts';
import { holdsV2Keys } from '../datadir/member-change/v2-writes.ts';
import type { ReplayFinding } from '../datadir/replay/findings.ts';
import type { MemberRecord } from '../datadir/replay/member-record.ts';
import type { ReplayedState } from '../datadir/replay/outcome.ts';
import { ReplayJob, type ReplayOptions } from '../datadir/replay/replay-job.ts';
import { WriteReplayedJob } from '../datadir/replay/write-db.ts';
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { parsePeerUrls } from '../membership/peer-urls.ts';
import { snapName } from '../snap/snap-name.ts';
import { encodeSnap } from '../snap/writer.ts';
import type { LogDirectory } from '../wal/log-directory.ts';
import type { Wal } from '../wal/reader.ts';
import { openWal } from '../wal/writer.ts';
import { type CopyPlan, copyDataDir, type DataDirCopyOptions, openForCopy } from './data-dir-copy.ts';
import { Phases } from './phases.ts';
import { fileLogDirectory } from './wal-directory.ts';

/** How members are changed. */
export interface ChangeMembersOptions
  extends DataDirCopyOptions,
    Pick<ReplayOptions, 'minLeaseTtl' | 'persistCheckpoints' | 'etcdVersion'> {}

/** How a member is added. */
export interface AddMemberOptions extends ChangeMembersOptions {
  /** It votes from the start: then nothing can be written before it runs. Default false: it is a learner, to be promoted later. */
  readonly voter?: boolean | undefined;
  /** The time that goes into its id, in seconds; default: now. */
  readonly unixSeconds?: bigint | undefined;
}

/** What came of it. */
export interface ChangedDirectory {
  /** The new directory. */
  readonly path: string;
  readonly memberId: bigint;
  readonly clusterId: bigint;
  /** The release whose data it is. */
  readonly etcdVersion: EtcdMinor;
  /** What was appended to the log, in words. */
  readonly changes: readonly string[];
  /** The last entry of the new log, all of which is committed. */
  readonly lastIndex: bigint;
  readonly revision: { readonly db: bigint; readonly afterReplay: bigint };
  /** Entries of the old log of which it is not known whether they were committed; they are now. */
  readonly notCommitted: bigint;
  /** The members as they are now, ascending by id. */
  readonly members: readonly MemberRecord[];
  /** The id of the member that was added. */
  readonly addedId: bigint | null;
  readonly notes: readonly string[];
  readonly findings: readonly ReplayFinding[];
}

/**
 * Makes the member of a data directory the only one of its cluster, in the new directory `target`: for when the quorum is lost. All of its
 * log counts as committed. Throws `FILE_LOCKED`, `TARGET_EXISTS`, `EDIT_REFUSED`, `REPLAY_REFUSED`.
 */
export function recluster(path: string, target: string, options: ChangeMembersOptions = {}): Promise<ChangedDirectory> {
  return change(path, target, options, reclusterChanges);
}

/** Adds a member, as learner. Only where the member of the directory is the only one that votes: others would not know of it. */
export async function addMember(
  path: string,
  target: string,
  peerUrls: readonly string[],
  options: AddMemberOptions = {},
): Promise<ChangedDirectory> {
  const { voter = false, unixSeconds = BigInt(Math.floor(Date.now() / 1000)) } = options;
  let addedId: bigint | null = null;
  const changed = await change(path, target, options, (membership, version) => {
    assertAlone(membership);
    const urls = parsePeerUrls(peerUrls, version);
    const { id, ...planned } = additionChange(membership, urls, { learner: !voter, unixSeconds });
    addedId = id;
    return [planned];
  });
  return { ...changed, addedId };
}

/** Removes a member. Only where the member of the directory is the only one that votes. */
export function removeMember(
  path: string,
  target: string,
  id: bigint,
  options: ChangeMembersOptions = {},
): Promise<ChangedDirectory> {
  return change(path, target, options, (membership) => {
    assertAlone(membership);
    return [removalChange(membership, id)];
  });
}

/** Gives a member other peer URLs. Only where the member of the directory is the only one that votes. */
export function updateMember(
  path: string,
  target: string,
  id: bigint,
  peerUrls: readonly string[],
  options: ChangeMembersOptions = {},
): Promise<ChangedDirectory> {
  return change(path, target, options, (membership, version) => {
    assertAlone(membership);
    parsePeerUrls(peerUrls, version);
    // Unlike those of a member that is added, they stay in the order in which they are given.
    const urls = peerUrls.flatMap((url) => parsePeerUrls([url], version));
    return [updateChange(membership, id, urls)];
  });
}

/** The logs of other voters would not have the entry, and disagree for good. */
function assertAlone({ self, configuration: { voters } }: Membership): void {
  if (voters.size === 1 && voters.has(self)) return;
  const others = [...voters].filter((id) => id !== self).map((id) => id.toString(16));
  throw new DatadirError(
    'EDIT_REFUSED',
    voters.has(self)
      ? `there are other members that vote (${others.join(', ')}), whose logs would not have the change: change members of the running cluster; if its quorum is lost, 'etcd-datadir recluster' makes this one the only member`
      : `member ${self.toString(16)} does not vote: change members of the running cluster`,
  );
}

async function change(
  path: string,
  target: string,
  options: ChangeMembersOptions,
  plan: (membership: Membership, version: EtcdMinor) => readonly PlannedChange[],
): Promise<ChangedDirectory> {
  const phases = new Phases(options, 0);
  const dir = await openForCopy(path, options, phases);
  try {
    const { etcdVersion, minLeaseTtl, persistCheckpoints } = options;
    const replay = new ReplayJob(dir, { tail: 'all', etcdVersion, minLeaseTtl, persistCheckpoints });
    const state = await phases.run(replay);
    const { self, clusterId, hardState } = identityOf(dir, state);
    const planned = plan(membershipOf(state, self), state.tail.version);
    const changed = changeMembers(state, { hardState, lastIndex: state.tail.logEnd }, planned);
    const keepsV2 = await phases.runSteps(holdsV2Keys(dir, state.tail));
    await writeChanged(dir, target, state, changed, keepsV2, options, phases);
    return {
      path: target,
      memberId: self,
      clusterId,
      etcdVersion: state.tail.version,
      changes: planned.map(({ words }) => words),
      lastIndex: changed.index,
      revision: state.revision,
      notCommitted: state.tail.notCommitted?.count ?? 0n,
      members: changed.members,
      addedId: null,
      notes: [...changed.notes, ...(keepsV2 ? [V2_NOTE] : [])],
      // That they count as committed is told by itself.
      findings: state.findings.filter(({ code }) => code !== 'REPLAY_NOT_COMMITTED'),
    };
  } finally {
    dir.close();
  }
}

const V2_NOTE =
  'there are keys of the v2 API, which a new snapshot would not have: none was made, so that the next start reads the log from the old one';

/** Who it is, and the state that the log ends with. Refuses what cannot be gone on with. */
function identityOf(
  dir: DataDir,
  { stoppedAt, tail }: ReplayedState,
): {
  readonly self: bigint;
  readonly clusterId: bigint;
  readonly hardState: { readonly term: bigint; readonly vote: bigint };
} {
  const { path } = dir;
  if (stoppedAt !== undefined) {
    const words = `etcd ${tail.version} panics at entry ${stoppedAt.index} of the log (${stoppedAt.words})`;
    throw new DatadirError('REPLAY_REFUSED', `${path}: ${words}`, { path });
  }
  const { metadata, hardState } = dir.wal.state;
  if (metadata?.nodeId === undefined || metadata.clusterId === undefined || hardState === undefined) {
    throw new DatadirError('EDIT_REFUSED', `${path}: the log does not say whose it is, or has no hard state`, { path });
  }
  return { self: metadata.nodeId, clusterId: metadata.clusterId, hardState };
}

async function writeChanged(
  dir: DataDir,
  target: string,
  state: ReplayedState,
  changed: ChangedMember,
  keepsV2: boolean,
  options: ChangeMembersOptions,
  phases: Phases,
): Promise<void> {
  const { version } = state.tail;
  const plan: CopyPlan = {
    keepsReceived: false,
    etcdVersion: version,
    db: (file) => phases.run(new WriteReplayedJob(state, file, (changes) => changed.edit(changes))),
    finish({ wal, output }) {
      const log = fileLogDirectory(wal);
      cutTornEnd(log, dir.wal);
      appendTo(log, changed, version, keepsV2);
      if (keepsV2) return;
      const snap = changed.snap();
      output.create(`member/snap/${snapName(snap.term, snap.index)}`).write(0, encodeSnap(snap, version));
    },
  };
  await copyDataDir(dir, target, plan, options, phases);
}

/** Takes a write that was cut short off the copied log, as a server does before it goes on. More than that was refused before. */
function cutTornEnd(log: LogDirectory, { state: { damage }, segments }: Wal): void {
  if (damage === undefined || damage.segment !== segments.at(-1)?.name) return;
  const file = log.open(damage.segment);
  try {
    file.truncate(damage.offset);
  } finally {
    file.close();
  }
}

/** Goes on with the log, synced. */
function appendTo(log: LogDirectory, changed: ChangedMember, etcdVersion: EtcdMinor, keepsV2: boolean): void {
  const { entries, hardState, index, term, confState } = changed;
  const writer = openWal(log, { etcdVersion });
  try {
    writer.save(hardState, entries);
    if (!keepsV2) writer.saveSnapshot({ index, term, confState: { ...confState, autoLeave: false } });
  } finally {
    writer.close();
  }
}
