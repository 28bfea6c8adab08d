/**
 * What the host's thread and the worker's say to each other. Everything is plain data: an error's class and brand do not
 * survive the way, so errors travel as fields and are made anew on the host's side.
 */
import type { CheckOptions } from '../datadir/check.ts';
import { DatadirError, type ErrorCode, isDatadirError } from '../errors.ts';
import type { Progress } from '../io/job.ts';
import type { CheckReport } from '../report.ts';

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

/** The work: one file, or the files of a log. */
export interface WorkerRequest {
  readonly job: 'check';
  readonly subject: HandedFile | HandedLog;
  readonly options: CheckOptions;
}

/** From the host: one request, then perhaps an abort. */
export type MessageToWorker = { readonly type: 'run'; readonly request: WorkerRequest } | { readonly type: 'abort' };

/** From the worker: `ready` as soon as it can hear, progress now and then, in the end a result or an error. */
export type MessageToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'result'; readonly result: CheckReport }
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
