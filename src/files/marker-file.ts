/**
 * The marker beside a data directory, which tells how the last run of etcd ended (Node). docs/validation.md has its forms and places.
 */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { type DataDir, openDataDir } from '../datadir/data-dir.ts';
import { readIdentity } from '../datadir/validation/identity.ts';
import {
  encodeMarker,
  MAX_MARKER_BYTES,
  type Marker,
  parseMarker,
  type RunExit,
  type RunMarker,
  type RunState,
} from '../datadir/validation/marker.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { type DataDirOptions, openDataDirFolder } from './data-dir-folder.ts';
import { removeFile, replaceFile } from './replace-file.ts';
import { assertOutside, besideDataDir, readSmallFile } from './volume-root.ts';

/** The marker of our own, beside the data directory. */
const OWN_NAME = 'etcd-datadir-run.json';
/** That of etcd-wrapper: it is its own affair, and never written over. */
const EXIT_CODE = 'exit_code';
/** That of older start scripts. */
const VALIDATION_MARKER = 'validation_marker';

/** The marker that decides, and where one of our own goes. */
export interface FoundMarker {
  /** Undefined: there is none. */
  readonly marker: Marker | undefined;
  /** Where it was, or was looked for. */
  readonly path: string;
  /** Where a marker of our own is written to. */
  readonly own: string;
  /** The file of another program goes on deciding: one of our own stays only as long as a validation is under way. */
  readonly ruledByOther: boolean;
}

/**
 * Reads the marker of a data directory. `named` is the file to go by. Default: our own beside the directory; if there is none,
 * `exit_code`, then `validation_marker`. Next to an `exit_code` that is named, our own still tells of a validation that was interrupted.
 */
export function findMarker(dataDir: string, named?: string): FoundMarker {
  if (named !== undefined && basename(named) !== EXIT_CODE) {
    return { marker: readMarker(named), path: named, own: named, ruledByOther: false };
  }
  const own = besideDataDir(dataDir, OWN_NAME);
  const ruledByOther = named !== undefined;
  const ours = readMarker(own);
  if (ours !== undefined && (!ruledByOther || isValidating(ours))) {
    return { marker: ours, path: own, own, ruledByOther };
  }
  const others =
    named === undefined ? [EXIT_CODE, VALIDATION_MARKER].map((name) => besideDataDir(dataDir, name)) : [named];
  for (const path of others) {
    const marker = readMarker(path);
    if (marker !== undefined) return { marker, path, own, ruledByOther };
  }
  return { marker: undefined, path: named ?? own, own, ruledByOther };
}

const isValidating = (marker: Marker): boolean => marker.form === 'run' && marker.run.state === 'validating';

/** The marker in a file; undefined if there is none. */
function readMarker(path: string): Marker | undefined {
  try {
    return parseMarker(readSmallFile(path, MAX_MARKER_BYTES));
  } catch (error) {
    if (isDatadirError(error, 'NOT_FOUND')) return undefined;
    if (isDatadirError(error)) return { form: 'unknown', reason: error.message };
    throw error;
  }
}

/** Throws `USAGE` if a marker of our own must not be written to that place. */
export function assertMarkerPlace(dataDir: string, { own, marker, path }: FoundMarker): void {
  assertOutside(own, dataDir);
  if (path !== own || marker?.form !== 'unknown' || isReplaceable(own)) return;
  throw new DatadirError('USAGE', `${own}: is no marker (${marker.reason}), and is not written over`, { path: own });
}

/** What is left of a marker, and nothing of anybody else's. */
function isReplaceable(path: string): boolean {
  const bytes = readSmallFile(path, MAX_MARKER_BYTES);
  return bytes.length <= MAX_MARKER_BYTES && (bytes.every((byte) => byte === 0) || bytes[0] === '{'.charCodeAt(0));
}

/** What a marker says besides whose it is. */
export interface MarkerDetails {
  readonly runId?: string | undefined;
  readonly exit?: RunExit | undefined;
}

/** Writes a marker of our own for an open directory: with its ids, and how far its db has got. Gives what was written. */
export function writeMarkerFor(dir: DataDir, path: string, state: RunState, details: MarkerDetails = {}): RunMarker {
  const { runId = randomUUID(), exit = null } = details;
  const run = { state, runId, time: new Date().toISOString(), exit, ...readIdentity(dir) };
  replaceFile(path, encodeMarker(run));
  return run;
}

/** Takes a marker of our own away. */
export function removeMarker(path: string): void {
  removeFile(path);
}

/** Options of `writeMarker`. */
export interface WriteMarkerOptions extends DataDirOptions, MarkerDetails {
  /** The file. Default: `etcd-datadir-run.json` beside the data directory. */
  readonly marker?: string | undefined;
}

/**
 * Tells what becomes of a run of etcd, for the program that runs it: `running` before etcd is started, `stopping` when it is told to
 * stop, `clean` when it has closed in order and its files are at rest: then the marker says how far the db had got. Without `runId` the
 * run is that of the marker that is there. Written as a whole or not at all, never into the data directory.
 */
export function writeMarker(path: string, state: RunState, options: WriteMarkerOptions = {}): RunMarker {
  const found = findMarker(path, options.marker ?? besideDataDir(path, OWN_NAME));
  assertMarkerPlace(path, found);
  const known = found.marker?.form === 'run' && state !== 'validating' ? found.marker.run.runId : undefined;
  const dir = openDataDir(openDataDirFolder(path, options));
  try {
    return writeMarkerFor(dir, found.own, state, { runId: options.runId ?? known, exit: options.exit });
  } finally {
    dir.close();
  }
}

/**
 * Writes `exit_code` beside a data directory as etcd-wrapper does, for a program that takes its place: the name of the signal that ended
 * the run, without a newline.
 */
export function writeExitCode(path: string, signal: 'terminated' | 'interrupt'): void {
  replaceFile(besideDataDir(path, EXIT_CODE), signal);
}
