/**
 * A leaf page in the making: the bytes of its keys and values as they will lie in the page, and their lengths.
 */
import type { PageStream } from './bulk-stream.ts';
import { writeLeafElement, writePageHeader } from './encode-page.ts';
import { ELEMENT_SIZE, FLAG_LEAF, PAGE_HEADER_SIZE } from './format.ts';

/** Numbers kept of each element: flags, key length, value length. */
const STRIDE = 3;

export class BulkLeaf {
  count = 0;
  /** Bytes that the page would have: header, elements, keys and values. */
  size: number = PAGE_HEADER_SIZE;
  /** Keys and values. */
  data: Uint8Array<ArrayBuffer> = new Uint8Array(64);
  dataLength = 0;
  /** Where the last key lies in `data`. */
  lastKeyAt = 0;
  #numbers = new Uint32Array(4 * STRIDE);

  /** Whether an element of so many bytes, its own 16 included, can be added, or the page should end here. */
  hasRoom(elementSize: number, threshold: number, maxCount: number): boolean {
    // As bbolt does, a page takes two elements however large they are.
    return this.count < 2 || (this.size + elementSize <= threshold && this.count < maxCount);
  }

  get lastKeyLength(): number {
    return this.#numbers[(this.count - 1) * STRIDE + 1]!;
  }

  get firstKeyLength(): number {
    return this.#numbers[1]!;
  }

  /** Adds an element whose bytes are appended by the caller, with `append`. */
  addElement(flags: number, keyLength: number, valueLength: number): void {
    const at = this.count * STRIDE;
    if (at === this.#numbers.length) this.#numbers = grown(this.#numbers, at + STRIDE);
    const numbers = this.#numbers;
    numbers[at] = flags;
    numbers[at + 1] = keyLength;
    numbers[at + 2] = valueLength;
    this.count++;
    this.size += ELEMENT_SIZE + keyLength + valueLength;
  }

  append(bytes: Uint8Array): void {
    const end = this.dataLength + bytes.length;
    if (end > this.data.length) this.data = grown(this.data, end);
    this.data.set(bytes, this.dataLength);
    this.dataLength = end;
  }

  add(flags: number, key: Uint8Array, value: Uint8Array): void {
    this.addElement(flags, key.length, value.length);
    this.lastKeyAt = this.dataLength;
    this.append(key);
    this.append(value);
  }

  clear(): void {
    this.count = 0;
    this.size = PAGE_HEADER_SIZE;
    this.dataLength = 0;
  }

  /** Writes the page and begins a new one. Returns its number; `data` keeps the old content until something is added. */
  write(stream: PageStream): number {
    const id = stream.next;
    if (this.size <= stream.capacity) {
      const at = stream.begin(FLAG_LEAF, this.count, this.size);
      this.#writeBody(stream.view, stream.bytes, at + PAGE_HEADER_SIZE);
    } else {
      stream.beginLarge(FLAG_LEAF, this.count, this.size);
      stream.append(this.#elements(0));
      stream.append(this.data.subarray(0, this.dataLength));
      stream.endLarge();
    }
    this.clear();
    return id;
  }

  /**
   * Writes the page but for the last element's value, which has not been added to `data`: the caller gives it to the stream
   * and ends the page.
   */
  writeUpToLastValue(stream: PageStream): number {
    const id = stream.next;
    stream.beginLarge(FLAG_LEAF, this.count, this.size);
    stream.append(this.#elements(0));
    stream.append(this.data.subarray(0, this.dataLength));
    this.clear();
    return id;
  }

  /** The page as it lies in the value of an inline bucket: `size` bytes from `at` on. */
  writeInline(bytes: Uint8Array, at: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    writePageHeader(view, at, 0, FLAG_LEAF, this.count, 0);
    this.#writeBody(view, bytes, at + PAGE_HEADER_SIZE);
  }

  #elements(at: number): Uint8Array {
    const bytes = new Uint8Array(this.count * ELEMENT_SIZE);
    this.#writeElements(new DataView(bytes.buffer), at);
    return bytes;
  }

  #writeBody(view: DataView, bytes: Uint8Array, at: number): void {
    const dataAt = this.#writeElements(view, at);
    bytes.set(this.data.subarray(0, this.dataLength), dataAt);
  }

  /** Returns where the data begins. */
  #writeElements(view: DataView, at: number): number {
    const numbers = this.#numbers;
    const count = this.count;
    let position = count * ELEMENT_SIZE;
    for (let i = 0, n = 0, element = at; i < count; i++, n += STRIDE, element += ELEMENT_SIZE) {
      const keyLength = numbers[n + 1]!;
      const valueLength = numbers[n + 2]!;
      writeLeafElement(view, element, numbers[n]!, position, keyLength, valueLength);
      position += keyLength + valueLength - ELEMENT_SIZE;
    }
    return at + count * ELEMENT_SIZE;
  }
}

/** A larger copy, so that adding one by one costs no more than a few copies in all. */
export function grown<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  array: T,
  needed: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  larger.set(array as never);
  return larger;
}
