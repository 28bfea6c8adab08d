/**
 * Sequences of transactions of every kind, done by the real bbolt and by ours side by side. Page numbers may differ, as
 * they do between two runs of bbolt; content, answers and which pages are free must not. Now and then each is given the
 * other's file to go on with.
 */
import { writeFileSync } from 'node:fs';
import { checkBolt } from '../../src/bolt/check.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import type { OurWriter } from '../support/our-writer.ts';
import { AnythingMaker } from '../support/writer-anything.ts';
import { listModel, ModelBucket } from '../support/writer-model.ts';
import { Choices, ContentMaker, chooseStyle } from '../support/writer-random.ts';
import type { SequenceStep } from '../support/writer-sequence.ts';
import type { OpenOptions } from '../support/writer-side.ts';
import { assertFreePages, type BoltDriver } from './drive-bolt.ts';
import {
  assertSameContent,
  assertSameResults,
  compareReader,
  keep,
  LARGE_MAP,
  type Tally,
  withoutInline,
} from './writer-bytes.ts';

const PAGE_SIZES = [512, 1024, 1024, 4096, 4096, 16_384] as const;

/** Does a sequence of `commits` commits with both. Throws at the first difference. */
export async function compareContent(
  seed: number,
  commits: number,
  bbolt: BoltDriver,
  ours: OurWriter,
  tally: Tally,
): Promise<void> {
  const choices = new Choices(seed);
  const pageSize = choices.one(PAGE_SIZES);
  const options = (): OpenOptions => ({
    ...LARGE_MAP,
    noFreelistSync: choices.chance(0.5),
    freelist: choices.one(['array', 'hashmap']),
  });
  const content = new ContentMaker(choices, chooseStyle(choices, pageSize));
  const maker = new AnythingMaker(choices, content, { avoidDefectsOfBbolt: true });
  const sides = [bbolt, ours] as const;
  let model = new ModelBucket();
  const readers = new Map<string, ModelBucket>();
  const steps: SequenceStep[] = [];
  const first = options();
  try {
    for (const side of sides) await side.create(pageSize, first);
    tally.sequences++;
    for (let done = 0; done < commits; ) {
      await changeReaders(done);
      const { operations, results, after } = maker.next(model);
      const commit = !choices.chance(0.1);
      steps.push({ operations, commit });
      for (const side of sides) assertSameResults(side.name, results, await side.transaction(operations, commit));
      tally.operations += operations.length;
      if (!commit) {
        tally.rollbacks++;
        if (choices.chance(0.5)) await compare();
        continue;
      }
      model = after;
      done++;
      tally.commits++;
      await compare();
      if (done % 16 === 0) await exchange();
    }
    for (const [reader, seen] of readers) await compareReader(sides, reader, seen);
    for (const side of sides) await side.close();
  } catch (error) {
    const sequence = { name: `content-seed-${seed}`, pageSize, options: first, steps };
    const message = error instanceof Error ? error.message : `${error}`;
    throw new Error(
      `seed ${seed}, page size ${pageSize}, step ${steps.length}: ${message}\nwhat was done: ${keep(sequence)}`,
      {
        cause: error,
      },
    );
  }

  async function changeReaders(done: number): Promise<void> {
    if (readers.size < 4 && choices.chance(0.12)) {
      const reader = `r${done}`;
      if (readers.has(reader)) return;
      readers.set(reader, model);
      for (const side of sides) await side.beginReader(reader);
    } else if (readers.size > 0 && choices.chance(0.12)) {
      const reader = choices.one([...readers.keys()]);
      await compareReader(sides, reader, readers.get(reader) as ModelBucket);
      readers.delete(reader);
      for (const side of sides) await side.endReader(reader);
    } else if (readers.size > 0 && choices.chance(0.2)) {
      const [reader, seen] = choices.one([...readers]);
      await compareReader(sides, reader, seen);
    }
  }

  async function compare(): Promise<void> {
    const [theirs, own] = [await bbolt.content(), await ours.content()];
    assertSameContent('bbolt', listModel(model), theirs.map(withoutInline));
    assertSameContent('ours', theirs, own);
    if (choices.chance(0.5)) await assertFreePages(bbolt);
    // Ours always; what bbolt leaves is healthy.
    for (const side of choices.chance(0.2) ? sides : [ours]) {
      const bytes = side.bytes();
      tally.bytes += bytes.length;
      const { findings } = checkBolt(bytes);
      if (findings.length > 0) throw new Error(`our check of the file of ${side.name}: ${JSON.stringify(findings[0])}`);
    }
    const unreached = new BoltEdit(ours.bytes()).freePages().length;
    const { freePageCount, pendingPageCount } = ours.db;
    if (freePageCount + pendingPageCount !== unreached) {
      throw new Error(`ours: ${freePageCount} free, ${pendingPageCount} pending, but ${unreached} not reached`);
    }
    if (choices.chance(0.1)) await checkByBbolt();
  }

  async function checkByBbolt(): Promise<void> {
    const [line] = await bbolt.check();
    if (line !== undefined) throw new Error(`bbolt finds: ${line}`);
  }

  /** Each goes on with the file of the other. */
  async function exchange(): Promise<void> {
    readers.clear();
    for (const side of sides) await side.close();
    const theirs = bbolt.bytes();
    writeFileSync(bbolt.path, ours.bytes());
    ours.replace(theirs);
    const next = options();
    steps.push({ open: next });
    for (const side of sides) await side.open(next);
    tally.openings++;
    await checkByBbolt();
    await compare();
  }
}
