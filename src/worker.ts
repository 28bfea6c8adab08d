/**
 * The worker thread's entry: starts listening when it is loaded, and exports nothing. Does nothing on a main thread.
 */
import { parentPort } from 'node:worker_threads';
import { createNodeSha256 } from './checksum/node-sha256.ts';
import { createCheckJob } from './datadir/check.ts';
import { backendQuestion } from './worker/backend-question.ts';
import { directoryTask } from './worker/directory-task.ts';
import { serve } from './worker/serve.ts';

if (parentPort !== null) {
  serve(parentPort, {
    check: (input, options) => createCheckJob(input, options, { sha256: createNodeSha256 }),
    backend: backendQuestion,
    directory: directoryTask,
  });
}
