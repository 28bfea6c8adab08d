/**
 * The parts of this library that a validation is put together from.
 */
import { readRevisions } from '../../backend/revisions.ts';
import type { Sha256Factory } from '../../checksum/sha256.ts';
import type { Job, Progress } from '../../io/job.ts';
import { DataDirCheckJob } from '../check-dir.ts';
import type { ReplayedState } from '../replay/outcome.ts';
import { ReplayJob } from '../replay/replay-job.ts';
import { type PlannedTail, TailJob } from '../replay/tail.ts';
import { mends, startsOf } from '../start/start.ts';
import type { ToolReplay, ToolTail, ValidationTools } from './tools.ts';

/** What the platform does better than the portable code. */
export interface ToolPlatform {
  readonly sha256?: Sha256Factory | undefined;
}

export function createValidationTools(platform: ToolPlatform = {}): ValidationTools {
  return {
    check: (dir, options) => new DataDirCheckJob(dir, { ...options, ...platform }),
    startsWithoutLoss: (report, version) => startsOf(report).some((start) => start.version === version && mends(start)),
    planTail: (dir, options) => new MappedJob(new TailJob(dir, options), tailOf),
    replay: (dir, options) => new MappedJob(new ReplayJob(dir, { ...options, revisionsOnly: true }), replayOf),
  };
}

function tailOf({ bound, from }: PlannedTail): ToolTail {
  return { base: from.file?.read((db) => readRevisions(db).current) ?? 1n, bound };
}

function replayOf({ revision, tail, findings, stoppedAt }: ReplayedState): ToolReplay {
  return {
    revision: revision.afterReplay,
    notCommitted: tail.notCommitted?.count ?? 0n,
    stopped: stoppedAt === undefined ? undefined : `etcd ends at entry ${stoppedAt.index}: ${stoppedAt.words}`,
    findings,
  };
}

/** A job with its result in another form. */
class MappedJob<From, To> implements Job<To> {
  readonly #job: Job<From>;
  readonly #map: (result: From) => To;

  constructor(job: Job<From>, map: (result: From) => To) {
    this.#job = job;
    this.#map = map;
  }

  get progress(): Progress {
    return this.#job.progress;
  }

  get result(): To {
    return this.#map(this.#job.result);
  }

  step(): boolean {
    return this.#job.step();
  }
}
