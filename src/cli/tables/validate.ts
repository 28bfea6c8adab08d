/**
 * The command `validate`.
 */
import { ETCD_MINORS } from '../../etcd-version.ts';
import type { Command } from '../command.ts';
import { MAX_FINDINGS, WAL_DIR } from './common.ts';

export const VALIDATE_COMMANDS: readonly Command[] = [
  {
    words: ['validate'],
    summary: 'decide whether etcd may start on a data directory',
    details: [
      'Ends with 0 only if etcd may start: also on what it mends itself without loss, such as a torn end of its log. Otherwise the report says what to do: repair, restore from a backup, keep and inspect, or refuse. The deletion of a directory that nothing can replace is never recommended.',
      'Mode auto goes by the marker beside the directory: sanity after a run that ended normally, full otherwise. Sanity does not depend on the size of the db; full reads the log, the .snap files and every page of the db; deep also every record.',
      'With --store the newest revision is compared with that of the backups. Only if the db is behind are the entries of its log applied, on the side.',
      'Writes nothing, but for --update-marker and --create-guard, and these never into the directory. docs/validation.md has the flow, the forms of the marker and the tables of recommendations and actions.',
    ],
    arguments: [{ name: 'DIR', summary: 'the data directory: what etcd gets as --data-dir', complete: 'file' }],
    options: {
      mode: {
        type: 'string',
        choices: ['auto', 'sanity', 'full', 'deep'],
        default: 'auto',
        summary: 'how much is examined; auto: by how the last run ended',
      },
      marker: {
        type: 'string',
        value: 'FILE',
        summary:
          'the marker that tells how the last run ended (default: etcd-datadir-run.json, exit_code or validation_marker beside DIR)',
      },
      'update-marker': {
        type: 'boolean',
        summary: 'write into the marker that a validation is under way, and that it has succeeded',
      },
      guard: {
        type: 'string',
        value: 'FILE',
        summary: 'the file that names the owner of the volume (default: safe_guard beside DIR)',
      },
      'guard-value': {
        type: 'string',
        value: 'TEXT',
        summary: 'the owner that it must name (default: POD_NAMESPACE of the environment; empty: it is not looked at)',
      },
      'create-guard': { type: 'boolean', summary: 'make the guard file if it is missing' },
      'etcd-version': {
        type: 'string',
        value: '3.x',
        choices: ETCD_MINORS,
        summary: 'the release that is to start (default: the one whose data it is)',
      },
      store: {
        type: 'string',
        value: 'DIR',
        summary: 'a folder with backups, full and delta snapshots, to compare the revision with',
      },
      'fail-below-revision': {
        type: 'string',
        value: 'N',
        summary: 'refuse data below this revision, if there are no backups',
      },
      replay: { type: 'boolean', summary: 'tell the revision after the log is applied also if nothing depends on it' },
      'expect-member-id': {
        type: 'string',
        value: 'ID',
        summary: 'refuse the directory of another member (in hex, as etcd prints it)',
      },
      'expect-cluster-id': { type: 'string', value: 'ID', summary: 'refuse the directory of another cluster' },
      'expect-hashkv': {
        type: 'string',
        value: 'HASH@REV[/COMPACT]',
        summary:
          'compare the hash of all keys at a revision with that of another member, as hashkv and etcdctl give it; reads the whole db',
      },
      'multi-node': { type: 'boolean', summary: 'it is one of several members' },
      'others-reachable': {
        type: 'string',
        choices: ['yes', 'no'],
        summary: 'whether enough other members can be reached to get everything from them',
      },
      'in-cluster': {
        type: 'string',
        choices: ['yes', 'no'],
        summary: 'whether the other members know this one',
      },
      'allow-missing': { type: 'boolean', summary: 'DIR may be missing or empty, as that of a new member' },
      'reference-actions': {
        type: 'boolean',
        summary:
          'tell as action what etcd-backup-restore would do, also where it deletes what nothing can replace; nothing is done',
      },
      'lock-timeout': {
        type: 'string',
        value: 'SECONDS',
        integer: { min: 0 },
        default: '0',
        summary: 'wait so long for a running etcd to end',
      },
      'wal-dir': WAL_DIR,
      'max-findings': MAX_FINDINGS,
    },
    example: ['DIR'],
    load: () => import('../commands/validate.ts'),
  },
];
