/**
 * The worker thread's entry: starts listening when it is loaded, and exports nothing. Does nothing on a main thread.
 */
import { parentPort } from 'node:worker_threads';
import { createCheckJob } from './datadir/check.ts';
import { serve } from './worker/serve.ts';

if (parentPort !== null) serve(parentPort, { check: createCheckJob });
