/**
 * The messages of each release, word for word: those of its `wal` package, and those that a server prints when it gives up.
 *
 * A server's words are a message and, up to 3.4, its arguments in the sentence, later as JSON behind it.
 */
import type { EtcdMinor } from '../../etcd-version.ts';

export const UNEXPECTED_EOF = 'unexpected EOF';
export const CONFLICTING_METADATA = 'wal: conflicting metadata found';
export const FILE_NOT_FOUND = 'wal: file not found';
export const SNAPSHOT_MISMATCH = 'wal: snapshot mismatch';
export const SNAPSHOT_NOT_FOUND = 'wal: snapshot not found';
export const MAX_ENTRY_SIZE = 'wal: max entry size limit exceeded';
export const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';
export const NO_NODE_ID = 'cannot use none as id';

/** Whether `minor` is 3.6 or later, whose errors tell more. */
export function tellsMore(minor: EtcdMinor): boolean {
  return minor !== '3.4' && minor !== '3.5';
}

/** A record larger than the file. `length` is exact: it may be above 2^53. */
export function recordBeyondFile(
  minor: EtcdMinor,
  at: { readonly segment: string; readonly offset: number; readonly size: number },
  frame: { readonly length: bigint; readonly padding: number },
): string {
  const verb = tellsMore(minor) ? 'reading' : 'decoding';
  const limit = at.size - at.offset - frame.padding;
  return (
    `${UNEXPECTED_EOF}: [wal] max entry size limit exceeded when ${verb} ${JSON.stringify(at.segment)}, ` +
    `recBytes: ${frame.length}, ` +
    `fileSize(${at.size}) - offset(${at.offset}) - padBytes(${frame.padding}) = entryLimit(${limit})`
  );
}

const placed = (words: string, segment: string, offset: number): string =>
  `${words}: in file '${segment}' at position: ${offset}`;

/** A record with a wrong checksum that is taken for a torn write. */
export function tornRecord(minor: EtcdMinor, segment: string, offset: number): string {
  return tellsMore(minor) ? placed(UNEXPECTED_EOF, segment, offset) : UNEXPECTED_EOF;
}

/** A record with a wrong checksum. */
export function recordCrcMismatch(
  minor: EtcdMinor,
  sums: { readonly stored: number; readonly computed: number },
  segment: string,
  offset: number,
): string {
  const words = 'walpb: crc mismatch';
  if (!tellsMore(minor)) return words;
  const [stored, computed] = [sums.stored.toString(16), sums.computed.toString(16)];
  return placed(`${words}: expected: ${stored} computed: ${computed}`, segment, offset);
}

/** A crc record that does not continue the chain. */
export function chainCrcMismatch(minor: EtcdMinor): string {
  return tellsMore(minor) ? 'walpb: crc mismatch' : 'wal: crc mismatch';
}

/** A record of a type that is none. 3.7 prints the address of the number where the number should be. */
export function unexpectedBlockType(minor: EtcdMinor, type: bigint, present: boolean): string {
  return `unexpected block type ${minor === '3.7' && present ? '<address>' : type}`;
}

/** An entry whose index leaves a gap. */
export function sliceOutOfRange(
  minor: EtcdMinor,
  snapshot: { readonly index: bigint; readonly term: bigint },
  entry: { readonly index: bigint; readonly term: bigint },
  entries: number,
): string {
  const words = 'wal: slice bounds out of range';
  if (!tellsMore(minor)) return words;
  return (
    `${words}, snapshot[Index: ${snapshot.index}, Term: ${snapshot.term}], ` +
    `current entry[Index: ${entry.index}, Term: ${entry.term}], len(ents): ${entries}`
  );
}

/** There is no segment at all. */
export function noSegments(minor: EtcdMinor): string {
  return tellsMore(minor) ? `readWALNames failed: ${FILE_NOT_FOUND}` : FILE_NOT_FOUND;
}

/** No segment may hold the snapshot. */
export function noSegmentFor(minor: EtcdMinor, index: bigint): string {
  return tellsMore(minor) ? `wal: file not found which matches the snapshot index '${index}'` : FILE_NOT_FOUND;
}

/** A sequence number is left out; `first` is the place of the start segment in the list of segments. */
export function sequenceBroken(minor: EtcdMinor, first: number): string {
  if (!tellsMore(minor)) return FILE_NOT_FOUND;
  return `wal: file sequence numbers (starting from ${first}) do not increase continuously`;
}

/** A file could not be read. */
export function readFailed(segment: string, systemCode: string | undefined): string {
  return `read ${segment}: ${systemCode === 'EIO' || systemCode === undefined ? 'input/output error' : systemCode}`;
}

/** A panic of the parsers that must not fail. */
export function unmarshalPanic(words: string): string {
  return `unmarshal should never fail (${words})`;
}

// What a server prints.

function withError(minor: EtcdMinor, message: string, error: string, old: string): string {
  return minor === '3.4' ? old : `${message} ${JSON.stringify({ error })}`;
}

/** The search for snapshots failed. */
export function bootstrapFailed(minor: EtcdMinor, error: string): string {
  return withError(minor, 'discovery failed', error, error);
}

export function openFailed(minor: EtcdMinor, error: string): string {
  const full = tellsMore(minor) ? `openAtIndex failed: [openAtIndex] selectWALFiles failed: ${error}` : error;
  return withError(minor, 'failed to open WAL', full, `open wal error: ${error}`);
}

export function readNotRepairable(minor: EtcdMinor, error: string): string {
  const old = `read wal error (${error}) and cannot be repaired`;
  return withError(minor, 'failed to read WAL, cannot be repaired', error, old);
}

export function repairFailed(minor: EtcdMinor, error: string): string {
  return withError(minor, 'failed to repair WAL', error, `WAL error (${error}) cannot be repaired`);
}

export function repaired(minor: EtcdMinor, error: string): string {
  return withError(minor, 'repaired WAL', error, `repaired WAL error (${error})`);
}

/** raft's own check of the hard state. */
export function commitOutOfRange(node: bigint, commit: bigint, first: bigint, last: bigint): string {
  return `${node.toString(16)} state.commit ${commit} is out of range [${first}, ${last}]`;
}

/** A request of the v2 API that 3.6 does not take any more. */
export function v2NotAllowed(method: string): string {
  const message = 'detected disallowed v2 WAL for stage --v2-deprecation=write-only';
  return `${message} ${JSON.stringify({ method })}`;
}

/** A request with neither id nor header. */
export function noHeader(minor: EtcdMinor): string {
  if (minor === '3.6') return 'applyEntryNormal, could not find a header';
  return minor === '3.7' ? 'Apply, could not find a header' : NIL_POINTER;
}

/** A request of a kind that the release does not know. Behind the words it prints the request. */
export function notImplemented(minor: EtcdMinor): string {
  return minor === '3.4' ? 'not implemented' : 'not implemented apply';
}

const ENTRY_TYPES = ['EntryNormal', 'EntryConfChange', 'EntryConfChangeV2'];

export function unknownEntryType(minor: EtcdMinor, type: number): string {
  if (minor === '3.4') return 'entry type should be either EntryNormal or EntryConfChange';
  const message = 'unknown entry type; must be either EntryNormal or EntryConfChange';
  return `${message} ${JSON.stringify({ type: ENTRY_TYPES[type] ?? String(type) })}`;
}

export function differentMember(minor: EtcdMinor, node: bigint, context: bigint): string {
  if (minor === '3.4') return 'nodeID should always be equal to member ID';
  const ids = {
    'member-id-from-config-change-entry': node.toString(16),
    'member-id-from-message': context.toString(16),
  };
  return `got different member ID ${JSON.stringify(ids)}`;
}

/** The context of a change of membership is not what it should be; `added`: of a member that is to be added. */
export function unreadableContext(minor: EtcdMinor, added: boolean): string {
  const what = added ? 'confChangeContext' : 'member';
  return minor === '3.4' ? `unmarshal ${what} should never fail` : `failed to unmarshal ${what}`;
}

export function unknownConfChange(minor: EtcdMinor, type: number): string {
  if (minor === '3.4') return 'ConfChange type should be either AddNode, RemoveNode or UpdateNode';
  return `unknown ConfChange type ${JSON.stringify({ type: String(type) })}`;
}
