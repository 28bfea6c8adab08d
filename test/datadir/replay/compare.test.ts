/**
 * The conditions of transactions, one rule at a time. All but those on unknown numbers were put to real servers.
 */
import { describe, expect, test } from 'vitest';
import type { DecodedMessage } from '../../../src/proto/messages.ts';
import { makeDb, put as record, tombstone, uint64 } from '../../support/backend-db.ts';
import { put, putOf, RESULT, rangeOf, replay, TARGET } from './engine-run.ts';

const LEASE = 0x1234n;

/** a: created at 2, put again at 4, with a lease. b: put at 3. c: deleted. */
const db = makeDb({
  key: [
    record(2, 0, { key: 'a', value: 'old' }),
    record(3, 0, { key: 'b', value: 'm' }),
    record(4, 0, { key: 'a', value: 'new', createRevision: 2, version: 2, lease: LEASE }),
    record(5, 0, { key: 'c', value: 'x' }),
    tombstone(6, 0, 'c'),
  ],
  lease: [[uint64(LEASE), Uint8Array.of(0x08, 0xb4, 0x24, 0x10, 60)]],
});

/** Whether a condition holds, before and, with `prior`, behind other requests. */
async function holds(compare: DecodedMessage, prior: readonly DecodedMessage[] = []): Promise<boolean> {
  const txn = {
    compare: [compare],
    success: [{ request_put: putOf('yes', '1') }],
    failure: [{ request_put: putOf('no', '1') }],
  };
  const run = replay([...prior, { txn }], { db: await db });
  return run.records.at(-1)?.includes(' put yes=') ?? false;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const { equal, greater, less, different } = RESULT;

describe('one key', () => {
  test.each([
    ['version 2', { target: TARGET.version, result: equal, version: 2n }, true],
    ['version not 1', { target: TARGET.version, result: different, version: 1n }, true],
    ['version above 1', { target: TARGET.version, result: greater, version: 1n }, true],
    ['version below 2', { target: TARGET.version, result: less, version: 2n }, false],
    ['created at 2', { target: TARGET.create, result: equal, create_revision: 2n }, true],
    ['created before 2', { target: TARGET.create, result: less, create_revision: 2n }, false],
    ['changed at 4', { target: TARGET.mod, result: equal, mod_revision: 4n }, true],
    ['changed after 4', { target: TARGET.mod, result: greater, mod_revision: 4n }, false],
    ['a value', { target: TARGET.value, result: equal, value: bytes('new') }, true],
    ['not another value', { target: TARGET.value, result: different, value: bytes('new') }, false],
    ['a value above a shorter one', { target: TARGET.value, result: greater, value: bytes('ne') }, true],
    [
      'a value below bytes that are above text',
      { target: TARGET.value, result: less, value: Uint8Array.of(0xff) },
      true,
    ],
    ['a lease', { target: TARGET.lease, result: equal, lease: LEASE }, true],
    ['a lease above a negative number', { target: TARGET.lease, result: greater, lease: -1n }, true],
  ])('%s', async (_, compare, expected) => {
    expect(await holds({ key: bytes('a'), ...compare })).toBe(expected);
  });
});

describe('a key that is not there has 0 of everything', () => {
  test.each(['c', 'never'])('%s', async (key) => {
    const of = (compare: DecodedMessage) => holds({ key: bytes(key), ...compare });
    expect(await of({ target: TARGET.version, result: equal, version: 0n })).toBe(true);
    expect(await of({ target: TARGET.create, result: equal, create_revision: 0n })).toBe(true);
    expect(await of({ target: TARGET.mod, result: less, mod_revision: 1n })).toBe(true);
    expect(await of({ target: TARGET.lease, result: different, lease: 0n })).toBe(false);
  });

  test.each(Object.entries(RESULT))('but no value, whichever way it is compared: %s', async (_, result) => {
    expect(await holds({ key: bytes('c'), target: TARGET.value, result, value: bytes('q') })).toBe(false);
    expect(await holds({ key: bytes('c'), target: TARGET.value, result, value: bytes('') })).toBe(false);
    expect(await holds({ ...rangeOf('c', 'd'), target: TARGET.value, result, value: bytes('q') })).toBe(false);
  });
});

describe('a range', () => {
  test('every key that exists has to satisfy it', async () => {
    const version = (result: number, number: bigint) => ({ target: TARGET.version, result, version: number });
    expect(await holds({ ...rangeOf('a', 'd'), ...version(greater, 0n) })).toBe(true);
    expect(await holds({ ...rangeOf('a', 'd'), ...version(greater, 1n) })).toBe(false);
    expect(await holds({ ...rangeOf('a', 'b'), ...version(greater, 1n) })).toBe(true);
  });

  test('one zero byte is no end', async () => {
    const compare = { target: TARGET.mod, result: equal, mod_revision: 3n };
    expect(await holds({ ...rangeOf('b', '\0'), ...compare })).toBe(true);
    expect(await holds({ ...rangeOf('a', '\0'), ...compare })).toBe(false);
  });

  test('one without keys, or that ends before it begins, has 0', async () => {
    const compare = { target: TARGET.version, result: equal, version: 0n };
    expect(await holds({ ...rangeOf('c', 'd'), ...compare })).toBe(true);
    expect(await holds({ ...rangeOf('d', 'a'), ...compare })).toBe(true);
    expect(await holds({ ...rangeOf('a', 'a'), ...compare })).toBe(true);
  });
});

describe('what is odd', () => {
  test('nothing to compare with is 0 or no bytes', async () => {
    expect(await holds({ key: bytes('a'), target: TARGET.version, result: greater })).toBe(true);
    expect(await holds({ key: bytes('a'), target: TARGET.value, result: greater })).toBe(true);
    expect(await holds({ key: bytes('never'), target: TARGET.version, result: equal })).toBe(true);
  });

  test('something of another kind than the target counts as nothing', async () => {
    expect(await holds({ key: bytes('a'), target: TARGET.version, result: equal, mod_revision: 2n })).toBe(false);
    expect(await holds({ key: bytes('never'), target: TARGET.version, result: equal, mod_revision: 9n })).toBe(true);
    expect(await holds({ key: bytes('a'), target: TARGET.value, result: equal, version: 2n })).toBe(false);
  });

  test('an unknown target is equal, an unknown result right', async () => {
    expect(await holds({ key: bytes('a'), target: 9, result: equal, version: 77n })).toBe(true);
    expect(await holds({ key: bytes('a'), target: 9, result: different, version: 77n })).toBe(false);
    expect(await holds({ key: bytes('a'), target: TARGET.version, result: 9, version: 77n })).toBe(true);
    expect(await holds({ key: bytes('never'), target: TARGET.value, result: 9 })).toBe(false);
  });

  test('no condition at all holds', () => {
    const run = replay([{ txn: { success: [{ request_put: putOf('yes', '1') }] } }]);
    expect(run.records).toEqual(['2.0 put yes=1 create 2 version 1']);
  });
});

test('values of what was put by earlier entries are compared too, and of what was deleted not', async () => {
  const compare = { key: bytes('b'), target: TARGET.value, result: equal, value: bytes('now') };
  expect(await holds(compare, [put('b', 'now')])).toBe(true);
  expect(await holds(compare, [put('b', 'now'), put('b', 'then')])).toBe(false);
  expect(await holds(compare, [put('b', 'now'), { delete_range: rangeOf('b') }])).toBe(false);
});
