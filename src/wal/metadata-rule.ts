/**
 * Whose log it is: the metadata records, which are the same in all segments.
 */
import { isDatadirError } from '../errors.ts';
import { parseMetadata } from '../proto/wal.ts';
import type { LogEnd, LogRules, RecordPlace } from './log-rules.ts';

/** Member and cluster of a log. */
export interface LogOwner {
  readonly nodeId: bigint;
  readonly clusterId: bigint;
}

/** What some of the metadata records say, and where the first of these was. */
interface MetadataContent extends RecordPlace {
  readonly bytes: Uint8Array;
  readonly owner: LogOwner;
  /** Position of the last segment with such a record. */
  lastSegment: number;
}

/** Different contents kept: one is what a log has. */
const MAX_CONTENTS = 16;

/** Follows the metadata records of a log. */
export class MetadataRule {
  readonly #rules: LogRules;
  readonly #contents: MetadataContent[] = [];
  #records = 0;

  constructor(rules: LogRules) {
    this.#rules = rules;
  }

  get records(): number {
    return this.#records;
  }

  /** The first record with content. */
  get first(): MetadataContent | undefined {
    return this.#contents[0];
  }

  /** Whose log it is for those who read it from a segment on, given by position. */
  ownerFrom(segment: number): LogOwner | undefined {
    return (this.#contents.find(({ lastSegment }) => lastSegment >= segment) ?? this.first)?.owner;
  }

  /** Takes the data of a metadata record; undefined if it has none. */
  add(data: Uint8Array | undefined, place: RecordPlace): void {
    this.#records++;
    if (data === undefined) {
      this.#rules.report('WAL_METADATA_EMPTY', {}, place, () => 'info');
      return;
    }
    const contents = this.#contents;
    let content = contents.find(({ bytes }) => sameBytes(bytes, data));
    if (content === undefined) {
      try {
        const { nodeId = 0n, clusterId = 0n } = parseMetadata(data);
        content = { ...place, bytes: data, owner: { nodeId, clusterId }, lastSegment: place.segment };
      } catch (error) {
        if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
        this.#rules.unparsable(place.segment, place.offset, 'WAL_METADATA_UNPARSABLE', { reason: error.message });
        return;
      }
      if (contents.length < MAX_CONTENTS) contents.push(content);
    }
    content.lastSegment = place.segment;
    const [first] = contents;
    if (first === undefined || content === first) return;
    const args = {
      nodeId: content.owner.nodeId.toString(16),
      clusterId: content.owner.clusterId.toString(16),
      otherNodeId: first.owner.nodeId.toString(16),
      otherClusterId: first.owner.clusterId.toString(16),
    };
    // Only those that a start reads are compared with one another.
    const severity = ({ startSegment }: LogEnd): 'corrupt' | 'repairable' =>
      contents.filter(({ lastSegment }) => lastSegment >= startSegment).length > 1 ? 'corrupt' : 'repairable';
    this.#rules.report('WAL_METADATA_CONFLICT', args, place, severity);
  }
}

/** Whether two metadata records say the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
