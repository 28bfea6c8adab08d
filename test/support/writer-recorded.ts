/**
 * The recorded sequences in fixtures/bolt-writer: operations, what bbolt 1.4.3 answered to each, and length and sha256 of
 * the file it left after every step.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FIXTURES } from './fixtures.ts';
import type { Sequence } from './writer-sequence.ts';

const FOLDER = join(FIXTURES, 'bolt-writer');
const ENDING = '.json.gz';

/** Names of all of them. */
export function listRecorded(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort();
}

export function readRecorded(name: string): Sequence {
  return JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}${ENDING}`))).toString()) as Sequence;
}

export function storeRecorded(sequence: Sequence): void {
  mkdirSync(FOLDER, { recursive: true });
  const text = JSON.stringify(sequence);
  writeFileSync(join(FOLDER, `${sequence.name}${ENDING}`), gzipSync(text, { level: 9 }));
}
