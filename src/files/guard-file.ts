/**
 * The guard file in the root of a volume, which names its owner (Node).
 */
import type { GuardState } from '../datadir/validation/report.ts';
import { isDatadirError } from '../errors.ts';
import { writeOutput } from '../io/output.ts';
import { assertOutside, besideDataDir, readSmallFile } from './volume-root.ts';

/** Who should own the volume, and what may be done about it. */
export interface GuardOptions {
  /** The file. Default: `safe_guard` beside the data directory. */
  readonly guard?: string | undefined;
  /** What it must hold, byte for byte. Undefined or empty: it is not looked at. */
  readonly guardValue?: string | undefined;
  /** Make the file if it is missing. */
  readonly createGuard?: boolean | undefined;
}

const NAME = 'safe_guard';
const MAX_BYTES: number = 64 * 1024;
/** So much of a wrong owner is told. */
const MAX_SHOWN = 200;

/** Compares the guard file; makes it only if it is missing and that is asked for. */
export function checkGuard(dataDir: string, options: GuardOptions): GuardState {
  const path = options.guard ?? besideDataDir(dataDir, NAME);
  const expected = options.guardValue ?? '';
  if (expected === '') return { state: 'skipped', path, expected: null, actual: null, reason: null };
  const state = readGuard(path, expected);
  if (state.state !== 'missing' || options.createGuard !== true) return state;
  assertOutside(path, dataDir);
  try {
    writeOutput(path, (file) => file.write(0, new TextEncoder().encode(expected)), { mode: 0o600 });
  } catch (error) {
    // Somebody else was quicker.
    if (isDatadirError(error, 'TARGET_EXISTS')) return readGuard(path, expected);
    throw error;
  }
  return { ...state, state: 'created', actual: expected };
}

function readGuard(path: string, expected: string): GuardState {
  let bytes: Uint8Array;
  try {
    bytes = readSmallFile(path, MAX_BYTES);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    if (error.code === 'NOT_FOUND') return { state: 'missing', path, expected, actual: null, reason: null };
    return { state: 'unreadable', path, expected, actual: null, reason: error.message };
  }
  const wanted = new TextEncoder().encode(expected);
  const isEqual = bytes.length === wanted.length && bytes.every((byte, at) => byte === wanted[at]);
  const actual = new TextDecoder().decode(bytes).slice(0, MAX_SHOWN);
  return { state: isEqual ? 'equal' : 'different', path, expected, actual, reason: null };
}
