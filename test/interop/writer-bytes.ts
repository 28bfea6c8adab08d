/**
 * Sequences of transactions of which bbolt can leave only one file, done by two writers side by side: after every step
 * their files must be the same, byte for byte and in length.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BoltEdit } from '../support/bolt-edit.ts';
import { DeterminedMaker } from '../support/writer-determined.ts';
import { applyToModel, listModel, ModelBucket } from '../support/writer-model.ts';
import type { ListedBucket } from '../support/writer-operations.ts';
import { Choices, ContentMaker, chooseStyle } from '../support/writer-random.ts';
import { playStep, type Sequence, type SequenceStep } from '../support/writer-sequence.ts';
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

const PAGE_SIZES = [512, 512, 1000, 1024, 2048, 4096, 8192, 16_384] as const;
const MIB = 1 << 20;

function chooseOptions(choices: Choices): OpenOptions {
  return {
    noFreelistSync: choices.chance(0.5),
    ...(choices.chance(0.15) ? { initialMmapSize: choices.one([65_536, MIB, 20 * MIB]), allocSize: 100_000 } : {}),
    // Files of 16 MiB and more: seldom, as all of it is compared.
    ...(choices.chance(0.02) ? { initialMmapSize: 20 * MIB } : {}),
    ...(choices.chance(0.1) ? { noGrowSync: true } : {}),
  };
}

/** bbolt cannot map the file anew while readers are open: it would wait for them for ever. */
export const LARGE_MAP: OpenOptions = { initialMmapSize: 256 * MIB, allocSize: 32_768 };

/** Makes a sequence of `commits` commits while both writers do it. Returns it; throws at the first difference. */
export async function compareBytes(
  seed: number,
  commits: number,
  sides: readonly [WriterSide, WriterSide],
  tally: Tally,
): Promise<Sequence> {
  const choices = new Choices(seed);
  const pageSize = choices.one(PAGE_SIZES);
  const withReaders = choices.chance(0.3);
  const chosen = (): OpenOptions => ({ ...chooseOptions(choices), ...(withReaders ? LARGE_MAP : {}) });
  const options = chosen();
  const content = new ContentMaker(choices, chooseStyle(choices, pageSize));
  const maker = new DeterminedMaker(choices, content, choices.chance(0.4));
  let model = new ModelBucket();
  const readers = new Map<string, ModelBucket>();
  const steps: SequenceStep[] = [];
  const sequence = { name: `seed-${seed}`, pageSize, options, steps };

  /** The next step; with a transaction what it has to answer, and the content after it. */
  function nextStep(file: Uint8Array): { step: SequenceStep; expected: readonly string[]; after: ModelBucket } {
    const same = { expected: [], after: model };
    // bbolt cannot open a file of less than 4096 bytes again.
    if (choices.chance(0.06) && file.length >= 4096) return { step: { open: chosen() }, ...same };
    if (withReaders && readers.size < 4 && choices.chance(0.15))
      return { step: { begin: `r${steps.length}` }, ...same };
    if (readers.size > 0 && choices.chance(0.15)) return { step: { end: choices.one([...readers.keys()]) }, ...same };
    const { operations, commit } = maker.next(model, file);
    const after = model.clone();
    const expected = operations.map((operation) => applyToModel(after, operation));
    return { step: { operations, commit }, expected, after: commit ? after : model };
  }

  async function note(step: SequenceStep): Promise<void> {
    if ('open' in step) {
      tally.openings++;
      readers.clear();
    } else if ('begin' in step) readers.set(step.begin, model);
    else if ('end' in step) readers.delete(step.end);
    else {
      tally[step.commit ? 'commits' : 'rollbacks']++;
      tally.operations += step.operations.length;
    }
    for (const [reader, seen] of readers) {
      if (choices.chance(0.05)) await compareReader(sides, reader, seen);
    }
  }

  try {
    for (const side of sides) await side.create(pageSize, options);
    let file = assertSameBytes(sides, tally);
    tally.sequences++;
    for (const end = tally.commits + commits; tally.commits < end; ) {
      const { step, expected, after } = nextStep(file);
      steps.push(step);
      for (const side of sides) assertSameResults(side.name, expected, await playStep(side, step));
      model = after;
      await note(step);
      file = assertSameBytes(sides, tally);
    }
    for (const side of sides) await side.close();
    assertSameBytes(sides, tally);
  } catch (error) {
    throw new Error(
      `seed ${seed}, page size ${pageSize}, step ${steps.length}: ${said(error)}\nETCD_DATADIR_REPLAY=${keep(sequence)} does it again`,
      {
        cause: error,
      },
    );
  }
  return sequence;
}

/** Throws unless an open reader of both writers sees what was there when it began. */
export async function compareReader(sides: readonly WriterSide[], reader: string, seen: ModelBucket): Promise<void> {
  const expected = listModel(seen);
  for (const side of sides) {
    assertSameContent(`${side.name}, reader`, expected, (await side.content(reader)).map(withoutInline));
  }
}

export const withoutInline = ({ path, sequence, keys, crc }: ListedBucket): ListedBucket => ({
  path,
  sequence,
  keys,
  crc,
});

export function assertSameContent(
  what: string,
  expected: readonly ListedBucket[],
  found: readonly ListedBucket[],
): void {
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    const [a, b] = [JSON.stringify(expected[i]), JSON.stringify(found[i])];
    if (a !== b) throw new Error(`${what} has ${b}, expected is ${a}`);
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

/** Keeps a sequence that failed, to be looked at, and gives the path. */
export function keep(sequence: Sequence): string {
  const folder = fileURLToPath(new URL('../../.cache/writer-failures/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${sequence.name}.json`);
  writeFileSync(path, JSON.stringify(sequence));
  return path;
}

/** Throws unless a writer answered every operation as the model does. */
export function assertSameResults(name: string, expected: readonly string[], results: readonly string[]): void {
  const i = expected.findIndex((result, n) => result !== results[n]);
  if (i >= 0) throw new Error(`operation ${i}: ${name} answers ${results[i]}, expected is ${expected[i]}`);
}

/** Throws unless both have the same file, and gives it. */
function assertSameBytes([reference, other]: readonly [WriterSide, WriterSide], tally: Tally): Uint8Array {
  const [a, b] = [reference.bytes(), other.bytes()];
  tally.bytes += a.length;
  if (Buffer.compare(a, b) !== 0) throw new Error(difference(reference, a, other, b));
  return a;
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
  sides: readonly [WriterSide, WriterSide],
  tally: Tally,
): Promise<void> {
  for (const side of sides) await side.create(pageSize, options);
  for (const [i, step] of steps.entries()) {
    try {
      const [theirs, own] = [await playStep(sides[0], step), await playStep(sides[1], step)];
      assertSameResults(sides[1].name, theirs, own);
      assertSameBytes(sides, tally);
    } catch (error) {
      throw new Error(`step ${i}: ${said(error)}`, { cause: error });
    }
  }
  for (const side of sides) await side.close();
}
