/**
 * A sequence of requests that was put to real servers of all four releases, one member without users: which records each request makes,
 * and the hash of all of them.
 */
import { describe, expect, test } from 'vitest';
import { HashKvJob } from '../../../src/backend/hash-kv.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { drain } from '../../../src/io/job.ts';
import { openDb } from '../../support/backend-db.ts';
import {
  deletion,
  grant,
  put,
  putOf,
  RESULT,
  type Request,
  type Run,
  rangeOf,
  replay,
  revoke,
  TARGET,
} from './engine-run.ts';

const version = (key: string, result: number, number: bigint) => ({
  key: rangeOf(key)['key'],
  target: TARGET.version,
  result,
  version: number,
});

const NESTED: Request = {
  txn: {
    compare: [version('x1', RESULT.equal, 1n)],
    success: [
      { request_put: putOf('n1', '1') },
      {
        request_txn: {
          compare: [version('n1', RESULT.greater, 0n)],
          success: [{ request_put: putOf('A', '1') }],
          failure: [{ request_put: putOf('n2', '1') }, { request_delete_range: rangeOf('x1', 'x3') }],
        },
      },
      { request_range: rangeOf('n1') },
      { request_put: putOf('n3', '1') },
      { request_delete_range: rangeOf('x', 'y') },
    ],
  },
};

/** Requests, and what each does: records without create revision and version, or the words with which it fails. */
const SEQUENCE: readonly (readonly [request: Request, ...does: readonly string[]])[] = [
  [put('k3', '1'), '2.0 k3'],
  [put('k1', '1'), '3.0 k1'],
  [put('k2', '1'), '4.0 k2'],
  [{ delete_range: rangeOf('k1', 'k4', { prev_kv: true }) }, '5.0 k1 t', '5.1 k2 t', '5.2 k3 t'],
  [{ delete_range: rangeOf('k1', 'k4', { prev_kv: true }) }, 'nothing'],
  [grant(100n, 600n), 'changed'],
  [grant(101n, 1n), 'changed'],
  [grant(100n, 600n), 'etcdserver: lease already exists'],
  [put('z9', 'L', { lease: 100n }), '6.0 z9'],
  [put('a1', 'L', { lease: 100n }), '7.0 a1'],
  [put('m5', 'L', { lease: 100n }), '8.0 m5'],
  [put('b2', 'L', { lease: 100n }), '9.0 b2'],
  [put('a1', 'noL'), '10.0 a1'],
  [put('b2', 'L2', { lease: 100n }), '11.0 b2'],
  [revoke(100n), '12.0 b2 t', '12.1 m5 t', '12.2 z9 t'],
  [revoke(100n), 'etcdserver: requested lease not found'],
  [grant(102n, 600n), 'changed'],
  [revoke(102n), 'changed'],
  [put('x1', '1'), '13.0 x1'],
  [put('x3', '1'), '14.0 x3'],
  [put('x2', '1'), '15.0 x2'],
  [NESTED, '16.0 n1', '16.1 n2', '16.2 x1 t', '16.3 x2 t', '16.4 n3', '16.5 x3 t'],
  [
    {
      txn: {
        success: [
          { request_txn: { success: [{ request_put: putOf('s', '1') }] } },
          { request_txn: { success: [{ request_delete_range: rangeOf('s') }] } },
        ],
      },
    },
    '17.0 s',
    '17.1 s t',
  ],
  [
    { txn: { success: [{ request_put: putOf('t1', '1') }, { request_put: putOf('t2', '1', { lease: 999n }) }] } },
    'etcdserver: requested lease not found',
  ],
  [
    {
      txn: {
        success: [{ request_put: putOf('t1', '1') }, { request_put: putOf('nokey', '', { ignore_value: true }) }],
      },
    },
    'etcdserver: key not found',
  ],
  [put('t3', '1', { lease: 999n }), 'etcdserver: requested lease not found'],
];

const FUTURE: Request = {
  txn: {
    success: [{ request_put: putOf('t1', '1') }, { request_range: rangeOf('t1', undefined, { revision: 100000n }) }],
  },
};
const END: readonly Request[] = [
  { txn: { success: [{ request_delete_range: rangeOf('zzz') }] } },
  put('a1', 'again', { ignore_lease: true }),
  deletion('n2', '\0'),
  put('last', '1'),
];

const shortened = (record: string): string => {
  const [revision, what, rest] = record.split(' ') as [string, string, string];
  return what === 'delete' ? `${revision} ${rest} t` : `${revision} ${rest.split('=')[0]}`;
};

async function hash(run: Run, revision?: bigint): Promise<number> {
  const file = await openDb({ key: run.pairs });
  return drain(new HashKvJob(file, { revision })).hash;
}

/** What each request of a run did: the records that it made, or what became of it. */
function effects(run: Run): readonly (readonly string[])[] {
  const records = run.records.map(shortened);
  return run.outcomes.map((outcome, i) => {
    const own = records.slice(run.counts[i - 1] ?? 0, run.counts[i]);
    return own.length > 0 ? own : [outcome];
  });
}

describe.each(ETCD_MINORS)('%s', (minor: EtcdMinor) => {
  const common = SEQUENCE.map(([request]) => request);

  test('every request makes the records it made in a server', async () => {
    const run = replay(common, { minor });
    expect(effects(run)).toEqual(SEQUENCE.map(([, ...does]) => does));
    expect(run.records).toContain('10.0 put a1=noL create 7 version 2');
    expect(run.records).toContain('11.0 put b2=L2 create 9 version 2 lease 100');
    expect(run.revision).toBe(17n);
    expect(run.parts.keyspace.compactRevision).toBe(-1n);
    expect(await hash(run, 17n)).toBe(21427448);
    expect(await hash(run)).toBe(21427448);
  });

  test('a transaction that reads the future takes effect before 3.7, and the end is what servers had after a start', async () => {
    const run = replay([...common, FUTURE, ...END], { minor });
    const kept = minor === '3.7';
    const first = kept ? 18 : 19;
    expect(effects(run).slice(SEQUENCE.length)).toEqual([
      kept ? ['etcdserver: mvcc: required revision is a future revision'] : ['18.0 t1'],
      ['nothing'],
      [`${first}.0 a1`],
      [`${first + 1}.0 n2 t`, `${first + 1}.1 n3 t`, ...(kept ? [] : [`${first + 1}.2 t1 t`])],
      [`${first + 2}.0 last`],
    ]);
    expect(run.records).toContain(`${first}.0 put a1=again create 7 version 3`);
    expect(run.revision).toBe(kept ? 20n : 21n);
    expect(await hash(run, 17n)).toBe(21427448);
    expect(await hash(run)).toBe(kept ? 845298335 : 3884471206);
    expect(run.applier.dependsOnRanges).toBe(kept ? 0 : 1);
  });

  test('the leases that are left', () => {
    const run = replay(common, { minor });
    const changes = run.parts.leases.changes().flatMap(({ sorted }) => sorted);
    const left = changes.map(({ key, value }) => [
      Buffer.from(key).readBigInt64BE(),
      value && Buffer.from(value).toString('hex'),
    ]);
    expect(left).toEqual([
      [100n, null],
      [101n, '08651002'],
      [102n, null],
    ]);
  });
});
