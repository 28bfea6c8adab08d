/**
 * Reading keys against a plain model of etcd's mvcc store (`plain-mvcc.ts`), over random histories.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readChanges } from '../../src/backend/change-log.ts';
import { exportRecords } from '../../src/backend/export-records.ts';
import { readHistory } from '../../src/backend/history.ts';
import type { KeyVersion } from '../../src/backend/key-version.ts';
import { rangeJob } from '../../src/backend/range.ts';
import { prefixRange } from '../../src/backend/range-bounds.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import {
  anySteps,
  bytesOf,
  PLAIN_KEYS,
  type PlainMvcc,
  type PlainRecord,
  type PlainRequest,
  play,
  textOf,
} from '../support/plain-mvcc.ts';

async function open(store: PlainMvcc, pageSize: number): Promise<BackendFile> {
  return new BackendFile(memorySource(await store.db(pageSize)));
}

/** The library's answer in the form of the model's. */
function ask(file: BackendFile, request: PlainRequest): ReturnType<PlainMvcc['range']> {
  const { key, rangeEnd, ...options } = request;
  const range = { key: bytesOf(key), ...(rangeEnd === undefined ? {} : { rangeEnd: bytesOf(rangeEnd) }) };
  try {
    const { keyValues, count, more } = drain(rangeJob(file, { ...range, ...options }));
    const kvs = [...keyValues].map(({ unknown, ...kv }) => ({ ...kv, key: textOf(kv.key), value: textOf(kv.value) }));
    return { kvs, count, more };
  } catch (error) {
    if (!isDatadirError(error, 'REVISION_COMPACTED', 'REVISION_FUTURE')) throw error;
    return { error: error.message };
  }
}

const anyPageSize = fc.constantFrom(1024, 4096);
const anyKey = fc.constantFrom(...PLAIN_KEYS);
/** Most are revisions that histories of this length reach. */
const anyRevision = fc.oneof(fc.bigInt(-1n, 40n), fc.bigInt(0n, 3000n));
const anyRequest: fc.Arbitrary<PlainRequest> = fc.record(
  {
    key: anyKey,
    rangeEnd: fc.oneof(fc.constantFrom('', '\0'), anyKey),
    revision: anyRevision,
    limit: fc.nat(6),
    sortBy: fc.constantFrom('key', 'version', 'create', 'modify', 'value'),
    order: fc.constantFrom('ascend', 'descend'),
    minModRevision: anyRevision,
    maxModRevision: anyRevision,
    minCreateRevision: anyRevision,
    maxCreateRevision: anyRevision,
  },
  { requiredKeys: ['key'] },
);

describe('keys against the model', () => {
  test.prop([anySteps, anyPageSize], { numRuns: 60 })(
    'every key at every revision, and all keys',
    async (steps, pageSize) => {
      const store = play(steps);
      const file = await open(store, pageSize);
      for (const revision of [0n, store.compacted - 1n, ...store.readable, store.current + 1n]) {
        for (const key of PLAIN_KEYS) expect(ask(file, { key, revision })).toEqual(store.range({ key, revision }));
        const all = { key: '\0', rangeEnd: '\0', revision };
        expect(ask(file, all)).toEqual(store.range(all));
      }
    },
  );

  test.prop([anySteps, fc.array(anyRequest, { minLength: 20, maxLength: 40 }), anyPageSize], { numRuns: 80 })(
    'ranges with every option',
    async (steps, requests, pageSize) => {
      const store = play(steps);
      const file = await open(store, pageSize);
      for (const request of requests) {
        const revision = request.revision ?? 0n;
        // A bump leaves out revisions that the model does not know.
        if (revision > store.compacted && revision < store.current && !store.readable.includes(revision)) continue;
        expect(
          ask(file, request),
          JSON.stringify(request, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
        ).toEqual(store.range(request));
      }
    },
  );

  test.prop([anySteps, anyKey, fc.nat(5)], { numRuns: 60 })('history of a key', async (steps, key, limit) => {
    const store = play(steps);
    const records = store.records.filter((record) => record.key === key).map(versionOf);
    const history = [...readHistory(await open(store, 1024), bytesOf(key), { limit })];
    expect(history.map(plain)).toEqual(limit === 0 ? records : records.slice(-limit));
  });

  test.prop(
    [
      anySteps,
      fc.record({ from: anyRevision, to: anyRevision }, { requiredKeys: [] }),
      fc.option(anyKey),
      fc.boolean(),
    ],
    { numRuns: 60 },
  )('log of changes', async (steps, { from, to }, prefix, wholeRevisions) => {
    const store = play(steps);
    const begins = ({ key }: PlainRecord): boolean => key.startsWith(prefix ?? '');
    const within = store.records.filter(
      ({ main, bump }) => bump !== true && main >= (from ?? 0n) && main <= (to ?? main),
    );
    const wanted = within.filter(
      (record) =>
        begins(record) || (wholeRevisions && within.some((other) => other.main === record.main && begins(other))),
    );
    const options = { from, to, wholeRevisions, prefix: prefix === null ? undefined : bytesOf(prefix) };
    const changes = [...readChanges(await open(store, 1024), options)];
    expect(changes.map((change) => ({ ...change, key: textOf(change.key) }))).toEqual(
      wanted.map((record) => ({
        revision: record.main,
        sub: record.sub,
        key: record.key,
        type: record.deleted ? 'delete' : 'put',
        version: record.version,
        createRevision: record.createRevision,
        lease: record.lease,
        valueLength: record.value.length,
        matches: begins(record),
      })),
    );
  });

  test.prop([anySteps, fc.option(anyKey), fc.nat(10)], { numRuns: 60 })('export', async (steps, prefix, back) => {
    const store = play(steps);
    const file = await open(store, 1024);
    const options = { prefix: bytesOf(prefix ?? '') };
    const revision = store.readable.at(-1 - (back % store.readable.length)) as bigint;
    const all = store.records.filter(({ bump, key }) => bump !== true && key.startsWith(prefix ?? ''));
    expect([...exportRecords(file, { ...options, allRevisions: true })].map(plain)).toEqual(all.map(versionOf));
    const live = [...exportRecords(file, { ...options, revision })];
    const { key, rangeEnd = new Uint8Array() } = prefixRange(options.prefix);
    const answer = store.range({ key: textOf(key), rangeEnd: textOf(rangeEnd), revision });
    const expected = 'kvs' in answer ? answer.kvs : [];
    const order = live.map(({ modRevision, sub }) => modRevision * 1000n + sub);
    expect(order).toEqual([...order].sort((a, b) => Number(a - b)));
    const byKey = live.map(plain).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(byKey.map(({ sub, deleted, ...kv }) => kv)).toEqual(expected);
    expect(live.every(({ deleted }) => !deleted)).toBe(true);
  });
});

function versionOf({ main, bump, ...record }: PlainRecord): unknown {
  return { ...record, modRevision: main };
}

function plain(version: KeyVersion): Omit<KeyVersion, 'key' | 'value'> & { key: string; value: string } {
  return { ...version, key: textOf(version.key), value: textOf(version.value) };
}
