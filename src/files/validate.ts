/**
 * `validate` by path: reads marker, guard and backups, waits for the lock, and writes marker and guard where that is asked for (Node).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { type DataDir, openDataDir } from '../datadir/data-dir.ts';
import { createValidationTools } from '../datadir/validation/default-tools.ts';
import { readIdentity } from '../datadir/validation/identity.ts';
import type { ValidationExpectations } from '../datadir/validation/inputs.ts';
import { chooseMode, type ModeReason, type ValidationMode } from '../datadir/validation/mode.ts';
import {
  type GuardState,
  type MarkerState,
  stepFrom,
  type ValidationReport,
  type ValidationStep,
} from '../datadir/validation/report.ts';
import { NO_STORE } from '../datadir/validation/store-state.ts';
import { ValidationJob } from '../datadir/validation/validation-job.ts';
import { DatadirError } from '../errors.ts';
import { type RunOptions, runSliced, throwIfAborted } from '../io/job.ts';
import { type DataDirOptions, listDataDir } from './data-dir-folder.ts';
import { checkGuard, type GuardOptions } from './guard-file.ts';
import { assertMarkerPlace, type FoundMarker, findMarker, removeMarker, writeMarkerFor } from './marker-file.ts';
import { readStoreState } from './store-folder.ts';

/** How a directory is validated. */
export interface ValidateOptions extends ValidationExpectations, GuardOptions, DataDirOptions {
  /** How much is examined. Default `auto`: by the marker. */
  readonly mode?: ValidationMode | 'auto' | undefined;
  /** The marker file to go by. Default: one of those beside the directory. */
  readonly marker?: string | undefined;
  /** Write that a validation is under way, and that it has succeeded. Default: nothing is written. */
  readonly updateMarker?: boolean | undefined;
  /** The backup store: a local folder, or a `file://` address of one. */
  readonly store?: string | undefined;
  /** How long another program that uses the directory is waited for. Default 0: not at all. */
  readonly lockTimeoutMs?: number | undefined;
}

const LOCK_POLL_MS = 200;

/**
 * Decides whether etcd may start on the directory at `path`. Writes nothing, but for what `updateMarker` and `createGuard` ask for, which is
 * never in the directory. Whatever is wrong with the directory, missing or in use included, is in the report.
 */
export async function validate(path: string, options: ValidateOptions & RunOptions = {}): Promise<ValidationReport> {
  const { signal, onProgress, lockTimeoutMs = 0, store } = options;
  if (!(lockTimeoutMs >= 0)) throw new DatadirError('USAGE', `lockTimeoutMs ${lockTimeoutMs}: must be 0 or more`);
  const steps = new Steps();
  const guard = steps.sync(
    'guard',
    () => checkGuard(path, options),
    ({ state }) => isRight(state),
  );
  if (isRight(guard.state))
    await steps.async(
      'lock',
      () => waitUntilUnused(path, options),
      (isFree) => isFree,
    );
  const dir = openDataDir(listDataDir(path, options));
  try {
    const found = findMarker(path, options.marker);
    if (options.updateMarker === true) assertMarkerPlace(path, found);
    const chosen = steps.sync(
      'mode',
      () => modeOf(dir, found, options),
      () => true,
    );
    const storeState = steps.sync(
      'store',
      () => (store === undefined ? NO_STORE : readStoreState(store)),
      ({ state }) => state !== 'unreadable',
    );
    const markers = new MarkerUpdates(dir, found, options.updateMarker === true && isRight(guard.state));
    markers.begin(chosen.mode);
    const situation = {
      mode: chosen.mode,
      modeReason: chosen.reason,
      guard,
      marker: markerState(found, options),
      store: storeState,
      steps: steps.done,
    };
    const tools = createValidationTools({ sha256: createNodeSha256 });
    const job = new ValidationJob(dir, situation, { ...options, path: options.path ?? path }, tools);
    const report = await runSliced(job, { signal, onProgress });
    throwIfAborted(signal);
    if (report.recommendation === 'start') markers.succeed();
    return { ...report, marker: { ...report.marker, written: markers.written } };
  } finally {
    dir.close();
  }
}

const isRight = (state: GuardState['state']): boolean => state !== 'different' && state !== 'unreadable';

function modeOf(
  dir: DataDir,
  { marker }: FoundMarker,
  { mode = 'auto' }: ValidateOptions,
): { mode: ValidationMode; reason: ModeReason } {
  return mode === 'auto' ? chooseMode(marker, () => readIdentity(dir)) : { mode, reason: 'asked' };
}

function markerState({ marker, path }: FoundMarker, { mode = 'auto' }: ValidateOptions): MarkerState {
  if (mode !== 'auto') return { form: 'not-read', path: null, content: null, written: [] };
  return { form: marker?.form ?? 'none', path, content: contentOf(marker), written: [] };
}

function contentOf(marker: FoundMarker['marker']): string | null {
  switch (marker?.form) {
    case undefined:
      return null;
    case 'numeric':
      return `${marker.status}`;
    case 'signal':
      return marker.signal;
    case 'run':
      return marker.run.state;
    case 'unknown':
      return marker.reason;
  }
}

/** The marker while a validation is under way: one that is interrupted leaves `validating`, and is repeated. */
class MarkerUpdates {
  readonly written: string[] = [];
  readonly #dir: DataDir;
  readonly #found: FoundMarker;
  readonly #active: boolean;
  #runId: string | undefined;

  /** Nothing is written where nothing is examined: no directory, or one in use. */
  constructor(dir: DataDir, found: FoundMarker, wanted: boolean) {
    this.#dir = dir;
    this.#found = found;
    this.#active = wanted && dir.files.root.state === 'directory' && !dir.inUse;
  }

  /** A quick validation leaves a claim that is still true. */
  begin(mode: ValidationMode): void {
    if (this.#active && mode !== 'sanity') this.#write('validating');
  }

  /** etcd is started next: until it has closed in order, nothing is known of how it ends. */
  succeed(): void {
    if (!this.#active) return;
    if (!this.#found.ruledByOther) this.#write('running');
    else if (this.written.length > 0) {
      removeMarker(this.#found.own);
      this.written.push('removed');
    }
  }

  #write(state: 'validating' | 'running'): void {
    const { runId } = writeMarkerFor(this.#dir, this.#found.own, state, { runId: this.#runId });
    this.#runId = runId;
    this.written.push(state);
  }
}

/** Whether nobody uses the directory, or no longer does after the time that is allowed. */
async function waitUntilUnused(
  path: string,
  { lockTimeoutMs = 0, signal, ...options }: ValidateOptions & RunOptions,
): Promise<boolean> {
  const until = performance.now() + lockTimeoutMs;
  for (;;) {
    throwIfAborted(signal);
    // Listed each time: an etcd that runs makes new segments.
    if (listDataDir(path, options).lookForUse?.() !== true) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(LOCK_POLL_MS, left), undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

/** Takes the time of each step. */
class Steps {
  readonly done: ValidationStep[] = [];

  sync<Result>(name: ValidationStep['name'], work: () => Result, isGood: (result: Result) => boolean): Result {
    const began = performance.now();
    const result = work();
    this.#note(name, began, isGood(result));
    return result;
  }

  async async<Result>(
    name: ValidationStep['name'],
    work: () => Promise<Result>,
    isGood: (result: Result) => boolean,
  ): Promise<Result> {
    const began = performance.now();
    const result = await work();
    this.#note(name, began, isGood(result));
    return result;
  }

  #note(name: ValidationStep['name'], began: number, success: boolean): void {
    this.done.push(stepFrom(name, began, performance.now(), success));
  }
}
