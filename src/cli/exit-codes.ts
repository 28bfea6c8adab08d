/**
 * Every exit code, and what leads to which. docs/exit-codes.md is made from the table.
 *
 * "Problem found" never shares a code with "could not look": a script that sees 1 knows that something is wrong with the
 * data, one that sees 3 knows nothing about the data.
 */
import type { ErrorCode } from '../errors.ts';
import type { Verdict } from '../findings.ts';

/** The exit codes by name. */
export const EXIT = {
  done: 0,
  problems: 1,
  usage: 2,
  unreadable: 3,
  inUse: 4,
  bug: 5,
  interrupted: 130,
  terminated: 143,
} as const;

/** What each exit code means, for help and documentation. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'healthy, or done',
  problems: 'problems found; also: what was asked for is not there (key, bucket, page)',
  usage: 'the command line is wrong',
  unreadable: 'could not look: no such file, no permission, not what it should be, or the check cannot decide',
  inUse: 'in use by a running etcd, and the operation needs it stopped',
  bug: 'a bug of etcd-datadir itself',
  interrupted: 'ended by SIGINT (Ctrl-C)',
  terminated: 'ended by SIGTERM',
};

/** The exit code of a check. */
export function exitCodeOfVerdict(verdict: Verdict): number {
  switch (verdict) {
    case 'healthy':
      return EXIT.done;
    case 'repairable':
    case 'stale':
    case 'damaged':
    case 'refused':
      return EXIT.problems;
    case 'undecided':
    case 'unreadable':
      return EXIT.unreadable;
    case 'in-use':
      return EXIT.inUse;
  }
}

/** The exit code of a command that was stopped by an error; `ABORTED` is decided by the signal, see `main.ts`. */
export function exitCodeOfError(code: ErrorCode): number {
  switch (code) {
    case 'USAGE':
      return EXIT.usage;
    case 'BOLT_BUCKET_NOT_FOUND':
    case 'BOLT_KEY_NOT_FOUND':
    case 'BOLT_PAGE_OUT_OF_RANGE':
    case 'BOLT_INCOMPATIBLE_VALUE':
    case 'BOLT_SOURCE_DAMAGED':
    case 'BOLT_NOT_SORTED':
    case 'BOLT_BUCKET_NAME_REQUIRED':
    case 'BOLT_KEY_REQUIRED':
    case 'BOLT_KEY_TOO_LARGE':
    case 'BOLT_VALUE_TOO_LARGE':
    case 'LINE_INVALID':
    case 'BOLT_FREELIST_STORED':
    case 'REVISION_COMPACTED':
    case 'REVISION_FUTURE':
    case 'REPLAY_REFUSED':
    case 'SNAPSHOT_DAMAGED':
    case 'EDIT_REFUSED':
      return EXIT.problems;
    case 'FILE_LOCKED':
    case 'SOURCE_CHANGED':
      return EXIT.inUse;
    case 'INTERNAL':
    case 'BOLT_CLOSED':
      return EXIT.bug;
    default:
      return EXIT.unreadable;
  }
}
