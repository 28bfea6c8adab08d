/**
 * Every finding about a write-ahead log: code, severity, typed arguments, sentence, remedy and explanation.
 * docs/findings.md is made from this table.
 *
 * How bad damage is often depends on where it is: what lies before the newest valid snapshot is not read at a start. Such
 * codes have a milder severity too.
 */
import type { AnyFinding, FindingDefinition, FindingPlace, Severity } from '../finding-table.ts';

/** The arguments of each code. Numbers read from damaged bytes are decimal text. */
export interface WalFindingArgs {
  WAL_NO_SEGMENTS: { files: string };
  WAL_NAME_STRAY: Record<never, never>;
  WAL_NAME_UNUSUAL: { sequence: string; index: string };
  WAL_LEFTOVER: { kind: string };
  WAL_SEQUENCE_GAP: { sequence: string; previous: string };
  WAL_SEGMENT_MISSING: { sequence: string; previous: string };
  WAL_SEGMENT_INDEX_NAME: { index: string; expected: string };
  WAL_SEGMENT_EMPTY: { size: string };
  WAL_SEGMENT_WITHOUT_HEAD: Record<never, never>;
  WAL_START_MISSING: { snapshot: string; index: string };
  WAL_CHAIN_BROKEN: { stored: string; expected: string; continues: string };
  WAL_TORN_TAIL: TornArgs & { reason: string };
  WAL_TAIL_LOSES_COMMITTED: TornArgs & { reason: string; commit: string };
  WAL_RECORD_CRC: TornArgs & { stored: string; computed: string };
  WAL_RECORD_UNPARSABLE: TornArgs;
  WAL_RECORD_CUT: TornArgs & { length: string };
  WAL_RECORDS_BEHIND_END: TornArgs;
  WAL_RECORD_TOO_LARGE: { length: string; limit: string };
  WAL_UNREADABLE: { reason: string };
  WAL_SEARCH_GIVEN_UP: { searched: string };
  WAL_TAIL_NOT_ZERO: { bytes: string };
  WAL_RECORD_TYPE: { type: string; times: string };
  WAL_METADATA_MISSING: Record<never, never>;
  WAL_METADATA_EMPTY: Record<never, never>;
  WAL_METADATA_UNPARSABLE: { reason: string };
  WAL_METADATA_CONFLICT: { nodeId: string; clusterId: string; otherNodeId: string; otherClusterId: string };
  WAL_METADATA_UNEXPECTED: { what: string; expected: string; actual: string };
  WAL_CLUSTER_ID: { clusterId: string; expected: string; members: string };
  WAL_ENTRY_UNPARSABLE: { times: string };
  WAL_STATE_UNPARSABLE: { times: string };
  WAL_SNAPSHOT_UNPARSABLE: { times: string };
  WAL_VALUE_IMPLAUSIBLE: { what: string; times: string };
  WAL_ENTRY_PAYLOAD: { index: string; reason: string };
  WAL_ENTRY_TYPE: { index: string; type: string; times: string };
  WAL_ENTRY_GAP: { first: string; last: string; times: string };
  WAL_ENTRY_TERM_BACK: { index: string; term: string; previous: string; times: string };
  WAL_COMMITTED_OVERWRITTEN: { index: string; term: string; previous: string; commit: string; times: string };
  WAL_ENTRY_TERM_ABOVE_STATE: { index: string; term: string; stateTerm: string; times: string };
  WAL_STATE_BACK: { what: string; value: string; previous: string; times: string };
  WAL_VOTE_CHANGED: { term: string; vote: string; previous: string; times: string };
  WAL_NO_STATE: { entries: string };
  WAL_COMMIT_BEYOND: { commit: string; lastIndex: string };
  WAL_NO_SNAPSHOT: { records: string };
  WAL_SNAPSHOT_TERM: { index: string; term: string; entryTerm: string; times: string };
  WAL_SNAPSHOT_CONFLICT: { index: string; term: string; previous: string; times: string };
  WAL_SNAPSHOT_BACK: { index: string; previous: string; times: string };
  WAL_SNAPSHOT_PENDING: { index: string; commit: string; times: string };
  WAL_TOO_INTRICATE: Record<never, never>;
  WAL_IN_USE: Record<never, never>;
}

/** What lies around a bad spot: the last good record before it, and what can be found behind it. */
interface TornArgs {
  /** Index and term of the last entry before it, 0 if there is none. */
  lastIndex: string;
  lastTerm: string;
  /** Records that continue one another, found behind it; and the entries among them. */
  records: string;
  entries: string;
  firstBehind: string;
  lastBehind: string;
  /** `none`, `one` or `several`: whether what was found behind it was written in one go. */
  saves: string;
}

export type WalFindingCode = keyof WalFindingArgs;

/** A finding about a log: a union on `code`, which tells the arguments. */
export type WalFinding = {
  [Code in WalFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<WalFindingArgs[Code]>;
  };
}[WalFindingCode];

// What etcd does about it. The words are on docs/what-etcd-does.md.
const REFUSES = 'etcd does not start';
const STARTS = 'etcd starts';
const SILENT = 'etcd does not look';
const PANICS = 'etcd panics';

const NOTHING = 'nothing needs to be done';
const RESTORE =
  'keep a copy of the directory; in a cluster, remove this member and add it again so that it is sent the data; a single member is restored from a snapshot or backup';
const REPAIR = 'make a repaired copy (etcd-datadir wal repair -o NEW_DIR DIR)';
const ASIDE = `the log is whole without the segments before the newest snapshot: ${REPAIR}, which leaves them out`;
const BELOW = 'only what lies before the newest valid snapshot is concerned, which no start reads';
const OLD_SEGMENT = 'only segments are concerned that a start from the newest valid snapshot does not read';

const at = ({ file, offset }: AnyFinding): string =>
  offset === undefined ? `${file}` : `${file}, byte ${offset} (0x${offset.toString(16)})`;
const again = ({ args }: AnyFinding): string => (Number(args['times']) > 1 ? ` (${args['times']} such)` : '');
const before = ({ args }: AnyFinding): string =>
  args['lastIndex'] === '0' ? 'no entry before it' : `last good entry ${args['lastIndex']} of term ${args['lastTerm']}`;
const behind = ({ args }: AnyFinding): string => {
  if (args['records'] === '0') return 'nothing that continues the log behind it';
  const entries =
    args['entries'] === '0' ? '' : `, entries ${args['firstBehind']} to ${args['lastBehind']} (${args['entries']})`;
  const saves = args['saves'] === 'several' ? 'of several saves' : 'of one save';
  return `${args['records']} good records ${saves} behind it${entries}`;
};
const around = (f: AnyFinding): string => `${before(f)}; ${behind(f)}`;

export const walFindings: Readonly<Record<WalFindingCode, FindingDefinition>> = {
  WAL_NO_SEGMENTS: {
    severity: 'corrupt',
    message: ({ args }) =>
      args['files'] === '0'
        ? 'there is no segment in the directory'
        : `none of the ${args['files']} files is a segment`,
    remedy: `if only this record is wrong, ${REPAIR}; otherwise ${RESTORE}`,
    meaning:
      'The directory holds no file with the name of a segment. etcd takes an empty directory for a new member and starts a new log, under which the first writes are lost if a db is there already.',
    peer: `${REFUSES} ("wal: file not found") if a file ends in .wal; otherwise it starts a new log`,
  },
  WAL_NAME_STRAY: {
    severity: 'info',
    message: ({ file }) => `${file}: ends in .wal, but is not the name of a segment; it is not read`,
    remedy: 'move the file elsewhere',
    meaning: 'A file that somebody put there. etcd warns and ignores it, as long as there are real segments.',
    peer: STARTS,
  },
  WAL_NAME_UNUSUAL: {
    severity: 'repairable',
    message: ({ file, args }) =>
      `${file}: etcd reads this name as segment ${args['sequence']} from index ${args['index']}, but does not write it so`,
    remedy: `find out where the file comes from, then move it elsewhere or give it its right name: ${REPAIR}`,
    meaning:
      'Names are sixteen lower-case hex digits, twice. etcd also reads shorter ones, capitals, and text between two endings, but sorts by bytes: such a file may be read in the wrong place.',
    peer: 'etcd reads the file as a segment',
  },
  WAL_LEFTOVER: {
    severity: 'info',
    message: ({ file, args }) => `${file}: ${args['kind']}; it is not read`,
    remedy: NOTHING,
    meaning:
      'Files that crashes and repairs leave behind: N.tmp is the next segment, prepared; .broken is the copy that a repair made before it cut; others were put there by somebody.',
    peer: SILENT,
  },
  WAL_SEQUENCE_GAP: {
    severity: 'repairable',
    message: ({ file, args }) =>
      `${file}: segment number ${args['sequence']} follows number ${args['previous']}, but the CRC chain shows that nothing is missing between them`,
    remedy: `rename the segments: ${REPAIR}`,
    meaning: 'A segment has a wrong number in its name. What is in it continues the segment before.',
    peer: `${REFUSES} ("file sequence numbers do not increase continuously"), unless the number before is 0 or the gap lies before where it begins to read`,
  },
  WAL_SEGMENT_MISSING: {
    severity: 'corrupt',
    message: ({ file, args }) =>
      `${file}: segment number ${args['sequence']} follows number ${args['previous']}, and does not continue it: segments are missing`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'One or more segments between two others are gone.',
    peer: `${REFUSES} (crc mismatch, or file not found)`,
  },
  WAL_SEGMENT_INDEX_NAME: {
    severity: 'repairable',
    message: ({ file, args }) =>
      `${file}: the name says that entries begin at ${args['index']}; after what lies before, ${args['expected']} is right`,
    remedy: `rename the segment: ${REPAIR}`,
    meaning:
      'etcd finds the segment to begin with by the index in the name. A name that is too low or too high makes it begin at the wrong one, for some snapshots.',
    peer: `${STARTS}, unless it chooses a wrong segment because of it`,
  },
  WAL_SEGMENT_EMPTY: {
    severity: 'corrupt',
    message: ({ file, args }) => `${file}: no record, ${args['size']} bytes`,
    remedy: RESTORE,
    milder: {
      severity: 'repairable',
      when: 'it is the last of several segments: a crash while a segment was being started',
      remedy: `check the db beside the log; etcd starts and goes on in this file, but cannot repair it later: ${REPAIR}`,
    },
    meaning: 'A segment without any record. As the only one it means that the log is lost.',
    peer: `${STARTS} and appends to it if it is the last one`,
  },
  WAL_SEGMENT_WITHOUT_HEAD: {
    severity: 'repairable',
    message: ({ file }) => `${file}: has no records at its head, and continues the segment before directly`,
    remedy:
      'a start from the newest snapshot begins with this segment, and needs a head; in a copy, cut the segment before at the end of its records (wal info tells where), append this one to it, remove this one, and check the result: the chain of CRCs goes on across the join',
    milder: {
      severity: 'info',
      when: 'a start from the newest valid snapshot begins with an earlier segment',
      remedy: NOTHING,
    },
    meaning:
      'The server was started on an empty last segment, and went on in it without writing the head that segments begin with. It reads such a segment behind others, but cannot begin with it, nor repair it after a torn write.',
    peer: `${STARTS}, unless it begins with this segment: then it does not ("crc mismatch")`,
  },
  WAL_START_MISSING: {
    severity: 'corrupt',
    message: ({ args }) =>
      `no segment reaches back to the newest valid snapshot (index ${args['snapshot']}): the first one begins at ${args['index']}`,
    remedy: RESTORE,
    meaning: 'The segment with the entries that follow the snapshot is gone.',
    peer: `${REFUSES} ("wal: file not found")`,
  },
  WAL_CHAIN_BROKEN: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the crc record says ${f.args['stored']}, the records before it give ${f.args['expected']}${f.args['continues'] === 'yes' ? '; the records behind it continue those before: only this record is wrong' : ''}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning:
      'Each segment begins with the CRC of everything before it. Here it does not fit: records or whole segments between are missing, the segment belongs to another log, or this record is damaged.',
    peer: `${REFUSES} ("crc mismatch")`,
  },
  WAL_TORN_TAIL: {
    severity: 'repairable',
    message: (f) => `${at(f)}: the last write is torn (${f.args['reason']}); ${around(f)}`,
    remedy: `etcd cuts it off when it starts, if its version takes it for torn (see what each would do); or ${REPAIR}`,
    meaning:
      'The machine or process stopped while the last save was being written. Nothing of it was acknowledged. Everything up to the last good record is there; whether the db has got further can only be told with the db.',
    peer: `${STARTS}, after it has cut the tail off and kept a copy (.broken)`,
  },
  WAL_TAIL_LOSES_COMMITTED: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: looks like a torn write (${f.args['reason']}), but entries up to ${f.args['commit']} were committed; ${around(f)}`,
    remedy: RESTORE,
    meaning:
      'The end of the log is gone. The hard state, or the db, shows that it was longer: cutting it here loses acknowledged writes, and the next ones are never applied.',
    peer: `${STARTS} (or panics because of the commit index), after it has cut the tail off`,
  },
  WAL_RECORD_CRC: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the record has CRC ${f.args['stored']}, its data and the records before give ${f.args['computed']}; ${around(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The data of a record, its CRC, or its length was changed after it was written.',
    peer: `${REFUSES} ("crc mismatch")`,
  },
  WAL_RECORD_UNPARSABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the record cannot be parsed; ${around(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The bytes where a record should be are not a record.',
    peer: `${REFUSES}; but up to 3.6, where a length inside the record reaches past it, etcd takes it for a torn write and cuts off everything behind it`,
  },
  WAL_RECORD_CUT: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: ${f.args['length'] === '' ? 'less than a length field is left' : `a record of ${f.args['length']} bytes reaches past the end of the file`}; ${around(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning:
      'A segment that is not the last one ends within a record, or a length field in the middle of the last one is damaged, with good records of several saves behind it.',
    peer: `in a segment before the last ${REFUSES} ("unexpected EOF"); in the last one it cuts off everything behind it, and starts`,
  },
  WAL_RECORDS_BEHIND_END: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the log ends here, but ${behind(f)}; ${before(f)}`,
    remedy: RESTORE,
    milder: {
      severity: 'repairable',
      when: 'what lies behind belongs to one save, which may not have been finished; or only segments before the newest snapshot are concerned',
      remedy: 'etcd starts without what lies behind it, which was not acknowledged',
    },
    meaning:
      'A length field of zero ends the log. Here good records follow it: a hole was made in the log (a lost write, a zeroed sector).',
    peer: `${STARTS} without the records behind the hole, and overwrites them`,
  },
  WAL_RECORD_TOO_LARGE: {
    severity: 'unknown',
    message: (f) => `${at(f)}: a record of ${f.args['length']} bytes is not read here (limit ${f.args['limit']})`,
    remedy: RESTORE,
    meaning: 'The length field asks for a record larger than any that a server accepts.',
    peer: 'etcd 3.4 refuses records from 10 MiB on, later ones read it',
  },
  WAL_UNREADABLE: {
    severity: 'unknown',
    message: (f) => `${at(f)}: cannot be read: ${f.args['reason']}`,
    remedy: 'copy the directory to another disk (ddrescue), then check the copy',
    meaning: 'The operating system could not read this part of the file, as a dying disk does.',
    peer: REFUSES,
  },
  WAL_SEARCH_GIVEN_UP: {
    severity: 'info',
    message: (f) => `${at(f)}: the search for good records behind it was given up after ${f.args['searched']} bytes`,
    remedy: NOTHING,
    meaning: 'So much of what lies behind the spot looks like records that searching on would take too long.',
    peer: SILENT,
  },
  WAL_TAIL_NOT_ZERO: {
    severity: 'info',
    message: (f) => `${at(f)}: ${f.args['bytes']} bytes behind the end of the log are not zero`,
    remedy: NOTHING,
    meaning: 'Leftovers of a torn write or a file that was used before. They are never read.',
    peer: `${STARTS}, and overwrites them with zeros`,
  },
  WAL_RECORD_TYPE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: a record of type ${f.args['type']}, which does not exist${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The type of a record is not covered by its CRC. One bit of it was changed.',
    peer: `${REFUSES} ("unexpected block type")`,
  },
  WAL_METADATA_MISSING: {
    severity: 'corrupt',
    message: () => 'there is no metadata record: whose log it is cannot be told',
    remedy: RESTORE,
    meaning: 'Every segment begins with a record that names the member and the cluster. None was found.',
    peer: `${STARTS} as member 0 of cluster 0, or ${PANICS.slice(5)}`,
  },
  WAL_METADATA_EMPTY: {
    severity: 'info',
    message: (f) => `${at(f)}: the metadata record is empty`,
    remedy: NOTHING,
    meaning: 'Programs other than etcd that use its wal package write such logs.',
    peer: SILENT,
  },
  WAL_METADATA_UNPARSABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the metadata record does not hold the ids of member and cluster: ${f.args['reason']}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The record fits its CRC, but what is in it cannot be parsed.',
    peer: PANICS,
  },
  WAL_METADATA_CONFLICT: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: metadata of member ${f.args['nodeId']}, cluster ${f.args['clusterId']}; the records before are of member ${f.args['otherNodeId']}, cluster ${f.args['otherClusterId']}`,
    remedy: 'a segment of another log was put here: find out which, and move it elsewhere',
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'All segments of a log name the same member and cluster.',
    peer: `${REFUSES} ("conflicting metadata found")`,
  },
  WAL_METADATA_UNEXPECTED: {
    severity: 'refuse',
    message: (f) => `the log is of ${f.args['what']} ${f.args['actual']}, expected was ${f.args['expected']}`,
    remedy: 'this is the log of another member or cluster: find the right volume',
    meaning: 'The caller named the member or cluster that the log should belong to, and it belongs to another.',
    peer: SILENT,
  },
  WAL_CLUSTER_ID: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the metadata name cluster ${f.args['clusterId']}; the ${f.args['members']} members that the log begins with make ${f.args['expected']}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning:
      'The id of a cluster is made from the ids of its first members, which are in the first entries of the log. The metadata were changed, or the log was put together from two.',
    peer: `${STARTS} under the wrong id`,
  },
  WAL_ENTRY_UNPARSABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the entry in this record cannot be parsed${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The record fits its CRC, but does not hold an entry: it was written wrong, or its type was changed.',
    peer: PANICS,
  },
  WAL_STATE_UNPARSABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the hard state in this record cannot be parsed${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The record fits its CRC, but does not hold a hard state.',
    peer: PANICS,
  },
  WAL_SNAPSHOT_UNPARSABLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: the snapshot in this record cannot be parsed${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: OLD_SEGMENT, remedy: ASIDE },
    meaning: 'The record fits its CRC, but does not hold a snapshot.',
    peer: PANICS,
  },
  WAL_VALUE_IMPLAUSIBLE: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: ${f.args['what']} cannot be right${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: BELOW, remedy: NOTHING },
    meaning:
      'An index of 0, or an index, term or commit of 2^53 and more, which no cluster reaches in a hundred years. It is left out of the other checks.',
    peer: `${REFUSES}, or ignores it`,
  },
  WAL_ENTRY_PAYLOAD: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: entry ${f.args['index']} cannot be applied: it holds ${f.args['reason']}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: BELOW, remedy: NOTHING },
    meaning:
      'The record fits its CRC, but the request or change of members in the entry cannot be parsed or is not whole.',
    peer: `${PANICS} when it applies the entry`,
  },
  WAL_ENTRY_TYPE: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: entry ${f.args['index']} is of type ${f.args['type']}, which etcd does not apply${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: BELOW, remedy: NOTHING },
    meaning: 'etcd writes entries of type 0 (requests) and 1 (changes of members) only.',
    peer: `${PANICS} when it applies the entry`,
  },
  WAL_ENTRY_GAP: {
    severity: 'corrupt',
    message: (f) => `${at(f)}: entries ${f.args['first']} to ${f.args['last']} are missing before this one${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: BELOW, remedy: NOTHING },
    meaning:
      'Entries follow one another without a gap, unless a snapshot that was received covers it. Here some are missing.',
    peer: `${REFUSES} ("slice bounds out of range") if the gap lies behind the snapshot it starts from`,
  },
  WAL_ENTRY_TERM_BACK: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: entry ${f.args['index']} is of term ${f.args['term']}, the one before of term ${f.args['previous']}${again(f)}`,
    remedy: RESTORE,
    milder: {
      severity: 'repairable',
      when: 'the entry is committed, or lies before the newest valid snapshot',
      remedy: 'nothing is lost on this member; add it to its cluster again if others should need entries from it',
    },
    meaning: 'Terms never go back from one entry to the next.',
    peer: STARTS,
  },
  WAL_COMMITTED_OVERWRITTEN: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: entry ${f.args['index']} of term ${f.args['term']} replaces one of term ${f.args['previous']}, though entries up to ${f.args['commit']} were committed${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: BELOW, remedy: NOTHING },
    meaning: 'What is committed never changes. Two members believed in different histories, or segments were mixed.',
    peer: STARTS,
  },
  WAL_ENTRY_TERM_ABOVE_STATE: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: entry ${f.args['index']} is of term ${f.args['term']}, the hard state of term ${f.args['stateTerm']}${again(f)}`,
    remedy: NOTHING,
    milder: {
      severity: 'info',
      when: 'only entries of the last save are concerned, which are written before their hard state',
      remedy: NOTHING,
    },
    meaning: 'The hard state has at least the term of the entries saved with it.',
    peer: STARTS,
  },
  WAL_STATE_BACK: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: ${f.args['what']} of the hard state goes back from ${f.args['previous']} to ${f.args['value']}${again(f)}`,
    remedy: RESTORE,
    milder: {
      severity: 'repairable',
      when: 'a usable snapshot or the first entry is still there: everything is committed again',
      remedy: 'etcd starts and commits the entries again',
    },
    meaning: 'Neither the commit index nor the term of the hard state ever goes back.',
    peer: `${STARTS}, from an older snapshot if need be`,
  },
  WAL_VOTE_CHANGED: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: the vote in term ${f.args['term']} changes from ${f.args['previous']} to ${f.args['vote']}${again(f)}`,
    remedy: 'add the member to its cluster again',
    meaning: 'A member votes once a term. No data is wrong here, but the member may have elected two leaders.',
    peer: STARTS,
  },
  WAL_NO_STATE: {
    severity: 'info',
    message: ({ args }) => `there is no hard state in the log, and ${args['entries']} entries`,
    remedy: 'if the member does not come up, remove the directory and add the member again; nothing was committed yet',
    meaning: 'The member stopped before its first save was finished.',
    peer: `${STARTS}; with entries but without state it never elects a leader`,
  },
  WAL_COMMIT_BEYOND: {
    severity: 'corrupt',
    message: ({ args }) =>
      `entries up to ${args['commit']} were committed, but the log ends with entry ${args['lastIndex']}`,
    remedy: RESTORE,
    meaning: 'The end of the log is gone, or the hard state was changed.',
    peer: `${PANICS} ("state.commit is out of range")`,
  },
  WAL_NO_SNAPSHOT: {
    severity: 'corrupt',
    message: ({ args }) =>
      args['records'] === '0'
        ? 'there is no snapshot record in the log'
        : `none of the ${args['records']} snapshot records is at or below the commit index`,
    remedy: RESTORE,
    milder: {
      severity: 'repairable',
      when: 'the log reaches back to the first entry',
      remedy: 'etcd up to 3.6 starts from the first entry; 3.7 does not start',
    },
    meaning: 'A new log begins with a snapshot record of index 0, and etcd writes one for each later snapshot.',
    peer: 'up to 3.6 it starts from the first entry, if that is there; 3.7 crashes',
  },
  WAL_SNAPSHOT_TERM: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: the record of the snapshot at ${f.args['index']} says term ${f.args['term']}, its entry is of term ${f.args['entryTerm']}${again(f)}`,
    remedy: 'etcd up to 3.6 starts from an older snapshot; 3.7 does not mind',
    meaning: 'A snapshot has the term of the last entry in it.',
    peer: STARTS,
  },
  WAL_SNAPSHOT_CONFLICT: {
    severity: 'corrupt',
    message: (f) =>
      `${at(f)}: the snapshot at ${f.args['index']} is recorded with term ${f.args['term']}, before with term ${f.args['previous']}${again(f)}`,
    remedy: RESTORE,
    milder: { severity: 'repairable', when: 'a start uses another snapshot', remedy: NOTHING },
    meaning: 'Two records of one snapshot disagree about its term: one of them was changed, or segments were mixed.',
    peer: `${REFUSES} ("snapshot mismatch") if it starts from this snapshot`,
  },
  WAL_SNAPSHOT_BACK: {
    severity: 'repairable',
    message: (f) =>
      `${at(f)}: a snapshot at ${f.args['index']} is recorded after one at ${f.args['previous']}${again(f)}`,
    remedy: NOTHING,
    meaning: 'Snapshots are recorded in order of index. etcd 3.7 starts from the last record, not from the newest.',
    peer: STARTS,
  },
  WAL_SNAPSHOT_PENDING: {
    severity: 'info',
    message: (f) =>
      `${at(f)}: a snapshot at ${f.args['index']} is recorded above the commit index ${f.args['commit']}${again(f)}`,
    remedy: NOTHING,
    meaning: 'A snapshot was being received when the member stopped. It is received again.',
    peer: `${STARTS}, and does not use it`,
  },
  WAL_TOO_INTRICATE: {
    severity: 'unknown',
    message: () => 'entries overwrite one another so often that the log is not followed any further',
    remedy: RESTORE,
    meaning: 'More than a million runs of entries: no etcd writes such a log.',
    peer: SILENT,
  },
  WAL_IN_USE: {
    severity: 'info',
    message: ({ file }) => `${file}: a running program holds its lock: the log is being written`,
    remedy:
      'what was found at the very end of the log may be a write in progress: check again when the member is stopped',
    meaning: 'etcd holds a lock on the segments that it may still need.',
    peer: SILENT,
  },
};
