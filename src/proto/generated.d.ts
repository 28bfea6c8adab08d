// Made by scripts/generate-proto.js from proto/*.proto: do not edit.
import type { MessageName } from './schema.ts';

/** protobufjs' reader. */
export declare class Reader {
  private constructor();
  static create(bytes: Uint8Array): Reader;
  /** Where it is, or where it gave up. */
  pos: number;
  discardUnknown: boolean;
}

export interface Codec {
  decode(reader: Reader): object;
  encode(message: object): { finish(): Uint8Array };
}

export declare const codecs: Readonly<Record<MessageName, Codec>>;
