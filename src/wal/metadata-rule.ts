/**
 * Whose log it is: the metadata records, which are the same in all segments.
 */
import { isDatadirError } from '../errors.ts';
import { parseMetadata } from '../proto/wal.ts';
import type { LogRules, RecordPlace } from './log-rules.ts';

/** Member and cluster of a log. */
export interface LogOwner {
  readonly nodeId: bigint;
  readonly clusterId: bigint;
}

/** Follows the metadata records of a log. */
export class MetadataRule {
  owner: LogOwner | undefined;
  /** Where the first record with content was. */
  place: RecordPlace | undefined;
  readonly #rules: LogRules;
  #bytes: Uint8Array | undefined;
  #records = 0;

  constructor(rules: LogRules) {
    this.#rules = rules;
  }

  get records(): number {
    return this.#records;
  }

  /** Takes the data of a metadata record; undefined if it has none. */
  add(data: Uint8Array | undefined, place: RecordPlace): void {
    this.#records++;
    if (data === undefined) {
      this.#rules.report('WAL_METADATA_EMPTY', {}, place, () => 'info');
      return;
    }
    const bytes = this.#bytes;
    if (bytes !== undefined && sameBytes(bytes, data)) return;
    let owner: LogOwner;
    try {
      const { nodeId = 0n, clusterId = 0n } = parseMetadata(data);
      owner = { nodeId, clusterId };
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      this.#rules.report('WAL_METADATA_UNPARSABLE', { reason: error.message }, place, () => 'corrupt');
      return;
    }
    if (bytes === undefined) {
      this.#bytes = data;
      this.owner = owner;
      this.place = place;
      return;
    }
    const args = {
      nodeId: owner.nodeId.toString(16),
      clusterId: owner.clusterId.toString(16),
      otherNodeId: this.owner?.nodeId.toString(16) ?? '',
      otherClusterId: this.owner?.clusterId.toString(16) ?? '',
    };
    this.#rules.report('WAL_METADATA_CONFLICT', args, place, () => 'corrupt');
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
