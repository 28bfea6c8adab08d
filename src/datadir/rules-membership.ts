/**
 * Rules for who the member is, and who the others are (X1, X7c): the log names its member; the log and the `.snap` files give the
 * configuration of raft; the db has a list of members, by which servers of 3.6 and later go.
 */
import { membersCount } from '../backend/members.ts';
import { compareMinors, type EtcdMinor } from '../etcd-version.ts';
import type { Finding } from '../findings.ts';
import type { Configuration } from '../wal/configuration.ts';
import type { KnownConfiguration } from '../wal/log-facts.ts';
import type { DirFacts } from './cross-facts.ts';
import { type CrossReporter, dirFinding, idsText } from './cross-reporter.ts';

/** The first release that goes by the members in the db. */
const FIRST_TO_READ: EtcdMinor = '3.6';

/** What is known of the membership. */
interface Membership {
  readonly nodeId: bigint;
  /** The configuration of raft when the db was written, and at the end of the log. */
  readonly applied: Configuration | undefined;
  readonly latest: Configuration | undefined;
  /** Ids in the db; undefined if they cannot be read. */
  readonly members: ReadonlySet<bigint> | undefined;
  readonly removed: ReadonlySet<bigint>;
}

/** Reports a member that is none, and lists that differ. */
export function checkMembership(facts: DirFacts, reporter: CrossReporter): void {
  const membership = membershipOf(facts);
  if (membership === undefined) return;
  const { nodeId, applied, latest, members, removed } = membership;
  const place = { file: facts.dir.dbPath };
  if (removed.has(nodeId) || latest?.removed.has(nodeId) === true) {
    reporter.report('DIR_MEMBER_REMOVED', { nodeId: hex(nodeId) }, place);
    return;
  }
  const inLog = latest === undefined ? undefined : latest.has(nodeId);
  if (inLog === false && latest !== undefined) {
    const args = { nodeId: hex(nodeId), members: idsText(everybody(latest)) };
    const logPlace = { file: facts.dir.files.wal.path };
    // Whoever has a say in the log of a lone voter is that voter.
    if (isOwnVote(facts, latest)) reporter.report('DIR_NOT_A_MEMBER', { ...args, where: 'its log' }, logPlace);
    else reporter.report('DIR_MEMBER_NOT_YET_ADDED', args, logPlace);
  }
  if (facts.db.state === 'missing') return;
  if (members === undefined) {
    reporter.notExamined.push('whether the member is among those of the db: they cannot be read');
    return;
  }
  reporter.examined.push('whether the member is one of its cluster');
  if (isMissing(facts, membership)) {
    const args = { nodeId: hex(nodeId), members: idsText(members), where: 'the db' };
    reporter.report('DIR_NOT_A_MEMBER', args, place);
  } else if (applied !== undefined && latest !== undefined) {
    // The index of 3.4 may lag behind what is in the db.
    if (isSame(members, everybody(applied)) || isSame(members, everybody(latest))) return;
    const args = { members: idsText(members), configuration: idsText(everybody(applied)) };
    reporter.report('DIR_MEMBERS_DIFFER', args, place);
  }
}

/** What a release says to the members in the db (X7c). */
export function membersFindings(facts: DirFacts, target: EtcdMinor): Finding[] {
  if (compareMinors(target, FIRST_TO_READ) < 0) return [];
  if (target === '3.6' && addsAgain(facts)) {
    return [dirFinding('DIR_MEMBERS_AGAIN', { target }, { file: facts.dir.dbPath })];
  }
  const membership = membershipOf(facts);
  if (membership?.members === undefined || membership.applied === undefined) return [];
  const { nodeId, applied, latest = applied, members, removed } = membership;
  if (removed.has(nodeId) || latest.removed.has(nodeId)) return [];
  const reasons: string[] = [];
  if (applied.has(nodeId) && !members.has(nodeId)) reasons.push(`this one, ${hex(nodeId)}, is not among them`);
  const configuration = new Set([...everybody(applied), ...everybody(latest)]);
  const ghosts = [...members].filter((id) => !configuration.has(id));
  if (ghosts.length > 0) reasons.push(`${idsText(ghosts)} among them do not take part in raft`);
  if (reasons.length === 0) return [];
  return [dirFinding('DIR_MEMBERS_UNFIT', { target, reason: reasons.join('; ') }, { file: facts.dir.dbPath })];
}

/** Whether a start applies the entries that add members to a db that has them already, but is at no entry. */
function addsAgain({ db, consistentIndex, log, wal }: DirFacts): boolean {
  const isAtNone = db.state === 'read' && consistentIndex === 0n && (db.members?.members.length ?? 0) > 0;
  const start = wal?.etcd.find(({ version }) => version === '3.6')?.snapshot?.index ?? `${log?.snapshot?.index ?? 0}`;
  return isAtNone && log !== undefined && start === '0';
}

// Asked for each release.
const memberships = new WeakMap<DirFacts, { readonly membership: Membership | undefined }>();

function membershipOf(facts: DirFacts): Membership | undefined {
  let found = memberships.get(facts);
  if (found === undefined) {
    found = { membership: findMembership(facts) };
    memberships.set(facts, found);
  }
  return found.membership;
}

/** Undefined where there is no log, or it does not tell whose it is. */
function findMembership({ db, log, wal, snap, consistentIndex }: DirFacts): Membership | undefined {
  const nodeId = wal?.nodeId ?? null;
  if (log === undefined || nodeId === null) return undefined;
  const known = configurationOf(snap);
  const { members } = db;
  const whole = members !== undefined && members.unreadable.count === 0;
  return {
    nodeId: BigInt(nodeId),
    applied: consistentIndex === undefined ? undefined : log.configurationAt(consistentIndex, known),
    latest: log.configurationAt(log.lastIndex, known),
    members: whole ? new Set(members.members.map(({ id }) => id)) : undefined,
    removed: new Set(members?.removed),
  };
}

/** That of the newest `.snap` file: records of 3.4 do not say who takes part. */
function configurationOf(snap: DirFacts['snap']): KnownConfiguration | undefined {
  const { index, confState } = snap?.newest ?? {};
  if (index === undefined || confState === undefined) return undefined;
  const { voters, learners } = confState;
  return { index: BigInt(index), confState: { voters: voters.map(BigInt), learners: learners.map(BigInt) } };
}

/**
 * Whether the list in the db lacks the member although its addition was applied. Up to 3.5 servers do not go by the list, and the restore of
 * 3.4 leaves that of the old cluster there; but they write it, so it is never empty.
 */
function isMissing(facts: DirFacts, { nodeId, applied, members }: Membership): boolean {
  if (members === undefined || members.has(nodeId) || (facts.consistentIndex ?? 0n) === 0n) return false;
  if (applied !== undefined && !applied.has(nodeId)) return false;
  const { meta, clusterVersion } = facts.db;
  return members.size === 0 || membersCount(meta?.storageVersion ?? null, clusterVersion ?? null);
}

/** A lone voter has voted for itself. */
function isOwnVote({ wal }: DirFacts, { voters }: Configuration): boolean {
  const [only] = voters;
  return voters.size === 1 && only !== undefined && wal?.vote === `${only}`;
}

const everybody = ({ voters, learners }: Configuration): Set<bigint> => new Set([...voters, ...learners]);
const isSame = (a: ReadonlySet<bigint>, b: ReadonlySet<bigint>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id));
const hex = (id: bigint): string => id.toString(16);
