/**
 * `wal repair PATH -o DIR`: a repaired copy of a log, where that is safe.
 */
import { join } from 'node:path';
import { DatadirError, isDatadirError } from '../../errors.ts';
import { readConsistentIndex } from '../../files/consistent-index.ts';
import { folderIn, isDirectory } from '../../files/member-folder.ts';
import { type RepairWalResult, repairWal } from '../../files/repair-wal.ts';
import { onlyLosses } from '../../wal/repair-plan.ts';
import { usageError } from '../arguments.ts';
import type { Invocation } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonText } from '../render/json.ts';
import { repairJson, repairText } from '../render/repair.ts';
import { prepareWriting } from '../writing.ts';

/** Runs the command. */
export async function run(invocation: Invocation): Promise<number> {
  const { positionals, options, json, out, signal, showProgress, note } = invocation;
  const [path = ''] = positionals;
  const output = `${options['output']}`;
  const keepIndex = indexToKeep(invocation, path);
  prepareWriting(invocation, output);
  const result = await repairWal(path, output, {
    keepIndex,
    acceptLoss: options['accept-loss'] === true,
    withoutSnap: options['without-snap'] === true,
    ignoreLock: options['ignore-lock'] === true,
    signal,
    onProgress: showProgress,
  });
  showProgress(undefined);
  const context = { path, output, keepIndex };
  out.write(json ? jsonText(repairJson(result, context)) : repairText(result, context));
  const hint = hintOf(result, output);
  if (hint !== undefined) {
    // What was done comes first.
    await out.flush();
    note(hint);
  }
  return result.outcome === 'refused' ? EXIT.problems : EXIT.done;
}

/** The consistent index of the db that belongs to the log. */
function indexToKeep({ options, block }: Invocation, path: string): bigint | undefined {
  const { db, 'without-db': without } = options;
  if (without === true) {
    if (db !== undefined) throw usageError('--db and --without-db exclude one another');
    return undefined;
  }
  const file = typeof db === 'string' ? db : dbBeside(path);
  try {
    return block(() => readConsistentIndex(file));
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    const words = `${error.message}; how far the db has got cannot be told: --db names another, --without-db goes by the log alone`;
    throw new DatadirError(error.code, words, { path: file, cause: error });
  }
}

function dbBeside(path: string): string {
  const snap = isDirectory(path) ? folderIn(path, 'snap') : undefined;
  if (snap !== undefined) return join(snap, 'db');
  throw usageError(
    `${path} is not a data directory: name the db of the member with --db. It may have applied entries that a repair would cut off, which only the db can tell; --without-db goes by the log alone`,
  );
}

function hintOf({ outcome, plan, directory }: RepairWalResult, output: string): string | undefined {
  if (outcome === 'repaired')
    return `to use it, with etcd stopped: move ${directory} elsewhere, then ${output} to its place`;
  if (outcome === 'nothing') return undefined;
  if (onlyLosses(plan)) {
    return 'a member of a cluster is better removed and added again, a single one restored from a backup; --accept-loss makes the copy all the same';
  }
  if (plan.reasons.some(({ code }) => code === 'SNAP_MISSING')) {
    return '--without-snap leaves the segments out all the same: etcd 3.7 needs no .snap file';
  }
  return undefined;
}
