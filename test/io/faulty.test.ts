// The tools that other tests rely on must themselves be right.
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { crashStates, faultyFile, faultySource } from '../support/faulty.ts';

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);

describe('faultySource', () => {
  test('without faults reads the same, and counts', () => {
    const source = faultySource(memorySource(bytes, 'db'));
    const target = new Uint8Array(30);
    expect(source.readInto(target, 80)).toBe(20);
    expect(target.subarray(0, 20)).toEqual(bytes.subarray(80));
    expect(source).toMatchObject({ reads: 1, bytesRead: 20, size: 100, path: 'db', closed: false });
    source.close();
    expect(source.closed).toBe(true);
  });

  test('fails where a read touches a bad range, and only there', () => {
    const source = faultySource(memorySource(bytes), { failAt: [[50, 60]] });
    expect(source.readInto(new Uint8Array(50), 0)).toBe(50);
    expect(source.readInto(new Uint8Array(50), 60)).toBe(40);
    for (const [offset, length] of [
      [0, 51],
      [55, 1],
      [59, 10],
    ]) {
      expect(() => source.readInto(new Uint8Array(length), offset)).toThrow(
        expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO', offset: Math.max(50, offset) }),
      );
    }
  });

  test('shrinks when told', () => {
    const source = faultySource(memorySource(bytes), { shrinkTo: 40, shrinkAfterReads: 1 });
    expect(source.readInto(new Uint8Array(100), 0)).toBe(100);
    expect(source.readInto(new Uint8Array(40), 0)).toBe(40);
    expect(() => source.readInto(new Uint8Array(41), 0)).toThrow(
      expect.objectContaining({ code: 'FILE_SHRANK', offset: 40 }),
    );
    expect(source.currentSize?.()).toBe(40);
  });

  test('short reads still fill the target', () => {
    for (let seed = 0; seed < 20; seed++) {
      const source = faultySource(memorySource(bytes), { shortReads: seed });
      const target = new Uint8Array(90);
      expect(source.readInto(target, 5)).toBe(90);
      expect(target).toEqual(bytes.subarray(5, 95));
    }
  });
});

describe('faultyFile', () => {
  test('records copies of what was written', () => {
    const file = faultyFile(memoryFile());
    const buffer = Uint8Array.of(1, 2);
    file.write(0, buffer);
    buffer.fill(9);
    file.sync();
    file.truncate(1);
    expect(file.events).toEqual([
      { kind: 'write', offset: 0, bytes: Uint8Array.of(1, 2) },
      { kind: 'sync' },
      { kind: 'truncate', size: 1 },
      { kind: 'sync' },
    ]);
    expect(file.size).toBe(1);
  });

  test('fails at the chosen write and sync', () => {
    const file = faultyFile(memoryFile(), { failWriteAfter: 1, failSyncAt: 1 });
    file.write(0, Uint8Array.of(1));
    expect(() => file.write(1, Uint8Array.of(2))).toThrow(
      expect.objectContaining({ code: 'IO_FAILED', systemCode: 'ENOSPC' }),
    );
    file.sync();
    expect(() => file.sync()).toThrow(expect.objectContaining({ code: 'IO_FAILED', systemCode: 'EIO' }));
    expect(file.events).toHaveLength(2);
  });
});

describe('crashStates', () => {
  const write = (offset: number, ...values: number[]) =>
    ({ kind: 'write', offset, bytes: Uint8Array.from(values) }) as const;
  const sync = { kind: 'sync' } as const;

  test('keeps what was synced and any part of the rest', () => {
    const states = [...crashStates([write(0, 1), write(1, 2), sync, write(0, 3)])];
    expect(states.map((state) => [state.syncs, ...state.bytes])).toEqual([
      [0],
      [0, 1],
      [0, 0, 2],
      [0, 1, 2],
      [1, 1, 2],
      [1, 3, 2],
    ]);
  });

  test('starts from what was there, and truncates', () => {
    const states = [...crashStates([{ kind: 'truncate', size: 1 }, sync], { initial: Uint8Array.of(7, 8) })];
    expect(states.map((state) => [...state.bytes])).toEqual([[7, 8], [7], [7]]);
  });

  test('tears writes between sectors', () => {
    const torn = [...crashStates([write(0, 1, 2, 3, 4, 5)], { sectorSize: 2 })].filter((state) => state.torn);
    expect(torn.map((state) => [...state.bytes])).toEqual([
      [1, 2],
      [1, 2, 3, 4],
    ]);
  });

  test('draws subsets where there are too many, the same ones for the same seed', () => {
    const events = Array.from({ length: 20 }, (_, i) => write(i, i + 1));
    const states = [...crashStates(events, { samples: 50 })];
    expect(states).toHaveLength(21 + 20 + 20 + 50);
    expect(states).toEqual([...crashStates(events, { samples: 50 })]);
    expect(states.some((state) => state.survived.length === 20)).toBe(true);
  });
});
