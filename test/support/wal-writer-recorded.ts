/**
 * The recorded sequences in fixtures/wal-writer: calls to a log's writer, and what the wal packages of etcd 3.5.33, 3.6.14
 * and 3.7.1 left on the disk after each.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FIXTURES } from './fixtures.ts';
import type { Sequence, StepResult } from './wal-writer-sequence.ts';

const FOLDER = join(FIXTURES, 'wal-writer');
const ENDING = '.json.gz';

/** What a sequence comes to: how each step ended, and the log where it was looked at. */
export interface Outcome {
  readonly results: readonly StepResult[];
  /** Name, size and digest of each segment; undefined where nobody looked. */
  readonly logs: readonly (readonly string[] | undefined)[];
}

/** The same in fewer bytes. */
export interface Marks {
  /** The steps that were refused. */
  readonly refused: readonly number[];
  /** For each look 32 hex digits of the sha256 of the segments' lines. */
  readonly logs: readonly string[];
  /** The last look in full. */
  readonly last: readonly string[];
}

export interface RecordedSequence {
  readonly sequence: Sequence;
  /** By minor release. */
  readonly marks: Readonly<Record<string, Marks>>;
}

export function marksOf({ results, logs }: Outcome): Marks {
  const looks = logs.filter((log) => log !== undefined);
  return {
    refused: [...results.keys()].filter((i) => results[i] === 'refused'),
    logs: looks.map((log) => createHash('sha256').update(log.join('\n')).digest('hex').slice(0, 32)),
    last: looks.at(-1) ?? [],
  };
}

export function listRecorded(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

export function readRecorded(name: string): RecordedSequence {
  return JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}${ENDING}`))).toString()) as RecordedSequence;
}

export function storeRecorded(recorded: RecordedSequence): void {
  mkdirSync(FOLDER, { recursive: true });
  const bytes = gzipSync(JSON.stringify(recorded), { level: 9 });
  writeFileSync(join(FOLDER, `${recorded.sequence.name}${ENDING}`), bytes);
}
