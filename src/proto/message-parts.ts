/**
 * What the hand-written messages share: fields that depend on the style, unknown fields, messages inside messages.
 */
import type { ProtoStyle } from './style.ts';
import { joinRanges, type WireReader, type WireWriter } from './wire.ts';

/** What an absent number is written as: gogo writes a zero, google nothing. */
export function zeroOf(style: ProtoStyle): 0 | undefined {
  return style === 'gogo' ? 0 : undefined;
}

/** Writes a number unless it is absent. */
export function varintField(writer: WireWriter, field: number, value: bigint | number | undefined): void {
  if (value !== undefined) writer.varint(field, value);
}

/** Puts unknown fields at the end, where both of etcd's encoders put them. */
export function finishWith(writer: WireWriter, unknown: Uint8Array | undefined): Uint8Array {
  if (unknown !== undefined) writer.raw(unknown);
  return writer.finish();
}

type Parse<T> = (bytes: Uint8Array, start: number, end: number) => T;

/** Parses the message in the field that `reader` is at. */
export function parseNested<T>(reader: WireReader, parse: Parse<T>): T {
  const end = reader.length();
  const value = parse(reader.source, reader.position, end);
  reader.position = end;
  return value;
}

/**
 * A message in a field that should come once. If it comes again, both are one message: lists are joined, of single fields
 * the later one counts. That is what parsing their bytes one behind the other gives, in time that grows with the bytes only.
 */
export class NestedMessage {
  readonly #ranges: number[] = [];

  /** Takes the field that `reader` is at. */
  add(reader: WireReader): void {
    const end = reader.length();
    this.#ranges.push(reader.position, end);
    reader.position = end;
  }

  /** The message, or undefined if the field never came; `bytes` are those of the reader. */
  parse<T>(bytes: Uint8Array, parse: Parse<T>): T | undefined {
    const ranges = this.#ranges;
    if (ranges.length === 0) return undefined;
    if (ranges.length === 2) return parse(bytes, ranges[0]!, ranges[1]!);
    // Each has to be whole on its own: joined, one could end in the middle of the next.
    for (let i = 0; i < ranges.length; i += 2) parse(bytes, ranges[i]!, ranges[i + 1]!);
    const joined = joinRanges(bytes, ranges);
    return parse(joined, 0, joined.length);
  }
}
