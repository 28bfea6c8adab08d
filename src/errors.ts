/**
 * Every error this library throws, and the guard that tells them apart.
 *
 * An error stops an operation; damage found while checking is a finding (`findings.ts`), never an error. Callers decide
 * by `code`, not by message text. The guard looks at a brand, not at the class, so it also works when two copies of the
 * package are installed side by side.
 */

/** Every code an error of this library can have. */
export type ErrorCode =
  /** A file or directory does not exist. */
  | 'NOT_FOUND'
  /** The operating system does not allow reading or writing it. */
  | 'NO_PERMISSION'
  /** It is a directory, FIFO, device or socket where a regular file is needed. */
  | 'NOT_A_REGULAR_FILE'
  /** The operating system reported a failure while reading or writing. */
  | 'IO_FAILED'
  /** A file became shorter while it was being read. */
  | 'FILE_SHRANK'
  /** The target of a write exists already. */
  | 'TARGET_EXISTS'
  /** What was written did not pass the check that follows the writing. */
  | 'SELF_CHECK_FAILED'
  /** The operation was stopped by its AbortSignal. */
  | 'ABORTED'
  /** The call or command line is wrong. */
  | 'USAGE'
  /** It cannot be told what kind of file this is. */
  | 'UNKNOWN_KIND'
  /** This environment lacks something that the operation needs. */
  | 'UNSUPPORTED'
  /** No valid bolt meta page: not a bolt file, or both metas are damaged. */
  | 'BOLT_NO_META'
  /** A bolt page, element or bucket breaks a rule of the format, so that reading cannot go on there. */
  | 'BOLT_DAMAGED'
  /** The page number is outside the database. */
  | 'BOLT_PAGE_OUT_OF_RANGE'
  /** No bucket of that name. */
  | 'BOLT_BUCKET_NOT_FOUND'
  /** No such key in the bucket. */
  | 'BOLT_KEY_NOT_FOUND'
  /** The name belongs to a plain value where a bucket is needed, or the other way round. */
  | 'BOLT_INCOMPATIBLE_VALUE'
  /** The database handle was closed. */
  | 'BOLT_CLOSED'
  /** The name of a bucket to be made is that of a bucket already. */
  | 'BOLT_BUCKET_EXISTS'
  /** A bucket's name must not be empty. */
  | 'BOLT_BUCKET_NAME_REQUIRED'
  /** A key must not be empty. */
  | 'BOLT_KEY_REQUIRED'
  /** A key of more than 32,768 bytes. */
  | 'BOLT_KEY_TOO_LARGE'
  /** A value of more than 2,147,483,646 bytes. */
  | 'BOLT_VALUE_TOO_LARGE'
  /** A change was asked of a transaction that only reads. */
  | 'BOLT_TX_NOT_WRITABLE'
  /** The transaction was committed or rolled back. */
  | 'BOLT_TX_CLOSED'
  /** Another writing transaction is open: there can be one at a time. */
  | 'BOLT_TX_ACTIVE'
  /** A bucket cannot be moved to where it is already, nor into itself. */
  | 'BOLT_SAME_BUCKET'
  /** The two buckets belong to different transactions. */
  | 'BOLT_DIFFERENT_TX'
  /** The file would grow beyond `maxSize`. */
  | 'BOLT_MAX_SIZE'
  /** Whether the last commit is on the disk is not known; the database has to be opened again. */
  | 'BOLT_OUTCOME_UNKNOWN'
  /** Keys that must come in ascending order did not. */
  | 'BOLT_NOT_SORTED'
  /** A freelist is stored in the file already. */
  | 'BOLT_FREELIST_STORED'
  /** The input has structural damage; the operation needs a whole one. */
  | 'BOLT_SOURCE_DAMAGED'
  /** A line of JSON lines is not what it should be. */
  | 'LINE_INVALID'
  /** The input was changed by another program each time it was read. */
  | 'SOURCE_CHANGED'
  /** Another process holds the lock of the file. */
  | 'FILE_LOCKED'
  /** It could not be found out whether another process uses the file. */
  | 'LOCK_UNKNOWN'
  /** Bytes are not a protocol buffers message; the offset counts in these bytes. */
  | 'PROTO_INVALID'
  /** A log whose entries overwrite one another more often than is followed here. */
  | 'WAL_TOO_INTRICATE'
  /** Text is not JSON, or not the JSON that is needed; the offset counts in the bytes of the text. */
  | 'JSON_INVALID'
  /** A `.snap` file that etcd could not read either, or whose content is not what it should be. */
  | 'SNAP_DAMAGED'
  /** The log cannot be read cleanly to its end, so nothing is appended to it. */
  | 'WAL_DAMAGED'
  /** The log was closed. */
  | 'WAL_CLOSED'
  /** Whether the last records are on the disk is not known; the log has to be opened again. */
  | 'WAL_OUTCOME_UNKNOWN'
  /** A revision below the compacted one: what it was is gone. */
  | 'REVISION_COMPACTED'
  /** A revision above the current one. */
  | 'REVISION_FUTURE'
  /** The log cannot be replayed onto this db: what is needed for it is not there. */
  | 'REPLAY_REFUSED'
  /** The sha256 at the end of a snapshot file is wrong, or not there: the file is not what was saved. */
  | 'SNAPSHOT_DAMAGED'
  /** What was asked for cannot be done with this data: it would not start, or not be what it should be. */
  | 'EDIT_REFUSED'
  /** A bug of this library. */
  | 'INTERNAL';

/** Where and about what an error is; which fields are there depends on the code. */
export interface ErrorDetails {
  readonly path?: string;
  /** Byte offset in the file. */
  readonly offset?: number;
  /** Bolt page number. */
  readonly pageId?: number;
  /** Line of a text, and byte in it, both from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The operating system's own code, such as `EIO`. */
  readonly systemCode?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly cause?: unknown;
}

const BRAND: unique symbol = Symbol.for('etcd-datadir.error') as never;

/** The one error class of this library. */
export class DatadirError extends Error {
  override readonly name = 'DatadirError';
  readonly code: ErrorCode;
  readonly path: string | undefined;
  readonly offset: number | undefined;
  readonly pageId: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly systemCode: string | undefined;
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.path = details.path;
    this.offset = details.offset;
    this.pageId = details.pageId;
    this.line = details.line;
    this.column = details.column;
    this.systemCode = details.systemCode;
    this.expected = details.expected;
    this.actual = details.actual;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Tells whether `error` is one of ours, and, when codes are given, whether it has one of them. */
export function isDatadirError(error: unknown, ...codes: ErrorCode[]): error is DatadirError {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return codes.length === 0 || codes.includes((error as unknown as DatadirError).code);
}
