/**
 * Every finding about a data directory as a whole: what its folders lack, and what its parts say of one another.
 * docs/findings.md is made from this table; docs/data-directory.md has the rules behind it.
 */
import type { AnyFinding, FindingDefinition, FindingPlace, Severity } from '../finding-table.ts';

/** The arguments of each code. */
export interface DataDirFindingArgs {
  DIR_IN_USE: Record<never, never>;
  DIR_NOTHING_THERE: { kind: string };
  DIR_LAYOUT_2_0: Record<never, never>;
  DIR_PROXY: { target: string };
  DIR_PROXY_BESIDE_MEMBER: Record<never, never>;
  DIR_NOT_A_DIRECTORY: Record<never, never>;
  DIR_UNREADABLE: { reason: string };
  DIR_NAMES_STRANGE: { names: string; count: string };
  DIR_LEFTOVERS: { names: string; count: string };
  DIR_DB_MISSING: { reason: string; lastIndex: string };
  DIR_WAL_MISSING: { consistentIndex: string };
  DIR_WAL_NOT_BEGUN: Record<never, never>;
  DIR_INDEX_BEYOND_LOG: { consistentIndex: string; lastIndex: string };
  DIR_INDEX_BEYOND_COMMIT: { consistentIndex: string; commit: string };
  DIR_TERM_BEYOND_LOG: { dbTerm: string; term: string };
  DIR_TERM_DIFFERS: { dbTerm: string; entryTerm: string; index: string };
  DIR_DB_BEHIND_SNAPSHOT: { consistentIndex: string; snapshot: string; received: string };
  DIR_DB_RECEIVED: { snapshot: string; name: string };
  DIR_INDEX_TOO_LOW: { consistentIndex: string; index: string; revision: string; lowest: string };
  DIR_INDEX_TOO_HIGH: { consistentIndex: string; index: string; lowest: string; revision: string };
  DIR_RESTORED_DIFFERS: { consistentIndex: string; commit: string; dbTerm: string; term: string };
  DIR_NOT_A_MEMBER: { nodeId: string; members: string; where: string };
  DIR_MEMBER_NOT_YET_ADDED: { nodeId: string; members: string };
  DIR_MEMBER_REMOVED: { nodeId: string };
  DIR_MEMBERS_DIFFER: { members: string; configuration: string };
  DIR_MEMBERS_UNFIT: { target: string; reason: string };
  DIR_MEMBERS_AGAIN: { target: string };
  DIR_V2_REQUESTS: { target: string; index: string };
  DIR_V2_CONTENT: { target: string; paths: string };
  DIR_SNAP_ORPHAN: { name: string };
  DIR_SNAP_RECORDS_MISSING: { files: string; newest: string };
  DIR_SNAP_FILE_MISSING: { index: string; term: string };
  DIR_NO_SNAPSHOT: { target: string; index: string };
}

export type DataDirFindingCode = keyof DataDirFindingArgs;

/** A union on `code`, which tells the arguments. */
export type DataDirFinding = {
  [Code in DataDirFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<DataDirFindingArgs[Code]>;
  };
}[DataDirFindingCode];

const NOTHING = 'nothing needs to be done';
const RESTORE =
  'keep a copy of the directory; in a cluster, remove this member and add it again so that it is sent the data; a single member is restored from a snapshot or backup';
const REBUILD =
  'have the db made again from the log, which has every entry from the first on (etcd-datadir snapshot DIR OUT, then restore from OUT)';
const OTHER_RELEASE = 'start the release that wrote it';
const OLD_BUGS =
  'single members of etcd up to 3.4.20 and 3.5.4 could apply entries before they were on disk, and 3.5.0 to 3.5.2 could store an index ahead of the data: upgrade these';

const shown = ({ args }: AnyFinding): string => `${args['count']}: ${args['names']}`;

export const dataDirFindings: Readonly<Record<DataDirFindingCode, FindingDefinition>> = {
  DIR_IN_USE: {
    severity: 'info',
    message: () => 'a running etcd has locks on the files: what it changes meanwhile cannot be judged',
    remedy: 'stop etcd and check again for a full answer',
    meaning: 'etcd locks its db and the segments of its log as long as it runs.',
    peer: 'a second etcd waits for the lock and does not start',
  },
  DIR_NOTHING_THERE: {
    severity: 'corrupt',
    message: ({ args }) =>
      args['kind'] === 'missing'
        ? 'there is no such directory'
        : args['kind'] === 'member'
          ? 'there is neither a db nor a log in it'
          : 'the directory has nothing of etcd in it',
    remedy:
      'if a member has ever run here, its data is gone: restore it from a snapshot or backup, or in a cluster remove it and add it again; a new member may be started',
    meaning:
      'Everything that belongs to a member is missing: an empty volume was mounted, another directory is meant, or the data was deleted.',
    peer: 'etcd takes it for the directory of a new member and begins with no data',
  },
  DIR_LAYOUT_2_0: {
    severity: 'refuse',
    message: () => 'snap and wal lie in the directory itself, as in etcd 2.0: no release of 3.x looks for them there',
    remedy:
      'do not start etcd 3.x on it: start etcd 2.3 on it once, which moves both into member, or move them yourself',
    meaning:
      'etcd 2.0 had no folder `member`. Releases of 2.x moved the old layout when they started; those of 3.x do not.',
    peer: 'etcd 3.x begins anew, beside the old data',
  },
  DIR_PROXY: {
    severity: 'refuse',
    message: ({ args }) => `it is the directory of a v2 proxy, which etcd ${args['target']} does not know`,
    remedy:
      'if a member is to run here, set the folder proxy aside; a proxy is replaced by etcd grpc-proxy, which keeps nothing',
    meaning: 'There is a folder `proxy` and no folder `member`. The v2 proxy is gone since 3.6.',
    milder: {
      severity: 'info',
      when: 'the release to be started is 3.4 or 3.5, which start a proxy on it',
      remedy: NOTHING,
    },
    peer: 'etcd 3.4 and 3.5 start a proxy; 3.6 and 3.7 panic',
  },
  DIR_PROXY_BESIDE_MEMBER: {
    severity: 'repairable',
    message: () => 'there is a folder proxy beside member: etcd does not start on both',
    remedy: 'set the folder proxy aside',
    meaning: 'A directory belongs to a member or to a v2 proxy, and etcd decides which by the names in it.',
    peer: 'etcd ends with an error ("invalid datadir")',
  },
  DIR_NOT_A_DIRECTORY: {
    severity: 'corrupt',
    message: ({ file }) => `${file}: should be a directory, but is not`,
    remedy: RESTORE,
    meaning: 'A file lies where one of the folders of a member should be.',
    milder: {
      severity: 'repairable',
      when: 'it is one of the two folders in `member`: other findings say what is missing with it',
      remedy: 'set it aside',
    },
    peer: 'etcd ends with an error',
  },
  DIR_UNREADABLE: {
    severity: 'unknown',
    message: ({ file, args }) => `${file === '.' ? 'the directory' : file} cannot be read: ${args['reason']}`,
    remedy: 'find out why it cannot be read (permissions, a failing disk) and check again',
    meaning: 'The operating system gave an error for a folder or for the db, so nothing can be said about it.',
    peer: 'etcd ends with an error',
  },
  DIR_NAMES_STRANGE: {
    severity: 'info',
    message: (f) => `names that etcd does not write, ${shown(f)}`,
    remedy: 'move them elsewhere if nobody needs them there',
    meaning: 'Somebody put files into the directory or into `member`, such as `lost+found` of a volume.',
    peer: 'etcd warns of those in the directory itself, and does not look at the others',
  },
  DIR_LEFTOVERS: {
    severity: 'info',
    message: (f) => `left behind by a crash or by a test for permissions, ${shown(f)}`,
    remedy: NOTHING,
    meaning:
      '`wal.tmp` is a log that was being made, `wal.broken.…` one whose making failed, `.touch` a file by which etcd finds out whether it may write.',
    peer: 'etcd deletes `wal.tmp` before it makes a log, and leaves the others',
  },
  DIR_DB_MISSING: {
    severity: 'corrupt',
    message: ({ args }) =>
      `there is a log${args['lastIndex'] === '0' ? '' : ` up to entry ${args['lastIndex']}`}, but no db: ${args['reason']}`,
    remedy: RESTORE,
    meaning:
      'The db is gone, and the log does not reach back to the first entry: what was in the db before that is nowhere else.',
    milder: {
      severity: 'repairable',
      when: 'the log has every entry from the first on, so that nothing is lost',
      remedy: REBUILD,
    },
    peer: 'etcd panics ("failed to recover v3 backend from snapshot") if it starts from a snapshot; otherwise it makes an empty db and applies the whole log',
  },
  DIR_WAL_MISSING: {
    severity: 'corrupt',
    message: ({ args }) => `the db has entries up to ${args['consistentIndex']}, but there is no log`,
    remedy: `do not start etcd on it: it would lose writes. The db itself can be saved: make a snapshot file of it and restore from that; or ${RESTORE}`,
    meaning:
      'All segments are gone, or the folder of the log is: a log in another place (`--wal-dir`) that was not named, or a deletion.',
    peer: 'etcd takes it for a new member and starts a new log; it does not apply what clients write until the new log has as many entries as the old one had',
  },
  DIR_WAL_NOT_BEGUN: {
    severity: 'info',
    message: () => 'there is a db into which no entry was applied, and no log yet',
    remedy: NOTHING,
    meaning: 'The directory was prepared for a new member, or a new member was stopped before its first entry.',
    peer: 'etcd begins a log and keeps what is in the db',
  },
  DIR_INDEX_BEYOND_LOG: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the db has entries up to ${args['consistentIndex']}, but the log ends at ${args['lastIndex']}: its end is lost`,
    remedy: `do not start etcd on it: it would lose writes. ${RESTORE}. ${OLD_BUGS}`,
    meaning:
      'Entries are in the log, synced, before they are applied to the db. A db that is ahead shows that the end of the log was cut off, overwritten or deleted, or that db and log are not of the same member.',
    peer: 'etcd starts and numbers new entries from the end of the log; those up to the consistent index are not applied. Up to 3.5 clients get no answer; 3.6 and 3.7 do not serve until their own requests have used up these numbers',
  },
  DIR_INDEX_BEYOND_COMMIT: {
    severity: 'info',
    message: ({ args }) =>
      `the db has entries up to ${args['consistentIndex']}, the log says committed up to ${args['commit']} and has them all`,
    remedy: NOTHING,
    meaning:
      'A hard state that changes nothing but the commit index is not synced, so after a crash the stored one may lag behind the db.',
    peer: 'etcd starts; its own verification (`ETCD_VERIFY`) calls it an error',
  },
  DIR_TERM_BEYOND_LOG: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the db was written in term ${args['dbTerm']}, but the log knows of terms up to ${args['term']} only`,
    remedy: RESTORE,
    meaning:
      'A new term is synced to the log before anything is applied in it. The end of the log is lost, or db and log are not of the same member.',
    peer: 'etcd does not look; its own verification (`ETCD_VERIFY`) calls it an error',
  },
  DIR_TERM_DIFFERS: {
    severity: 'info',
    message: ({ args }) =>
      `the db says that entry ${args['index']} is of term ${args['dbTerm']}, the log says ${args['entryTerm']}`,
    remedy: 'find out whether db and log are of the same member',
    meaning: 'Beside the consistent index the db keeps the term of that entry.',
    peer: 'etcd does not look',
  },
  DIR_DB_BEHIND_SNAPSHOT: {
    severity: 'corrupt',
    message: ({ args }) =>
      `a start begins at snapshot ${args['snapshot']}, but the db has entries up to ${args['consistentIndex']} only, and ${args['received']}`,
    remedy: RESTORE,
    meaning:
      'The db is written to disk before a snapshot is recorded in the log, so it is never behind one. An older or foreign db was put in its place, its newest pages were lost, or its consistent index was changed.',
    peer: 'etcd looks for a received db with that index to put in its place, and panics if there is none ("failed to recover v3 backend from snapshot")',
  },
  DIR_DB_RECEIVED: {
    severity: 'info',
    message: ({ args }) =>
      `the db is older than snapshot ${args['snapshot']}; ${args['name']}, received from the leader, takes its place at the next start`,
    remedy: NOTHING,
    meaning: 'The member had fallen behind, was sent a db, and was stopped before that was in its place.',
    peer: 'etcd renames the received db to `db` and starts',
  },
  DIR_INDEX_TOO_LOW: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the db says that it has entries up to ${args['consistentIndex']}, but has more: what entry ${args['index']} wrote is at revision ${args['revision']}, not at ${args['lowest']} or above`,
    remedy: `do not start etcd on it: it would apply entries a second time. ${RESTORE}. ${OLD_BUGS}`,
    meaning:
      'Every change makes one revision. Counted back from the newest revision, the last write that is certain lies further back than the entries behind it can explain: the consistent index is too low.',
    peer: 'etcd does not look; it starts, applies the entries above the consistent index again, and the revision grows',
  },
  DIR_INDEX_TOO_HIGH: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the db says that it has entries up to ${args['consistentIndex']}, but what entry ${args['index']} wrote is not there (looked for from revision ${args['lowest']} to ${args['revision']})`,
    remedy: `${RESTORE}. ${OLD_BUGS}`,
    meaning:
      'A write that nothing later has replaced or deleted is missing: the db is older than its consistent index says, or is not of this log.',
    peer: 'etcd does not look; the write is lost',
  },
  DIR_RESTORED_DIFFERS: {
    severity: 'info',
    message: ({ args }) =>
      `the log is that of a restored member, but the db is at entry ${args['consistentIndex']} of term ${args['dbTerm']} and the log at ${args['commit']} of term ${args['term']}`,
    remedy: 'find out by which program it was restored',
    meaning: '`snapshot restore` leaves both at the same entry and term.',
    peer: 'etcd starts',
  },
  DIR_NOT_A_MEMBER: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the log is of member ${args['nodeId']}, which is not among the members of ${args['where']}: ${args['members']}`,
    remedy: `find out whose db and whose log these are; ${RESTORE}`,
    meaning:
      'The log names the member it belongs to, and that must be one of the cluster. Db and log are of different members or clusters, or one of them was changed.',
    peer: 'etcd up to 3.5 goes by the log and the `.snap` files; 3.6 panics ("failed to update; member unknown"), 3.7 finds no leader',
  },
  DIR_MEMBER_NOT_YET_ADDED: {
    severity: 'info',
    message: ({ args }) =>
      `the log is of member ${args['nodeId']}, which is not yet among the members that it knows: ${args['members']}`,
    remedy: 'see with `etcdctl member list` of another member whether it was added',
    meaning:
      'A new member gets the log of the others from its beginning; its own addition may come later than what it has got so far.',
    peer: 'etcd starts and goes on to catch up',
  },
  DIR_MEMBER_REMOVED: {
    severity: 'info',
    message: ({ args }) => `member ${args['nodeId']}, whose directory this is, was removed from its cluster`,
    remedy: 'do not start it; to have it back, add a new member and let it begin with an empty directory',
    meaning: 'The removal is in the log or in the db. The id can never be used again.',
    peer: 'etcd starts and ends again as soon as it knows ("the member has been permanently removed from the cluster")',
  },
  DIR_MEMBERS_DIFFER: {
    severity: 'info',
    message: ({ args }) => `members in the db are ${args['members']}, those of raft ${args['configuration']}`,
    remedy: 'compare with `etcdctl member list` of a running member',
    meaning:
      'The members of the db and the configuration that the log gives are different. A directory restored by 3.4 has the members of the old cluster in its db, of which 3.4 and 3.5 make no use.',
    peer: 'etcd up to 3.5 goes by the log and the `.snap` files; 3.6 lists the members of the db; 3.7 makes them voters',
  },
  DIR_MEMBERS_UNFIT: {
    severity: 'refuse',
    message: ({ args }) => `etcd ${args['target']} goes by the members in the db, and ${args['reason']}`,
    remedy: `${OTHER_RELEASE}, or restore from a snapshot with the tools of the newer release`,
    meaning:
      'From 3.6 on the members in the db count. The member itself must be among them, and nobody who does not take part in raft.',
    peer: '3.6 panics ("failed to update; member unknown") or lists a member that is not there; 3.7 waits for votes of members that do not exist and never serves',
  },
  DIR_MEMBERS_AGAIN: {
    severity: 'refuse',
    message: ({ args }) =>
      `the db has members, but no entry of the log: etcd ${args['target']} passes over the entries that add them, and is left without voters`,
    remedy: `${OTHER_RELEASE} and write a key, then upgrade`,
    meaning:
      'Servers of 3.4 store a member when it is added, but only with the first write of a key how far the db has got. On a cluster that was never written to, 3.6 applies the additions again, finds the members there, and drops them.',
    peer: '3.6 panics ("removed all voters")',
  },
  DIR_V2_REQUESTS: {
    severity: 'refuse',
    message: ({ args }) =>
      `entry ${args['index']}, behind the snapshot to start from, is a request that etcd ${args['target']} does not know any more`,
    remedy: `${OTHER_RELEASE} and let it make a snapshot (--snapshot-count 1 and a write or two), then upgrade`,
    meaning:
      'Servers up to 3.5 put requests of the v2 API into the log: names of members, the version of the cluster, and in 3.4 one for every look at its health. Entries behind the newest snapshot are applied at every start.',
    peer: '3.6 panics at all but two of these requests, 3.7 at every one',
  },
  DIR_V2_CONTENT: {
    severity: 'refuse',
    message: ({ args }) =>
      `there are keys of the v2 API in ${args['paths']}, with which etcd ${args['target']} does not start`,
    remedy:
      'delete the v2 keys with etcd 3.5 or older and let it make a snapshot, or start 3.6 with --v2-deprecation=write-only-skip-check',
    meaning: 'Somebody used the v2 API; the newest `.snap` file has the keys.',
    peer: '3.6 ends with an error ("detected disallowed custom content in v2store"); the others do not look',
  },
  DIR_SNAP_ORPHAN: {
    severity: 'info',
    message: ({ args }) => `snap file ${args['name']}: the log has no record of it, so no start uses it`,
    remedy: NOTHING,
    meaning: 'etcd writes the file first and then the record. A crash between the two leaves the file alone.',
    peer: 'etcd passes over it; `etcd-dump-logs` fails with "wal: snapshot not found"',
  },
  DIR_SNAP_RECORDS_MISSING: {
    severity: 'repairable',
    message: ({ args }) =>
      `the log has no record of ${args['files']} snap files that are newer than snapshot ${args['newest']}`,
    remedy: 'etcd gets over it as long as the log reaches back far enough; find out what happened to the log',
    meaning: 'A crash leaves one file without a record. Several of them show that records of the log are lost.',
    peer: 'etcd starts from an older snapshot, or from the first entry',
  },
  DIR_SNAP_FILE_MISSING: {
    severity: 'repairable',
    message: ({ args }) =>
      `snapshot ${args['index']} of term ${args['term']} is in the log, but its .snap file is not there`,
    remedy:
      'etcd gets over it as long as an older .snap file or the first entry of the log is there; 3.7 does not need the file',
    meaning: 'etcd up to 3.7 writes the file before the record. Somebody deleted it.',
    peer: 'etcd up to 3.6 starts from an older snapshot, or from the first entry; 3.7 goes by the record',
  },
  DIR_NO_SNAPSHOT: {
    severity: 'corrupt',
    message: ({ args }) =>
      `etcd ${args['target']} has nothing to start from: no .snap file that can be read is in the log${args['index'] === '0' ? '' : ` (as ${args['index']} would be)`}, and the log does not begin with the first entry`,
    remedy: `etcd 3.7 starts without .snap files, if it may be used; otherwise ${RESTORE}`,
    meaning:
      'Up to 3.6 a start begins at a `.snap` file that the log has a record of, or at the first entry of the log.',
    peer: 'etcd up to 3.6 ends with an error ("wal: file not found"); 3.7 goes by the records of the log',
  },
};
