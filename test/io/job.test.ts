import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { afterEach, describe, expect, vi } from 'vitest';
import { drain, type Job, type Progress, runSliced, throwIfAborted } from '../../src/io/job.ts';

/** Counts to `total`; every step takes `stepMs` of real time. */
class CountingJob implements Job<number> {
  readonly #total: number;
  readonly #stepMs: number;
  steps = 0;

  constructor(total: number, stepMs = 0) {
    this.#total = total;
    this.#stepMs = stepMs;
  }

  step(): boolean {
    const until = performance.now() + this.#stepMs;
    while (performance.now() < until);
    this.steps++;
    return this.steps >= this.#total;
  }

  get progress(): Progress {
    return { done: this.steps, total: this.#total };
  }

  get result(): number {
    if (this.steps < this.#total) throw new Error('asked for the result before the end');
    return this.steps * 7;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('drivers', () => {
  test.prop([fc.integer({ min: 1, max: 200 })])(
    'drain and runSliced give the same, in as many steps',
    async (total) => {
      const drained = new CountingJob(total);
      const sliced = new CountingJob(total);
      expect(drain(drained)).toBe(await runSliced(sliced));
      expect(sliced.steps).toBe(drained.steps);
    },
  );

  test('an error of a step comes out of both', async () => {
    const failing: Job<never> = {
      step(): boolean {
        throw new Error('no more');
      },
      progress: { done: 0, total: 1 },
      get result(): never {
        throw new Error('there is none');
      },
    };
    expect(() => drain(failing)).toThrow('no more');
    await expect(runSliced(failing)).rejects.toThrow('no more');
  });
});

describe('runSliced', () => {
  test('lets timers and immediates run in between', async () => {
    let turns = 0;
    let finished = false;
    const count = (): void => {
      turns++;
      if (!finished) setImmediate(count);
    };
    setImmediate(count);
    let timerFired = false;
    const timer = setTimeout(() => {
      timerFired = true;
    }, 1);
    await runSliced(new CountingJob(60, 1));
    finished = true;
    clearTimeout(timer);
    expect(turns).toBeGreaterThan(1);
    expect(timerFired).toBe(true);
  });

  test('does several short steps in a slice', async () => {
    const slices: number[] = [];
    await runSliced(new CountingJob(1000), { onProgress: ({ done }) => slices.push(done) });
    expect(slices.length).toBeLessThan(500);
  });

  test('progress never shrinks and ends at the end', async () => {
    const seen: number[] = [];
    await runSliced(new CountingJob(60, 1), { onProgress: ({ done }) => seen.push(done) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(60);
  });

  test('stops before the first step when the signal has fired already', async () => {
    const job = new CountingJob(10);
    await expect(runSliced(job, { signal: AbortSignal.abort('enough') })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'enough',
    });
    expect(job.steps).toBe(0);
  });

  test('hears an abort at the end of the slice in which it came', async () => {
    const controller = new AbortController();
    const job = new CountingJob(1_000_000, 1);
    let stepsAtAbort = -1;
    setTimeout(() => {
      stepsAtAbort = job.steps;
      controller.abort();
    }, 5);
    await expect(runSliced(job, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    // The timer runs between slices, and the next thing that happens is a look at the signal.
    expect(job.steps - stepsAtAbort).toBe(0);
  });

  test('an abort from onProgress stops before the next slice', async () => {
    const controller = new AbortController();
    const job = new CountingJob(1_000_000);
    await expect(
      runSliced(job, { signal: controller.signal, onProgress: () => controller.abort() }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(job.progress.done).toBeLessThan(1_000_000);
  });

  test('what onProgress throws ends the run', async () => {
    const run = runSliced(new CountingJob(10), {
      onProgress: () => {
        throw new Error('of the caller');
      },
    });
    await expect(run).rejects.toThrow('of the caller');
  });

  test('works without setImmediate, as in a browser', async () => {
    vi.stubGlobal('setImmediate', undefined);
    let timerFired = false;
    const timer = setTimeout(() => {
      timerFired = true;
    }, 1);
    expect(await runSliced(new CountingJob(60, 1))).toBe(420);
    clearTimeout(timer);
    expect(timerFired).toBe(true);
  });
});

describe('throwIfAborted', () => {
  test('lets pass what was not aborted', () => {
    expect(() => throwIfAborted(undefined)).not.toThrow();
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
  });
});
