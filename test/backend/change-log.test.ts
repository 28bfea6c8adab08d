/**
 * History, log of changes and export as streams: asynchronous, stopped, of files that change or have records that are none. What they give is
 * in `mvcc-model.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readChanges } from '../../src/backend/change-log.ts';
import { exportRecords } from '../../src/backend/export-records.ts';
import { readHistory } from '../../src/backend/history.ts';
import type { ItemStream } from '../../src/backend/item-stream.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import type { RunOptions } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, toBytes, tombstone } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { code } from '../support/writer-db.ts';

/** Every other record is of key `a`; some are tombstones. */
const RECORDS = Array.from({ length: 4000 }, (_, i) => {
  const key = i % 2 === 0 ? 'a' : `/k/${i % 500}`;
  return i % 10 === 9 ? tombstone(i + 2, 0, key) : put(i + 2, 0, { key, value: 'v'.repeat(300) });
});

/** Enough of the items to tell them apart; to compare them whole takes long. */
function summary(items: readonly unknown[]): string[] {
  return (items as Record<string, unknown>[]).map(
    ({ revision, modRevision, sub, key, value, ...rest }) =>
      `${revision ?? modRevision}.${sub} ${key} ${(value as Uint8Array | undefined)?.length} ${Object.values(rest)}`,
  );
}

const STREAMS: Record<string, (file: BackendFile, options?: RunOptions) => ItemStream<unknown>> = {
  history: (file, options) => readHistory(file, toBytes('a'), options),
  'history, the newest': (file, options) => readHistory(file, toBytes('a'), { limit: 100, ...options }),
  'log of changes': (file, options) => readChanges(file, options),
  'log of changes, whole revisions': (file, options) =>
    readChanges(file, { prefix: toBytes('/k/1'), wholeRevisions: true, ...options }),
  'export of live keys': (file, options) => exportRecords(file, options),
  'export of all revisions': (file, options) => exportRecords(file, { allRevisions: true, ...options }),
};

describe.each(Object.entries(STREAMS))('%s', (_, stream) => {
  test('gives the same to for and for await, as often as asked', async () => {
    const items = stream(await openDb({ key: RECORDS }));
    const first = summary([...items]);
    expect(first.length).toBeGreaterThan(99);
    expect(summary([...items])).toEqual(first);
    const later: unknown[] = [];
    for await (const item of items) later.push(item);
    expect(summary(later)).toEqual(first);
  });

  test('tells how far it is, and can be stopped', async () => {
    const file = await openDb({ key: RECORDS });
    const seen: number[] = [];
    const items = stream(file, { onProgress: ({ done }) => seen.push(done) });
    expect([...items].length).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(0);
    const controller = new AbortController();
    const stopped = stream(file, { signal: controller.signal, onProgress: () => controller.abort('enough') });
    await expect(
      (async () => {
        for await (const batch of stopped.batches())
          await new Promise((resolve) => setTimeout(resolve, batch.length && 15));
      })(),
    ).rejects.toThrow(code('ABORTED'));
  });

  test('ends with an error if the file is written to meanwhile', async () => {
    const before = await makeDb({ key: RECORDS });
    const after = nextTransaction(before);
    const quiet = changingSource(() => before);
    const expected = summary([...stream(new BackendFile(quiet))]);
    for (let change = 3; change < quiet.reads; change++) {
      const file = new BackendFile(changingSource((read) => (read < change ? before : after)));
      const given: unknown[] = [];
      try {
        for (const item of stream(file)) given.push(item);
      } catch (error) {
        expect(error).toMatchObject({ code: 'SOURCE_CHANGED' });
      }
      // A preparing pass begins again; what is given is right in any case.
      expect(summary(given)).toEqual(expected.slice(0, given.length));
    }
  });

  test('passes over what is no record, and counts it', async () => {
    const bad = [hex('ff'), hex(`00000000000000115e${'00'.repeat(8)}`), hex(`0000000000000012${'5f'}00`)];
    const whole = summary([...stream(await openDb({ key: RECORDS }))]);
    const items = stream(await openDb({ key: [...RECORDS, ...bad.map((key) => [key, 'x'] as const)] }));
    expect(summary([...items])).toEqual(whole);
    expect(items.unreadable.count).toBe(3);
  });
});

describe('records that a server does not know', () => {
  const odd = [put(0, 0, { key: 'zero' }), put(2, 0, { key: '' }), tombstone(3, 0, ''), put(4, 0, { key: 'a' })];

  test('before revision 1, and of the key of no bytes, are left out', async () => {
    const file = await openDb({ key: odd });
    expect([...readChanges(file)].map(({ revision }) => revision)).toEqual([4n]);
    for (const allRevisions of [false, true]) {
      expect([...exportRecords(file, { allRevisions })].map(({ modRevision }) => modRevision)).toEqual([4n]);
    }
    expect([...readHistory(file, toBytes('zero'))]).toEqual([]);
    expect(() => readHistory(file, new Uint8Array())).toThrow(code('USAGE'));
  });
});

/** With zeros behind it: the length of a file does not change while it is read. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

describe('export', () => {
  test('other work that goes on to a newer transaction while the keys are marked does not mix the two', async () => {
    const before = await makeDb({ key: RECORDS });
    const after = nextTransaction(padded(await makeDb({ key: RECORDS.slice(0, -500) }), before.length));
    let state = before;
    const file = new BackendFile(changingSource(() => state));
    const onProgress = (): void => {
      if (state === after) return;
      state = after;
      file.renew();
    };
    const expected = exportRecords(new BackendFile(memorySource(after)));
    expect(summary([...exportRecords(file, { onProgress })])).toEqual(summary([...expected]));
  });

  test('of revisions that cannot be read', async () => {
    const file = new BackendFile(memorySource(await makeDb({ key: RECORDS })));
    expect(() => [...exportRecords(file, { revision: 99_999n })]).toThrow(code('REVISION_FUTURE'));
    expect([...exportRecords(file, { revision: 2n })]).toMatchObject([{ modRevision: 2n }]);
  });
});
