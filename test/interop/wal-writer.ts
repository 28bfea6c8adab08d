/**
 * Sequences of calls done with a real wal package: what it has on the disk after each.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listLog } from '../support/wal-writer-decoder.ts';
import type { Outcome } from '../support/wal-writer-recorded.ts';
import {
  dataOf,
  looksAfter,
  type Sequence,
  type Step,
  type StepEntry,
  type StepResult,
} from '../support/wal-writer-sequence.ts';
import type { WalCommand, WalDriver, WireEntry } from './wal-driver.ts';

export function readLogDirectory(path: string): Map<string, Uint8Array> {
  const names = readdirSync(path).filter((name) => name.endsWith('.wal'));
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(path, name)))]));
}

function wireEntry({ data, ...rest }: StepEntry): WireEntry {
  return data === undefined ? rest : { ...rest, data: Buffer.from(dataOf(data)).toString('hex') };
}

export function commandOf(step: Step, dir: string): WalCommand {
  if (step.do === 'save') {
    const { hardState, entries = [] } = step;
    return { op: 'save', ...(hardState === undefined ? {} : { hardState }), entries: entries.map(wireEntry) };
  }
  if (step.do === 'saveSnapshot') return { op: 'saveSnapshot', snapshot: step.snapshot };
  return step.do === 'reopen' ? { op: 'open', dir, snapshot: step.from } : { op: step.do };
}

/** Does a sequence with a real wal package, in a new directory. */
export async function realOutcome(driver: WalDriver, sequence: Sequence, dir: string): Promise<Outcome> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, '..'), { recursive: true });
  await driver.do({ op: 'segmentSize', size: sequence.segmentSize });
  const { metadata } = sequence;
  await driver.do({ op: 'create', dir, ...(metadata === undefined ? {} : { metadataHex: metadata }) });
  const results: StepResult[] = [];
  const logs: (readonly string[] | undefined)[] = [];
  for (const [i, step] of sequence.steps.entries()) {
    if (step.do === 'reopen') await driver.do({ op: 'close' });
    const { error, panic } = await driver.ask(commandOf(step, dir));
    if (panic !== undefined || (error !== undefined && !/snapshot is missing/.test(error))) {
      throw new Error(`${sequence.name}, step ${i}: ${panic ?? error}`);
    }
    results.push(error === undefined ? 'done' : 'refused');
    logs.push(looksAfter(sequence, i) ? listLog(readLogDirectory(dir)) : undefined);
  }
  await driver.do({ op: 'close' });
  return { results, logs };
}
