/**
 * What every command that writes a file does: whatever way the process ends, nothing half-made stays behind, and what an
 * earlier run that was killed has left is named.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTemporaries } from '../io/output.ts';
import type { Invocation } from './command.ts';

const TEMPORARY = /^\.etcd-datadir-[\da-f-]{36}\.tmp$/;

let listening = false;

/** Called before anything is written to `target`. */
export function prepareWriting({ note }: Pick<Invocation, 'note'>, target: string): void {
  if (!listening) process.once('exit', removeTemporaries);
  listening = true;
  for (const path of leftovers(dirname(target))) {
    note(`${path}: left by a run that was killed, unless one is at work there now; it can be deleted`);
  }
}

function leftovers(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => TEMPORARY.test(name))
      .map((name) => join(folder, name));
  } catch {
    // Why no file can be made in there is told by the attempt to make one.
    return [];
  }
}
