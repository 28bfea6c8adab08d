/**
 * The operating system's failures as errors of this library.
 */
import { DatadirError, type ErrorCode, type ErrorDetails } from '../errors.ts';

/** Codes of the system that have a code of their own here; everything else is `IO_FAILED`. */
const KNOWN: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['NOT_FOUND', 'no such file or directory'],
  ENOTDIR: ['NOT_FOUND', 'a part of the path is not a directory'],
  EACCES: ['NO_PERMISSION', 'no permission'],
  EPERM: ['NO_PERMISSION', 'no permission'],
  EROFS: ['NO_PERMISSION', 'the file system is read-only'],
  EISDIR: ['NOT_A_REGULAR_FILE', 'a directory, not a regular file'],
  // What opening a socket, or a device without a driver, gives.
  ENXIO: ['NOT_A_REGULAR_FILE', 'a socket or device, not a regular file'],
  ENODEV: ['NOT_A_REGULAR_FILE', 'a device, not a regular file'],
  EEXIST: ['TARGET_EXISTS', 'exists already'],
};

/** The system's own code of an error thrown by `node:fs`, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/**
 * What `node:fs` threw while opening, creating or naming `path`, as an error with the code that fits.
 * `attempt` says what was tried, as in `cannot be opened`.
 */
export function pathError(error: unknown, path: string, attempt: string): DatadirError {
  const systemCode = systemCodeOf(error);
  // A path that no file can have (a NUL in it) never reaches the system.
  if (systemCode?.startsWith('ERR_INVALID_ARG')) return failure('USAGE', path, 'not a path', { cause: error });
  const [code, words] = KNOWN[systemCode ?? ''] ?? ['IO_FAILED', `${attempt}: ${systemCode ?? String(error)}`];
  return failure(code, path, words, { systemCode, cause: error });
}

/** What `node:fs` threw while working on an open file: always `IO_FAILED`. `attempt` as in `read of 4096 bytes`. */
export function ioError(error: unknown, path: string, attempt: string, offset?: number): DatadirError {
  const systemCode = systemCodeOf(error);
  const where = offset === undefined ? '' : ` at offset ${offset}`;
  return failure('IO_FAILED', path, `${attempt}${where} gave ${systemCode ?? String(error)}`, {
    systemCode,
    offset,
    cause: error,
  });
}

type LooseDetails = { readonly [Key in keyof ErrorDetails]: ErrorDetails[Key] | undefined };

function failure(code: ErrorCode, path: string, words: string, details: LooseDetails): DatadirError {
  const present = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return new DatadirError(code, `${path}: ${words}`, { ...present, path });
}
