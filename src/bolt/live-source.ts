/**
 * Files that are written to while they are read: how often they are read again, and the error in the end.
 */
import { DatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';

/** How often a file is read before it counts as one that never rests. */
export const MAX_ATTEMPTS = 4;

/** The error for a source that was written to each time it was read. */
export function changedError({ path }: ByteSource): DatadirError {
  const words = `another program wrote to it each of the ${MAX_ATTEMPTS} times that it was read`;
  return new DatadirError('SOURCE_CHANGED', path === undefined ? words : `${path}: ${words}`, {
    ...(path === undefined ? {} : { path }),
  });
}

/** The error for a source that was written to before all of an answer was read: what was given already cannot be taken back. */
export function changedMeanwhileError({ path }: ByteSource): DatadirError {
  const words = 'another program wrote to it while it was read; read a copy or a snapshot instead';
  return new DatadirError('SOURCE_CHANGED', path === undefined ? words : `${path}: ${words}`, {
    ...(path === undefined ? {} : { path }),
  });
}
