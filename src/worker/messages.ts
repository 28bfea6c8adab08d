/**
 * What the host's thread and the worker's say to each other. Everything is plain data: an error's class and brand do not
 * survive the way, so errors travel as fields and are made anew on the host's side.
 */
import type { CheckOptions } from '../datadir/check.ts';
import { DatadirError, type ErrorCode, isDatadirError } from '../errors.ts';
import type { Progress } from '../io/job.ts';

/** A file that the host has opened and keeps open until the worker is done. */
export interface HandedFile {
  /** The open file's descriptor, not its path: etcd's defrag may have renamed another file over it. */
  readonly descriptor: number;
  readonly size: number;
  readonly path: string;
}

/** The segments of a log, and what else is in its directory. */
export interface HandedLog {
  readonly segments: readonly (HandedFile & { readonly name: string })[];
  readonly others: readonly string[];
}

/** The work: a check, a question about a db, or something to be done with a data directory. */
export type WorkerRequest = CheckRequest | BackendRequest | DirectoryRequest;

/** The check of one file, or of the files of a log. */
export interface CheckRequest {
  readonly job: 'check';
  readonly subject: HandedFile | HandedLog;
  readonly options: CheckOptions;
}

/** A question about what etcd keeps in a db. */
export interface BackendRequest {
  readonly job: 'backend';
  readonly subject: HandedFile;
  readonly question: BackendQuestion;
  /** Those of the question, as plain data. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The questions whose answers are plain data. */
export type BackendQuestion = 'status' | 'hashKv' | 'hash' | 'usage' | 'leasesWithKeys' | 'verifyTrailer';

/**
 * Work on a whole data directory. It is opened by the worker: etcd replaces and removes files of it all the time, so descriptors
 * of some of them would not be a state of it either.
 */
export interface DirectoryRequest {
  readonly job: 'directory';
  readonly task: DirectoryTask;
  readonly path: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export type DirectoryTask = 'check' | 'validate' | 'explain';

/** From the host: one request, then perhaps an abort. */
export type MessageToWorker = { readonly type: 'run'; readonly request: WorkerRequest } | { readonly type: 'abort' };

/** From the worker: `ready` as soon as it can hear, progress now and then, in the end a result or an error. */
export type MessageToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'error'; readonly error: ErrorFields };

/** An error as plain data. */
export interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  readonly stack: string | undefined;
  readonly details: Readonly<Record<string, string | number>>;
  readonly cause: CauseFields | undefined;
}

interface CauseFields {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
}

const DETAILS = ['path', 'offset', 'pageId', 'systemCode', 'expected', 'actual'] as const;

/** Takes an error apart. What is not one of ours is a bug, and becomes the cause of an `INTERNAL`. */
export function errorToFields(error: unknown): ErrorFields {
  if (!isDatadirError(error)) {
    const cause = causeToFields(error);
    const message = `${cause?.name ?? 'Error'}: ${cause?.message}`;
    return { code: 'INTERNAL', message, stack: cause?.stack, details: {}, cause };
  }
  const details: Record<string, string | number> = {};
  for (const key of DETAILS) {
    const value = error[key];
    if (value !== undefined) details[key] = value;
  }
  const { code, message, stack } = error;
  return { code, message, stack, details, cause: causeToFields(error.cause) };
}

/** Puts an error together again. */
export function errorFromFields({ code, message, stack, details, cause }: ErrorFields): DatadirError {
  const rebuilt = new DatadirError(code, message, {
    ...details,
    ...(cause === undefined ? {} : { cause: rebuild(cause) }),
  });
  if (stack !== undefined) rebuilt.stack = stack;
  return rebuilt;
}

function causeToFields(cause: unknown): CauseFields | undefined {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error)) return { name: 'Error', message: String(cause), stack: undefined, code: undefined };
  const { code } = cause as { code?: unknown };
  const { name, message, stack } = cause;
  return { name, message, stack, code: typeof code === 'string' ? code : undefined };
}

function rebuild({ name, message, stack, code }: CauseFields): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
