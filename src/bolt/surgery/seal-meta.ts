/**
 * The checksum of a meta page that was changed in place.
 */
import { fnv1a64 } from '../../checksum/fnv1a64.ts';
import { META_CHECKSUM_AT, META_MAGIC_AT } from '../format.ts';

/** Puts the right checksum into the first 80 bytes of a meta page. */
export function sealMeta(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setBigUint64(META_CHECKSUM_AT, fnv1a64(bytes, META_MAGIC_AT, META_CHECKSUM_AT), true);
}
