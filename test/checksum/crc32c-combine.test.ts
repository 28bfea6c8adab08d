import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { crc32c } from '../../src/checksum/crc32c.ts';
import { combineCrc32c } from '../../src/checksum/crc32c-combine.ts';

describe('combined CRC-32C', () => {
  test.prop([fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 5000 })])(
    'is that of both parts',
    (a, b) => {
      const whole = Uint8Array.from([...a, ...b]);
      expect(combineCrc32c(crc32c(a), crc32c(b), b.length)).toBe(crc32c(whole));
    },
  );

  test.prop([fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 })])('is that of many parts', (parts) => {
    const crc = parts.reduce((sum, part) => combineCrc32c(sum, crc32c(part), part.length), 0);
    expect(crc).toBe(crc32c(Uint8Array.from(parts.flatMap((part) => [...part]))));
  });

  it('leaves out a part of no length', () => {
    expect(combineCrc32c(0xdead_beef, 0, 0)).toBe(0xdead_beef);
    expect(combineCrc32c(0, 0x1234_5678, 9)).toBe(0x1234_5678);
  });

  test.prop([
    fc.integer({ min: 0, max: 0xffff_ffff }),
    fc.integer({ min: 0, max: 2 ** 34 }),
    fc.integer({ min: 0, max: 2 ** 52 }),
  ])('takes lengths of more than 32 bits', (crc, one, other) => {
    // Parts of zeros: after `one` of them and then `other` it must be as after both.
    const inTwo = combineCrc32c(combineCrc32c(crc, 0, one), 0, other);
    expect(combineCrc32c(crc, 0, one + other)).toBe(inTwo);
  });
});
