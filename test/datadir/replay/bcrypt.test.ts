/**
 * bcrypt against hashes that other programs have published, and against those that real servers have stored.
 */
import { describe, expect, it } from 'vitest';
import { bcryptHash, bcryptMatches } from '../../../src/datadir/replay/bcrypt.ts';
import { decodeMessage } from '../../../src/proto/messages.ts';
import { fixtureDb } from '../../support/replay-auth.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Of the test suites of jBCrypt, crypt_blowfish and Go's package. */
const PUBLISHED: readonly (readonly [password: string, hash: string])[] = [
  ['a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
  ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
  ['abcdefghijklmnopqrstuvwxyz', '$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC'],
  ['~!@#$%^&*()      ~!@#$%^&*()PNBFRD', '$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO'],
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
  ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
  ['allmine', '$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga'],
];

describe('bcrypt', () => {
  it.each(PUBLISHED)('%j gives the published hash', (password, hash) => {
    expect(bcryptMatches(bytes(password), hash)).toBe(true);
    expect(bcryptMatches(bytes(`${password}x`), hash)).toBe(false);
  });

  it('writes what Go writes: version 2a, two digits of cost, salt and digest', () => {
    const salt = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
    const hash = bcryptHash(bytes('pw'), salt, 4);
    expect(hash).toMatch(/^\$2a\$04\$[./A-Za-z0-9]{53}$/);
    expect(bcryptMatches(bytes('pw'), hash)).toBe(true);
    expect(bcryptMatches(bytes('pw'), hash.replace('$2a$', '$2b$'))).toBe(true);
    expect(bcryptHash(bytes('pw'), salt, 4)).toBe(hash);
    expect(bcryptHash(bytes('pw'), salt.with(0, 1), 4)).not.toBe(hash);
  });

  it('72 bytes of a password count', () => {
    const salt = new Uint8Array(16);
    const long = 'x'.repeat(72);
    expect(bcryptHash(bytes(`${long}y`), salt, 4)).toBe(bcryptHash(bytes(long), salt, 4));
    expect(bcryptHash(bytes(long.slice(1)), salt, 4)).not.toBe(bcryptHash(bytes(long), salt, 4));
  });

  it('a password with a zero byte in it is not one that ends there', () => {
    const salt = new Uint8Array(16);
    expect(bcryptHash(bytes('a\0b'), salt, 4)).not.toBe(bcryptHash(bytes('a'), salt, 4));
  });

  it.each(['', 'allmine', '$2a$10$short', '$2a$99$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga'])(
    'nothing matches %j, which is no hash',
    (stored) => expect(bcryptMatches(bytes('allmine'), stored)).toBe(false),
  );

  it.each(['3.4.23', '3.7.1'])('%s has stored hashes that match', (version) => {
    const passwords: Record<string, string> = { root: 'rootpw', alice: 'alicepw' };
    let found = 0;
    fixtureDb(`${version}/auth/m1`)
      .bucket(['authUsers'])
      ?.forEach((key, value) => {
        const name = Buffer.from(key).toString();
        const { password } = decodeMessage('authpb.User', value as Uint8Array) as { password?: Uint8Array };
        if (password === undefined) return;
        found++;
        expect(bcryptMatches(bytes(passwords[name] as string), Buffer.from(password).toString())).toBe(true);
      });
    expect(found).toBe(2);
  });
});
