// Random transactions in our writer and in a plain model of maps: all that can be read must be the same, within the open
// transaction, after it, after a rollback, and by readers that began earlier; and every file must be whole.
import { describe, expect, it } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import type { Transaction } from '../../src/bolt/transaction.ts';
import type { TxCursor } from '../../src/bolt/tx-cursor.ts';
import { isDatadirError } from '../../src/errors.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { OurWriter } from '../support/our-writer.ts';
import { AnythingMaker } from '../support/writer-anything.ts';
import { applyToModel, listModel, ModelBucket } from '../support/writer-model.ts';
import { ModelCursor } from '../support/writer-model-cursor.ts';
import {
  applyToTransaction,
  type ListedBucket,
  listTransaction,
  type Operation,
  type OperationResult,
  type Path,
  toBytes,
  toText,
} from '../support/writer-operations.ts';
import { Choices, ContentMaker, chooseStyle } from '../support/writer-random.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const SEQUENCES = Number(process.env['ETCD_DATADIR_SEQUENCES'] ?? 24);
const COMMITS = Number(process.env['ETCD_DATADIR_COMMITS'] ?? 40);

/** One line a bucket. */
const lines = (listed: readonly ListedBucket[]): string[] =>
  listed.map(({ path, sequence, keys, crc }) => `${JSON.stringify(path)} ${sequence} ${keys} ${crc}`);
const content = (tx: Transaction): string[] => lines(listTransaction(tx));
const expectedOf = (model: ModelBucket): string[] => lines(listModel(model));

/** As `expect(found).toEqual(expected)`, which is slow for thousands of long lists; so it is asked for the words only. */
function assertSame(found: readonly unknown[], expected: readonly unknown[], what: string): void {
  const same = found.length === expected.length && found.every((item, i) => item === expected[i]);
  if (!same) expect(found, what).toEqual(expected);
}

/** Moves two cursors about and compares what they say. */
function compareCursors(tx: Transaction, model: ModelBucket, choices: Choices): void {
  const { path, bucket } = choices.one([...model.all()]);
  const cursor = bucketAt(tx, path).cursor();
  const expected = new ModelCursor(bucket);
  const forward: unknown[] = [];
  for (let entry = cursor.first(); entry !== undefined; entry = cursor.next()) forward.push(toText(entry.key));
  assertSame(forward, bucket.keys, 'forward');
  const backward: unknown[] = [];
  for (let entry = cursor.last(); entry !== undefined; entry = cursor.prev()) backward.push(toText(entry.key));
  assertSame(backward, bucket.keys.toReversed(), 'backward');
  expected.first();
  for (let steps = 0; steps < 12; steps++) compareMove(cursor, expected, bucket, choices);
}

function compareMove(cursor: TxCursor, expected: ModelCursor, bucket: ModelBucket, choices: Choices): void {
  const kind = choices.weighted({ first: 1, last: 1, next: 5, prev: 4, seek: 3 });
  const key = bucket.keys.length > 0 && choices.chance(0.6) ? choices.one(bucket.keys) : 'k2';
  const wanted = choices.chance(0.3) ? `${key}\x00` : key;
  const found = kind === 'seek' ? cursor.seek(toBytes(wanted)) : cursor[kind]();
  const want = kind === 'seek' ? expected.seek(wanted) : expected[kind]();
  const shown = found && { key: toText(found.key), value: found.value, isBucket: found.isBucket };
  expect(shown, kind).toEqual(want);
}

/** Changes a bucket while a cursor moves about in it. */
function changeUnderCursor(tx: Transaction, model: ModelBucket, content: ContentMaker, choices: Choices): void {
  const { path, bucket } = choices.one([...model.all()]);
  if (path.length === 0) return;
  const cursor = bucketAt(tx, path).cursor();
  const expected = new ModelCursor(bucket);
  for (let steps = 0; steps < 40; steps++) {
    const kind = choices.weighted({ move: 6, delete: 3, put: 1, remove: 1 });
    if (kind === 'move') compareMove(cursor, expected, bucket, choices);
    else if (kind === 'delete') {
      const want = expected.delete();
      expect(attempt(() => cursor.delete())).toBe(want);
    } else {
      const key = kind === 'put' || bucket.keys.length === 0 ? content.key() : choices.one(bucket.keys);
      const operation: Operation =
        kind === 'put' ? { op: 'put', at: path, key, value: content.value() } : { op: 'delete', at: path, key };
      expect(applyToTransaction(tx, operation)).toBe(applyToModel(model, operation));
    }
  }
}

function attempt(work: () => void): OperationResult {
  try {
    work();
    return '';
  } catch (error) {
    if (isDatadirError(error)) return `e:${error.code}`;
    throw error;
  }
}

function bucketAt(tx: Transaction, path: Path) {
  let bucket = tx.root;
  for (const name of path) {
    const child = bucket.bucket(toBytes(name));
    if (child === undefined) throw new Error(`there is no bucket ${path}`);
    bucket = child;
  }
  return bucket;
}

async function runSequence(seed: number): Promise<void> {
  const choices = new Choices(seed);
  const pageSize = choices.one([512, 512, 1024, 2048, 4096]);
  const maker = new ContentMaker(choices, chooseStyle(choices, pageSize));
  const anything = new AnythingMaker(choices, maker, { avoidDefectsOfBbolt: false });
  const ours = new OurWriter();
  await ours.create(pageSize, { noFreelistSync: choices.chance(0.5) });
  let model = new ModelBucket();
  const readers: { tx: Transaction; model: ModelBucket }[] = [];

  for (let done = 0; done < COMMITS; ) {
    if (readers.length < 4 && choices.chance(0.15)) readers.push({ tx: ours.db.begin(), model });
    const { operations, after } = anything.next(model);
    const tx = ours.db.begin({ writable: true });
    const within = model.clone();
    for (const operation of operations) {
      const expected = applyToModel(within, operation);
      const result = applyToTransaction(tx, operation);
      if (result !== expected) expect(result, JSON.stringify(operation)).toBe(expected);
      // After a refusal nothing is different.
      if (expected.startsWith('e:') ? choices.chance(0.1) : choices.chance(0.01)) {
        assertSame(content(tx), expectedOf(within), 'content');
        compareCursors(tx, within, choices);
      }
    }
    if (choices.chance(0.3)) changeUnderCursor(tx, after, maker, choices);
    assertSame(content(tx), expectedOf(after), 'content');
    compareCursors(tx, after, choices);
    const before = ours.bytes();
    if (choices.chance(0.12)) {
      tx.rollback();
      expect(Buffer.compare(ours.bytes(), before)).toBe(0);
    } else {
      tx.commit();
      model = after;
      done++;
    }
    for (const reader of choices.some(readers, 0.3))
      assertSame(content(reader.tx), expectedOf(reader.model), 'content');
    assertWhole(ours, model, choices);
    if (readers.length > 0 && choices.chance(0.15)) readers.splice(choices.below(readers.length), 1)[0]?.tx.rollback();
    if (choices.chance(0.05)) {
      for (const { tx: reader } of readers.splice(0)) reader.rollback();
      await ours.close();
      await ours.open({ noFreelistSync: choices.chance(0.5) });
    }
  }
  await ours.close();
}

function assertWhole(ours: OurWriter, model: ModelBucket, choices: Choices): void {
  ours.db.view((tx) => {
    assertSame(content(tx), expectedOf(model), 'content');
    compareCursors(tx, model, choices);
  });
  const bytes = ours.bytes();
  expect(checkBolt(bytes).findings).toEqual([]);
  // Whether a stored freelist names all of them was just checked.
  const unreached = new BoltEdit(bytes).freePages().length;
  expect(ours.db.freePageCount + ours.db.pendingPageCount).toBe(unreached);
}

describe('the writer and a model', () => {
  for (let n = 0; n < SEQUENCES; n++) {
    const seed = SEED * 1000 + n;
    it(`agree, seed ${seed}`, { timeout: 120_000 }, () => runSequence(seed));
  }
});
