/**
 * The outer message of a `.snap` file: a checksum and the bytes of a raft snapshot (`raft.ts`).
 */
import { finishWith, varintField, zeroOf } from './message-parts.ts';
import type { ProtoStyle } from './style.ts';
import { WireReader, WireWriter } from './wire.ts';

/** `data` is a view of the input. */
export interface SnapEnvelope {
  readonly crc?: number | undefined;
  readonly data?: Uint8Array | undefined;
  readonly unknown?: Uint8Array | undefined;
}

export function parseSnapEnvelope(bytes: Uint8Array, start = 0, end: number = bytes.length): SnapEnvelope {
  const reader = new WireReader(bytes, start, end);
  let crc: number | undefined;
  let data: Uint8Array | undefined;
  while (!reader.done) {
    const tag = reader.tag();
    if (tag === 0x08) crc = reader.uint32();
    else if (tag === 0x12) data = reader.bytes();
    else if (tag >>> 3 <= 2) reader.wrongType(tag);
    else reader.skip(tag);
  }
  return { crc, data, unknown: reader.unknown() };
}

export function encodeSnapEnvelope(envelope: SnapEnvelope, style: ProtoStyle): Uint8Array {
  const writer = new WireWriter();
  varintField(writer, 1, envelope.crc ?? zeroOf(style));
  if (envelope.data !== undefined) writer.bytes(2, envelope.data);
  return finishWith(writer, envelope.unknown);
}
