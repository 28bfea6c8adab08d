/**
 * Every finding of a validation that is not about the data itself: guard, backups, expectations.
 * docs/findings.md is made from this table.
 */
import type { FindingDefinition, FindingPlace, Severity } from '../../finding-table.ts';

/** The arguments of each code. */
export interface ValidationFindingArgs {
  VALIDATE_NO_DIRECTORY: Record<never, never>;
  VALIDATE_STALE: { revision: string; store: string };
  VALIDATE_NEEDS_UNCOMMITTED: { revision: string; store: string; entries: string };
  VALIDATE_BELOW_REVISION: { revision: string; minimum: string };
  VALIDATE_REVISION_UNKNOWN: { revision: string; needed: string; reason: string };
  VALIDATE_STORE_UNREADABLE: { store: string; reason: string };
  VALIDATE_STORE_NO_BASE: { store: string; deltas: string };
  VALIDATE_STORE_GAP: { after: string; found: string; object: string };
  VALIDATE_GUARD_DIFFERS: { expected: string; actual: string };
  VALIDATE_GUARD_UNREADABLE: { reason: string };
  VALIDATE_GUARD_MISSING: { expected: string };
  VALIDATE_HASHKV_DIFFERS: { revision: string; compactRevision: string; expected: string; actual: string };
  VALIDATE_HASHKV_NOT_COMPARED: { revision: string; reason: string };
}

export type ValidationFindingCode = keyof ValidationFindingArgs;

/** A union on `code`, which tells the arguments. */
export type ValidationFinding = {
  [Code in ValidationFindingCode]: FindingPlace & {
    readonly code: Code;
    readonly severity: Severity;
    readonly args: Readonly<ValidationFindingArgs[Code]>;
  };
}[ValidationFindingCode];

export const validationFindings: Readonly<Record<ValidationFindingCode, FindingDefinition>> = {
  VALIDATE_NO_DIRECTORY: {
    severity: 'unknown',
    message: () => 'there is no data directory',
    remedy:
      'look whether the volume is mounted and the path is right; a new member is allowed to have none with --allow-missing',
    meaning:
      'Nothing is there under this name. That is right for a new member, and wrong for one whose volume is not mounted: only who asks can tell.',
    milder: {
      severity: 'info',
      when: 'it was said that it may be missing, and there are no backups',
      remedy: 'none needed: etcd begins with an empty one',
    },
    peer: 'begins anew, with an empty directory',
  },
  VALIDATE_STALE: {
    severity: 'stale',
    message: ({ args }) => `the newest revision is ${args['revision']}, that of the backups ${args['store']}`,
    remedy: 'restore the member from the backup',
    meaning:
      'The directory is whole, but older than the backups, also with all entries of its log that etcd would apply: writes that were acknowledged are not in it. A volume was put back to an older state, or belongs to an older life of the cluster.',
    milder: {
      severity: 'info',
      when: 'it is one of several members, and others can be reached that have the rest',
      remedy: 'none needed: the member catches up from its leader',
    },
    peer: 'starts and serves the older data; snapshots taken from it would bury the newer ones',
  },
  VALIDATE_NEEDS_UNCOMMITTED: {
    severity: 'info',
    message: ({ args }) =>
      `the log shows revision ${args['revision']} to be committed; that of the backups, ${args['store']}, is reached with the ${args['entries']} entries behind it`,
    remedy: 'none needed if the other members start too: together they know what was committed',
    meaning:
      'One of several members learns late what a majority has. The entries are in its log, so nothing is shown to be missing.',
    peer: 'asks the other members',
  },
  VALIDATE_BELOW_REVISION: {
    severity: 'refuse',
    message: ({ args }) =>
      `the newest revision is ${args['revision']}, and at least ${args['minimum']} was asked for; there are no backups to compare with`,
    remedy: 'look whether the volume and the backup store are the right ones; restore from a backup if there is one',
    meaning:
      'The caller knows that the data were once further than this. With an empty store nothing else would notice that they are old, or gone.',
    peer: 'starts and serves the older data',
  },
  VALIDATE_REVISION_UNKNOWN: {
    severity: 'unknown',
    message: ({ args }) => {
      const what = args['needed'] === '0' ? 'the newest revision' : `whether revision ${args['needed']} is reached`;
      return `${what} cannot be told: the db has ${args['revision']}, and ${args['reason']}`;
    },
    remedy: 'keep the directory; check it with level full, and explain tells what etcd would do with it',
    meaning:
      'The db is behind what is needed, and the log that may hold the rest cannot be replayed up to its end without a server.',
    peer: 'applies what it can when it starts',
  },
  VALIDATE_STORE_UNREADABLE: {
    severity: 'unknown',
    message: ({ args }) => `the backup store ${args['store']} cannot be listed: ${args['reason']}`,
    remedy: 'make the store readable and validate again',
    meaning: 'Whether the directory is older than the backups cannot be told.',
    peer: 'does not look at backups',
  },
  VALIDATE_STORE_NO_BASE: {
    severity: 'info',
    message: ({ args }) =>
      `the backup store ${args['store']} has ${args['deltas']} deltas, but no full snapshot to begin with`,
    remedy: 'take a full snapshot as soon as etcd runs; find out who deleted the old one',
    meaning: 'Deltas alone cannot be restored. The revisions in their names still tell how far the cluster had got.',
    peer: 'does not look at backups; etcd-backup-restore crashes',
  },
  VALIDATE_STORE_GAP: {
    severity: 'info',
    message: ({ args }) =>
      `the backups have a hole: nothing holds revisions behind ${args['after']}, up to ${args['object']}, which begins with ${args['found']}`,
    remedy: 'take a full snapshot as soon as etcd runs; a restore gets no further than the hole',
    meaning: 'A delta is missing by the names of the others, or one has a wrong name.',
    peer: 'does not look at backups; the restore of etcd-backup-restore fails there',
  },
  VALIDATE_GUARD_DIFFERS: {
    severity: 'refuse',
    message: ({ args }) => `the volume belongs to "${args['actual']}", not to "${args['expected']}"`,
    remedy: 'mount the right volume; neither this one nor the backups are to be changed',
    meaning:
      'The guard file in the root of the volume names its owner, and it is another one: a wrong volume is mounted.',
    peer: 'does not look at it; etcd-backup-restore fails and touches nothing',
  },
  VALIDATE_GUARD_UNREADABLE: {
    severity: 'refuse',
    message: ({ args }) => `the guard file cannot be read: ${args['reason']}`,
    remedy: 'make it readable: whether the right volume is mounted cannot be told without it',
    meaning: 'The file that names the owner of the volume is there, but not as a file that can be read.',
    peer: 'does not look at it; etcd-backup-restore fails and touches nothing',
  },
  VALIDATE_GUARD_MISSING: {
    severity: 'info',
    message: ({ args }) => `the volume has no guard file that would name "${args['expected']}" as its owner`,
    remedy: 'make one with --create-guard when it is certain that the volume is the right one',
    meaning: 'A new volume, or one from which the file was deleted: nothing tells whose it is.',
    peer: 'does not look at it; etcd-backup-restore makes the file, whatever data the volume holds',
  },
  VALIDATE_HASHKV_DIFFERS: {
    severity: 'corrupt',
    message: ({ args }) =>
      `the hash of the keys at revision ${args['revision']}, compacted at ${args['compactRevision']}, is ${args['actual']}, not ${args['expected']}`,
    remedy:
      'make sure that the other hash is of the same revision and the same compacted revision; then restore the member, or replace it from another',
    meaning:
      'The hash given is that of a member or backup with other content: values, keys or their history differ, which nothing in the file itself can show.',
    peer: 'compares members that run; with corruption checks on it raises the alarm CORRUPT',
  },
  VALIDATE_HASHKV_NOT_COMPARED: {
    severity: 'unknown',
    message: ({ args }) => `the hash of the keys at revision ${args['revision']} cannot be compared: ${args['reason']}`,
    remedy: 'take the hash of a revision that both can read, with the same compacted revision',
    meaning: 'HashKV depends on the revision and on what was compacted; only equal pairs can be compared.',
    peer: 'refuses the same revisions',
  },
};
