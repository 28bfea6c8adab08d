/**
 * HashKV: the numbers of real servers for a golden sequence, and, for sequences of any kind, those of the plain way to compute it.
 */
import { fc, test as propertyTest } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { HashKvJob } from '../../src/backend/hash-kv.ts';
import { encodeRevision } from '../../src/backend/revision.ts';
import { compareKeys } from '../../src/bolt/compare-keys.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain, runSliced } from '../../src/io/job.ts';
import { hex, makeDb, openDb, put, tombstone } from '../support/backend-db.ts';
import { changingSource, nextTransaction } from '../support/bolt-builder.ts';
import { type Pair, plainAnyLive, plainCompaction, plainHashKv } from '../support/plain-hash-kv.ts';

/** What was compacted: by one number, or asked for and finished. */
type Compacted = bigint | { readonly scheduled?: bigint; readonly finished?: bigint };

function metaOf(compacted: Compacted): Pair[] {
  const { scheduled, finished } =
    typeof compacted === 'bigint' ? { scheduled: compacted, finished: compacted } : compacted;
  const values = [
    ['scheduledCompactRev', scheduled],
    ['finishedCompactRev', finished],
  ] as const;
  return values.flatMap(([name, main]) =>
    main === undefined || main < 0n
      ? []
      : [[new TextEncoder().encode(name), encodeRevision({ main, sub: 0n })] as const],
  );
}

const openKeys = (pairs: readonly Pair[], compacted: Compacted = -1n): Promise<BackendFile> =>
  openDb({ key: pairs, meta: metaOf(compacted) });

const hashKv = (file: BackendFile, rev = 0n) => drain(new HashKvJob(file, { revision: rev }));

/** Hash by revision, of all that can be read. */
async function hashes(pairs: readonly Pair[], compacted: Compacted, revs: readonly number[]): Promise<number[]> {
  const file = await openKeys(pairs, compacted);
  return revs.map((rev) => hashKv(file, BigInt(rev)).hash);
}

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (isDatadirError(error)) return error.code;
    throw error;
  }
  return undefined;
};

/** The records of the golden sequence, up to its last revision. */
const GOLDEN: readonly Pair[] = [
  put(2, 0, { key: 'a', value: '1' }),
  put(3, 0, { key: 'b', value: '2' }),
  put(4, 0, { key: 'a', value: '3', createRevision: 2, version: 2 }),
  tombstone(5, 0, 'a'),
  put(6, 0, { key: 'a', value: '4' }),
  put(7, 0, { key: 't1', value: 'x' }),
  put(7, 1, { key: 't2', value: 'y' }),
  tombstone(7, 2, 'b'),
  put(8, 0, { key: 'lk', value: 'v', lease: 0x1234 }),
  put(9, 0, { key: 'c' }),
  tombstone(10, 0, 'c'),
  put(11, 0, { key: 'd', value: '1' }),
  put(12, 0, { key: 'd', value: '2', createRevision: 11, version: 2 }),
  put(13, 0, { key: 'a', value: '5', createRevision: 6, version: 2 }),
  tombstone(14, 0, 't1'),
];

const upTo = (main: number): readonly Pair[] =>
  GOLDEN.filter(([key]) => new DataView(key.buffer, key.byteOffset).getUint32(4) <= main);

describe('golden sequence', () => {
  test('never compacted', async () => {
    const file = await openKeys(upTo(10));
    const numbers = [
      1084519789, 2587454935, 1827592406, 2069675932, 1346927904, 243047511, 2524491131, 3987585851, 46831378,
      917751135,
    ];
    for (const [i, hash] of numbers.entries()) {
      expect(hashKv(file, BigInt(i + 1))).toMatchObject({ hash, hashRevision: BigInt(i + 1), compactRevision: -1n });
    }
    expect(hashKv(file)).toMatchObject({ hash: 917751135, hashRevision: 10n });
  });

  const AT_5 = [728145079, 3059177743, 1621737804, 1754269334, 3659388101, 2249364417];
  const AT_10 = [3141268212, 4091677171, 2770325460, 880117286, 322862713];

  test('compacted at 5, by old and new releases, and only asked for', async () => {
    const revs = [5, 6, 7, 8, 9, 10];
    expect(await hashes(plainCompaction(upTo(10), 5n), 5n, revs)).toEqual(AT_5);
    expect(await hashes(plainCompaction(upTo(10), 5n, true), 5n, revs)).toEqual(AT_5);
    expect(await hashes(upTo(10), { scheduled: 5n }, revs)).toEqual(AT_5);
    expect(await hashes(upTo(10), { scheduled: 5n, finished: 3n }, revs)).toEqual(AT_5);
  });

  test('compacted at 10, where the tombstone of c is kept by new releases and not by old ones', async () => {
    const revs = [10, 11, 12, 13, 14];
    const kept = plainCompaction(GOLDEN, 10n);
    const gone = plainCompaction(GOLDEN, 10n, true);
    expect(kept.length).toBe(gone.length + 1);
    expect(await hashes(kept, 10n, revs)).toEqual(AT_10);
    expect(await hashes(gone, 10n, revs)).toEqual(AT_10);
    expect(await hashes(GOLDEN, { scheduled: 10n, finished: 5n }, revs)).toEqual(AT_10);
  });

  test('the db as 3.6.14 left it', async () => {
    const pairs = [
      ['00000000000000065f0000000000000000', '0a01611006180620012a0134'],
      ['00000000000000075f0000000000000000', '0a0274311007180720012a0178'],
      ['00000000000000075f0000000000000001', '0a0274321007180720012a0179'],
      ['00000000000000085f0000000000000000', '0a026c6b1008180820012a017630b424'],
      ['000000000000000a5f000000000000000074', '0a0163'],
      ['000000000000000b5f0000000000000000', '0a0164100b180b20012a0131'],
      ['000000000000000c5f0000000000000000', '0a0164100b180c20022a0132'],
      ['000000000000000d5f0000000000000000', '0a01611006180d20022a0135'],
      ['000000000000000e5f000000000000000074', '0a027431'],
    ].map(([key, value]) => [hex(key!), hex(value!)] as const);
    expect(pairs).toEqual(plainCompaction(GOLDEN, 10n));
    const file = await openKeys(pairs, 10n);
    expect(hashKv(file)).toEqual({
      hash: 322862713,
      hashRevision: 14n,
      compactRevision: 10n,
      unreadable: { count: 0, pageId: 0, offset: 0 },
    });
    expect(hashKv(file, -3n)).toMatchObject({ hash: 322862713, hashRevision: 14n });
    expect(codeOf(() => hashKv(file, 9n))).toBe('REVISION_COMPACTED');
    expect(codeOf(() => hashKv(file, 15n))).toBe('REVISION_FUTURE');
  });
});

describe('peculiar files', () => {
  test('an empty bucket, and none', async () => {
    for (const made of [{ key: [] }, {}] as Record<string, Pair[]>[]) {
      const file = new BackendFile(memorySource(await makeDb(made, { bare: true })));
      expect(hashKv(file)).toMatchObject({ hash: 1084519789, hashRevision: 1n, compactRevision: -1n });
    }
  });

  test('the record of a raised revision counts, and what was before it is compacted', async () => {
    const bump: Pair = [encodeRevision({ main: 1014n, sub: 0n }), new Uint8Array()];
    const pairs = [...plainCompaction(GOLDEN, 10n), bump];
    const file = await openKeys(pairs, { scheduled: 1014n, finished: 10n });
    expect(hashKv(file)).toMatchObject({
      hash: plainHashKv(pairs, 1014n, 1014n),
      hashRevision: 1014n,
      compactRevision: 1014n,
    });
    expect(codeOf(() => hashKv(file, 14n))).toBe('REVISION_COMPACTED');
  });

  test('when no key is live nothing is left out but tombstones of the compacted revision', async () => {
    const pairs = [
      put(2, 0, { key: 'a' }),
      put(3, 0, { key: 'b' }),
      tombstone(4, 0, 'a'),
      tombstone(5, 0, 'b'),
      put(6, 0, { key: 'c' }),
      tombstone(7, 0, 'c'),
    ];
    const file = await openKeys(pairs, { scheduled: 5n });
    expect(hashKv(file, 6n).hash).toBe(plainHashKv(pairs.slice(4), 6n, -1n));
    expect(hashKv(file, 5n).hash).toBe(plainHashKv(pairs.slice(0, 3), 3n + 1n, -1n));
    expect(hashKv(file, 7n).hash).toBe(
      plainHashKv(
        pairs.filter((_, i) => i !== 3),
        7n,
        -1n,
      ),
    );
  });

  test('a put behind a deletion of its key in the revision asked for is not live', async () => {
    const live = put(2, 0, { key: 'z' });
    const again = put(4, 1, { key: 'a', value: 'again' });
    const at = (pairs: readonly Pair[]) => openKeys(pairs, { scheduled: 4n }).then((file) => hashKv(file).hash);
    const without = plainHashKv([live], 4n, 4n);
    const withIt = plainHashKv([live, again], 4n, -1n);
    expect(await at([live, put(3, 0, { key: 'a' }), tombstone(4, 0, 'a'), again])).toBe(without);
    expect(await at([live, tombstone(4, 0, 'a'), again])).toBe(without);
    // What is deleted already cannot be deleted: this is none.
    expect(await at([live, put(2, 1, { key: 'a' }), tombstone(3, 0, 'a'), tombstone(4, 0, 'a'), again])).toBe(withIt);
    expect(await at([live, put(3, 0, { key: 'a' }), tombstone(4, 0, 'b'), again])).toBe(withIt);
  });

  test('records before the first revision do not belong to a key, but are hashed', async () => {
    const pairs = [put(0, 0, { key: 'z' }), put(2, 0, { key: 'a' }), tombstone(3, 0, 'a'), put(4, 0, { key: 'b' })];
    for (const compacted of [-1n, 0n, 2n, 3n]) {
      const file = await openKeys(pairs, compacted);
      for (const rev of [3n, 4n]) expect(hashKv(file, rev).hash).toBe(plainHashKv(pairs, rev, compacted));
    }
  });

  test('records that cannot be read are left out and counted', async () => {
    const bad: Pair[] = [
      [hex('0000000000000006 5e 0000000000000000'), hex('0a0161')],
      [hex('0000000000000007 5f 0000000000000000'), hex('0aff')],
    ];
    const pairs = [put(5, 0, { key: 'a' }), put(8, 0, { key: 'b' })];
    const file = await openKeys(
      [...pairs, ...bad].sort((a, b) => compareKeys(a[0], b[0])),
      5n,
    );
    const { hash, unreadable } = hashKv(file);
    expect(hash).toBe(plainHashKv(pairs, 8n, 5n));
    expect(unreadable.count).toBe(2);
    expect(unreadable.offset).toBeGreaterThan(0);
  });

  test('a long file in steps: progress never shrinks, and the sliced run gives the same', async () => {
    const value = 'v'.repeat(900);
    const pairs = Array.from({ length: 12_000 }, (_, i) =>
      i % 7 === 6 ? tombstone(i + 2, 0, `k${i - 1}`) : put(i + 2, 0, { key: `k${i % 5000}`, value }),
    );
    const file = await openKeys(pairs, { scheduled: 6000n });
    const job = new HashKvJob(file);
    expect(() => job.result).toThrow();
    let done = 0;
    let steps = 0;
    while (!job.step()) {
      expect(job.progress.done).toBeGreaterThanOrEqual(done);
      expect(job.progress.total).toBeGreaterThanOrEqual(job.progress.done);
      done = job.progress.done;
      steps++;
    }
    expect(steps).toBeGreaterThan(8);
    expect(job.result.hash).toBe(plainHashKv(pairs, 12_001n, 6000n));
    expect(await runSliced(new HashKvJob(file))).toEqual(job.result);
  });

  test('a file that is written to meanwhile is read anew, both passes of it', async () => {
    // No key is live, so it takes two passes.
    const first = await makeDb({
      key: [put(2, 0, { key: 'a' }), tombstone(3, 0, 'a')],
      meta: metaOf({ scheduled: 3n }),
    });
    const pairs = [put(2, 0, { key: 'a' }), tombstone(3, 0, 'a'), put(4, 0, { key: 'b' })];
    const second = nextTransaction(await makeDb({ key: pairs, meta: metaOf({ scheduled: 3n }) }));
    const length = Math.max(first.length, second.length);
    const padded = (bytes: Uint8Array): Uint8Array => {
      const longer = new Uint8Array(length);
      longer.set(bytes);
      return longer;
    };
    const reads = (bytes: Uint8Array): number => {
      const source = changingSource(() => padded(bytes));
      hashKv(new BackendFile(source));
      return source.reads;
    };
    const before = plainHashKv(pairs.slice(0, 2), 3n, 3n);
    const after = plainHashKv(pairs, 4n, 3n);
    expect(before).not.toBe(after);
    const seen = new Set<number>();
    for (let change = 1; change <= reads(first); change++) {
      const source = changingSource((read) => padded(read < change ? first : second));
      seen.add(hashKv(new BackendFile(source)).hash);
    }
    expect(seen).toEqual(new Set([before, after]));
  });
});

/** Records as they come, most of them of no server: any key put or deleted at any revision, several in one. */
const anyRecords = fc
  .array(
    fc.record({
      main: fc.integer({ min: 0, max: 9 }),
      key: fc.constantFrom('a', 'b', 'c', ''),
      deleted: fc.boolean(),
      value: fc.constantFrom('', 'v', 'w'.repeat(200)),
    }),
    { maxLength: 14 },
  )
  .map((changes) => {
    const subs = new Map<number, number>();
    return changes
      .sort((x, y) => x.main - y.main)
      .map(({ main, key, deleted, value }): Pair => {
        const sub = subs.get(main) ?? 0;
        subs.set(main, sub + 1);
        return deleted ? tombstone(main, sub, key) : put(main, sub, { key, value });
      });
  });

/** Changes as servers make them: only what is there is deleted, and each key once in a transaction. */
const history = fc
  .array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.boolean()), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((transactions) => {
    const live = new Map<string, { create: number; version: number }>();
    const pairs: Pair[] = [];
    let main = 1;
    for (const changes of transactions) {
      let sub = 0;
      const touched = new Set<string>();
      for (const [key, deleted] of changes) {
        if (touched.has(key) || (deleted && !live.has(key))) continue;
        touched.add(key);
        if (sub === 0) main++;
        if (deleted) {
          live.delete(key);
          pairs.push(tombstone(main, sub++, key));
        } else {
          const { create, version } = live.get(key) ?? { create: main, version: 0 };
          live.set(key, { create, version: version + 1 });
          pairs.push(put(main, sub++, { key, value: `${main}`, createRevision: create, version: version + 1 }));
        }
      }
    }
    return { pairs, current: BigInt(main) };
  });

describe('against the plain way', () => {
  propertyTest.prop([anyRecords, fc.integer({ min: -1, max: 10 }), fc.integer({ min: -1, max: 10 })], { numRuns: 150 })(
    'any records',
    async (pairs, scheduled, finished) => {
      const file = await openKeys(pairs, { scheduled: BigInt(scheduled), finished: BigInt(finished) });
      const compact = BigInt(Math.max(scheduled === 0 ? -1 : scheduled, finished));
      const { hashRevision: current, compactRevision } = hashKv(file);
      expect(compactRevision).toBe(compact);
      for (let rev = compact > 1n ? compact : 1n; rev <= current; rev++) {
        const { hash, hashRevision } = hashKv(file, rev);
        expect(hashRevision).toBe(rev);
        expect(hash, `at ${rev}`).toBe(plainHashKv(pairs, rev, compact));
      }
    },
  );

  propertyTest.prop([history, fc.nat()], { numRuns: 60 })(
    'what a compaction leaves has the hash that was there while it was only asked for',
    async ({ pairs, current }, choice) => {
      const compact = 1n + (BigInt(choice) % current);
      const asked = await openKeys(pairs, { scheduled: compact });
      const byNew = await openKeys(plainCompaction(pairs, compact), compact);
      const byOld = await openKeys(plainCompaction(pairs, compact, true), compact);
      for (let rev = compact; rev <= current; rev++) {
        const hash = hashKv(byNew, rev).hash;
        expect(hash).toBe(plainHashKv(plainCompaction(pairs, compact), rev, compact));
        expect(hashKv(byOld, rev).hash).toBe(hash);
        // Without a live key everything counts that is still there.
        if (plainAnyLive(pairs, rev)) expect(hashKv(asked, rev).hash).toBe(hash);
      }
    },
  );
});
