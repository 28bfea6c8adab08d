/**
 * Transactions: order of judging, checking and doing; what makes all of it fail; what makes etcd panic; what releases do differently.
 */
import { describe, expect, test } from 'vitest';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import type { DecodedMessage } from '../../../src/proto/messages.ts';
import { encodePutRequest } from '../../../src/proto/put-request.ts';
import { WireWriter } from '../../../src/proto/wire.ts';
import { makeDb, put as record } from '../../support/backend-db.ts';
import { deletion, put, putOf, RESULT, type Request, Run, rangeOf, replay, revoke, TARGET } from './engine-run.ts';

const putting = (...parameters: Parameters<typeof putOf>): DecodedMessage => ({ request_put: putOf(...parameters) });
const deleting = (...parameters: Parameters<typeof rangeOf>): DecodedMessage => ({
  request_delete_range: rangeOf(...parameters),
});
const reading = (key: string, revision: bigint): DecodedMessage => ({
  request_range: rangeOf(key, undefined, { revision }),
});
const nested = (txn: DecodedMessage): DecodedMessage => ({ request_txn: txn });
const txn = (...success: readonly DecodedMessage[]): Request => ({ txn: { success } });
const exists = (key: string): DecodedMessage => ({
  ...rangeOf(key),
  target: TARGET.version,
  result: RESULT.greater,
  version: 0n,
});

const FUTURE = 'etcdserver: mvcc: required revision is a future revision';
const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
const NO_KEY = 'etcdserver: key not found';
const NO_LEASE = 'etcdserver: requested lease not found';

const PLAIN_PUT = {
  value: new Uint8Array(),
  lease: 0n,
  prevKv: false,
  ignoreValue: false,
  ignoreLease: false,
};

describe('what is done', () => {
  test('one revision for all, and a number for each put and each deleted key', () => {
    const run = replay([put('b', '1'), put('c', '1'), txn(putting('a', '1'), deleting('a', '\0'), putting('d', '1'))]);
    expect(run.records.slice(2)).toEqual([
      '4.0 put a=1 create 4 version 1',
      '4.1 delete a',
      '4.2 delete b',
      '4.3 delete c',
      '4.4 put d=1 create 4 version 1',
    ]);
  });

  test('no condition sees what the transaction does, also not one in a nested transaction', () => {
    const inner = { compare: [exists('a')], success: [putting('then', '1')], failure: [putting('else', '1')] };
    const run = replay([txn(putting('a', '1'), nested(inner))]);
    expect(run.records).toEqual(['2.0 put a=1 create 2 version 1', '2.1 put else=1 create 2 version 1']);
  });

  test('a key that is deleted and put again is a new one, one that is put twice the same', () => {
    const run = replay([
      put('a', '1'),
      txn(deleting('a'), nested({ success: [putting('a', '2')] }), putting('a', '3')),
    ]);
    expect(run.records.slice(1)).toEqual([
      '3.0 delete a',
      '3.1 put a=2 create 3 version 1',
      '3.2 put a=3 create 3 version 2',
    ]);
  });

  test('nothing, without a revision, if nothing changes', () => {
    const run = replay([txn(), txn(deleting('a'), reading('a', 0n), {}), { txn: { compare: [exists('a')] } }]);
    expect(run.outcomes).toEqual(['nothing', 'nothing', 'nothing']);
    expect(run.revision).toBe(1n);
  });

  test('the other branch is neither checked nor done', () => {
    const run = replay([
      { txn: { compare: [exists('a')], success: [putting('x', '1', { lease: 9n })], failure: [putting('b', '1')] } },
    ]);
    expect(run.records).toEqual(['2.0 put b=1 create 2 version 1']);
  });
});

describe('what fails does nothing at all', () => {
  test.each([
    ['a lease that is not there', putting('b', '1', { lease: 9n }), NO_LEASE],
    ['a negative lease that is not there', putting('b', '1', { lease: -9n }), NO_LEASE],
    ['the value of a key that is not there', putting('b', '', { ignore_value: true }), NO_KEY],
    ['the lease of a key that is not there', putting('b', '1', { ignore_lease: true }), NO_KEY],
    ['a revision of the future, in a nested transaction', nested({ success: [reading('a', 9n)] }), FUTURE],
    ['a negative revision, in a nested transaction', nested({ success: [reading('a', -9n)] }), COMPACTED],
  ])('%s', (_, operation, words) => {
    for (const minor of ETCD_MINORS) {
      const run = replay([txn(putting('a', '1'), operation)], { minor });
      expect(run.outcomes).toEqual([words]);
      expect(run.records).toEqual([]);
      expect(run.revision).toBe(1n);
    }
  });

  test('checks look at what is there before: a key that the transaction puts first is not', () => {
    expect(replay([txn(putting('a', '1'), putting('a', '', { ignore_value: true }))]).outcomes).toEqual([NO_KEY]);
  });

  test('of several reasons that of puts is told first, from 3.6 on the first', () => {
    const request = txn(nested({ success: [reading('a', 9n)] }), putting('b', '', { lease: 9n, ignore_value: true }));
    const words = ETCD_MINORS.map((minor) => replay([request], { minor }).outcomes[0]);
    expect(words).toEqual([NO_KEY, NO_KEY, FUTURE, FUTURE]);
    const alone = txn(putting('b', '', { lease: 9n, ignore_value: true }));
    expect(ETCD_MINORS.map((minor) => replay([alone], { minor }).outcomes[0])).toEqual([
      NO_KEY,
      NO_KEY,
      NO_KEY,
      NO_LEASE,
    ]);
  });
});

describe('ranges of the transaction itself', () => {
  const prior = [put('a', '1'), put('a', '2'), put('a', '3'), { compaction: { revision: 3n } }];

  test.each([
    ['the future', 9n, FUTURE],
    ['what is compacted', 2n, COMPACTED],
    ['negative revisions', -3n, COMPACTED],
  ])('%s: dropped up to 3.6, which takes effect and is counted; refused by 3.7', (_, revision, words) => {
    for (const minor of ETCD_MINORS) {
      const run = replay([...prior, txn(putting('b', '1'), reading('a', revision))], { minor });
      expect(run.outcomes.at(-1)).toBe(minor === '3.7' ? words : 'changed');
      expect(run.applier.dependsOnRanges).toBe(minor === '3.7' ? 0 : 1);
    }
  });

  test('what can be read makes no difference, nor does what changes nothing or stands in the other branch', () => {
    for (const minor of ETCD_MINORS) {
      const run = replay(
        [
          ...prior,
          txn(putting('b', '1'), reading('a', 3n)),
          txn(deleting('c'), reading('a', minor === '3.7' ? 0n : 9n)),
          { txn: { success: [putting('b', '2')], failure: [reading('a', 9n)] } },
        ],
        { minor },
      );
      expect(run.outcomes.slice(prior.length)).toEqual(['changed', 'nothing', 'changed']);
      expect(run.applier.dependsOnRanges).toBe(0);
    }
  });
});

describe('etcd panics', () => {
  const KEPT: readonly DecodedMessage[] = [{ ignore_value: true }, { ignore_lease: true }];
  const WORDS = {
    '3.4': 'unexpected error during txn: etcdserver: key not found',
    '3.5': 'unexpected error during txn with writes {"error":"applyTxn: failed Put: etcdserver: key not found"}',
    '3.6': 'unexpected error during txn with writes {"error":"applyTxn: failed Put: etcdserver: key not found"}',
    '3.7': 'runtime error: index out of range [0] with length 0',
  };

  test.each(ETCD_MINORS)('%s: at a put that keeps something of a key which was deleted before it', (minor) => {
    for (const kept of KEPT) {
      const run = replay(
        [
          { lease_grant: { ID: 7n, TTL: 60n } },
          put('a', '1', { lease: 7n }),
          put('b', '1'),
          txn(putting('b', '2', { lease: 7n }), putting('c', '1'), deleting('a', 'b'), putting('a', '', kept)),
          put('c', '2'),
          revoke(7n),
        ],
        { minor },
      );
      expect(run.outcomes[3]).toBe(`panic: ${WORDS[minor]}`);
      // Nothing of it is left: what follows finds all as it was.
      expect(run.records.slice(2)).toEqual(['4.0 put c=2 create 4 version 1', '5.0 delete a']);
      expect(run.attached(7n)).toEqual([]);
    }
  });

  test('what was put again meanwhile is kept as it is now', () => {
    const run = replay([
      put('a', '1'),
      txn(deleting('a'), putting('a', '2'), nested({ success: [putting('a', '', { ignore_value: true })] })),
    ]);
    expect(run.records.at(-1)).toBe('3.2 put a=2 create 3 version 2');
  });

  test('at a put that keeps a lease which the db does not have, inside and outside of transactions', async () => {
    const db = await makeDb({ key: [record(2, 0, { key: 'a', value: '1', lease: 99 })] });
    for (const minor of ETCD_MINORS) {
      const keeping = { ignore_lease: true };
      const run = replay([put('a', '2', keeping), txn(putting('b', '1'), putting('a', '2', keeping)), put('a', '3')], {
        db,
        minor,
      });
      const words = 'panic: unexpected error from lease Attach';
      expect(run.outcomes).toEqual([words, words, 'changed']);
      expect(run.records).toEqual(['3.0 put a=3 create 2 version 2']);
    }
  });
});

describe('hostile ones', () => {
  test('nested as deep as messages are decoded', () => {
    let inner: DecodedMessage = { success: [putting('a', '1')] };
    for (let depth = 0; depth < 47; depth++) inner = { compare: [exists('x')], failure: [nested(inner)] };
    expect(replay([{ txn: inner }]).records).toEqual(['2.0 put a=1 create 2 version 1']);
  });

  test('deeper: refused, since etcd could apply it', () => {
    const message = (field: number, inner: Uint8Array): Uint8Array => {
      const writer = new WireWriter();
      writer.message(field, inner);
      return writer.finish();
    };
    let inner = message(2, message(2, encodePutRequest({ ...PLAIN_PUT, key: Uint8Array.of(0x61) })));
    for (let depth = 0; depth < 400; depth++) inner = message(2, message(4, inner));
    const data = Uint8Array.of(0x08, 7, ...message(6, inner));
    for (const minor of ETCD_MINORS) {
      expect(() => new Run([{ data }], { minor })).toThrow(expect.objectContaining({ code: 'REPLAY_REFUSED' }));
    }
  });

  test('very many operations', () => {
    const many = Array.from({ length: 5000 }, (_, i) => putting(`k${i % 100}`, 'v'));
    const run = replay([txn(...many), deletion('k', 'l')]);
    expect(run.counts).toEqual([5000, 5100]);
    expect(run.records.at(-101)).toBe('2.4999 put k99=v create 2 version 50');
  });

  test('the empty key is one like any other', () => {
    const run = replay([put('', '1'), put('', '2'), deletion('', '\x01')]);
    expect(run.records).toEqual(['2.0 put =1 create 2 version 1', '3.0 put =2 create 2 version 2', '4.0 delete ']);
  });
});
