/**
 * The rule for metadata records: all that have data have the same.
 */
import type { EtcdDecoder, Stop } from './decoder.ts';
import { CONFLICTING_METADATA } from './words.ts';

/** Remembers the metadata, and compares the next with it. */
export class MetadataRule {
  /** A copy; undefined if no record had any. */
  bytes: Uint8Array | undefined;

  /** Takes the record that `decoder` stands at; the error if it is another one than before. */
  accept(decoder: EtcdDecoder): Stop | undefined {
    const { hasData, dataStart, dataEnd } = decoder.record;
    const data = hasData ? decoder.bytes.subarray(dataStart, dataEnd) : undefined;
    if (this.bytes !== undefined && !equal(this.bytes, data ?? new Uint8Array())) {
      return decoder.stopAtRecord('error', CONFLICTING_METADATA);
    }
    this.bytes = data?.slice();
    return undefined;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
