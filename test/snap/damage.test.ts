/**
 * Any bytes in, an answer out: cut at every byte, every bit flipped, random bytes, hostile numbers.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { checkSnap } from '../../src/snap/check.ts';
import { readSnap, SnapReading } from '../../src/snap/reader.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { snapFile, v2Document } from '../support/snap-files.ts';

const real = logFixture('3.6.14/busy/m1').snapFiles.at(-1)!.bytes;
const NAME = '0000000000000002-0000000000000005.snap';

function outcome(bytes: Uint8Array): 'usable' | 'data' | string {
  const reading = new SnapReading(memorySource(bytes));
  while (!reading.step());
  if (reading.problem !== undefined) return reading.problem.kind;
  return reading.snap?.dataProblem === undefined ? 'usable' : 'data';
}

describe('a real file', () => {
  test('cut at any byte cannot be used', () => {
    for (let length = 0; length < real.length; length++) expect(outcome(real.subarray(0, length))).not.toBe('usable');
  });

  test('no flipped bit of what counts goes unnoticed', () => {
    const bytes = real.slice();
    const seen = new Map<string, string[]>();
    // What lies between is a long row of nulls, of which a few stand for all.
    const places = [...bytes.keys()].filter((at) => at < 1900 || at > bytes.length - 60 || at % 97 === 0);
    for (const at of places) {
      for (let bit = 0; bit < 8; bit++) {
        bytes[at]! ^= 1 << bit;
        const found = outcome(bytes);
        seen.set(found, [...(seen.get(found) ?? []), `${at}/${bit}`]);
        bytes[at]! ^= 1 << bit;
      }
    }
    expect([...seen.keys()].sort()).toEqual(['crc-mismatch', 'crc-zero', 'empty', 'unparsable', 'usable']);
    // The last byte of a checksum has three bits too many, which nobody reads.
    expect(seen.get('usable')).toEqual(['5/4', '5/5', '5/6']);
  });
});

describe('a small file', () => {
  const document = v2Document('"1":{"Children":{"a":{"Value":"\\u0041","ExpireTime":"x","Children":null}}}');
  const whole = snapFile({ document });

  test('with every byte changed, its checksum put right, gives a report', () => {
    const raft = readSnap(whole);
    for (let at = 0; at < raft.data.length; at++) {
      for (const value of [0, 0x22, 0x2d, 0x5c, 0x7b, 0x7d, 0xff]) {
        const { verdict } = checkSnap(snapFile({ document: raft.data.with(at, value) }), { path: NAME });
        expect(['healthy', 'repairable']).toContain(verdict);
      }
    }
  });

  test('with every bit of its raft snapshot flipped, its checksum put right, gives a report', () => {
    const envelope = 8;
    const raft = whole.subarray(envelope);
    for (let at = 0; at < raft.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const { verdict } = checkSnap(snapFile({ raft: raft.with(at, raft[at]! ^ (1 << bit)) }), { path: NAME });
        expect(['healthy', 'repairable']).toContain(verdict);
      }
    }
  });
});

property.prop([fc.uint8Array({ maxLength: 200 })])('random bytes give a report', (bytes) => {
  expect(['repairable', 'healthy']).toContain(checkSnap(bytes).verdict);
  expect(['repairable', 'healthy']).toContain(checkSnap(snapFile({ raft: bytes })).verdict);
  expect(['repairable', 'healthy']).toContain(checkSnap(snapFile({ document: bytes })).verdict);
});

property.prop([
  fc.string({ unit: fc.constantFrom('{', '}', '"Root":', '"Children":', '"0":', '"members":', ',', '1', 'null') }),
])('documents that nearly are v2 stores give a report', (document) => {
  expect(['repairable', 'healthy']).toContain(checkSnap(snapFile({ document })).verdict);
});

describe('documents that want too much', () => {
  const many = (count: number, make: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => make(i)).join(',');

  test.each([
    [
      'members',
      `{"Root":{"Children":{"0":{"Children":{"members":{"Children":{${many(10_001, (i) => `"${i}":{}`)}}}}}}}}`,
    ],
    [
      'removed members',
      `{"Root":{"Children":{"0":{"Children":{"removed_members":{"Children":{${many(100_001, (i) => `"${i}":{}`)}}}}}}}}`,
    ],
  ])('%s', (_, document) => {
    expect(checkSnap(snapFile({ document }))).toMatchObject({ findings: [{ code: 'SNAP_V2_STORE_UNPARSABLE' }] });
  });

  test('directories below the root are listed up to a limit', () => {
    const document = `{"Root":{"Children":{${many(5000, (i) => `"${i}":{"Children":{"a":{}}}`)}}}}`;
    expect(readSnap(snapFile({ document })).store!.topDirectories).toHaveLength(1000);
  });
});

test.each([
  ['', 'the file is empty'],
  ['0801', 'there is no data in it'],
  ['08011200', 'there is no data in it'],
  ['1201ff', 'CRC is 0'],
  ['08001201ff', 'CRC is 0'],
  ['08011201ff', 'CRC mismatch: stored 00000001'],
  ['0801ff', 'not a snapshot'],
  ['12ffffffffffffffffff01', 'not a snapshot'],
])('reading %s says why it cannot be read', (hex, words) => {
  let error: unknown;
  try {
    readSnap(new Uint8Array(Buffer.from(hex, 'hex')));
  } catch (thrown) {
    error = thrown;
  }
  expect(isDatadirError(error, 'SNAP_DAMAGED')).toBe(true);
  expect((error as Error).message).toContain(words);
});
