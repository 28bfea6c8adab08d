/**
 * The line on standard error that shows how far a long command has come. Only for people: see `showsProgress`.
 */
import type { Progress } from '../io/job.ts';
import type { OutputStream } from './output.ts';
import { humanSize } from './render/size.ts';

const REDRAW_MS = 100;
/** Shorter work shows nothing, so that nothing flickers. */
const FIRST_AFTER_MS = 250;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Progress is shown on a terminal that can redraw a line, unless `--quiet` or a CI system says no. `--json` makes no
 * difference: it goes to standard output.
 */
export function showsProgress(
  stderr: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
  quiet: boolean,
): boolean {
  const ci = env['CI'];
  return stderr.isTTY === true && !quiet && (ci === undefined || ci === '' || ci === 'false') && env['TERM'] !== 'dumb';
}

/** Draws at most ten times a second. */
export class ProgressLine {
  readonly #stream: OutputStream;
  readonly #now: () => number;
  readonly #start: number;
  #next: number;
  #drawn = false;

  constructor(stream: OutputStream, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#start = now();
    this.#next = this.#start + FIRST_AFTER_MS;
  }

  update(progress: Progress): void {
    const now = this.#now();
    if (now < this.#next) return;
    this.#next = now + REDRAW_MS;
    this.#drawn = true;
    const line = progressText(progress, now - this.#start);
    this.#stream.write(`${CLEAR_LINE}${line.slice(0, (this.#stream.columns ?? 80) - 1)}`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#drawn) this.#stream.write(CLEAR_LINE);
    this.#drawn = false;
  }
}

function progressText({ done, total }: Progress, elapsedMs: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.floor(part * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
  const percent = `${Math.floor(part * 100)}`.padStart(3);
  const rate = elapsedMs > 0 ? `${humanSize((done / elapsedMs) * 1000)}/s` : '';
  return `[${bar}] ${percent}%  ${humanSize(done)} of ${humanSize(total)}  ${rate}`;
}
