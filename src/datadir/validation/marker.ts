/**
 * The marker beside a data directory that tells how the last run of etcd ended: three forms are read, one is written.
 *
 * - `numeric`: the exit status of etcd in decimal, as a shell's `echo $?` leaves it (file `validation_marker`);
 * - `signal`: the name of the signal that ended it, `terminated` or `interrupt` (file `exit_code`);
 * - `run`: a JSON object of our own, which belongs to one member and one state of its db.
 */
import { DatadirError, isDatadirError } from '../../errors.ts';
import { asObject, type JsonObject, type JsonValue, parseJson } from '../../json/parse.ts';

/** Where a run is: being examined, etcd at work, etcd told to stop, etcd closed in order. */
export type RunState = 'validating' | 'running' | 'stopping' | 'clean';

/** How a process ended. */
export type RunExit = { readonly status: number } | { readonly signal: string };

/** What the marker of our own says. */
export interface RunMarker {
  readonly state: RunState;
  /** Names the run: all markers of one run have the same one. */
  readonly runId: string;
  /** RFC 3339. */
  readonly time: string;
  /** Whose run it was; null if that was not known. */
  readonly clusterId: bigint | null;
  readonly memberId: bigint | null;
  /** How etcd ended; null as long as it has not. */
  readonly exit: RunExit | null;
  /** How far the db had got when it was closed. */
  readonly consistentIndex: bigint | null;
  readonly revision: bigint | null;
}

/** What a marker file says, in whichever form. */
export type Marker =
  | { readonly form: 'numeric'; readonly status: number }
  | { readonly form: 'signal'; readonly signal: string }
  | { readonly form: 'run'; readonly run: RunMarker }
  | { readonly form: 'unknown'; readonly reason: string };

/** The version of the format that is written. */
const MARKER_FORMAT = 1;
/** A longer file is none of the three forms. */
export const MAX_MARKER_BYTES: number = 64 * 1024;

const STATES: readonly RunState[] = ['validating', 'running', 'stopping', 'clean'];
const STATUS = /^\d{1,3}$/;
const SIGNAL = /^[a-z][a-z ]{0,63}$/;
const MAX_TEXT = 256;
const MAX_UINT64 = (1n << 64n) - 1n;

/** Reads the bytes of a marker file. Never throws: what is none of the three forms is `unknown`. */
export function parseMarker(bytes: Uint8Array): Marker {
  if (bytes.length > MAX_MARKER_BYTES) return { form: 'unknown', reason: `it has ${bytes.length} bytes` };
  const text = new TextDecoder().decode(bytes).trim();
  if (STATUS.test(text)) return { form: 'numeric', status: Number(text) };
  if (text.startsWith('{')) return parseRunMarker(text);
  if (SIGNAL.test(text)) return { form: 'signal', signal: text };
  return { form: 'unknown', reason: text === '' ? 'it is empty' : 'it is neither a number, nor a signal, nor JSON' };
}

function parseRunMarker(text: string): Marker {
  try {
    const object = asObject(parseJson(text, { maxLength: MAX_MARKER_BYTES }));
    if (object === undefined) throw unusable('it is not a JSON object');
    const format = object.get('format');
    if (format !== BigInt(MARKER_FORMAT)) throw unusable('its format is not known');
    return { form: 'run', run: runOf(object) };
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return { form: 'unknown', reason: error.message };
  }
}

function runOf(object: JsonObject): RunMarker {
  const state = object.get('state');
  if (!STATES.includes(state as RunState)) throw unusable('its state is not known');
  return {
    state: state as RunState,
    runId: textOf(object, 'runId'),
    time: textOf(object, 'time'),
    clusterId: numberOf(object, 'clusterId'),
    memberId: numberOf(object, 'memberId'),
    exit: exitOf(object.get('exit')),
    consistentIndex: numberOf(object, 'consistentIndex'),
    revision: numberOf(object, 'revision'),
  };
}

function textOf(object: JsonObject, name: string): string {
  const value = object.get(name) ?? '';
  if (typeof value === 'string' && value.length <= MAX_TEXT) return value;
  throw unusable(`its ${name} is not a short text`);
}

/** Decimal text, or a bare number. */
function numberOf(object: JsonObject, name: string): bigint | null {
  const value = object.get(name) ?? null;
  if (value === null) return null;
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : value;
  if (typeof number === 'bigint' && number >= 0n && number <= MAX_UINT64) return number;
  throw unusable(`its ${name} is not a number`);
}

function exitOf(value: JsonValue | undefined): RunExit | null {
  if (value === undefined || value === null) return null;
  const object = asObject(value);
  const status = object?.get('status');
  const signal = object?.get('signal');
  if (typeof status === 'bigint' && status >= 0n && status <= 255n) return { status: Number(status) };
  if (typeof signal === 'string' && signal.length <= MAX_TEXT) return { signal };
  throw unusable('its exit is neither a status nor a signal');
}

function unusable(reason: string): DatadirError {
  return new DatadirError('JSON_INVALID', reason);
}

/** The text of a marker of our own. */
export function encodeMarker(run: RunMarker): string {
  const { state, runId, time, clusterId, memberId, exit, consistentIndex, revision } = run;
  const text = (value: bigint | null): string | null => (value === null ? null : `${value}`);
  const fields = {
    format: MARKER_FORMAT,
    state,
    runId,
    time,
    clusterId: text(clusterId),
    memberId: text(memberId),
    exit,
    consistentIndex: text(consistentIndex),
    revision: text(revision),
  };
  return `${JSON.stringify(fields, undefined, 2)}\n`;
}
