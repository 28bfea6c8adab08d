// Names of segments, as etcd writes them and as it reads them.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseSegmentName, parseSegmentNameAsEtcd, segmentName } from '../../src/wal/segment-name.ts';

const FIRST = '0000000000000000-0000000000000000.wal';

describe('a name', () => {
  test('of the first segment', () => {
    expect(segmentName(0n, 0n)).toBe(FIRST);
    expect(parseSegmentName(FIRST)).toEqual({ sequence: 0n, index: 0n });
  });

  test('holds sequence number and index in hex', () => {
    expect(segmentName(0x1fn, 0xabcdef12345n)).toBe('000000000000001f-00000abcdef12345.wal');
    expect(parseSegmentName('000000000000001f-00000abcdef12345.wal')).toEqual({
      sequence: 0x1fn,
      index: 0xabcdef12345n,
    });
  });

  property.prop([fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n)])(
    'is read as it was written',
    (sequence, index) => {
      const name = segmentName(sequence, index);
      expect(parseSegmentName(name)).toEqual({ sequence, index });
      expect(parseSegmentNameAsEtcd(name)).toEqual({ sequence, index });
    },
  );

  // What Go's scanner takes was tried with the real packages: fixtures/wal-judged-edges.json.gz.
  test.each([
    ['0-0.wal', { sequence: 0n, index: 0n }],
    ['A-fF.wal', { sequence: 10n, index: 255n }],
    ['000000000000001F-0000000000000000.wal', { sequence: 0x1fn, index: 0n }],
    [`${FIRST}.copy.wal`, { sequence: 0n, index: 0n }],
    [`${FIRST}.wal`, { sequence: 0n, index: 0n }],
  ])('%s: etcd reads it, but does not write it so', (name, parsed) => {
    expect(parseSegmentName(name)).toBe(undefined);
    expect(parseSegmentNameAsEtcd(name)).toEqual(parsed);
  });

  test.each([
    'foo.wal',
    '.wal',
    '-.wal',
    '0-.wal',
    '0x0-0x0.wal',
    '0-0-0.wal',
    '00000000000000000-0000000000000000.wal',
    '0000000000000000-00000000000000000.wal',
    ' 0-0.wal',
    `${FIRST}.broken`,
    `${FIRST}.tmp`,
    '0.tmp',
    '',
  ])('%j: no segment', (name) => {
    expect(parseSegmentName(name)).toBe(undefined);
    expect(parseSegmentNameAsEtcd(name)).toBe(undefined);
  });
});
