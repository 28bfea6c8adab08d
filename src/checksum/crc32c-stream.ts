/**
 * CRC-32C of a stream of any length, fed piece by piece: the same values as `crc32c`, at about the speed of memory for
 * long streams.
 */
import { crc32c } from './crc32c.ts';
import { FoldedStream, type FoldKernel } from './sparse-fold.ts';

/** The CRC-32C of everything that `update` is given. Pieces may be cut anywhere. */
export class Crc32cStream extends FoldedStream {
  /** Of the bytes so far, unless a slot has them. */
  #crc: number;

  /** `seed` is the CRC of the bytes before the first, as with `crc32c`. */
  constructor(seed = 0, kernel?: () => FoldKernel | undefined) {
    super(kernel);
    this.#crc = seed;
  }

  /** The CRC of the bytes so far, unsigned. More may follow; asking often makes a long stream slow. */
  value(): number {
    this.suspend();
    return this.#crc >>> 0;
  }

  // The register is the complement of the CRC.
  override storeRegister(memory: Uint8Array, at: number): void {
    for (let i = 0; i < 4; i++) memory[at + i] = ~this.#crc >>> (8 * i);
  }

  protected override plain(bytes: Uint8Array, start: number, end: number): void {
    this.#crc = crc32c(bytes, start, end, this.#crc);
  }

  protected override clearRegister(): void {
    this.#crc = ~0;
  }
}
