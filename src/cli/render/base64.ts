/**
 * Bytes in JSON as Go's programs write them.
 */

/** Base64 with padding. */
export function base64({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}
