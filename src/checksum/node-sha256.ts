/**
 * SHA-256 by Node's own OpenSSL, for the Node build to hand in where a `Sha256Factory` is asked for.
 */
import { createHash } from 'node:crypto';
import type { Hasher } from './sha256.ts';

/** A SHA-256 hasher over `node:crypto`; same results as `Sha256`. */
export function createNodeSha256(): Hasher {
  const hash = createHash('sha256');
  return {
    update(bytes: Uint8Array): void {
      hash.update(bytes);
    },
    // A Buffer of this length is a view of Node's shared pool: copy it out.
    digest: (): Uint8Array<ArrayBuffer> => new Uint8Array(hash.digest()),
  };
}
