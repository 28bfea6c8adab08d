// Base64 as Node has it, and everything else refused.
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { base64Length, decodeBase64, encodeBase64 } from '../../src/io/base64.ts';

function encode(bytes: Uint8Array): string {
  const target = new Uint8Array(base64Length(bytes.length) + 3);
  const end = encodeBase64(bytes, target, 3);
  expect(end).toBe(target.length);
  return Buffer.from(target.subarray(3)).toString('latin1');
}

function decode(text: string): ReturnType<typeof decodeBase64> {
  const bytes = Buffer.from(`""${text}"`, 'latin1');
  return decodeBase64(bytes, 2, bytes.length - 1);
}

test.prop([fc.uint8Array({ maxLength: 300 })])('both ways, as Node does it', (bytes) => {
  const text = Buffer.from(bytes).toString('base64');
  expect(encode(bytes)).toBe(text);
  expect(decode(text)).toEqual(bytes);
});

test.prop([fc.uint8Array({ maxLength: 40 }), fc.nat(), fc.nat(255)])(
  'one spelling for each value',
  (bytes, at, byte) => {
    const text = Buffer.from(bytes).toString('base64');
    const index = at % (text.length + 1);
    const changed = text.slice(0, index) + String.fromCharCode(byte) + text.slice(index + 1);
    const decoded = decode(changed);
    if (decoded instanceof Uint8Array) expect(Buffer.from(decoded).toString('base64')).toBe(changed);
  },
);

describe('refused', () => {
  test.each([
    ['A', 'base64 of 1 digits, not a multiple of 4', 3],
    ['=', 'base64 of 1 digits, not a multiple of 4', 3],
    ['AAAAA', 'base64 of 5 digits, not a multiple of 4', 7],
    ['AA=', 'base64 of 3 digits, not a multiple of 4', 5],
    ['====', 'not a digit of base64', 2],
    ['A===', 'not a digit of base64', 3],
    ['AB==', 'base64 whose last digit has bits that belong to no byte', 3],
    ['AAB=', 'base64 whose last digit has bits that belong to no byte', 4],
    ['AA==AAAA', 'not a digit of base64', 4],
    ['AAAA AAA', 'not a digit of base64', 6],
    ['AA-_', 'not a digit of base64', 4],
    ['AAA\u00ff', 'not a digit of base64', 5],
    ['AAAAAA$=', 'not a digit of base64', 8],
    ['AAAAA$==', 'not a digit of base64', 7],
    ['AAA\n', 'not a digit of base64', 5],
  ])('%j', (text, problem, at) => {
    expect(decode(text)).toEqual({ problem, at });
  });
});
