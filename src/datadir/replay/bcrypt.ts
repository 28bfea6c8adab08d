/**
 * bcrypt, the hash that etcd stores of a password: a key schedule of Blowfish that is made slow on purpose.
 *
 * The tables that Blowfish begins with are the binary digits of pi. They are computed when the first password is hashed, which
 * takes some 20 ms; to carry them along would take 4 KB of code.
 */

/** The cost that etcd takes by default: the key schedule runs 2^10 times. */
const COST = 10;
export const BCRYPT_SALT_LENGTH = 16;
/** Blowfish takes so many bytes of a key; what is behind them makes no difference. */
export const BCRYPT_MAX_PASSWORD = 72;

const SUBKEYS = 18;
const BOXES = 4 * 256;
const DIGEST_BLOCKS = 3;
const DIGEST_ROUNDS = 64;
/** The last byte of the 24 is not written. */
const DIGEST_LENGTH = 23;
const MAGIC = 'OrpheanBeholderScryDoubt';
const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STORED = /^\$2[abxy]?\$(\d\d)\$([./A-Za-z0-9]{22})[./A-Za-z0-9]{31}$/;
const MAX_COST = 31;

/** The stored form of a password: `$2a$10$`, the salt and the digest, 60 characters in all. */
export function bcryptHash(password: Uint8Array, salt: Uint8Array, cost: number = COST): string {
  const digest = new EksBlowfish(password, salt, cost).digest();
  return `$2a$${cost.toString().padStart(2, '0')}$${encode64(salt)}${encode64(digest)}`;
}

/** Whether `stored` is a hash of this password. False for what is no hash. */
export function bcryptMatches(password: Uint8Array, stored: string): boolean {
  const found = STORED.exec(stored);
  const cost = Number(found?.[1]);
  if (found === null || cost > MAX_COST) return false;
  const hash = bcryptHash(password, decode64(found[2] as string, BCRYPT_SALT_LENGTH), cost);
  return hash.slice(-53) === stored.slice(-53);
}

class EksBlowfish {
  readonly #p: Int32Array;
  readonly #s: Int32Array;
  #left = 0;
  #right = 0;

  constructor(password: Uint8Array, salt: Uint8Array, cost: number) {
    const digits = digitsOfPi();
    this.#p = digits.slice(0, SUBKEYS);
    this.#s = digits.slice(SUBKEYS);
    // The zero byte that ends the text in C belongs to the key.
    const terminated = new Uint8Array(password.length + 1);
    terminated.set(password);
    const key = cyclicWords(terminated);
    const saltKey = cyclicWords(salt);
    this.#expand(key, saltKey);
    const none = new Int32Array(SUBKEYS);
    for (let rounds = 2 ** cost; rounds > 0; rounds--) {
      this.#expand(key, none);
      this.#expand(saltKey, none);
    }
  }

  digest(): Uint8Array {
    const view = new DataView(new ArrayBuffer(8 * DIGEST_BLOCKS));
    for (let i = 0; i < MAGIC.length; i++) view.setUint8(i, MAGIC.charCodeAt(i));
    for (let at = 0; at < view.byteLength; at += 8) {
      this.#left = view.getInt32(at);
      this.#right = view.getInt32(at + 4);
      for (let round = 0; round < DIGEST_ROUNDS; round++) this.#encipher();
      view.setInt32(at, this.#left);
      view.setInt32(at + 4, this.#right);
    }
    return new Uint8Array(view.buffer, 0, DIGEST_LENGTH);
  }

  /** Mixes a key into the tables, and two words of the salt into each block that they are filled with. */
  #expand(key: Int32Array, salt: Int32Array): void {
    const p = this.#p;
    const s = this.#s;
    for (let i = 0; i < SUBKEYS; i++) p[i]! ^= key[i]!;
    this.#left = 0;
    this.#right = 0;
    let at = 0;
    for (let i = 0; i < SUBKEYS; i += 2, at ^= 2) {
      this.#left ^= salt[at]!;
      this.#right ^= salt[at + 1]!;
      this.#encipher();
      p[i] = this.#left;
      p[i + 1] = this.#right;
    }
    for (let i = 0; i < BOXES; i += 2, at ^= 2) {
      this.#left ^= salt[at]!;
      this.#right ^= salt[at + 1]!;
      this.#encipher();
      s[i] = this.#left;
      s[i + 1] = this.#right;
    }
  }

  #encipher(): void {
    const p = this.#p;
    const s = this.#s;
    let left = this.#left;
    let right = this.#right;
    for (let i = 0; i < SUBKEYS - 2; i += 2) {
      left ^= p[i]!;
      right ^=
        (((s[left >>> 24]! + s[256 + ((left >>> 16) & 0xff)]!) ^ s[512 + ((left >>> 8) & 0xff)]!) +
          s[768 + (left & 0xff)]!) ^
        p[i + 1]!;
      left ^=
        (((s[right >>> 24]! + s[256 + ((right >>> 16) & 0xff)]!) ^ s[512 + ((right >>> 8) & 0xff)]!) +
          s[768 + (right & 0xff)]!) |
        0;
    }
    this.#left = right ^ p[SUBKEYS - 1]!;
    this.#right = left ^ p[SUBKEYS - 2]!;
  }
}

/** A key as the words that are mixed into the subkeys: its bytes, again and again. */
function cyclicWords(bytes: Uint8Array): Int32Array {
  const words = new Int32Array(SUBKEYS);
  for (let i = 0; i < 4 * SUBKEYS; i++) {
    const at = i >> 2;
    words[at] = (words[at]! << 8) | bytes[i % bytes.length]!;
  }
  return words;
}

let digits: Int32Array | undefined;

/** The first 1042 words of the fraction of pi. */
function digitsOfPi(): Int32Array {
  digits ??= computeDigitsOfPi();
  return digits;
}

function computeDigitsOfPi(): Int32Array {
  const length = SUBKEYS + BOXES;
  const bits = BigInt(32 * length);
  // The sum of thousands of terms, each rounded down, is wrong in the last few bits.
  const spare = 64n;
  const one = 1n << (bits + spare);
  const pi = 16n * inverseArctangent(5n, one) - 4n * inverseArctangent(239n, one);
  const hex = ((pi - 3n * one) >> spare).toString(16).padStart(8 * length, '0');
  return Int32Array.from({ length }, (_, i) => Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16));
}

/** arctan(1/x) in units of 1/one. */
function inverseArctangent(x: bigint, one: bigint): bigint {
  const square = x * x;
  let power = one / x;
  let sum = 0n;
  for (let n = 1n; power > 0n; n += 4n) {
    sum += power / n;
    power /= square;
    sum -= power / (n + 2n);
    power /= square;
  }
  return sum;
}

function encode64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const characters = Math.min(4, bytes.length - i + 1);
    for (let n = 0; n < characters; n++) text += ALPHABET[(group >> (18 - 6 * n)) & 63];
  }
  return text;
}

/** The bytes that characters of the alphabet stand for. */
function decode64(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of text) {
    held = ((held << 6) | ALPHABET.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits < 8 || at === length) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  return bytes;
}
