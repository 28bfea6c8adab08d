/**
 * The CRC of `crc128.ts` of a stream of any length, fed piece by piece, at about the speed of memory for long streams.
 */
import { crc128, type Register128 } from './crc128.ts';
import { FoldedStream, type FoldKernel } from './sparse-fold.ts';

/** The 128-bit CRC of everything that `update` is given. Pieces may be cut anywhere. */
export class Crc128Stream extends FoldedStream implements Register128 {
  // The register after the bytes so far, unless a slot has them.
  a = -1;
  b = -1;
  c = -1;
  d = -1;

  constructor(kernel?: () => FoldKernel | undefined) {
    super(kernel);
  }

  /** The register after the bytes so far. More may follow; asking often makes a long stream slow. */
  value(): Readonly<Register128> {
    this.suspend();
    return this;
  }

  override storeRegister(memory: Uint8Array, at: number): void {
    const words = [this.a, this.b, this.c, this.d];
    for (let i = 0; i < 16; i++) memory[at + i] = words[i >> 2]! >>> (8 * (i & 3));
  }

  protected override plain(bytes: Uint8Array, start: number, end: number): void {
    crc128(this, bytes, start, end);
  }

  protected override clearRegister(): void {
    this.a = this.b = this.c = this.d = 0;
  }
}
