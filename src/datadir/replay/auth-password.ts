/**
 * What is to be stored of a password that a request brings: a hash, which servers from 3.5 on have made already, or the
 * password itself, of which etcd stores a hash with a salt of its own.
 *
 * The password is kept no longer than needed, is hashed only if something is written, and is shown nowhere.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { DecodedMessage } from '../../proto/messages.ts';
import { BCRYPT_MAX_PASSWORD, BCRYPT_SALT_LENGTH, bcryptHash } from './bcrypt.ts';

/** A hash, or what will be one. */
export type StoredPassword = { readonly hash: Uint8Array } | PlainPassword;

/** Fills bytes with random numbers. */
export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => void;

const encoder = new TextEncoder();
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A password that is not hashed yet. */
export class PlainPassword {
  /** Cleared as soon as it is hashed. */
  #plain: Uint8Array;
  #hash: Uint8Array | undefined;

  constructor(plain: Uint8Array) {
    this.#plain = plain.slice(0, BCRYPT_MAX_PASSWORD);
  }

  /** The hash, the same each time. Takes about a tenth of a second. */
  hash(random: RandomSource): Uint8Array {
    if (this.#hash === undefined) {
      const salt = new Uint8Array(BCRYPT_SALT_LENGTH);
      random(salt);
      this.#hash = encoder.encode(bcryptHash(this.#plain, salt));
      this.#plain.fill(0);
      this.#plain = new Uint8Array(0);
    }
    return this.#hash;
  }
}

/** The stored form. */
export function hashOf(password: StoredPassword | undefined, random: RandomSource): Uint8Array | undefined {
  return password instanceof PlainPassword ? password.hash(random) : password?.hash;
}

/** Random numbers of the platform. */
export const platformRandom: RandomSource = (bytes) => {
  globalThis.crypto.getRandomValues(bytes);
};

/**
 * The password of a request to add a user or to change a password. Undefined inside: none is stored. Undefined: etcd refuses
 * the request.
 */
export function passwordOf(
  request: DecodedMessage,
  minor: EtcdMinor,
): { readonly password: StoredPassword | undefined } | undefined {
  const { password = '', hashedPassword = '' } = request as { password?: string; hashedPassword?: string };
  // 3.4 knows passwords only, and takes no notice of what is behind the first 72 bytes.
  if (minor === '3.4') return { password: new PlainPassword(encoder.encode(password)) };
  if (password !== '' && hashedPassword === '') {
    const plain = encoder.encode(password);
    return plain.length > BCRYPT_MAX_PASSWORD ? undefined : { password: new PlainPassword(plain) };
  }
  const hash = parseBase64(hashedPassword);
  if (hash === undefined) return undefined;
  return { password: hash.length === 0 ? undefined : { hash } };
}

/** The bytes; undefined where Go's decoder reports an error. It passes over the ends of lines. */
function parseBase64(text: string): Uint8Array | undefined {
  const characters = text.replace(/[\r\n]/g, '');
  if (characters.length % 4 !== 0 || !BASE64.test(characters)) return undefined;
  return Uint8Array.from(atob(characters), (character) => character.charCodeAt(0));
}
