/**
 * The commands for the state of a db as a whole: status, hashes, meta.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { Command } from '../command.ts';
import { DATA_PATH, FORM_OF_VERSION, WAL_DIR, WRITE_OUT } from './common.ts';

/** In the order in which help lists them. */
export const STATE_COMMANDS: readonly Command[] = [
  {
    words: ['status'],
    summary: 'tell revision, keys, size, hash and versions of a db, every page of which is checked',
    details: [
      'What `etcdutl snapshot status` tells, in both meanings of "keys", and more. --json has the names of etcdutl 3.6 and later, with their meaning, and more fields behind them.',
      'Reads everything once. Memory grows with the keys: their bytes and up to 22 more for each.',
      'A damaged db has no status: its findings are printed, with exit code 1. Records that cannot be read are left out and counted; then too the exit code is 1.',
    ],
    differences: [
      'a db without bucket meta, or without any bucket, has a status; etcdutl 3.6 and later crash',
      'records that are none are passed over; etcdutl 3.6 and later stop at the first one',
      'the list of free pages is not looked at, nor are free pages',
      'the file is not locked: that of a running etcd can be looked at',
    ],
    arguments: [DATA_PATH],
    options: { 'write-out': WRITE_OUT, 'etcd-version': FORM_OF_VERSION, 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/status.ts'),
  },
  {
    words: ['hashkv'],
    summary: 'compute the hash of all keys at a revision, by which etcd compares its members',
    details: [
      'The number of `etcdutl hashkv` and of a server for the same revision and the same compacted revision. Only if both are equal can two hashes be compared.',
      'A server answers for a revision that was compacted from memory, with the hash from before the compaction: compare at a later one.',
    ],
    differences: [
      'the file is only read; etcdutl opens it for writing and changes its metas, so that the checksum of a snapshot file no longer fits',
      'keys with leases are no problem; etcdutl 3.6.14 panics there',
    ],
    arguments: [DATA_PATH],
    options: {
      rev: { type: 'string', value: 'N', summary: 'the revision (default, and for 0: the newest)' },
      'write-out': WRITE_OUT,
      'etcd-version': FORM_OF_VERSION,
      'wal-dir': WAL_DIR,
    },
    example: ['DB'],
    load: () => import('../commands/hashkv.ts'),
  },
  {
    words: ['hash'],
    summary: 'compute the hash of a whole db, as servers of a release do',
    details: [
      'The answer of the call Maintenance.Hash, and of `etcd-dump-db hash`. What is left out of it depends on the release of the server; all variants are told.',
      'Members of a healthy cluster need not have the same one: use hashkv to compare them.',
    ],
    arguments: [DATA_PATH],
    options: {
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary: 'the release of the server (default: that which the db says it is of)',
      },
      'wal-dir': WAL_DIR,
    },
    example: ['DB'],
    load: () => import('../commands/hash.ts'),
  },
  {
    words: ['meta'],
    summary: 'tell how far a db has got in the log, what was compacted, and which versions it is of',
    details: [
      'Buckets meta and cluster. Values that cannot be read are named, and count as absent. Reads a few pages only.',
    ],
    arguments: [DATA_PATH],
    options: { 'wal-dir': WAL_DIR },
    example: ['DB'],
    load: () => import('../commands/meta.ts'),
  },
];
