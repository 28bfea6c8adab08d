/**
 * Passes over bucket `key`: what they see, what they pass over, and files that are written to meanwhile.
 */
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { ItemStream } from '../../src/backend/item-stream.ts';
import { KeyspaceScan } from '../../src/backend/keyspace-scan.ts';
import { PassJob } from '../../src/backend/pass-job.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, tombstone } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';

const text = new TextDecoder();
const RECORDS = Array.from({ length: 3000 }, (_, i) =>
  i % 10 === 9 ? tombstone(i + 2, 0, `k${i - 1}`) : put(i + 2, 0, { key: `k${i}`, value: `v${i}`.repeat(20) }),
);

/** The user keys that a pass sees. */
const keysPass = () => {
  const keys: string[] = [];
  return { visit: (record: { userKey(): Uint8Array }) => keys.push(text.decode(record.userKey())), finish: () => keys };
};

describe('a pass', () => {
  test('sees every record in order, with its place', async () => {
    const file = await openDb({ key: RECORDS });
    const mains: number[] = [];
    const bytes = await makeDb({ key: RECORDS });
    const scan = new KeyspaceScan(file.db, (record) => {
      mains.push(record.main);
      expect(record.pageId).toBe(Math.floor(record.offset / 4096));
      expect(bytes.subarray(record.offset, record.offset + 17)).toEqual(record.revisionKey().subarray(0, 17));
    });
    while (!scan.step());
    expect(mains).toEqual(RECORDS.map((_, i) => i + 2));
    expect(scan.unreadable.count).toBe(0);
  });

  test.each([
    [{ from: 100n }, 100, 3001],
    [{ to: 100n }, 2, 100],
    [{ from: 2500n, to: 2600n }, 2500, 2600],
    [{ from: 0n, to: 5n }, 2, 5],
    [{ from: 9000n }, 0, -1],
    [{ from: 10n, to: 9n }, 0, -1],
  ])('of a range of revisions: %o', async (range, first, last) => {
    const file = await openDb({ key: RECORDS });
    const mains: number[] = [];
    const scan = new KeyspaceScan(file.db, ({ main }) => mains.push(main), range);
    while (!scan.step());
    expect(mains).toEqual(Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i));
  });

  test('is not ended by one record out of order', async () => {
    const edit = new BoltEdit(await makeDb({ key: RECORDS }));
    edit.entries('key')[2]!.key[1] = 1;
    const mains: number[] = [];
    const { db } = new BackendFile(memorySource(edit.bytes));
    const scan = new KeyspaceScan(db, ({ main }) => mains.push(main), { to: 2000n });
    while (!scan.step());
    expect(mains).toEqual(RECORDS.map((_, i) => i + 2).filter((main) => main !== 4 && main <= 2000));
  });

  test('passes over what is no record, and tells where the first one is', async () => {
    const bad = [
      [hex('00'.repeat(16)), 'x'],
      [hex(`${'00'.repeat(7)}055f${'00'.repeat(8)}`), hex('ffffff')],
    ] as const;
    const file = await openDb({ key: [...RECORDS, ...bad].filter(([key]) => key !== RECORDS[3]![0]) });
    const seen: string[] = [];
    const problems: (string | undefined)[] = [];
    const scan = new KeyspaceScan(
      file.db,
      (record) => seen.push(text.decode(record.userKey())),
      {},
      (record) => problems.push(record.problem),
    );
    while (!scan.step());
    expect(seen).toHaveLength(RECORDS.length - 1);
    expect(problems).toEqual(['length', 'value']);
    expect(scan.unreadable).toMatchObject({ count: 2, pageId: expect.any(Number) });
  });

  test('a bucket in the place of a record is none', async () => {
    const bytes = await makeDb({ key: [put(2, 0, { key: 'a' }), put(3, 0, { key: 'b' })] });
    const edit = new BoltEdit(bytes);
    edit.bytes.set([1], edit.entries('key')[0]!.element);
    const scan = new KeyspaceScan(new BackendFile(memorySource(edit.bytes)).db, () => {});
    while (!scan.step());
    expect(scan.unreadable.count).toBe(1);
  });

  test('of a db without bucket key sees nothing', async () => {
    const file = await openDb({ meta: [] }, { bare: true });
    expect(drain(new PassJob(file, keysPass))).toEqual([]);
  });

  test('ends when the visitor says so', async () => {
    let seen = 0;
    const scan = new KeyspaceScan((await openDb({ key: RECORDS })).db, () => ++seen < 7);
    while (!scan.step());
    expect(seen).toBe(7);
  });

  test('large values are read as a whole', async () => {
    const value = new Uint8Array(3 << 20).fill(7);
    const file = await openDb({ key: [put(2, 0, { key: 'large', value, lease: 5n }), put(3, 0, { key: 'small' })] });
    const leases: bigint[] = [];
    const scan = new KeyspaceScan(file.db, (record) => {
      leases.push(record.lease());
      if (record.main === 2) expect(record.userValueEnd - record.userValueStart).toBe(value.length);
    });
    while (!scan.step());
    expect(leases).toEqual([5n, 0n]);
  });
});

describe('a file that is written to meanwhile', async () => {
  const first = await makeDb({ key: RECORDS });
  const states = [first];
  for (let i = 1; i < 200; i++) states.push(nextTransaction(states[i - 1]!));
  const second = states[1]!;

  test('is read again, and the result is of one piece', async () => {
    const file = new BackendFile(changingSource((read) => (read < 5 ? first : second)));
    const keys = await runSliced(new PassJob(file, keysPass));
    expect(keys).toHaveLength(RECORDS.length);
    expect(file.db.txid).toBe(new BackendFile(memorySource(second)).db.txid);
  });

  test('again and again is an error', () => {
    const file = new BackendFile(changingSource((read) => states[Math.floor(read / 3)] ?? first));
    expect(() => drain(new PassJob(file, keysPass))).toThrow(expect.objectContaining({ code: 'SOURCE_CHANGED' }));
  });

  test('small readings are repeated', () => {
    const file = new BackendFile(changingSource((read) => (read < 6 ? first : second)));
    expect(file.read((db) => db.bucket('key')?.cursor().first()?.keyLength)).toBe(17);
  });

  test('a stream ends with an error: what it gave cannot be taken back', () => {
    const file = new BackendFile(changingSource((read) => (read < 5 ? first : second)));
    const stream = new ItemStream<number>(file, () => ({
      begin: (_, give) => ({ visit: ({ main }) => give(main) }),
    }));
    expect(() => [...stream]).toThrow(expect.objectContaining({ code: 'SOURCE_CHANGED' }));
  });
});

describe('a stream', () => {
  const mains = (file: BackendFile, options = {}) =>
    new ItemStream<number>(file, () => ({ begin: (_, give) => ({ visit: ({ main }) => give(main) }) }), options);

  test('gives the same by for, for await and in batches, each time anew', async () => {
    const stream = mains(await openDb({ key: RECORDS }));
    const expected = RECORDS.map((_, i) => i + 2);
    expect([...stream]).toEqual(expected);
    const awaited: number[] = [];
    for await (const main of stream) awaited.push(main);
    expect(awaited).toEqual(expected);
    const batched: number[] = [];
    for await (const batch of stream.batches()) batched.push(...batch);
    expect(batched).toEqual(expected);
  });

  test('can be stopped, and reports progress', async () => {
    const controller = new AbortController();
    let reports = 0;
    const stream = mains(await openDb({ key: RECORDS }), { signal: controller.signal, onProgress: () => reports++ });
    controller.abort();
    await expect(async () => {
      for await (const _ of stream);
    }).rejects.toMatchObject({ code: 'ABORTED' });
    expect([...stream]).toHaveLength(RECORDS.length);
    expect(reports).toBeGreaterThan(0);
  });
});
