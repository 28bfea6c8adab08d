import { describe, expect, test } from 'vitest';
import { type DatabaseStats, openBolt } from '../../src/bolt/index.ts';
import { percentOf } from '../../src/bolt/stats.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { boltFile, branch, bucket, inlineBucket, leaf } from '../support/bolt-pages.ts';
import { listDbFixtures, readFixture, recorded, recordedCommands, stdoutOf } from '../support/fixtures.ts';

const open = (bytes: Uint8Array) => openBolt(memorySource(bytes));

/** The words of `bbolt stats`. */
function words(stats: DatabaseStats): string {
  const share = (part: number, whole: number) => `${part} (${percentOf(part, whole)}%)`;
  return `Aggregate statistics for ${stats.topLevelBucketN} buckets

Page count statistics
	Number of logical branch pages: ${stats.branchPageN}
	Number of physical branch overflow pages: ${stats.branchOverflowN}
	Number of logical leaf pages: ${stats.leafPageN}
	Number of physical leaf overflow pages: ${stats.leafOverflowN}
Tree statistics
	Number of keys/value pairs: ${stats.keyN}
	Number of levels in B+tree: ${stats.depth}
Page size utilization
	Bytes allocated for physical branch pages: ${stats.branchAlloc}
	Bytes actually used for branch data: ${share(stats.branchInuse, stats.branchAlloc)}
	Bytes allocated for physical leaf pages: ${stats.leafAlloc}
	Bytes actually used for leaf data: ${share(stats.leafInuse, stats.leafAlloc)}
Bucket statistics
	Total number of buckets: ${stats.bucketN}
	Total number on inlined buckets: ${share(stats.inlineBucketN, stats.bucketN)}
	Bytes used for inlined buckets: ${share(stats.inlineBucketInuse, stats.leafInuse)}
`;
}

describe('as bbolt counts', () => {
  // bbolt before 1.5 reads beyond an empty branch page and counts what it finds there.
  const nonsense = 'bolt-surgery/clear-page-branch';
  const told = listDbFixtures().filter((each) => recorded(each, 'stats')?.exit === 0 && each.name !== nonsense);

  test('there are files of every kind to compare with', () => {
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['bolt', 'etcd', 'surgery']));
    expect(told.length).toBeGreaterThan(200);
  });

  test.each(told.map(({ name }) => name))('%s', (name) => {
    expect(words(open(readFixture(name)).stats())).toBe(recorded(name, 'stats')!.text);
  });

  test('buckets whose name begins with a prefix', () => {
    let compared = 0;
    for (const fixture of listDbFixtures()) {
      for (const answer of recordedCommands(fixture) ?? []) {
        const [verb, file, prefix, more] = answer.args;
        const said = stdoutOf(answer);
        if (verb !== 'stats' || file !== 'FILE' || prefix === undefined || more !== undefined) continue;
        if (prefix.startsWith('-') || answer.exit !== 0 || said === undefined) continue;
        expect(words(open(readFixture(fixture)).stats(prefix)), `${fixture.name} ${prefix}`).toBe(
          new TextDecoder().decode(said),
        );
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});

test('an empty branch page is counted as bbolt 1.5 counts it', () => {
  const stats = open(readFixture('bolt-surgery/clear-page-branch')).stats();
  expect(stats).toMatchObject({
    branchPageN: 5,
    branchAlloc: 5120,
    branchInuse: 2240,
    leafPageN: 68,
    keyN: 191,
    depth: 3,
  });
});

test('the depth is the own one and that of the deepest bucket inside', () => {
  const db = open(
    boltFile({
      2: leaf(bucket('a', 3), inlineBucket('z', leaf(['k', 'v']))),
      3: branch(['a', 4], ['c', 5]),
      4: leaf(['a', ''], bucket('b', 6)),
      5: leaf(inlineBucket('c', leaf(['x', 'y']))),
      6: leaf(bucket('b1', 7)),
      7: leaf(),
    }),
  );
  expect(db.requireBucket('a').stats()).toMatchObject({
    depth: 4,
    bucketN: 4,
    inlineBucketN: 1,
    inlineBucketInuse: 34,
  });
  expect(db.requireBucket(['a', 'b']).stats()).toMatchObject({
    depth: 2,
    keyN: 1,
    leafPageN: 2,
    leafInuse: 16 + 34 + 16,
  });
  expect(db.requireBucket('z').stats()).toMatchObject({ depth: 1, keyN: 1, leafPageN: 0, leafAlloc: 0, bucketN: 1 });
  expect(db.stats()).toMatchObject({ topLevelBucketN: 2, depth: 4, bucketN: 5 });
});

test('shares are cut off, and nothing of nothing is 0', () => {
  expect([percentOf(1, 3), percentOf(2, 3), percentOf(999, 1000), percentOf(0, 0), percentOf(5, 0)]).toEqual([
    33, 66, 99, 0, 0,
  ]);
});
