/**
 * Leases with the keys attached to them.
 */
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { type LeaseReport, leaseReportJob } from '../../src/backend/lease-report.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { encodeMessage } from '../../src/proto/messages.ts';
import { hex, makeDb, openDb, put, tombstone, uint64 } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';

const text = new TextDecoder();
const lease = (ID: bigint, TTL = 60n) => [uint64(ID), encodeMessage('leasepb.Lease', { ID, TTL })] as const;

/** Ids with the names of their keys. */
function keysOf(leases: LeaseReport['leases'] | LeaseReport['missing']): Record<string, string[]> {
  return Object.fromEntries(leases.map(({ id, keys }) => [`${id}`, [...keys].map((key) => text.decode(key))]));
}

describe('a report of leases', () => {
  test('has each lease with the keys it holds now, and leases that are not there', async () => {
    const big = 0x7fff_ffff_ffff_fff1n;
    const file = await openDb({
      key: [
        put(2, 0, { key: 'moved', lease: 1 }),
        put(3, 0, { key: 'b', lease: big }),
        put(4, 0, { key: 'a', lease: big }),
        put(5, 0, { key: 'moved', lease: big, version: 2, createRevision: 2 }),
        put(6, 0, { key: 'freed', lease: 1 }),
        put(7, 0, { key: 'freed', version: 2, createRevision: 6 }),
        put(8, 0, { key: 'gone', lease: 1 }),
        tombstone(9, 0, 'gone'),
        put(10, 0, { key: 'y', lease: -7n }),
        put(11, 0, { key: 'x', lease: 77 }),
      ],
      lease: [lease(big), lease(1n), lease(3n)],
    });
    const report = await runSliced(leaseReportJob(file));
    expect(keysOf(report.leases)).toEqual({ 1: [], 3: [], [`${big}`]: ['a', 'b', 'moved'] });
    expect(report.leases.map(({ id, keys }) => [id, keys.length])).toEqual([
      [1n, 0],
      [3n, 0],
      [big, 3],
    ]);
    expect(report.missing.map(({ id }) => id)).toEqual([77n, -7n]);
    expect(keysOf(report.missing)).toEqual({ 77: ['x'], '-7': ['y'] });
    expect([report.unreadable.count, report.unreadableRecords.count]).toEqual([0, 0]);
  });

  test('what is no lease is told; its keys count as those of a missing one', async () => {
    const file = await openDb({
      key: [put(2, 0, { key: 'k', lease: 5 }), [hex('00'), hex('00')]],
      lease: [[uint64(5n), hex('08')], lease(6n)],
    });
    const report = drain(leaseReportJob(file));
    expect(report.leases.map(({ id }) => id)).toEqual([6n]);
    expect(keysOf(report.missing)).toEqual({ 5: ['k'] });
    expect([report.unreadable.count, report.unreadableRecords.count]).toEqual([1, 1]);
  });

  test('a lease under another key has its keys all the same', async () => {
    const file = await openDb({
      key: [put(2, 0, { key: 'k', lease: 5 })],
      lease: [[uint64(4n), encodeMessage('leasepb.Lease', { ID: 5n, TTL: 9n })]],
    });
    const { leases, missing } = drain(leaseReportJob(file));
    expect(leases).toMatchObject([{ id: 5n, ttl: 9n, canonical: false }]);
    expect(keysOf(leases)).toEqual({ 5: ['k'] });
    expect(missing).toEqual([]);
  });

  test('a file without buckets has none', async () => {
    const report = drain(leaseReportJob(await openDb({}, { bare: true })));
    expect(report).toMatchObject({ leases: [], missing: [] });
  });

  test('is of one transaction, whenever the file changes', async () => {
    const state = (id: bigint) => makeDb({ key: [put(2, 0, { key: `k${id}`, lease: id })], lease: [lease(id)] });
    const before = await state(1n);
    const after = nextTransaction(nextTransaction(await state(2n)));
    expect(after.length).toBe(before.length);
    const seen = new Set<string>();
    for (let at = 2; at < 30; at++) {
      const file = new BackendFile(changingSource((read) => (read < at ? before : after)));
      const { leases, missing } = drain(leaseReportJob(file));
      expect(missing).toEqual([]);
      seen.add(JSON.stringify(keysOf(leases)));
    }
    expect([...seen].sort()).toEqual(['{"1":["k1"]}', '{"2":["k2"]}']);
  });
});
