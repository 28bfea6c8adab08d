/**
 * Bucket `meta`: how far the db has got in the log, what was compacted, and which schema it has.
 */
import type { BoltDb } from '../bolt/database.ts';
import { isDatadirError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { META } from './format.ts';
import { parseVersion } from './go-version.ts';
import { parseRevision } from './revision.ts';

/** The configuration of raft as it was last applied: ids of members. */
export interface StoredConfState {
  readonly voters: readonly bigint[];
  readonly learners: readonly bigint[];
  readonly votersOutgoing: readonly bigint[];
  readonly learnersNext: readonly bigint[];
  readonly autoLeave: boolean;
}

/** Keys of `meta` by the name of the field below. */
export type MetaField = keyof typeof META;

/** What `meta` holds. A value that cannot be read is null, and named in `unreadable`. */
export interface BackendMeta {
  /** Whether the bucket is there. */
  readonly present: boolean;
  /** Index of the last entry of the log that is in the db; null if none is stored. */
  readonly consistentIndex: bigint | null;
  readonly term: bigint | null;
  readonly confState: StoredConfState | null;
  /** The text as it is stored. */
  readonly storageVersion: string | null;
  /** Main revisions; null if none is stored. */
  readonly scheduledCompact: bigint | null;
  readonly finishedCompact: bigint | null;
  /** Fields whose stored bytes are not what they should be, and these bytes. */
  readonly unreadable: ReadonlyMap<MetaField, Uint8Array>;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads `meta`. Never throws for a bad value. */
export function readMeta(db: BoltDb): BackendMeta {
  const bucket = db.bucket('meta');
  const unreadable = new Map<MetaField, Uint8Array>();
  const field = <Value>(name: MetaField, parse: (value: Uint8Array) => Value | undefined): Value | null => {
    const stored = bucket?.get(META[name]);
    if (stored === undefined) return null;
    const value = parse(stored);
    if (value !== undefined) return value;
    unreadable.set(name, stored);
    return null;
  };
  return {
    present: bucket !== undefined,
    consistentIndex: field('consistentIndex', parseUint64),
    term: field('term', parseUint64),
    confState: field('confState', parseConfState),
    storageVersion: field('storageVersion', parseVersionText),
    scheduledCompact: field('scheduledCompact', parseCompact),
    finishedCompact: field('finishedCompact', parseCompact),
    unreadable,
  };
}

function parseUint64(value: Uint8Array): bigint | undefined {
  if (value.length !== 8) return undefined;
  return new DataView(value.buffer, value.byteOffset, 8).getBigUint64(0);
}

/** As 3.6 does: a revision key of 17 bytes (18 would be a tombstone's). */
function parseCompact(value: Uint8Array): bigint | undefined {
  const revision = parseRevision(value);
  return 'problem' in revision || value.length !== 17 ? undefined : revision.main;
}

function parseVersionText(value: Uint8Array): string | undefined {
  const text = decoder.decode(value);
  return parseVersion(text) === undefined ? undefined : text;
}

function parseConfState(value: Uint8Array): StoredConfState | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(value);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return undefined;
  }
  if (!(parsed instanceof Map)) return undefined;
  const lists = ['voters', 'learners', 'voters_outgoing', 'learners_next'].map((name) => idList(parsed.get(name)));
  const autoLeave = parsed.get('auto_leave') ?? false;
  if (lists.some((list) => list === undefined) || typeof autoLeave !== 'boolean') return undefined;
  const [voters, learners, votersOutgoing, learnersNext] = lists as [bigint[], bigint[], bigint[], bigint[]];
  return { voters, learners, votersOutgoing, learnersNext, autoLeave };
}

function idList(value: unknown): readonly bigint[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const ids = value.map((each) => (typeof each === 'bigint' ? each : undefined));
  return ids.every((id) => id !== undefined) ? (ids as bigint[]) : undefined;
}
