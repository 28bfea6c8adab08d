/**
 * Every finding about `.snap` files and their folder: code, severity, typed arguments, sentence, remedy and explanation.
 * docs/findings.md is made from this table.
 */
import type { AnyFinding, FindingDefinition, FindingPlace, Severity } from '../finding-table.ts';

/** The arguments of each code. Numbers read from damaged bytes are decimal text. */
export interface SnapFindingArgs {
  SNAP_EMPTY: { name: string; reason: string };
  SNAP_UNPARSABLE: { name: string; reason: string };
  SNAP_CRC_ZERO: { name: string; computed: string };
  SNAP_CRC_MISMATCH: { name: string; stored: string; computed: string };
  SNAP_RAFT_UNPARSABLE: { name: string; reason: string };
  SNAP_V2_STORE_UNPARSABLE: { name: string; reason: string };
  SNAP_CONF_STATE: { name: string; reason: string };
  SNAP_NAME_MISMATCH: { name: string; term: string; index: string };
  SNAP_ALL_DAMAGED: { files: string };
  SNAP_UNREADABLE: { name: string; reason: string };
  SNAP_TOO_LARGE: { name: string; size: string; limit: string };
  SNAP_OLDER_DAMAGED: { name: string; problem: string; reason: string };
  SNAP_NAME_ODD: { name: string };
  SNAP_MEMBERS_DIFFER: { name: string; members: string; confState: string };
  SNAP_V2_CUSTOM_CONTENT: { name: string; paths: string; files: string; directories: string };
  SNAP_LEFTOVER_SNAPSHOT_DB: { name: string };
  SNAP_LEFTOVER_RECEIVING: { name: string };
  SNAP_LEFTOVER_DEFRAGMENTING: { name: string };
  SNAP_LEFTOVER_BROKEN: { name: string };
}

export type SnapFindingCode = keyof SnapFindingArgs;

/** A finding about a snap file or folder: a union on `code`, which tells the arguments. */
export type SnapFinding = {
  [Code in SnapFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<SnapFindingArgs[Code]>;
  };
}[SnapFindingCode];

// What etcd does with a file that it cannot read.
const SET_ASIDE =
  'etcd 3.4 to 3.6 rename the file to `….snap.broken` at start and use the next older one that is in the log; 3.7 does not open `.snap` files at start';
const PANICS = 'etcd 3.4 to 3.6 panic at start if they choose this file; 3.7 does not open `.snap` files at start';
const SILENT = 'etcd does not look';

const AFTER_SET_ASIDE =
  'etcd gets over it by an older .snap file or by its log, as long as that reaches back far enough: check the whole data directory before starting the member';
const SET_ASIDE_BY_HAND =
  'set the file aside (rename it to end in .broken) with the member stopped, after checking that an older .snap file or the beginning of the log is there';
const NOTHING = 'nothing needs to be done';

const at = ({ args, offset }: AnyFinding): string => `${args['name']}${offset === undefined ? '' : `, byte ${offset}`}`;

export const snapFindings: Readonly<Record<SnapFindingCode, FindingDefinition>> = {
  SNAP_EMPTY: {
    severity: 'repairable',
    message: ({ args }) => `snap file ${args['name']}: ${args['reason']}`,
    remedy: AFTER_SET_ASIDE,
    meaning:
      'The newest `.snap` file has no bytes, or no data in its message. etcd writes the file without a temporary name, so a crash right after its creation leaves it empty.',
    peer: SET_ASIDE,
  },
  SNAP_UNPARSABLE: {
    severity: 'repairable',
    message: (f) => `snap file ${at(f)}: not a snapshot message: ${f.args['reason']}`,
    remedy: AFTER_SET_ASIDE,
    meaning:
      'The newest `.snap` file is not a message of a checksum and data: it was cut off, overwritten, or is another kind of file.',
    peer: SET_ASIDE,
  },
  SNAP_CRC_ZERO: {
    severity: 'repairable',
    message: ({ args }) =>
      `snap file ${args['name']}: its checksum is 0, which etcd takes for an empty file; that of its data is ${args['computed']}`,
    remedy: AFTER_SET_ASIDE,
    meaning:
      'The newest `.snap` file has no checksum, or one of 0. etcd does not read such a file, not even when 0 is the right one.',
    peer: SET_ASIDE,
  },
  SNAP_CRC_MISMATCH: {
    severity: 'repairable',
    message: ({ args }) =>
      `snap file ${args['name']}: the checksum of its data is ${args['computed']}, the file says ${args['stored']}`,
    remedy: AFTER_SET_ASIDE,
    meaning: 'Bytes of the newest `.snap` file were changed after it was written, or its checksum was.',
    peer: SET_ASIDE,
  },
  SNAP_RAFT_UNPARSABLE: {
    severity: 'repairable',
    message: (f) => `snap file ${at(f)}: its data is not a raft snapshot: ${f.args['reason']}`,
    remedy: AFTER_SET_ASIDE,
    meaning: 'The newest `.snap` file has a right checksum over something that is not a raft snapshot.',
    peer: SET_ASIDE,
  },
  SNAP_V2_STORE_UNPARSABLE: {
    severity: 'repairable',
    message: (f) => `snap file ${at(f)}: its data is not a v2 store: ${f.args['reason']}`,
    remedy: SET_ASIDE_BY_HAND,
    meaning:
      'The newest `.snap` file is whole, but what is in it is not the v2 store that etcd up to 3.6 reads from there: not JSON, or members in it that make no sense. It was written by another program, or by one with an error.',
    peer: PANICS,
  },
  SNAP_CONF_STATE: {
    severity: 'repairable',
    message: ({ args }) => `snap file ${args['name']}: its raft configuration is not possible: ${args['reason']}`,
    remedy: SET_ASIDE_BY_HAND,
    meaning:
      'The newest `.snap` file names no voters, or a member as voter and learner at the same time. A member that starts from it finds no leader, or panics.',
    peer: PANICS,
  },
  SNAP_NAME_MISMATCH: {
    severity: 'repairable',
    message: ({ args }) =>
      `snap file ${args['name']}: holds the snapshot of term ${args['term']} and index ${args['index']}, which is not what its name says`,
    remedy: AFTER_SET_ASIDE,
    meaning:
      'The newest `.snap` file has the content of another one. etcd does not compare the two, and goes by the content: up to 3.6 the member starts from an older snapshot than it could.',
    peer: SILENT,
  },
  SNAP_ALL_DAMAGED: {
    severity: 'repairable',
    message: ({ args }) => `no .snap file can be used, of ${args['files']} that are there`,
    remedy:
      'see that the log reaches back to its first entry (check the whole data directory): then etcd replays all of it; otherwise restore the member from a snapshot',
    meaning:
      'Not one `.snap` file of the folder can be read. etcd up to 3.6 then starts from the beginning of its log, which works only if no segment of it was purged.',
    peer: 'etcd 3.4 to 3.6 rename all of them to `….snap.broken` and replay the log from the beginning, or fail with "wal: file not found"; 3.7 starts from the last snapshot record of the log',
  },
  SNAP_UNREADABLE: {
    severity: 'unknown',
    message: ({ args }) => `snap file ${args['name']}: could not be read: ${args['reason']}`,
    remedy: 'find out why it cannot be read (permissions, a failing disk) and check again',
    meaning: 'The operating system gave an error for the newest `.snap` file, so nothing can be said about it.',
    peer: SET_ASIDE,
  },
  SNAP_TOO_LARGE: {
    severity: 'unknown',
    message: ({ args }) =>
      `snap file ${args['name']}: has ${args['size']} bytes; more than ${args['limit']} are not looked at`,
    remedy: 'look whether it really is a .snap file of etcd: theirs have kilobytes, or a few MB of v2 keys',
    meaning: 'A `.snap` file is held in memory as a whole, and this one is too large for that.',
    peer: 'etcd reads files of any size that fits its memory',
  },
  SNAP_OLDER_DAMAGED: {
    severity: 'info',
    message: ({ args }) =>
      `snap file ${args['name']}: is damaged, but is not the newest: ${args['reason']} (${args['problem']})`,
    remedy: NOTHING,
    meaning:
      'A `.snap` file that is not the newest cannot be used. It is needed only when all newer ones cannot be used either, and goes away with time.',
    peer: 'etcd opens it only when it can use none of the newer ones',
  },
  SNAP_NAME_ODD: {
    severity: 'info',
    message: ({ args }) => `${args['name']}: ends in .snap, but has not the name of a snap file`,
    remedy: 'move it out of the folder, if nobody needs it there',
    meaning:
      'A name that etcd does not write. etcd up to 3.6 reads every file that ends in `.snap`, in the order of their names.',
    peer: 'etcd 3.4 to 3.6 try to read it, and rename it to `….broken` if they cannot',
  },
  SNAP_MEMBERS_DIFFER: {
    severity: 'info',
    message: ({ args }) =>
      `snap file ${args['name']}: members of the v2 store are ${args['members']}, those of raft ${args['confState']}`,
    remedy:
      'compare with `etcdctl member list` of a running member; up to 3.5 the members of the v2 store count at start',
    meaning:
      'The two lists of members in a `.snap` file are made at the same moment, and are the same in every file that etcd writes. This one was edited, or made by another program.',
    peer: SILENT,
  },
  SNAP_V2_CUSTOM_CONTENT: {
    severity: 'info',
    message: ({ args }) =>
      `snap file ${args['name']}: the v2 store has content of its users in ${args['paths']} (${args['files']} keys, ${args['directories']} directories)`,
    remedy:
      'nothing for 3.4 and 3.5; before an upgrade to 3.6 delete the v2 keys with etcd 3.5 or older and let it make a new snapshot, or start 3.6 with --v2-deprecation=write-only-skip-check',
    meaning:
      'Somebody used the v2 API of etcd, and keys of it are still there. Their values are not shown here, nor is anything of v2 users and roles.',
    peer: 'etcd 3.4 and 3.5 start; 3.6 does not ("detected disallowed custom content in v2store"; before 3.6.3 also for a `/2` without directories in it); 3.7 does not look',
  },
  SNAP_LEFTOVER_SNAPSHOT_DB: {
    severity: 'info',
    message: ({ args }) => `${args['name']}: a database received from the leader that has not taken the place of db`,
    remedy:
      'leave it: if the newest snapshot in the log has this index and db is older, etcd puts it in the place of db',
    meaning:
      'A member that had fallen behind received a database and was stopped before it was in its place, or the file is from an earlier time and was not purged.',
    peer: 'etcd renames it to `db` at start if the snapshot of that index is chosen and newer than db; it purges old ones while it runs',
  },
  SNAP_LEFTOVER_RECEIVING: {
    severity: 'info',
    message: ({ args }) => `${args['name']}: a database that was not received to its end`,
    remedy: 'nothing needs to be done: etcd removes it when it starts (from 3.4.20 on)',
    meaning: 'The member was stopped while the leader sent it a database.',
    peer: 'etcd removes every file at start whose name begins with `tmp` (from 3.4.20 and in all 3.5, 3.6, 3.7)',
  },
  SNAP_LEFTOVER_DEFRAGMENTING: {
    severity: 'info',
    message: ({ args }) => `${args['name']}: a defragmentation that was not finished`,
    remedy: 'nothing needs to be done; with etcd 3.7, which leaves it there for good, remove it for its space',
    meaning: 'The member was stopped while it defragmented its database; db itself is as it was.',
    peer: 'etcd 3.4.8 to 3.6 remove it at start; 3.7 does not',
  },
  SNAP_LEFTOVER_BROKEN: {
    severity: 'info',
    message: ({ args }) => `${args['name']}: a .snap file that etcd could not read and has set aside`,
    remedy: 'remove it when nobody wants to know any more why it was damaged; find out what damaged it',
    meaning: 'An earlier start of etcd found this file unreadable and went on with an older one.',
    peer: 'etcd never looks at it again, nor removes it',
  },
};
