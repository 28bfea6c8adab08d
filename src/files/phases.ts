/**
 * Several jobs one after the other, with one progress.
 */
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';

export class Phases {
  readonly #options: RunOptions;
  #total: number;
  #done = 0;

  /** `total`: about how much all of them have to do. */
  constructor({ signal, onProgress }: RunOptions, total: number) {
    this.#options = { signal, onProgress };
    this.#total = total;
  }

  /** Runs the next one in slices. */
  async run<Result>(job: Job<Result>): Promise<Result> {
    const { signal, onProgress } = this.#options;
    let within = 0;
    const tell = (progress: Progress): void => {
      within = progress.done;
      this.#total = Math.max(this.#total, this.#done + progress.total);
      onProgress?.({ done: this.#done + within, total: this.#total });
    };
    const result = await runSliced(job, { signal, onProgress: tell });
    this.#done += within;
    return result;
  }

  /** Runs a reading in steps, of which nobody knows how many there are. */
  runSteps<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
    let value: Result | undefined;
    return this.run({
      progress: { done: 0, total: 0 },
      step(): boolean {
        const next = steps.next();
        if (next.done === true) value = next.value;
        return next.done === true;
      },
      get result(): Result {
        return value as Result;
      },
    });
  }
}
