/**
 * The commands that make data directories: `init-db`, `populate`, `restore`.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { Command, OptionSpec } from '../command.ts';
import { PAGE_SIZE } from './common.ts';

const TARGET_VERSION: OptionSpec = {
  type: 'string',
  value: '3.x',
  choices: ETCD_MINORS,
  summary: 'the release that is to start: log and .snap file get its bytes, and what it does not start with is changed',
};

const ALL_MEMBERS: OptionSpec = {
  type: 'string',
  value: 'OUT_DIR',
  summary: 'make the directories of all members, OUT_DIR/NAME, in place of one',
};

const DRY_RUN: OptionSpec = {
  type: 'boolean',
  summary: 'verify everything, tell what would be made, and write nothing',
};

/** The flags of etcdutl snapshot restore that say who the members are. */
const MEMBER_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  name: { type: 'string', value: 'NAME', default: 'default', summary: 'the name of the member' },
  'data-dir': { type: 'string', value: 'DIR', summary: 'the new data directory (default: NAME.etcd)' },
  'wal-dir': { type: 'string', value: 'DIR', summary: 'the new directory of the log (default: in the data directory)' },
  'initial-cluster': {
    type: 'string',
    value: 'LIST',
    default: 'default=http://localhost:2380',
    summary: 'all members: NAME=PEER_URL,…; a name that comes again adds a URL',
  },
  'initial-cluster-token': {
    type: 'string',
    value: 'TEXT',
    default: 'etcd-cluster',
    summary: 'makes the ids differ from those of another cluster',
  },
  'initial-advertise-peer-urls': {
    type: 'string',
    value: 'URLS',
    summary: 'the peer URLs of the member, as in the list of all',
  },
};

const WHAT_IS_WRITTEN =
  'Nothing has its name before all of it is written, on the disk, and was checked as check --level deep does it (of a db above 64 MiB --level full, with a digest of all that went in). Directories get mode 0700, files 0600. A directory that is there must be empty.';

/** In the order in which help lists them. */
export const CREATE_COMMANDS: readonly Command[] = [
  {
    words: ['init-db'],
    summary: 'make a blank db: the first of the two phases of a bootstrap',
    details: [
      "The db has all of etcd's buckets, empty, and can be restored by the tools of every release, which need --skip-hash-check unless it has a sha256.",
      '--minimal makes only the buckets members and cluster. The tools of etcd from 3.5 on fail on that one; populate adds what it lacks.',
    ],
    arguments: [{ name: 'OUT', summary: 'the new file; it must not exist', complete: 'file' }],
    options: {
      minimal: { type: 'boolean', summary: 'only the buckets members and cluster' },
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary: 'as a new server of that release has it; the buckets of 3.4 to 3.7 are the same',
      },
      'with-hash': { type: 'boolean', summary: 'with a sha256 at the end, as a snapshot file has it' },
      'page-size': {
        ...PAGE_SIZE,
        integer: { min: 512 },
        default: '4096',
        summary: 'a power of two, from 512 to 65536',
      },
    },
    example: ['OUT'],
    load: () => import('../commands/init-db.ts'),
  },
  {
    words: ['populate'],
    summary: "make a new member's data directory from a list of members: the second phase of a bootstrap",
    details: [
      'Every member needs a directory that was made from the same list, with the same token. Then start the servers: the members are in their logs, so no flag about the initial cluster is needed. The command prints how.',
      'The list comes from --initial-cluster, or from a JSON or YAML file: a list of members with name and peerURLs, also the JSON of etcdctl member list; a map of names to URLs; or etcd configuration with initial-cluster.',
      'Without DB a blank one is made. One that has keys is refused: that is a restore.',
      WHAT_IS_WRITTEN,
    ],
    arguments: [{ name: 'DB', summary: 'a blank db, as init-db makes it', complete: 'file', optional: true }],
    options: {
      ...MEMBER_OPTIONS,
      members: {
        type: 'string',
        value: 'FILE',
        summary: 'a JSON or YAML file that lists the members; - is standard input',
      },
      learner: { type: 'string', value: 'NAME', summary: 'the member that does not vote until it is promoted' },
      'etcd-version': TARGET_VERSION,
      'all-members': ALL_MEMBERS,
      'skip-hash-check': { type: 'boolean', summary: 'accepted, as etcdutl takes it: a blank db needs no sha256' },
      'dry-run': DRY_RUN,
    },
    example: ['--data-dir', 'OUT'],
    load: () => import('../commands/populate.ts'),
  },
  {
    words: ['restore'],
    summary: "make a member's data directory from a snapshot file, a db, or another data directory",
    details: [
      'Takes the flags of etcdutl snapshot restore. The new directory is that of a new cluster: the members of the old one are gone, everything else is kept: keys with their history, leases, users and roles, alarms.',
      'SNAPSHOT is a file of etcdctl snapshot save, whose sha256 must be right; a db copied from a member, with --skip-hash-check; or a data directory, to whose db the entries that only its log has are applied first, as snapshot does it.',
      'With --etcd-version versions in the db that are newer than the release are brought to its own or left out, which is told. A downgrade that was under way is left out, unless --keep-downgrade.',
      '--bump-revision N raises the revision and marks everything before as compacted, so that clients which watched the old cluster notice: needed wherever clients keep caches, as Kubernetes does. auto is 1,000,000,000, enough for a backup of a week at 1500 writes a second, or what --not-below asks for.',
      '--all-members makes the directories of all members in one go. The command prints how each is started.',
      WHAT_IS_WRITTEN,
    ],
    differences: [
      'an empty data directory that exists is filled for every release; etcdctl 3.4 refuses it',
      'hosts of --initial-advertise-peer-urls are never looked up: they must be written as in --initial-cluster',
      'members of the old cluster are removed for 3.4 too, whose own tool leaves them in the db',
      'a failed restore leaves nothing behind',
      'flags that the tool of a release does not have yet work for it all the same',
      'the db is written anew without free pages, so it may be smaller than the snapshot',
    ],
    arguments: [{ name: 'SNAPSHOT', summary: 'a snapshot file, a db, or a data directory', complete: 'file' }],
    options: {
      ...MEMBER_OPTIONS,
      'initial-advertise-peer-urls': {
        ...(MEMBER_OPTIONS['initial-advertise-peer-urls'] as OptionSpec),
        default: 'http://localhost:2380',
      },
      'skip-hash-check': {
        type: 'boolean',
        summary: 'the file is no snapshot file but a db, or its sha256 is known to be wrong',
      },
      'bump-revision': {
        type: 'string',
        value: 'N|auto',
        summary: 'how much the revision is raised; needs --mark-compacted unless auto',
      },
      'mark-compacted': { type: 'boolean', summary: 'what was before the raised revision counts as compacted' },
      'not-below': {
        type: 'string',
        value: 'REV',
        integer: { min: 1 },
        summary: 'the highest revision that any client may have seen: the raised one must not be below',
      },
      'keep-downgrade': { type: 'boolean', summary: 'a downgrade that was under way stays so' },
      'initial-memory-map-size': {
        type: 'string',
        value: 'N',
        integer: { min: 0 },
        summary: 'accepted, as etcdutl takes it; nothing is mapped here',
      },
      'etcd-version': TARGET_VERSION,
      'all-members': ALL_MEMBERS,
      tail: {
        type: 'string',
        choices: ['auto', 'committed', 'all'],
        default: 'auto',
        summary: 'of a data directory: which entries of its log are applied; see snapshot',
      },
      'source-wal-dir': {
        type: 'string',
        value: 'DIR',
        summary: 'of a data directory: its log, if that is not in member/wal',
      },
      'dry-run': DRY_RUN,
    },
    example: ['DB', '--data-dir', 'OUT'],
    load: () => import('../commands/restore.ts'),
  },
];
