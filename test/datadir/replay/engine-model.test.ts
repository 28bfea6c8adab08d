/**
 * Applying requests against a plain model of what etcd does with them, over random histories in the db and random requests behind them.
 */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { ETCD_MINORS } from '../../../src/etcd-version.ts';
import { encodeMessage } from '../../../src/proto/messages.ts';
import { makeDb, put, tombstone, uint64 } from '../../support/backend-db.ts';
import { anySteps, bytesOf, type PlainMvcc, play } from '../../support/plain-mvcc.ts';
import { anyRequests, MODEL_LEASES, Model, messageOf } from './engine-model.ts';
import { replay } from './engine-run.ts';

/** A db with this history, and with these leases. */
function dbOf(base: PlainMvcc, leases: readonly bigint[]): Promise<Uint8Array> {
  const key = base.records.map(({ main, sub, deleted, bump, ...fields }) => {
    if (bump === true) return [encodeRevision({ main, sub }), new Uint8Array()] as const;
    const userKey = bytesOf(fields.key);
    return deleted
      ? tombstone(main, sub, userKey)
      : put(main, sub, { ...fields, key: userKey, value: bytesOf(fields.value) });
  });
  const meta = [
    ['scheduledCompactRev', base.scheduledCompact],
    ['finishedCompactRev', base.finishedCompact],
  ] as const;
  return makeDb({
    key,
    lease: leases.map((id) => [uint64(id), encodeMessage('leasepb.Lease', { ID: id, TTL: 60n })] as const),
    meta: meta.flatMap(([name, main]) =>
      main === undefined ? [] : [[name, encodeRevision({ main, sub: 0n })] as const],
    ),
  });
}

test.prop([anySteps, fc.subarray([...MODEL_LEASES]), anyRequests, fc.constantFrom(...ETCD_MINORS), fc.boolean()], {
  numRuns: 200,
})('requests do what the model does', async (steps, leases, requests, minor, withDb) => {
  const base = play(withDb ? steps : []);
  const present = withDb ? leases : [];
  const model = new Model(base, present, minor);
  const expected = requests.map((request) => model.apply(request));
  const db = withDb ? await dbOf(base, present) : undefined;
  const run = replay(requests.map(messageOf), { minor, ...(db === undefined ? {} : { db }) });
  expect(run.applied.map(({ outcome }) => outcome)).toEqual(expected);
  expect(run.records).toEqual(model.records);
  expect(run.revision).toBe(model.current);
  expect(run.parts.keyspace.compactRevision).toBe(model.compacted);
  for (const lease of MODEL_LEASES) expect(run.parts.leases.has(lease)).toBe(model.leases.has(lease));
  // Of leases that no request asks for only some keys are known.
  for (const request of requests) {
    if ('revoke' in request) expect(run.attached(request.revoke)).toEqual(model.keysOf(request.revoke));
  }
});

test.prop([anySteps, anyRequests, fc.constantFrom(...ETCD_MINORS)], { numRuns: 40 })(
  'revisions are the same where only they are asked for',
  async (steps, requests, minor) => {
    const base = play(steps);
    const db = await dbOf(base, [5n]);
    const whole = replay(requests.map(messageOf), { minor, db });
    const counted = replay(requests.map(messageOf), { minor, db, revisionsOnly: true });
    expect(counted.outcomes).toEqual(whole.outcomes);
    expect(counted.revision).toBe(whole.revision);
  },
);
