/**
 * FNV-1a, 64 bits: the checksum of bolt's meta pages. Only ever run over 56 bytes, so BigInt is fast enough.
 */
const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** The FNV-1a hash of `bytes[start, end)`. */
export function fnv1a64(bytes: Uint8Array, start = 0, end: number = bytes.length): bigint {
  let hash = OFFSET_BASIS;
  for (let i = start; i < end; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(bytes[i]!)) * PRIME);
  return hash;
}
