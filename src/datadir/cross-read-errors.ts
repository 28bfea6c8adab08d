/**
 * Takes note of segments of a log that could not be read: a disk that fails may give the same bytes once and an error the next time, and
 * more than one pass goes over the log.
 */
import { type DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { WalFiles } from '../wal/segment-input.ts';

export class ReadErrors {
  readonly #errors = new Map<string, DatadirError>();

  /** The first error of each segment, by its name. */
  get errors(): ReadonlyMap<string, DatadirError> {
    return this.#errors;
  }

  /** The same files; what reading them throws is noted. `inUse`: a segment may lose the zeros at its end meanwhile. */
  watch({ segments, others }: WalFiles, inUse: boolean): WalFiles {
    const watched = segments.map(({ name, source }) => ({ name, source: this.#watched(name, source, inUse) }));
    return { segments: watched, others };
  }

  #watched(name: string, source: ByteSource, inUse: boolean): ByteSource {
    const readInto = (target: Uint8Array, offset: number): number => {
      try {
        return source.readInto(target, offset);
      } catch (error) {
        if (inUse && isDatadirError(error, 'FILE_SHRANK')) return readShortened(source, target, offset);
        if (isDatadirError(error) && !this.#errors.has(name)) this.#errors.set(name, error);
        throw error;
      }
    };
    return {
      size: source.size,
      ...(source.path === undefined ? {} : { path: source.path }),
      ...(source.currentSize === undefined ? {} : { currentSize: () => source.currentSize?.() ?? source.size }),
      readInto,
      close: () => source.close(),
    };
  }
}

/** Reads from a segment that etcd has cut behind its last record when it began the next one: what is gone were zeros. */
function readShortened(source: ByteSource, target: Uint8Array, offset: number): number {
  const wanted = Math.max(0, Math.min(target.length, source.size - offset));
  const left = Math.max(0, Math.min(wanted, (source.currentSize?.() ?? source.size) - offset));
  if (left > 0) source.readInto(target.subarray(0, left), offset);
  target.fill(0, left, wanted);
  return wanted;
}
