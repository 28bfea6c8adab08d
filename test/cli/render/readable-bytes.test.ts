import { expect, test } from 'vitest';
import { readableBytes } from '../../../src/cli/render/readable-bytes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['', ''],
  ['/registry/pods/a b', '/registry/pods/a b'],
  ['schön ✓', 'schön ✓'],
  ['two\nlines', '"two\\nlines"'],
  ['a\u001b[31mred', '"a\\x1b[31mred"'],
  ['a "quote"', '"a \\"quote\\""'],
])('%j', (text, shown) => {
  expect(readableBytes(bytes(text))).toBe(shown);
});

test('bytes that are no text', () => {
  expect(readableBytes(new Uint8Array([0x61, 0xff, 0x00]))).toBe('"a\\xff\\x00"');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  // A character is not cut in two.
  ['aüb', 2, 'a…'],
  ['a✓b', 3, 'a…'],
  ['a✓b', 4, 'a✓…'],
  ['😀', 2, '…'],
])('%j, at most %i bytes', (text, limit, shown) => {
  expect(readableBytes(bytes(text), limit)).toBe(shown);
});

test('a limit among bytes that are no text', () => {
  expect(readableBytes(new Uint8Array(20).fill(0x80), 8)).toMatch(/^"(\\x80){4,8}"…$/);
});
