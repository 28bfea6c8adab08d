/**
 * How a CRC of 32 bits is written: eight hexadecimal digits.
 */
export function crcText(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
