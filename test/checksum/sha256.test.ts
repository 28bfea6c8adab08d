import { createHash } from 'node:crypto';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createNodeSha256 } from '../../src/checksum/node-sha256.ts';
import { SHA256_LENGTH, Sha256, type Sha256Factory } from '../../src/checksum/sha256.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const ofNode = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function hashOf(create: Sha256Factory, ...pieces: Uint8Array[]): string {
  const hasher = create();
  for (const piece of pieces) hasher.update(piece);
  return hex(hasher.digest());
}

const factories: [string, Sha256Factory][] = [
  ['portable', () => new Sha256()],
  ['node:crypto', createNodeSha256],
];

describe.each(factories)('sha256, %s', (_, create) => {
  // From FIPS 180-2 and NIST's example values.
  test.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('of the standard examples (%#)', (text, expected) => {
    expect(hashOf(create, ascii(text))).toBe(expected);
  });

  test('the digest is an array of its own', () => {
    const hasher = create();
    hasher.update(ascii('abc'));
    const digest = hasher.digest();
    expect(digest).toHaveLength(SHA256_LENGTH);
    expect(digest.buffer.byteLength).toBe(SHA256_LENGTH);
    expect(Object.getPrototypeOf(digest)).toBe(Uint8Array.prototype);
  });

  test('a finished hash cannot go on', () => {
    const hasher = create();
    hasher.digest();
    expect(() => hasher.update(ascii('a'))).toThrow();
    expect(() => hasher.digest()).toThrow();
  });

  test.prop([fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 })])(
    'where the pieces end does not matter',
    (pieces) => {
      expect(hashOf(create, ...pieces)).toBe(ofNode(Buffer.concat(pieces)));
    },
  );
});

test('every length around the block boundaries is padded right', () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i);
    expect(
      hashOf(() => new Sha256(), bytes),
      `length ${length}`,
    ).toBe(ofNode(bytes));
  }
});
