/**
 * The messages of a log as an etcd release parses them: records, and what is in them. A refusal tells the words, and whether
 * it is the error with which a file ends too early.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import { ENTRY, HARD_STATE, METADATA, RECORD, SNAPSHOT } from './message-schema.ts';
import { MessageParser, type ParseFailure } from './parse-message.ts';

/** Index and term of a snapshot. */
export interface SnapshotId {
  readonly index: bigint;
  readonly term: bigint;
}

/** The hard state, absent fields being 0. */
export interface EtcdHardState {
  readonly term: bigint;
  readonly vote: bigint;
  readonly commit: bigint;
}

export const EMPTY_STATE: EtcdHardState = { term: 0n, vote: 0n, commit: 0n };

/** An entry; its data is `bytes[dataStart, dataEnd)` of what was parsed. */
export interface EtcdEntry {
  /** A signed number of 32 bits. */
  readonly type: number;
  readonly term: bigint;
  readonly index: bigint;
  readonly dataStart: number;
  readonly dataEnd: number;
}

/** Records: the fields are those of the last one parsed. */
export class RecordParser {
  /** -1 for a type that does not fit 31 bits, which none does. */
  type = 0;
  /** The type was in the record. */
  hasType = false;
  crc = 0;
  hasData = false;
  /** The data is `bytes[dataStart, dataEnd)`. */
  dataStart = 0;
  dataEnd = 0;
  readonly #parser: MessageParser;

  constructor(minor: EtcdMinor) {
    this.#parser = new MessageParser(minor);
  }

  /** Parses `bytes[start, end)`. Undefined: accepted. */
  parse(bytes: Uint8Array, start: number, end: number): ParseFailure | undefined {
    const parser = this.#parser;
    const failed = parser.parse(bytes, start, end, RECORD);
    if (failed !== undefined) return failed;
    this.type = parser.isSmall(1) ? parser.uint32(1) : -1;
    this.hasType = parser.has(1);
    this.crc = parser.uint32(2);
    this.hasData = parser.has(3);
    this.dataStart = parser.start(3);
    this.dataEnd = parser.end(3);
    return undefined;
  }

  /** The type as it is, for messages. */
  get exactType(): bigint {
    return BigInt.asIntN(64, this.#parser.uint64(1));
  }
}

/** What records hold. Every method gives the value, or why etcd's parser refuses it. */
export class PayloadParser {
  readonly minor: EtcdMinor;
  readonly #parser: MessageParser;

  constructor(minor: EtcdMinor) {
    this.minor = minor;
    this.#parser = new MessageParser(minor);
  }

  entry(bytes: Uint8Array, start: number, end: number): EtcdEntry | ParseFailure {
    const parser = this.#parser;
    return (
      parser.parse(bytes, start, end, ENTRY) ?? {
        type: parser.uint32(1) | 0,
        term: parser.uint64(2),
        index: parser.uint64(3),
        dataStart: parser.start(4),
        dataEnd: parser.end(4),
      }
    );
  }

  /** `before`: what fields have that are absent. */
  state(bytes: Uint8Array, start: number, end: number, before: EtcdHardState): EtcdHardState | ParseFailure {
    const parser = this.#parser;
    return (
      parser.parse(bytes, start, end, HARD_STATE) ?? {
        term: parser.has(1) ? parser.uint64(1) : before.term,
        vote: parser.has(2) ? parser.uint64(2) : before.vote,
        commit: parser.has(3) ? parser.uint64(3) : before.commit,
      }
    );
  }

  snapshot(bytes: Uint8Array, start: number, end: number): SnapshotId | ParseFailure {
    const parser = this.#parser;
    return parser.parse(bytes, start, end, SNAPSHOT) ?? { index: parser.uint64(1), term: parser.uint64(2) };
  }

  /** The id of the member whose log it is. */
  nodeId(bytes: Uint8Array): bigint | ParseFailure {
    return this.#parser.parse(bytes, 0, bytes.length, METADATA) ?? this.#parser.uint64(1);
  }
}

/** Tells a refusal from a value. */
export function isFailure(value: object | bigint): value is ParseFailure {
  return typeof value === 'object' && 'unexpectedEof' in value;
}
