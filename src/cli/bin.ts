#!/usr/bin/env node
/**
 * The program: gives `main` the process's own streams and turns signals into an abort.
 */
import { EXIT } from './exit-codes.ts';
import { main } from './main.ts';

const controller = new AbortController();

function onSignal(name: 'SIGINT' | 'SIGTERM'): void {
  // The first one lets the command put things in order; who is in a hurry sends another.
  if (controller.signal.aborted) process.exit(name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted);
  controller.abort(name);
}

function listen(): void {
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** No handler runs while a synchronous loop does; without one, a signal ends the process by itself. */
function block<Result>(work: () => Result): Result {
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  try {
    return work();
  } finally {
    listen();
  }
}

listen();
// Errors of the streams reach `Output` through the callback of each write; without a listener they would also be thrown.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const { stdout, stderr, env } = process;
const streams = { stdout, stderr, env, stdin: () => process.stdin };
const exitCode = await main(process.argv.slice(2), streams, { signal: controller.signal, block });
// Not process.exit in general: what has been written must be allowed to arrive. After a signal nobody may be reading.
if (controller.signal.aborted) process.exit(exitCode);
process.exitCode = exitCode;
