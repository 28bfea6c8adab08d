/**
 * Whose data directory it is, and how far its db has got: what a marker is compared with. Reads a few records and pages only.
 */
import { readRevisions } from '../../backend/revisions.ts';
import { isDatadirError } from '../../errors.ts';
import { parseMetadata } from '../../proto/wal.ts';
import { RECORD_TYPE } from '../../wal/format.ts';
import type { DataDir } from '../data-dir.ts';

/** What could not be read is null. */
export interface Identity {
  readonly clusterId: bigint | null;
  readonly memberId: bigint | null;
  readonly consistentIndex: bigint | null;
  /** The newest revision of the db. */
  readonly revision: bigint | null;
}

/** The metadata stand at the head of a segment, behind a CRC record; a server that was started on an empty one writes none. */
const MAX_RECORDS = 4;
const MAX_SEGMENTS = 4;

/** Reads it; throws nothing for what is missing or damaged. */
export function readIdentity(dir: DataDir): Identity {
  const { clusterId = null, memberId = null } = attempt(() => readOwner(dir)) ?? {};
  const { consistentIndex = null, revision = null } = attempt(() => readDbState(dir)) ?? {};
  return { clusterId, memberId, consistentIndex, revision };
}

function readOwner({ wal }: DataDir): Pick<Identity, 'clusterId' | 'memberId'> | undefined {
  for (const { name } of wal.segments.slice(-MAX_SEGMENTS).reverse()) {
    let read = 0;
    for (const item of wal.records({ fromSegment: name })) {
      if (item.kind === 'damage' || ++read > MAX_RECORDS) break;
      if (item.type !== RECORD_TYPE.metadata || item.data === undefined) continue;
      const { nodeId = 0n, clusterId = 0n } = parseMetadata(item.data);
      return { clusterId, memberId: nodeId };
    }
  }
  return undefined;
}

function readDbState(dir: DataDir): Pick<Identity, 'consistentIndex' | 'revision'> {
  const { consistentIndex } = dir.meta;
  return { consistentIndex, revision: dir.backend.read((db) => readRevisions(db).current) };
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isDatadirError(error)) return undefined;
    throw error;
  }
}
