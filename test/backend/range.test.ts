/**
 * Ranges of keys: long answers, files that change, and what is wrong in a bucket. What is right is in `mvcc-model.test.ts`.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { type RangeOptions, type RangeResult, rangeJob } from '../../src/backend/range.ts';
import { fromKeyRange, prefixRange } from '../../src/backend/range-bounds.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, toBytes, tombstone } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { PlainMvcc } from '../support/plain-mvcc.ts';
import { code } from '../support/writer-db.ts';

const ALL = fromKeyRange(new Uint8Array());
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function range(file: BackendFile, options: Partial<RangeOptions> = {}): RangeResult {
  return drain(rangeJob(file, { ...ALL, ...options }));
}

function keysOf(result: RangeResult): string[] {
  return [...result.keyValues].map(({ key }) => text(key));
}

describe('a long range', () => {
  const COUNT = 20_000;
  let bytes: Uint8Array;

  beforeAll(async () => {
    // Not in the order of keys.
    const key = (i: number): string => `/k/${String((i * 7919) % COUNT).padStart(5, '0')}`;
    bytes = await makeDb({
      key: Array.from({ length: COUNT }, (_, i) => put(i + 2, 0, { key: key(i), value: `${i}` })),
    });
  });

  const expected = Array.from({ length: COUNT }, (_, i) => `/k/${String(i).padStart(5, '0')}`);

  test('is read in parts, in order, as often as one likes', async () => {
    const result = range(new BackendFile(memorySource(bytes)));
    expect(result).toMatchObject({ count: COUNT, more: false, revision: BigInt(COUNT + 1) });
    expect(result.keyValues.length).toBe(COUNT);
    expect(keysOf(result)).toEqual(expected);
    const later: string[] = [];
    for await (const { key } of result.keyValues) later.push(text(key));
    expect(later).toEqual(expected);
    const sizes: number[] = [];
    for await (const batch of result.keyValues.batches()) sizes.push(batch.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(COUNT);
  });

  test('costs the bytes of the keys and 40 bytes a key', () => {
    for (const options of [{}, { sortBy: 'modify' as const, order: 'descend' as const }]) {
      const { bytesUsed } = range(new BackendFile(memorySource(bytes)), options);
      // What is taken in chunks: of the keys, hashes, places and numbers.
      const chunks = (1 << 20) + (1 << 18) + (1 << 18) + (1 << 19);
      expect(bytesUsed).toBeLessThan(COUNT * (8 + 40) + chunks);
    }
    expect(range(new BackendFile(memorySource(bytes)), { ...prefixRange(toBytes('/x')) }).bytesUsed).toBeLessThan(
      40_000,
    );
  });

  test('with a limit, or counted only, needs no values', () => {
    const source = changingSource(() => bytes);
    const file = new BackendFile(source);
    range(file, { countOnly: true });
    const before = source.reads;
    range(file, { limit: 3 });
    expect(source.reads - before).toBeLessThan(before + 10);
    expect(keysOf(range(file, { limit: 3 }))).toEqual(expected.slice(0, 3));
    expect(keysOf(range(file, { limit: 3, order: 'descend' }))).toEqual(expected.slice(-3).reverse());
  });

  test('can be stopped, and tells how far it is', async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const job = rangeJob(new BackendFile(memorySource(bytes)), ALL);
    expect(job.progress.done).toBe(0);
    await runSliced(job, { onProgress: ({ done }) => seen.push(done) });
    expect(seen.at(-1)).toBeGreaterThan(0);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    controller.abort();
    const stopped = runSliced(rangeJob(new BackendFile(memorySource(bytes)), ALL), { signal: controller.signal });
    await expect(stopped).rejects.toThrow(code('ABORTED'));
  });

  test('of a file that is written to while it is read is read again', () => {
    const after = nextTransaction(bytes);
    const quiet = changingSource(() => bytes);
    range(new BackendFile(quiet));
    const source = changingSource((read) => (read < quiet.reads / 2 ? bytes : after));
    expect(keysOf(range(new BackendFile(source)))).toEqual(expected);
    expect(source.reads).toBeGreaterThan(quiet.reads);
  });

  test('of a file that is written to later ends with an error; short ones are in memory', () => {
    let state = bytes;
    const file = new BackendFile(changingSource(() => state));
    const long = range(file);
    const short = range(file, { limit: 10_000 });
    state = nextTransaction(bytes);
    expect(() => [...long.keyValues]).toThrow(code('SOURCE_CHANGED'));
    expect(keysOf(short)).toEqual(expected.slice(0, 10_000));
  });
});

describe('what is odd in a bucket', () => {
  test('no bucket, no records', async () => {
    for (const file of [await openDb({}), await openDb({}, { bare: true })]) {
      expect(range(file)).toMatchObject({ revision: 1n, readRevision: 1n, count: 0, more: false });
      expect(drain(rangeJob(file, { key: toBytes('a') }))).toMatchObject({ count: 0 });
    }
  });

  test('records that cannot be read are passed over and counted', async () => {
    const file = await openDb({
      key: [
        put(2, 0, { key: 'a' }),
        [hex('ff'), 'x'],
        [hex(`00000000000000035e${'00'.repeat(8)}`), 'x'],
        put(4, 0, { key: 'b' }),
      ],
    });
    const result = range(file);
    expect(keysOf(result)).toEqual(['a', 'b']);
    expect(result.unreadable.count).toBe(2);
  });

  test('records before revision 1, the key of no bytes, and tombstones of nothing are not there', async () => {
    const file = await openDb({
      key: [
        put(0, 0, { key: 'zero' }),
        put(2, 0, { key: '', value: 'x' }),
        tombstone(3, 0, 'gone'),
        put(4, 0, { key: 'a' }),
      ],
    });
    expect(keysOf(range(file))).toEqual(['a']);
    expect(range(file, { countOnly: true }).count).toBe(1);
  });

  test('what a restore with --bump-revision leaves', async () => {
    const store = new PlainMvcc();
    store.txn([{ put: 'a', value: '1' }]);
    store.bump(1000n);
    const file = new BackendFile(memorySource(await store.db()));
    expect(range(file)).toMatchObject({ revision: 1002n, count: 1 });
    expect(() => range(file, { revision: 2n })).toThrow(code('REVISION_COMPACTED'));
  });

  test('revisions that no number holds exactly', async () => {
    const main = (1n << 62n) + 1n;
    const file = await openDb({ key: [put(main, 0, { key: 'a', value: 'x' }), put(main + 1n, 0, { key: 'b' })] });
    const result = range(file);
    expect([...result.keyValues]).toMatchObject([{ modRevision: main }, { modRevision: main + 1n }]);
    expect(result.revision).toBe(main + 1n);
  });

  test('records out of order are found all the same', async () => {
    const bytes = await makeDb({ key: Array.from({ length: 400 }, (_, i) => put(i + 2, 0, { key: `k${i}` })) });
    const edit = new BoltEdit(bytes);
    const [first = 0] = leavesOf(edit.bytes);
    // The first record of the bucket gets the revision of the third: a search by revision finds neither.
    const view = new DataView(edit.bytes.buffer, edit.bytes.byteOffset);
    const at = first * 4096 + 16;
    view.setBigUint64(at + view.getUint32(at + 4, true), 4n);
    expect(range(new BackendFile(memorySource(edit.bytes))).count).toBe(400);
    expect(keysOf(range(new BackendFile(memorySource(edit.bytes)))).length).toBe(400);
  });

  function leavesOf(bytes: Uint8Array): number[] {
    const scan = new BackendFile(memorySource(bytes)).db.requireBucket('key').leaves();
    const ids: number[] = [];
    for (let leaf = scan.next(); leaf !== undefined; leaf = scan.next()) ids.push(leaf.id);
    return ids;
  }

  test('large values, and the order of values', async () => {
    const long = 'x'.repeat(3_000_000);
    const file = await openDb({
      key: [
        put(2, 0, { key: 'a', value: long }),
        put(3, 0, { key: 'b', value: `${long}y` }),
        put(4, 0, { key: 'c', value: long }),
      ],
    });
    expect(keysOf(range(file, { sortBy: 'value', order: 'descend' }))).toEqual(['b', 'a', 'c']);
    const [item] = [...range(file, { limit: 1 }).keyValues];
    expect(item?.value.length).toBe(3_000_000);
    expect([...range(file, { keysOnly: true }).keyValues].map(({ value }) => value.length)).toEqual([0, 0, 0]);
  });
});
