import { describe, expect, test } from 'vitest';
import { fnv1a64 } from '../../src/checksum/fnv1a64.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('fnv1a64', () => {
  // From the test suite that the authors of the hash publish.
  test.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
    ['chongo was here!\n', 0x46810940eff5f915n],
  ])('of %j', (text, expected) => {
    expect(fnv1a64(ascii(text))).toBe(expected);
  });

  test('start and end choose a range', () => {
    expect(fnv1a64(ascii('--foobar-'), 2, 8)).toBe(0x85944171f73967e8n);
  });
});
