/**
 * The hash of all keys compared with one that another member, or a backup, gave for the same revision.
 */
import { HashKvJob } from '../../backend/hash-kv.ts';
import { DatadirError, isDatadirError } from '../../errors.ts';
import type { Finding } from '../../findings.ts';
import type { Job, Progress } from '../../io/job.ts';
import type { DataDir } from '../data-dir.ts';

/** A hash as etcd's HashKV gives it. */
export interface ExpectedHashKv {
  readonly hash: number;
  readonly revision: bigint;
  /** What was compacted where it was computed, as HashKV tells it; undefined if that is not known. */
  readonly compactRevision?: bigint | undefined;
}

const NOTHING: Progress = { done: 0, total: 0 };

/** Gives what it found: nothing if they are equal. Reads the whole db. */
export class HashCheckJob implements Job<readonly Finding[]> {
  readonly #dir: DataDir;
  readonly #expected: ExpectedHashKv;
  #job: HashKvJob | undefined;
  #result: readonly Finding[] | undefined;

  constructor(dir: DataDir, expected: ExpectedHashKv) {
    this.#dir = dir;
    this.#expected = expected;
  }

  get progress(): Progress {
    return this.#job?.progress ?? NOTHING;
  }

  get result(): readonly Finding[] {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the hash is not compared yet');
    return this.#result;
  }

  step(): boolean {
    const { revision } = this.#expected;
    try {
      this.#job ??= new HashKvJob(this.#dir.backend, { revision });
      if (!this.#job.step()) return false;
      this.#result = this.#compare(this.#job.result);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#result = [notCompared(revision, error.message)];
    }
    return true;
  }

  #compare({ hash, hashRevision, compactRevision }: HashKvJob['result']): readonly Finding[] {
    const { hash: expected, compactRevision: expectedCompact = compactRevision } = this.#expected;
    if (compactRevision !== expectedCompact) {
      const reason = `it was compacted at ${expectedCompact} there, at ${compactRevision} here`;
      return [notCompared(hashRevision, reason)];
    }
    if (hash === expected) return [];
    const args = {
      revision: `${hashRevision}`,
      compactRevision: `${compactRevision}`,
      expected: `${expected}`,
      actual: `${hash}`,
    };
    return [{ code: 'VALIDATE_HASHKV_DIFFERS', severity: 'corrupt', args }];
  }
}

function notCompared(revision: bigint, reason: string): Finding {
  return { code: 'VALIDATE_HASHKV_NOT_COMPARED', severity: 'unknown', args: { revision: `${revision}`, reason } };
}
