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
}
