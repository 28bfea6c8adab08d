/**
 * What takes the space in a db, added up in the plainest way: all records in memory, names as text. Shares nothing with the library but the
 * reader of bolt files and the parser of messages.
 */
import type { BoltDb } from '../../src/bolt/database.ts';
import { parseKeyValue } from '../../src/proto/mvcc.ts';

/** One record of bucket `key`. */
export interface PlainRecord {
  readonly main: bigint;
  readonly sub: bigint;
  readonly tombstone: boolean;
  /** The user key, a character for each byte. */
  readonly key: string;
  readonly value: string;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly version: bigint;
  readonly lease: bigint;
  /** Bytes of revision and message. */
  readonly bytes: number;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** All records in their order. */
export function plainRecords(db: BoltDb): PlainRecord[] {
  const records: PlainRecord[] = [];
  for (const { key: revision, value } of db.bucket('key')?.entries() ?? []) {
    const view = new DataView(revision.buffer, revision.byteOffset, revision.length);
    const message = parseKeyValue(value as Uint8Array);
    records.push({
      ...message,
      main: view.getBigInt64(0),
      sub: view.getBigInt64(9),
      tombstone: revision.length === 18,
      key: latin1(message.key),
      value: latin1(message.value),
      bytes: revision.length + (value as Uint8Array).length,
    });
  }
  return records;
}

/** The newest record of each key that is there at a revision. */
export function plainLive(records: readonly PlainRecord[], revision: bigint): Map<string, PlainRecord> {
  const live = new Map<string, PlainRecord>();
  for (const record of records) {
    if (record.main > revision || record.main < 1n) continue;
    if (record.tombstone) live.delete(record.key);
    else live.set(record.key, record);
  }
  return live;
}

/** Figures by name. */
export type PlainUsage = Record<string, Record<string, number>>;

/** Adds up records under all names that `namesOf` gives for their key. */
export function plainUsage(records: readonly PlainRecord[], namesOf: (key: string) => readonly string[]): PlainUsage {
  const usage: PlainUsage = {};
  const live = plainLive(records, 2n ** 63n);
  const add = (names: readonly string[], figures: Record<string, number>): void => {
    for (const name of names) {
      usage[name] ??= {
        liveBytes: 0,
        historyBytes: 0,
        tombstoneBytes: 0,
        tombstones: 0,
        records: 0,
        keys: 0,
        deletedKeys: 0,
      };
      for (const [field, value] of Object.entries(figures)) usage[name]![field]! += value;
    }
  };
  for (const record of records) {
    const names = namesOf(record.key);
    if (record.tombstone) add(names, { records: 1, tombstones: 1, tombstoneBytes: record.bytes });
    else if (live.get(record.key) === record) add(names, { records: 1, keys: 1, liveBytes: record.bytes });
    else add(names, { records: 1, historyBytes: record.bytes });
  }
  const deleted = new Set(records.map(({ key }) => key).filter((key) => !live.has(key)));
  for (const key of deleted) add(namesOf(key), { deletedKeys: 1 });
  return usage;
}

/** The names of a key by prefix: that of the top, and one for each slash up to `depth`, but not for one at the start. */
export function prefixNames(key: string, depth: number, prefix = ''): string[] {
  if (!key.startsWith(prefix)) return [];
  const names = [prefix];
  for (let at = prefix.length + 1; at < key.length && names.length <= depth; at++) {
    if (key[at] === '/') names.push(key.slice(0, at + 1));
  }
  return names;
}
