import { describe, expect, test } from 'vitest';
import { TrailerJob, trailerPresence } from '../../src/backend/trailer.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { createNodeSha256 } from '../../src/checksum/node-sha256.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { faultySource } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';

const SNAPSHOT = 'etcd/3.6.14/busy/snapshot';

function verified(bytes: Uint8Array) {
  const { highWaterMark, pageSize } = openReadable(memorySource(bytes));
  return drain(new TrailerJob(memorySource(bytes), highWaterMark * pageSize));
}

const snapshots = listDbFixtures().filter(({ name, kind }) => kind === 'etcd' && /\/snapshot(-2)?$/.test(name));
const others = listDbFixtures().filter(({ name, kind }) => kind === 'etcd' && /\/(m1|hotcopy-1)$/.test(name));

test.each(snapshots)('$name is right', (fixture) => {
  const bytes = readFixture(fixture);
  expect(verified(bytes)).toMatchObject({ state: 'right', offset: bytes.length - 32 });
});

test.each(others)('$name has none', (fixture) => {
  expect(verified(readFixture(fixture)).state).toBe('missing');
});

describe('damage', () => {
  const whole = readFixture(SNAPSHOT);
  test.each([-1, -32, -33, 20000])('a flipped bit at %i makes it wrong', (at) => {
    const bytes = whole.slice();
    bytes[(at + bytes.length) % bytes.length]! ^= 0x10;
    const { state, stored, computed } = verified(bytes);
    expect(state).toBe('wrong');
    expect(stored).not.toEqual(computed);
  });

  test('cut off wholly it is missing, cut anywhere else truncated', () => {
    expect(verified(whole.slice(0, -32)).state).toBe('missing');
    for (const less of [1, 16, 31, 33, 512, 100_000]) {
      expect(verified(whole.slice(0, whole.length - less)).state).toBe('truncated');
    }
  });

  test('behind it more bytes make it wrong, or none at all', () => {
    expect(verified(Uint8Array.from([...whole, ...new Uint8Array(512).fill(1)])).state).toBe('wrong');
    expect(verified(Uint8Array.from([...whole, 1])).state).toBe('truncated');
  });

  test('a file that shrinks meanwhile is told so', () => {
    const source = faultySource(memorySource(whole), { shrinkTo: 100_000 });
    expect(() => drain(new TrailerJob(source, whole.length - 32))).toThrow(
      expect.objectContaining({ code: 'FILE_SHRANK' }),
    );
  });
});

test('Node computes the same', () => {
  const source = memorySource(readFixture(SNAPSHOT));
  const [ours, nodes] = [undefined, createNodeSha256].map((sha256) =>
    drain(new TrailerJob(source, source.size - 32, sha256)),
  );
  expect(ours).toEqual(nodes);
});

test.each([
  [4096 * 5, 'missing'],
  [4096 * 5 + 32, 'present'],
  [4096 * 5 + 31, 'truncated'],
  [4096 * 6, 'missing'],
  [4096 * 4, 'truncated'],
  [4096 * 4 + 32, 'truncated'],
  [0, 'truncated'],
] as const)('a file of %i bytes with pages up to 20480: %s', (size, presence) => {
  expect(trailerPresence(size, 4096 * 5)).toBe(presence);
});
