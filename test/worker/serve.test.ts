// The worker's side on this thread, over a plain pair of ports.
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DatadirError } from '../../src/errors.ts';
import type { Job } from '../../src/io/job.ts';
import type { CheckReport } from '../../src/report.ts';
import type { MessageToHost } from '../../src/worker/messages.ts';
import { serve } from '../../src/worker/serve.ts';

/** Does steps of a millisecond each; calls `onStep` with how many were done. */
function countingJob(total: number, onStep: (steps: number) => void = () => {}): Job<CheckReport> {
  let steps = 0;
  return {
    step() {
      const until = performance.now() + 1;
      while (performance.now() < until);
      onStep(++steps);
      return steps >= total;
    },
    get progress() {
      return { done: steps, total };
    },
    get result() {
      return { bytesRead: steps } as CheckReport;
    },
  };
}

/** Serves one request for `job`, and gives all messages up to the port's end. */
async function serveOnce(
  makeJob: (abort: () => void) => Job<CheckReport>,
  path = 'db',
): Promise<{ messages: MessageToHost[] }> {
  const { port1: host, port2: worker } = new MessageChannel();
  onTestFinished(() => host.close());
  const messages: MessageToHost[] = [];
  host.on('message', (message: MessageToHost) => messages.push(message));
  const closed = new Promise<void>((resolve) => host.once('close', resolve));
  const abort = (): void => host.postMessage({ type: 'abort' });
  serve(worker, { check: () => makeJob(abort), backend: () => makeJob(abort), directory: async () => 'done' });
  host.postMessage({ type: 'run', request: { job: 'check', subject: { descriptor: 0, size: 0, path }, options: {} } });
  await closed;
  return { messages };
}

describe('serve', () => {
  test('says that it is ready, tells progress, gives the result, and closes', async () => {
    const { messages } = await serveOnce(() => countingJob(30));
    expect(messages[0]).toEqual({ type: 'ready' });
    expect(messages.at(-1)).toEqual({ type: 'result', result: { bytesRead: 30 } });
    expect(messages.at(-2)).toEqual({ type: 'progress', progress: { done: 30, total: 30 } });
  });

  test('tells progress less often than the job makes it, and never backwards', async () => {
    const startedAt = performance.now();
    const { messages } = await serveOnce(() => countingJob(200));
    const elapsed = performance.now() - startedAt;
    const seen = messages.flatMap((message) => (message.type === 'progress' ? [message.progress.done] : []));
    // 200 ms of work are about 20 slices; a busy machine takes longer. The last one is always told.
    expect(seen.length).toBeLessThanOrEqual(elapsed / 50 + 2);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  test('hears an abort while it works', async () => {
    let steps = 0;
    const { messages } = await serveOnce((abort) =>
      countingJob(1_000_000, (done) => {
        steps = done;
        if (done === 5) abort();
      }),
    );
    expect(messages.at(-1)).toMatchObject({ type: 'error', error: { code: 'ABORTED' } });
    expect(steps).toBeLessThan(1_000_000);
  });

  test('passes on an error of the job, or of making it', async () => {
    const error = new DatadirError('UNKNOWN_KIND', 'what is it', { path: 'db' });
    const { messages } = await serveOnce(() => {
      throw error;
    });
    expect(messages).toEqual([
      { type: 'ready' },
      { type: 'error', error: expect.objectContaining({ code: 'UNKNOWN_KIND', message: 'what is it' }) },
    ]);
  });
});
