// Chains of records verified in one go: the same verdict as record by record, whatever the records and wherever they lie.
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { Crc32cChain } from '../../src/checksum/crc32c-chain.ts';
import { CHAIN_ROOM, FoldKernel } from '../../src/checksum/sparse-fold.ts';
import { seededRandom } from '../support/faulty.ts';

const random = seededRandom(7);
const below = (end: number): number => Math.floor(random() * end);
const LENGTH = 200_000;
const data = Uint8Array.from({ length: LENGTH }, () => below(256));

interface Item {
  start: number;
  end: number;
  stored: number;
}

/** Records of up to `longest` bytes that follow one another in `data`, with right values. */
function recordsOf(longest: number, seed: number, most = Number.POSITIVE_INFINITY): Item[] {
  const records: Item[] = [];
  let stored = seed;
  for (let at = 0; at < LENGTH && records.length < most; ) {
    const end = Math.min(LENGTH, at + below(longest + 1));
    stored = crc32c(data, at, end, stored);
    records.push({ start: at, end, stored });
    at = end;
  }
  return records;
}

function verdict(chain: Crc32cChain, bytes: Uint8Array, records: readonly Item[], seed: number): boolean {
  chain.start(seed);
  for (const { start, end, stored } of records) {
    chain.feed(bytes, start, end);
    chain.expect(stored);
  }
  return chain.settle();
}

const kernel = FoldKernel.create(LENGTH + 3 * CHAIN_ROOM)!;
const inMemory = kernel.allocate(LENGTH)!;
inMemory.set(data);

const chains: [string, Crc32cChain, Uint8Array][] = [
  ['bytes in the memory of its kernel', new Crc32cChain(kernel), inMemory],
  ['bytes elsewhere', new Crc32cChain(kernel), data.slice()],
  ['no kernel', new Crc32cChain(undefined), data.slice()],
];

describe.each(chains)('a chain, %s', (_, chain, bytes) => {
  test.each([0, 1, 7, 20, 64, 65, 300, 2000, 16_384, 50_000, LENGTH])(
    'of records of up to %d bytes fits',
    (longest) => {
      for (const seed of [0, 1, 0xffffffff, 0x80000000, below(2 ** 32)]) {
        const records = recordsOf(longest, seed, 3000);
        expect(verdict(chain, bytes, records, seed)).toBe(true);
        expect(verdict(chain, bytes, records, seed ^ 1)).toBe(false);
      }
    },
  );

  test('of nothing fits', () => {
    chain.start(5);
    expect(chain.settle()).toBe(true);
    chain.expect(5);
    expect(chain.settle()).toBe(true);
    chain.expect(4);
    expect(chain.settle()).toBe(false);
    chain.start(4);
    expect(chain.settle()).toBe(true);
  });

  test('takes a record in any number of pieces', () => {
    const records = recordsOf(9000, 3);
    chain.start(3);
    for (const { start, end, stored } of records) {
      for (let at = start; at < end; ) {
        const next = Math.min(end, at + below(4000));
        chain.feed(bytes, at, next);
        at = next;
      }
      chain.expect(stored);
    }
    expect(chain.settle()).toBe(true);
  });

  test('goes on after it was settled', () => {
    chain.start(9);
    const records = recordsOf(700, 9);
    for (const [i, { start, end, stored }] of records.entries()) {
      chain.feed(bytes, start, end);
      chain.expect(i === 300 ? stored ^ 2 : stored);
      if (i % 17 === 0 || i === 299 || i === 300) expect(chain.settle(), `record ${i}`).toBe(i < 300);
    }
  });

  test('sees any one flipped bit of the data, however much follows', () => {
    const records = recordsOf(3000, 0);
    for (let i = 0; i < 60; i++) {
      const at = [0, LENGTH - 1, below(LENGTH)][i % 3]!;
      bytes[at]! ^= 1 << (i % 8);
      expect(verdict(chain, bytes, records, 0), `bit of byte ${at}`).toBe(false);
      bytes[at]! ^= 1 << (i % 8);
    }
    expect(verdict(chain, bytes, records, 0)).toBe(true);
  });

  test('sees a stored value that is off: any one bit, runs of bits, by any number', () => {
    const records = recordsOf(3000, 0, 20);
    const changes = Array.from({ length: 32 }, (_, bit) => 1 << bit);
    for (let i = 0; i < 200; i++) changes.push(1 + below(2 ** 32 - 1));
    for (const change of changes) {
      const which = below(records.length);
      const damaged = records.map((record, i) =>
        i === which ? { ...record, stored: record.stored ^ change } : record,
      );
      expect(verdict(chain, bytes, damaged, 0), `${which} off by ${change}`).toBe(false);
    }
  });

  test('sees records that are missing, or in another order', () => {
    const records = recordsOf(500, 0, 50);
    expect(verdict(chain, bytes, records.toSpliced(20, 1), 0)).toBe(false);
    const swapped = records.with(7, records[8]!).with(8, records[7]!);
    expect(verdict(chain, bytes, swapped, 0)).toBe(false);
    expect(verdict(chain, bytes, records.slice(0, 30), 0)).toBe(true);
  });

  test('sees damage to several records', () => {
    const records = recordsOf(1500, 0);
    for (let i = 0; i < 100; i++) {
      const places = Array.from({ length: 2 + below(5) }, () => below(LENGTH));
      const before = places.map((at) => bytes[at]!);
      for (const at of places) bytes[at] = below(256);
      const intact = places.every((at) => bytes[at] === data[at]);
      expect(verdict(chain, bytes, records, 0)).toBe(intact);
      for (const [j, at] of places.entries()) bytes[at] = before[j]!;
      for (const at of places) bytes[at] = data[at]!;
    }
  });
});

describe('what the comparison at the end cannot see', () => {
  /** The generator divided by x + 1, as a difference of CRCs. */
  const BLIND = 0xfca42daf;
  const records = recordsOf(300, 0, 40);
  const off = records.map((record, i) => (i === 11 ? { ...record, stored: record.stored ^ BLIND } : record));

  test('is one value of all that a stored CRC can be off by', () => {
    expect(verdict(new Crc32cChain(undefined), data, off, 0)).toBe(false);
    expect(verdict(new Crc32cChain(FoldKernel.create()), data, off, 0)).toBe(true);
  });

  test('except in the last record, and when the data does not fit either', () => {
    const chain = new Crc32cChain(FoldKernel.create());
    expect(verdict(chain, data, off.slice(0, 12), 0)).toBe(false);
    const damaged = data.slice();
    damaged[off[11]!.start]! ^= 1;
    expect(verdict(chain, damaged, off, 0)).toBe(false);
  });
});

test('a kernel has room for a chain beside what was asked for, and reading begins at a page', () => {
  const own = FoldKernel.create(1 << 20)!;
  const chain = new Crc32cChain(own);
  const window = own.allocate(1 << 20)!;
  expect(window.byteOffset % 4096).toBe(0);
  window.set(data);
  expect(verdict(chain, window, recordsOf(2000, 1), 1)).toBe(true);
  expect(verdict(new Crc32cChain(own), window, recordsOf(2000, 1), 1)).toBe(true); // no room any more: record by record
});

test('two chains on one kernel, and single values between, do not disturb each other', () => {
  const [first, second] = [new Crc32cChain(kernel), chains[0]![1]];
  const [a, b] = [recordsOf(900, 1, 300), recordsOf(1100, 2, 300)];
  first.start(1);
  second.start(2);
  for (let i = 0; i < 150; i++) {
    first.feed(inMemory, a[i]!.start, a[i]!.end);
    first.expect(a[i]!.stored);
    second.feed(inMemory, b[i]!.start, b[i]!.end);
    expect(crc32c(inMemory, 0, a[i]!.end, 1)).toBe(a[i]!.stored);
    second.expect(b[i]!.stored);
  }
  expect(first.settle()).toBe(true);
  expect(second.settle()).toBe(true);
});
