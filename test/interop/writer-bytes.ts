/**
 * Sequences of transactions of which bbolt can leave only one file, done by two writers side by side: after every step
 * their files must be the same, byte for byte and in length.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoltEdit } from '../support/bolt-edit.ts';
import { DeterminedMaker } from '../support/writer-determined.ts';
import { applyToModel, ModelBucket } from '../support/writer-model.ts';
import { Choices, ContentMaker, chooseStyle } from '../support/writer-random.ts';
import type { Sequence, SequenceStep } from '../support/writer-sequence.ts';
import type { OpenOptions, WriterSide } from '../support/writer-side.ts';

/** What was done, to be printed. */
export class Tally {
  sequences = 0;
  commits = 0;
  rollbacks = 0;
  operations = 0;
  openings = 0;
  bytes = 0;
  readonly #started = performance.now();

  toString(): string {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    const counts = `${this.sequences} sequences, ${this.commits} commits, ${this.rollbacks} rollbacks, ${this.operations} operations, ${this.openings} openings`;
    return `${counts}, ${(this.bytes / 1e6).toFixed(0)} MB compared, ${seconds} s`;
  }
}

const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16_384] as const;
const MIB = 1 << 20;

function chooseOptions(choices: Choices): OpenOptions {
  return {
    noFreelistSync: choices.chance(0.5),
    ...(choices.chance(0.15) ? { initialMmapSize: choices.one([65_536, MIB, 20 * MIB]), allocSize: 100_000 } : {}),
    ...(choices.chance(0.05) ? { initialMmapSize: 20 * MIB } : {}),
    ...(choices.chance(0.1) ? { noGrowSync: true } : {}),
  };
}

/** Makes a sequence of `commits` commits while both writers do it. Returns it; throws at the first difference. */
export async function compareBytes(
  seed: number,
  commits: number,
  [reference, other]: readonly [WriterSide, WriterSide],
  tally: Tally,
): Promise<Sequence> {
  const choices = new Choices(seed);
  const pageSize = choices.one(PAGE_SIZES);
  const options = chooseOptions(choices);
  const content = new ContentMaker(choices, chooseStyle(choices, pageSize));
  const maker = new DeterminedMaker(choices, content, choices.chance(0.4));
  let model = new ModelBucket();
  const steps: SequenceStep[] = [];
  const sequence = { name: `seed-${seed}`, pageSize, options, steps };
  const both = async (work: (side: WriterSide) => Promise<unknown>) => {
    await work(reference);
    await work(other);
  };
  try {
    await both((side) => side.create(pageSize, options));
    assertSameBytes(reference, other, tally);
    tally.sequences++;
    for (let done = 0; done < commits; ) {
      // bbolt cannot open a file of less than 4096 bytes again.
      if (choices.chance(0.06) && reference.bytes().length >= 4096) {
        const open = chooseOptions(choices);
        steps.push({ open });
        await both((side) => side.close());
        await both((side) => side.open(open));
        tally.openings++;
      } else {
        const { operations, commit } = maker.next(model, () => reference.bytes());
        steps.push({ operations, commit });
        const after = model.clone();
        const expected = operations.map((operation) => applyToModel(after, operation));
        await both(async (side) => {
          const results = await side.transaction(operations, commit);
          assertSameResults(side.name, expected, results);
        });
        if (commit) {
          model = after;
          done++;
          tally.commits++;
        } else tally.rollbacks++;
        tally.operations += operations.length;
      }
      assertSameBytes(reference, other, tally);
    }
    await both((side) => side.close());
    assertSameBytes(reference, other, tally);
  } catch (error) {
    throw new Error(`seed ${seed}, page size ${pageSize}, step ${steps.length}: ${said(error)}${keep(sequence)}`, {
      cause: error,
    });
  }
  return sequence;
}

const said = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Keeps a sequence that failed, for `ETCD_DATADIR_REPLAY`. */
export function keep(sequence: Sequence): string {
  const folder = fileURLToPath(new URL('../../.cache/writer-failures/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sequence.name}.json`);
  writeFileSync(path, JSON.stringify(sequence));
  return `\nETCD_DATADIR_REPLAY=${path} does it again`;
}

/** Throws unless a writer answered every operation as the model does. */
export function assertSameResults(name: string, expected: readonly string[], results: readonly string[]): void {
  const i = expected.findIndex((result, n) => result !== results[n]);
  if (i >= 0) throw new Error(`operation ${i}: ${name} answers ${results[i]}, expected is ${expected[i]}`);
}

function assertSameBytes(reference: WriterSide, other: WriterSide, tally: Tally): void {
  const [a, b] = [reference.bytes(), other.bytes()];
  tally.bytes += a.length;
  if (Buffer.compare(a, b) !== 0) throw new Error(difference(reference, a, other, b));
}

/** Where two files differ, in words. */
function difference(reference: WriterSide, a: Uint8Array, other: WriterSide, b: Uint8Array): string {
  const { pageSize } = new BoltEdit(a);
  const lines = [`the files differ: ${reference.name} ${a.length} bytes, ${other.name} ${b.length} bytes`];
  const hex = (bytes: Uint8Array, at: number) => Buffer.from(bytes.subarray(at, at + 24)).toString('hex');
  const end = Math.max(a.length, b.length);
  for (let start = 0; start < end && lines.length < 12; start += pageSize) {
    const [pageA, pageB] = [a.subarray(start, start + pageSize), b.subarray(start, start + pageSize)];
    if (Buffer.compare(pageA, pageB) === 0) continue;
    const offset = pageA.findIndex((byte, i) => byte !== pageB[i]);
    const at = start + Math.max(0, offset) - (Math.max(0, offset) % 8);
    lines.push(
      `page ${start / pageSize} from byte ${at - start}: ${reference.name} ${hex(a, at)}, ${other.name} ${hex(b, at)}`,
    );
  }
  return lines.join('\n');
}

/** Plays a kept sequence to both writers and compares after every step. */
export async function replayBytes(
  { pageSize, options, steps }: Sequence,
  [reference, other]: readonly [WriterSide, WriterSide],
  tally: Tally,
): Promise<void> {
  for (const side of [reference, other]) await side.create(pageSize, options);
  for (const [i, step] of steps.entries()) {
    const answers: string[][] = [];
    for (const side of [reference, other]) {
      if ('open' in step) {
        await side.close();
        await side.open(step.open);
      } else answers.push(await side.transaction(step.operations, step.commit));
    }
    if (answers.length > 0) assertSameResults(other.name, answers[0] as string[], answers[1] as string[]);
    try {
      assertSameBytes(reference, other, tally);
    } catch (error) {
      throw new Error(`step ${i}: ${said(error)}`);
    }
  }
  for (const side of [reference, other]) await side.close();
}
