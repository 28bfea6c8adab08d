/**
 * The id of a member: the beginning of the SHA-1 of its peer URLs and the token of its cluster. Its name is not part of it.
 */
import { sha1 } from '../checksum/sha1.ts';
import { compareBytewise } from './byte-order.ts';

/**
 * The id that etcd gives a member. At bootstrap and restore the token is `--initial-cluster-token` and there is no time;
 * `member add` has an empty token and the time of the call. The URLs are those of `parsePeerUrls`, in any order.
 */
export function memberIdOf(peerUrls: readonly string[], token: string, unixSeconds?: bigint): bigint {
  // Nothing separates the parts.
  const text = [...peerUrls].sort(compareBytewise).join('') + token + (unixSeconds ?? '');
  return new DataView(sha1(new TextEncoder().encode(text)).buffer).getBigUint64(0);
}
