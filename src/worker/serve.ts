/**
 * The worker's side: hears one request, runs it in slices so that an abort is heard too, and answers.
 */
import type { MessagePort } from 'node:worker_threads';
import type { CheckInput, CheckOptions } from '../datadir/check.ts';
import { type FileSource, fileSourceFromDescriptor } from '../io/file-source.ts';
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import {
  type BackendRequest,
  type DirectoryRequest,
  errorToFields,
  type HandedFile,
  type HandedLog,
  type MessageToHost,
  type MessageToWorker,
  type WorkerRequest,
} from './messages.ts';

/** How the jobs are made that a request can name. */
export interface JobTable {
  readonly check: (input: CheckInput, options: CheckOptions) => Job<CheckReport>;
  readonly backend: (file: FileSource, request: BackendRequest) => Job<unknown>;
  readonly directory: (request: DirectoryRequest, run: RunOptions) => Promise<unknown>;
}

/** Progress is for human eyes: more often than this is only work. */
const PROGRESS_INTERVAL_MS = 50;

/** Serves one request that comes in by `port`, and closes the port after the answer. */
export function serve(port: MessagePort, jobs: JobTable): void {
  const controller = new AbortController();
  const post = (message: MessageToHost): void => port.postMessage(message);
  port.on('message', (message: MessageToWorker) => {
    if (message.type === 'abort') {
      controller.abort();
      return;
    }
    void run(jobs, message.request, controller.signal, post).then((answer) => {
      post(answer);
      port.close();
    });
  });
  post({ type: 'ready' });
}

async function run(
  jobs: JobTable,
  request: WorkerRequest,
  signal: AbortSignal,
  post: (message: MessageToHost) => void,
): Promise<MessageToHost> {
  let nextAt = 0;
  let held: Progress | undefined;
  const onProgress = ({ done, total }: Progress): void => {
    held = { done, total };
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + PROGRESS_INTERVAL_MS;
    post({ type: 'progress', progress: held });
    held = undefined;
  };
  try {
    const result = await answer(jobs, request, { signal, onProgress });
    if (held !== undefined) post({ type: 'progress', progress: held });
    return { type: 'result', result };
  } catch (error) {
    return { type: 'error', error: errorToFields(error) };
  }
}

function answer(jobs: JobTable, request: WorkerRequest, run: RunOptions): Promise<unknown> {
  switch (request.job) {
    case 'check':
      return runSliced(jobs.check(openSubject(request.subject), request.options), run);
    case 'backend':
      return runSliced(jobs.backend(open(request.subject), request), run);
    case 'directory':
      return jobs.directory(request, run);
  }
}

/** The descriptors stay open: they are the host's. */
function open({ descriptor, size, path }: HandedFile): FileSource {
  return fileSourceFromDescriptor(descriptor, size, path);
}

function openSubject(subject: HandedFile | HandedLog): CheckInput {
  if (!('segments' in subject)) return open(subject);
  const { segments, others } = subject;
  return { wal: { segments: segments.map((file) => ({ name: file.name, source: open(file) })), others } };
}
