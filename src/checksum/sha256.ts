/**
 * SHA-256, incremental and synchronous, without anything of a platform: WebCrypto's is one-shot and asynchronous.
 *
 * Code that hashes takes a `Sha256Factory`; Node's build hands in the one over `node:crypto` (`node-sha256.ts`), which is
 * several times faster.
 */
import { DatadirError } from '../errors.ts';

/** A hash in the making. */
export interface Hasher {
  /** Adds bytes; they may change afterwards. */
  update(bytes: Uint8Array): void;
  /** The hash of everything added. The hasher is of no more use after this. */
  digest(): Uint8Array<ArrayBuffer>;
}

/** Makes a new SHA-256 hasher. */
export type Sha256Factory = () => Hasher;

/** Length of a SHA-256 in bytes. */
export const SHA256_LENGTH = 32;

const BLOCK_LENGTH = 64;

/** The fractions of the square roots of the first 8 primes. */
const INITIAL_STATE: readonly number[] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** The fractions of the cube roots of the first 64 primes. */
const ROUND: Int32Array = /* @__PURE__ */ Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

/** SHA-256 in plain JavaScript. Runs anywhere. */
export class Sha256 implements Hasher {
  readonly #state: Uint32Array = new Uint32Array(INITIAL_STATE);
  readonly #schedule: Uint32Array = new Uint32Array(64);
  /** The start of a block whose rest is still to come. */
  readonly #pending: Uint8Array = new Uint8Array(BLOCK_LENGTH);
  #length = 0;
  #done = false;

  update(bytes: Uint8Array): void {
    this.#assertNotDone();
    const pendingLength = this.#length % BLOCK_LENGTH;
    this.#length += bytes.length;
    let position = 0;
    if (pendingLength > 0) {
      position = Math.min(bytes.length, BLOCK_LENGTH - pendingLength);
      this.#pending.set(bytes.subarray(0, position), pendingLength);
      if (pendingLength + position < BLOCK_LENGTH) return;
      compress(this.#state, this.#schedule, this.#pending, 0);
    }
    for (; position + BLOCK_LENGTH <= bytes.length; position += BLOCK_LENGTH) {
      compress(this.#state, this.#schedule, bytes, position);
    }
    this.#pending.set(bytes.subarray(position));
  }

  digest(): Uint8Array<ArrayBuffer> {
    this.#assertNotDone();
    // One bit, then zeros up to the last eight bytes of a block, which hold the length in bits.
    const zeros = (2 * BLOCK_LENGTH - 9 - (this.#length % BLOCK_LENGTH)) % BLOCK_LENGTH;
    const padding = new Uint8Array(1 + zeros + 8);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(this.#length) * 8n);
    this.update(padding);
    this.#done = true;
    const digest = new Uint8Array(SHA256_LENGTH);
    const view = new DataView(digest.buffer);
    for (let i = 0; i < 8; i++) view.setUint32(i * 4, this.#state[i]!);
    return digest;
  }

  #assertNotDone(): void {
    if (this.#done) throw new DatadirError('INTERNAL', 'a finished hash was used again');
  }
}

/** Mixes one block into the state; `w` is scratch. */
function compress(state: Uint32Array, w: Uint32Array, bytes: Uint8Array, start: number): void {
  for (let i = 0; i < 16; i++) {
    const at = start + i * 4;
    w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = state[0]! | 0;
  let b = state[1]! | 0;
  let c = state[2]! | 0;
  let d = state[3]! | 0;
  let e = state[4]! | 0;
  let f = state[5]! | 0;
  let g = state[6]! | 0;
  let h = state[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
