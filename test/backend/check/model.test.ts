// Histories made by a plain model of mvcc are healthy, however compaction was interrupted; and with any record taken away or its key
// changed, never without an answer.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { describeFinding } from '../../../src/findings.ts';
import { encodeMessage } from '../../../src/proto/messages.ts';
import type { CheckReport } from '../../../src/report.ts';
import { makeDb, put, tombstone, uint64 } from '../../support/backend-db.ts';
import { anySteps, bytesOf, type PlainMvcc, type PlainRecord, play } from '../../support/plain-mvcc.ts';

const RUNS = 150;

/** Leases that the model gives keys. */
const LEASES = [5n, -9n];
const lease = LEASES.map((id) => [uint64(id), encodeMessage('leasepb.Lease', { ID: id, TTL: 60n })] as const);

interface Compacted {
  readonly finished?: bigint | undefined;
  readonly scheduled?: bigint | undefined;
}

/** A db with these records and all that belongs to them. */
function dbOf(records: readonly PlainRecord[], { finished, scheduled }: Compacted): Promise<Uint8Array> {
  const key = records.map((record) => {
    const { main, sub, bump, deleted } = record;
    if (bump === true) return [encodeRevision({ main, sub }), new Uint8Array()] as const;
    const name = bytesOf(record.key);
    return deleted
      ? tombstone(main, sub, name)
      : put(main, sub, { ...record, key: name, value: bytesOf(record.value) });
  });
  const compactions = Object.entries({ scheduledCompactRev: scheduled, finishedCompactRev: finished });
  const meta = compactions.flatMap(([name, main]) =>
    main === undefined ? [] : [[name, encodeRevision({ main, sub: 0n })] as const],
  );
  return makeDb({ key, lease, meta: [...meta, ['consistent_index', uint64(9n)]] });
}

const checkStore = async (store: PlainMvcc, records = store.records): Promise<CheckReport> =>
  checkBackend(await dbOf(records, { finished: store.finishedCompact, scheduled: store.scheduledCompact }));

const wordsOf = ({ findings }: CheckReport): string =>
  findings.map((f) => `${f.severity} ${f.code}: ${describeFinding(f).message}`).join('\n');

describe('histories of a plain model', () => {
  test.prop([anySteps], { numRuns: RUNS })('are healthy', async (steps) => {
    const store = play(steps);
    const report = await checkStore(store);
    expect(report.verdict, wordsOf(report)).toBe('healthy');
    expect(report.backend?.revision).toBe(`${store.current}`);
    const bump = store.records.some((record) => record.bump) ? 1 : 0;
    expect(report.backend?.keys).toBe(store.stateAt(store.current).size + bump);
    expect(report.backend?.records).toBe(store.records.length);
  });

  test.prop([anySteps, fc.nat(40), fc.infiniteStream(fc.boolean())], { numRuns: RUNS })(
    'are healthy with any of the records that a compaction under way removes',
    async (steps, back, gone) => {
      const store = play(steps.filter((step) => 'txn' in step));
      const at = store.current - BigInt(back);
      if (at < 1n) return;
      const newest = new Map<string, PlainRecord>();
      for (const record of store.records) if (record.main <= at) newest.set(record.key, record);
      const kept = (record: PlainRecord): boolean =>
        record.main > at || (newest.get(record.key) === record && !record.deleted);
      const records = store.records.filter((record) => kept(record) || gone.next().value !== true);
      const report = checkBackend(await dbOf(records, { scheduled: at }));
      expect(report.verdict, wordsOf(report)).toBe('healthy');
    },
  );

  test.prop([anySteps, fc.nat()], { numRuns: RUNS })(
    'with a record missing above the compacted revision have a gap, unless it was the last of its transaction',
    async (steps, which) => {
      const store = play(steps);
      const above = store.records.filter(({ main }) => main > store.compacted && main > 1n);
      if (above.length === 0) return;
      const lost = above[which % above.length]!;
      const behind = store.records.slice(store.records.indexOf(lost) + 1);
      const alone = store.records.filter(({ main }) => main === lost.main).length === 1;
      // Else only the history of its key can show it.
      const shown = alone ? behind.length > 0 : behind[0]?.main === lost.main;
      const report = await checkStore(
        store,
        store.records.filter((record) => record !== lost),
      );
      if (!shown) return;
      expect(report.verdict, `${lost.main}_${lost.sub}\n${wordsOf(report)}`).toBe('damaged');
      const cause = report.findings.find(({ severity, causedBy }) => severity === 'corrupt' && causedBy === undefined);
      expect(cause?.code).toMatch(/^BACKEND_(SUB_)?REVISION_GAP$/);
    },
  );
});
