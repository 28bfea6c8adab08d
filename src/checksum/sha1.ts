/**
 * SHA-1, from which etcd makes the ids of members and clusters. It is fit for nothing else: texts with the same SHA-1 can be
 * made.
 */

/** Length of a SHA-1 in bytes. */
const LENGTH = 20;
const BLOCK = 64;
/** The length of the message in bits stands at the end of the last block, after a one bit and zeros. */
const LENGTH_FIELD = 8;

/** The SHA-1 of `bytes`, 20 bytes in an array of their own. */
export function sha1(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const words = new Int32Array(80);
  const whole = bytes.length - (bytes.length % BLOCK);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += BLOCK) compress(state, words, view, at);

  const rest = bytes.length - whole;
  const last = new Uint8Array(rest + 1 + LENGTH_FIELD <= BLOCK ? BLOCK : 2 * BLOCK);
  last.set(bytes.subarray(whole));
  last[rest] = 0x80;
  const lastView = new DataView(last.buffer);
  lastView.setBigUint64(last.length - LENGTH_FIELD, BigInt(bytes.length) * 8n);
  for (let at = 0; at < last.length; at += BLOCK) compress(state, words, lastView, at);

  const digest = new Uint8Array(LENGTH);
  const digestView = new DataView(digest.buffer);
  for (const [i, word] of state.entries()) digestView.setInt32(4 * i, word);
  return digest;
}

/** Mixes the block at `start` into the state; `w` is scratch. */
function compress(state: Int32Array, w: Int32Array, view: DataView, start: number): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(start + 4 * t);
  for (let t = 16; t < 80; t++) w[t] = rotate(w[t - 3]! ^ w[t - 8]! ^ w[t - 14]! ^ w[t - 16]!, 1);
  let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
  for (let t = 0; t < 80; t++) {
    const next = (rotate(a, 5) + mixed(t, b, c, d) + e + w[t]!) | 0;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** The function of round t, with its constant: the roots of 2, 3, 5 and 10, times 2^30. */
function mixed(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}
