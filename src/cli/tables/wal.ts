/**
 * The commands for write-ahead logs.
 */
import type { ArgumentSpec, Command } from '../command.ts';
import { MAX_FINDINGS } from './common.ts';

const WAL: ArgumentSpec = {
  name: 'PATH',
  summary: 'the directory of a log, a data directory, or one segment',
  complete: 'file',
};

/** In the order in which help lists them. */
export const WAL_COMMANDS: readonly Command[] = [
  {
    words: ['wal', 'check'],
    summary: 'verify a write-ahead log, and tell what each etcd would do with it',
    details: [
      'Reads every record once: frames, CRCs, the CRC chain from segment to segment, indexes and terms. A torn last write is told from damage; behind damage, good records are searched for and counted.',
      'Only the log is looked at. Whether the db has got further, and whether each snapshot has its .snap file, is listed under what was not examined.',
    ],
    arguments: [WAL],
    options: { 'max-findings': MAX_FINDINGS },
    example: ['WAL'],
    load: () => import('../commands/wal-check.ts'),
  },
  {
    words: ['wal', 'info'],
    summary: 'tell what a log holds: segments, indexes, hard state, snapshots, kinds of entries',
    details: [
      'The version is the lowest one of etcd that understands the entries behind the newest snapshot: what etcd 3.6 and later look at before a downgrade.',
      'Ends with 1 if the log is damaged; wal check tells what that means.',
    ],
    arguments: [WAL],
    options: {},
    example: ['WAL'],
    load: () => import('../commands/wal-info.ts'),
  },
  {
    words: ['wal', 'dump'],
    summary: 'print the records of a log: by index, term, type or key',
    details: [
      'Prints the entries of the whole log in the form of etcd-dump-logs, one a row; with --json all records, one JSON object a line. Entries that were overwritten later are shown too, and marked.',
      'Types: records are metadata, entry, state, crc, snapshot; entries are ConfigChange, Normal, Request (of the v2 API), InternalRaftRequest, IRRRange, IRRPut, IRRDeleteRange, IRRTxn, IRRCompaction, IRRLeaseGrant, IRRLeaseRevoke, IRRLeaseCheckpoint.',
      '--key and --prefix find puts and deletes, of ranges too and inside transactions. Keys that went with a lease are not known to the log.',
      'Passwords, their hashes and tokens are never shown.',
      'Unlike etcd-dump-logs it begins with the first entry of the log, not behind the newest snapshot. -start-index, -end-index, -entry-type and -raw are taken as that of etcd 3.7 takes them: the first index is shown, the last is not.',
      'Ends with 1 if damage ended the dump, or, with --raw, if any was met.',
    ],
    arguments: [WAL],
    options: {
      from: {
        type: 'string',
        value: 'N',
        aliases: ['start-index'],
        singleDash: ['start-index'],
        summary: 'entries and snapshots from this index on',
      },
      to: { type: 'string', value: 'N', summary: 'entries and snapshots up to this index, itself included' },
      'end-index': { type: 'string', value: 'N', singleDash: ['end-index'], summary: 'the same, itself not included' },
      term: { type: 'string', value: 'N', summary: 'entries, hard states and snapshots of this term' },
      type: {
        type: 'string',
        value: 'LIST',
        list: true,
        aliases: ['entry-type'],
        singleDash: ['entry-type'],
        summary: 'records of these types only; may be given more than once',
      },
      key: { type: 'string', value: 'KEY', summary: 'entries that write or delete this key' },
      prefix: { type: 'string', value: 'PREFIX', summary: 'entries that write or delete keys that begin so' },
      raw: {
        type: 'boolean',
        singleDash: ['raw'],
        summary: 'every record as it lies in its file, also behind damage, with its place',
      },
    },
    example: ['WAL'],
    load: () => import('../commands/wal-dump.ts'),
  },
  {
    words: ['wal', 'repair'],
    summary: 'make a repaired copy of a write-ahead log, where nothing is lost by it',
    details: [
      'Cuts off a torn last write, leaves out segments that the newest snapshot does not need and empty ones, gives segments their right names and numbers, and writes a wrong crc record at the head of a segment anew. Records themselves are copied as they are. The new log is checked before it gets its name; PATH is never touched.',
      'Refuses, with exit code 1 and without writing anything, where entries would be lost that were committed or that the db has applied, or good records behind damage. How far the db has got is read from member/snap/db of a data directory, or from --db.',
      'PATH is a data directory, a member directory, or the directory of a log itself. DIR takes the place of the member/wal directory. If nothing is to be repaired, nothing is written, with exit code 0.',
    ],
    arguments: [WAL],
    options: {
      output: {
        type: 'string',
        short: 'o',
        aliases: ['out'],
        value: 'DIR',
        required: true,
        summary: 'the new directory; it must not exist',
      },
      db: {
        type: 'string',
        value: 'FILE',
        summary: 'the db that belongs to the log (default: member/snap/db of PATH)',
      },
      'without-db': { type: 'boolean', summary: 'go by the log alone: writes that the db has applied may be cut off' },
      'accept-loss': { type: 'boolean', summary: 'cut the log also where something is lost by it, and tell what' },
      'without-snap': {
        type: 'boolean',
        summary:
          'leave old segments out also where the .snap file of the snapshot is missing, which etcd up to 3.6 needs',
      },
      'ignore-lock': { type: 'boolean', summary: 'go on although an etcd seems to have the log open' },
    },
    example: ['WAL', '--output', 'OUT', '--without-db'],
    load: () => import('../commands/wal-repair.ts'),
  },
];
