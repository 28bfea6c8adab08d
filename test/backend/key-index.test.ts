import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { KeyIndex } from '../../src/backend/key-index.ts';
import { compareKeys } from '../../src/bolt/compare-keys.ts';
import { isDatadirError } from '../../src/errors.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const add = (index: KeyIndex, key: Uint8Array): number => index.add(key, 0, key.length);
const find = (index: KeyIndex, key: Uint8Array): number => index.find(key, 0, key.length);
const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex');

/** Keys that resemble one another: shared prefixes, zeros, lengths around the border of a word. */
const likeKey = fc.oneof(
  fc.array(fc.constantFrom(0, 1, 0x61, 0x80, 0xff), { maxLength: 9 }).map((bytes) => Uint8Array.from(bytes)),
  fc
    .tuple(fc.constantFrom('', '/registry/pods/', '/registry/pods/default/'), fc.uint8Array({ maxLength: 6 }))
    .map(([prefix, rest]) => Uint8Array.from([...text(prefix), ...rest])),
  fc.uint8Array({ minLength: 120, maxLength: 140 }),
);

/** All that an index says must be what a map says. */
function compareWithMap(index: KeyIndex, keys: readonly Uint8Array[]): void {
  const map = new Map<string, number>();
  for (const [i, key] of keys.entries()) {
    // The key lies somewhere in a larger array, as it does in a page.
    const page = Uint8Array.from([9, 9, 9, ...key, 9]);
    expect(index.find(page, 3, 3 + key.length)).toBe(map.get(hex(key)) ?? -1);
    const id = i % 2 === 0 ? index.add(page, 3, 3 + key.length) : add(index, key);
    if (!map.has(hex(key))) map.set(hex(key), map.size);
    expect(id).toBe(map.get(hex(key)));
    expect(index.size).toBe(map.size);
  }
  for (const key of keys) {
    const id = find(index, key);
    expect(id).toBe(map.get(hex(key)));
    expect(index.keyLength(id)).toBe(key.length);
    expect(index.key(id)).toEqual(key);
  }
  const sorted = [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => id);
  expect([...index.sortedIds()]).toEqual(sorted);
  for (let i = 1; i < sorted.length; i++) {
    expect(index.compare(sorted[i - 1]!, sorted[i]!)).toBeLessThan(0);
    expect(index.compare(sorted[i]!, sorted[i - 1]!)).toBeGreaterThan(0);
    expect(index.compare(sorted[i]!, sorted[i]!)).toBe(0);
  }
}

describe('key index', () => {
  it('is empty at first', () => {
    const index = new KeyIndex();
    expect(index.size).toBe(0);
    expect(find(index, text('a'))).toBe(-1);
    expect(find(index, text(''))).toBe(-1);
    expect([...index.sortedIds()]).toEqual([]);
  });

  test.prop([fc.array(likeKey, { maxLength: 300 })])('numbers keys as a map does, and sorts them', (keys) => {
    compareWithMap(new KeyIndex(), keys);
  });

  test.prop([fc.array(likeKey, { maxLength: 120 }), fc.integer({ min: 0, max: 3 })])(
    'tells keys apart by their bytes when their hashes are equal',
    (keys, kinds) => {
      compareWithMap(new KeyIndex({ hash: (_, start, end) => ((end - start) % (kinds + 1)) * 0x4000_0001 }), keys);
    },
  );

  it('gives the same order whatever the hash was', () => {
    const keys = Array.from({ length: 3000 }, (_, i) => text(`/registry/events/ns-${i % 17}/${(i * 7919) % 3000}`));
    const [one, other] = [new KeyIndex(), new KeyIndex()];
    for (const key of keys) expect(add(one, key)).toBe(add(other, key));
    expect(one.sortedIds()).toEqual(other.sortedIds());
  });

  it('keeps keys of any length, chunks ending between them', () => {
    const index = new KeyIndex();
    const lengths = [0, 1, 127, 128, 8191, 8192, 8193, 20_000, 1 << 20, (1 << 20) + 5];
    for (let i = 0; i < 400; i++) lengths.push(7000 + i);
    const keys = lengths.map((length, i) => new Uint8Array(length).fill(i % 251, 0, length));
    keys.forEach((key, id) => {
      expect(add(index, key)).toBe(id);
    });
    keys.forEach((key, id) => {
      expect(find(index, key)).toBe(id);
      expect(index.keyLength(id)).toBe(key.length);
      expect(compareKeys(index.key(id), key)).toBe(0);
    });
    const sorted = [...index.sortedIds()];
    expect(sorted).toEqual([...keys.keys()].sort((a, b) => compareKeys(keys[a]!, keys[b]!)));
  });

  it('gives copies of keys', () => {
    const index = new KeyIndex();
    add(index, text('abc'));
    index.key(0).fill(0);
    expect(index.key(0)).toEqual(text('abc'));
  });

  it('sorts in steps, and says how far it is', () => {
    const index = new KeyIndex();
    for (let i = 0; i < 200_000; i++) add(index, text(`/registry/pods/${(i * 7919) % 200_000}`));
    const job = index.sorting();
    let steps = 0;
    let done = 0;
    expect(() => job.result).toThrow();
    while (!job.step()) {
      steps++;
      expect(job.progress.done).toBeGreaterThanOrEqual(done);
      done = job.progress.done;
      expect(job.progress.total).toBe(200_000);
    }
    expect(steps).toBeGreaterThan(5);
    expect(job.progress.done).toBe(200_000);
    const ids = job.result;
    let wrong = 0;
    for (let i = 1; i < ids.length; i++) if (index.compare(ids[i - 1]!, ids[i]!) >= 0) wrong++;
    expect(wrong).toBe(0);
  });

  it('needs at most 20 bytes a key beside the keys, at any moment', () => {
    const index = new KeyIndex();
    const key = new Uint8Array(60);
    const view = new DataView(key.buffer);
    for (let i = 0; i < 1_000_000; i++) {
      view.setUint32(40, Math.imul(i, 0x9e37_79b1));
      index.add(key, 0, 60);
      // Twice the slots are there after they have grown, and that is at 4/5 of a power of two.
      if ((i >= 100_000 && i % 100_000 === 0) || i === 850_000 || i === 999_999) {
        expect(index.size).toBe(i + 1);
        // A chunk of the keys and one of the entries may be nearly empty.
        expect(index.bytesUsed).toBeLessThanOrEqual((60 + 20) * index.size + (1 << 20) + (1 << 18));
      }
    }
    expect(index.bytesUsed).toBeLessThanOrEqual((60 + 20) * 1_000_000);
  });

  it('refuses more keys than the file can hold', () => {
    const index = new KeyIndex({ maxKeyBytes: 10 });
    add(index, text('12345'));
    add(index, text('67890'));
    add(index, text('12345'));
    let caught: unknown;
    try {
      add(index, text('x'));
    } catch (error) {
      caught = error;
    }
    expect(isDatadirError(caught, 'BOLT_DAMAGED')).toBe(true);
  });
});
