/**
 * For commands that print in a loop: flushes the output and lets the event loop run now and then, so that Ctrl-C is heard
 * and memory stays bounded.
 *
 *     const pace = new Pace(invocation);
 *     for (…) { out.write(…); if (pace.due()) await pace.rest(); }
 */
import { throwIfAborted } from '../io/job.ts';
import type { Invocation } from './command.ts';

const INTERVAL_MS = 20;
const CALLS_PER_LOOK = 256;

export class Pace {
  readonly #invocation: Pick<Invocation, 'out' | 'signal'>;
  #calls = 0;
  #next = performance.now() + INTERVAL_MS;

  constructor(invocation: Pick<Invocation, 'out' | 'signal'>) {
    this.#invocation = invocation;
  }

  /** Whether it is time for a `rest()`; cheap enough to ask for every line. */
  due(): boolean {
    if (this.#invocation.out.full) return true;
    if (++this.#calls % CALLS_PER_LOOK !== 0) return false;
    return performance.now() >= this.#next;
  }

  /** Flushes, gives the event loop a turn, and throws `ABORTED` if the signal has fired. */
  async rest(): Promise<void> {
    if (this.#invocation.out.full) await this.#invocation.out.flush();
    if (performance.now() >= this.#next) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#next = performance.now() + INTERVAL_MS;
    }
    throwIfAborted(this.#invocation.signal);
  }
}
