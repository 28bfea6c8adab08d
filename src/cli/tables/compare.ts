/**
 * The commands for comparing files, and seeing what takes the space.
 */
import type { Command, OptionSpec } from '../command.ts';
import { DATA_PATH, WAL_DIR } from './common.ts';

const revision = (side: string): OptionSpec => ({
  type: 'string',
  value: 'REV',
  summary: `the revision of ${side} (default: the newest)`,
});

/** In the order in which help lists them. */
export const COMPARE_COMMANDS: readonly Command[] = [
  {
    words: ['diff'],
    summary: 'tell which keys differ between two files, or between two revisions of one',
    details: [
      'Lists the keys that only B has (added), that only A has (removed), and that both have but not the same (changed), each with what both sides have. Ends with 1 if there are any.',
      'Everything that etcd keeps of a key is compared: value, lease, the revisions it was created and last changed at, and its version; what differs is named. --ignore-revisions compares values and leases only, for files that were not written by the same cluster.',
      'Between two files, the buckets of leases, members, users, roles and alarms are compared too; what differs there is told, but does not count for the exit code.',
      'Without B, two revisions of A are compared: one of --rev-a and --rev-b has to be given.',
      'Memory: the bytes of the keys of both sides and 36 bytes for each. Values are compared by a checksum of 64 bits, keys by their bytes.',
    ],
    arguments: [
      { ...DATA_PATH, name: 'A' },
      { ...DATA_PATH, name: 'B', summary: 'another one; without it, two revisions of A are compared', optional: true },
    ],
    options: {
      'rev-a': revision('A'),
      'rev-b': revision('B'),
      prefix: { type: 'string', value: 'PREFIX', summary: 'keys that begin so' },
      'keys-only': { type: 'boolean', summary: 'the keys only, not what both sides have' },
      'ignore-revisions': { type: 'boolean', summary: 'compare values and leases only' },
    },
    example: ['DB', 'DB'],
    load: () => import('../commands/diff.ts'),
  },
  {
    words: ['du'],
    summary: 'tell what takes the space: live values, history, tombstones, free pages',
    details: [
      'Bytes are those of the records, the revision with the key and value under it: live ones are the newest of keys that are there, history is what compaction can remove, tombstones mark deletions. What pages take for themselves, what is unused in them (slack) and free pages are told for the file as a whole.',
      'By prefix: names are cut at slashes. By bucket: the buckets of the file. By namespace: the namespaces of Kubernetes, and in them and in all the kinds of objects, by the paths of the keys below /registry/, /kubernetes.io/ and /openshift.io/; another --prefix is taken for the root of these paths.',
      'Names that turn up when there are --max-names already are added up under one name.',
      'Memory: the bytes of all keys and 32 bytes for each.',
    ],
    arguments: [DATA_PATH],
    options: {
      by: {
        type: 'string',
        choices: ['prefix', 'bucket', 'namespace'],
        default: 'prefix',
        summary: 'what the space is divided by',
      },
      depth: {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        default: '2',
        summary: 'with --by prefix: levels of names, 100 at most',
      },
      prefix: { type: 'string', value: 'PREFIX', summary: 'keys that begin so; not with --by bucket' },
      top: {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        default: '10',
        summary: 'name so many of the keys with the most records',
      },
      'max-names': {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        default: '10000',
        summary: 'as many names as the tree may have',
      },
      'wal-dir': WAL_DIR,
    },
    example: ['DB'],
    load: () => import('../commands/du.ts'),
  },
];
