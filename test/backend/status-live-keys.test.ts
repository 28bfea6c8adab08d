/**
 * The count of live keys: keys are told apart by their bytes, whatever their hashes, and wherever a batch ends.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { LiveKeys, type LiveKeysOptions } from '../../src/backend/live-keys.ts';
import { KeyRecord } from '../../src/backend/record.ts';
import { isDatadirError } from '../../src/errors.ts';
import { put, tombstone } from '../support/backend-db.ts';

type Change = readonly [key: string, live: boolean];

const record = new KeyRecord();

function add(keys: LiveKeys, [key, live]: Change): void {
  const [revision, value] = live ? put(2, 0, { key }) : tombstone(2, 0, key);
  const bytes = new Uint8Array(revision.length + value.length);
  bytes.set(revision);
  bytes.set(value, revision.length);
  record.parse(bytes, new DataView(bytes.buffer), 0, revision.length, value.length);
  keys.add(record);
}

function model(changes: readonly Change[]): number {
  const live = new Set<string>();
  for (const [key, isLive] of changes) {
    if (isLive) live.add(key);
    else live.delete(key);
  }
  return live.size;
}

function counted(changes: readonly Change[], options: LiveKeysOptions = {}): number {
  const keys = new LiveKeys(options);
  for (const change of changes) add(keys, change);
  return keys.count;
}

/** All keys in one table, with few different hashes. */
const COLLIDING = { hash: (_: DataView, __: number, length: number) => length % 3 };

const keyText = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'a\0', 'a\0\0'),
  fc.string({ maxLength: 30 }),
  fc.integer({ min: 0, max: 40 }).map((n) => `registry/pods/namespace-${n % 3}/pod-${n}`),
  fc.constantFrom('x'.repeat(512), 'x'.repeat(513), 'y'.repeat(9000)),
);

describe('live keys', () => {
  test.prop([fc.array(fc.tuple(keyText, fc.boolean()), { maxLength: 300 })])('are those of a set', (changes) => {
    expect(counted(changes)).toBe(model(changes));
    expect(counted(changes, COLLIDING)).toBe(model(changes));
  });

  it('are known between any two records', () => {
    const changes: Change[] = Array.from({ length: 200 }, (_, i) => [`k${i % 70}`, i % 7 !== 0]);
    const keys = new LiveKeys();
    changes.forEach((change, i) => {
      add(keys, change);
      if (i % 13 === 0) expect(keys.count).toBe(model(changes.slice(0, i + 1)));
    });
  });

  it('may be many', () => {
    const changes: Change[] = Array.from({ length: 60_000 }, (_, i) => [
      `key-${i % 40_000}`,
      i < 40_000 || i % 2 === 0,
    ]);
    expect(counted(changes)).toBe(30_000);
  });

  it('cannot be longer together than the file', () => {
    const changes: Change[] = [
      ['abc', true],
      ['abc', false],
      ['def', true],
    ];
    expect(counted(changes, { maxKeyBytes: 6 })).toBe(1);
    try {
      counted(changes, { maxKeyBytes: 5 });
      expect.unreachable();
    } catch (error) {
      expect(isDatadirError(error, 'BOLT_DAMAGED')).toBe(true);
    }
  });
});
