/**
 * All keys with their values, in the order in which they were last changed: the live ones at a revision, or every version that is left.
 */
import type { RunOptions } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { Uint32Column } from './column.ts';
import { type ItemSource, ItemStream } from './item-stream.ts';
import { KeyIndex } from './key-index.ts';
import { hasPrefix } from './key-path.ts';
import { isKeyRecord, type KeyVersion, keyVersion } from './key-version.ts';
import { PassJob } from './pass-job.ts';
import type { KeyRecord } from './record.ts';
import { RecordMarks } from './record-marks.ts';
import { readableRevision, readRevisions } from './revisions.ts';

/** What is given. */
export interface ExportOptions extends RunOptions {
  /** Keys that begin with this only. */
  readonly prefix?: Uint8Array | undefined;
  /** The revision to read at; 0, less or none: the current one. */
  readonly revision?: bigint | undefined;
  /**
   * Every version up to the revision, deletions included, in one pass without an index. The revision may then be any: below the compacted
   * one there is what compaction has left. Default: the live keys.
   */
  readonly allRevisions?: boolean | undefined;
}

const NOTHING = new Uint8Array(0);

/**
 * The versions, in the order of revisions. Live keys take two passes, the first of them with an index: the bytes of the keys and at most 24 bytes a
 * key, which are free again when the first key is given; then a bit for each record. Throws `REVISION_COMPACTED` or `REVISION_FUTURE`, in
 * etcd's words, when it is iterated.
 */
export function exportRecords(file: BackendFile, options: ExportOptions = {}): ItemStream<KeyVersion> {
  return exportRecordsAs(file, keyVersion, options);
}

/** The same, with an item of another kind made of each record, which is valid during the call only: nothing is copied that it does not need. */
export function exportRecordsAs<Item>(
  file: BackendFile,
  make: (record: KeyRecord) => Item,
  options: ExportOptions = {},
): ItemStream<Item> {
  const { prefix = NOTHING, revision, allRevisions = false, ...run } = options;
  const isMeant = (record: KeyRecord): boolean =>
    isKeyRecord(record) && hasPrefix(record.bytes, record.userKeyStart, record.userKeyEnd, prefix);
  return new ItemStream(
    file,
    () => (allRevisions ? everyVersion(isMeant, make, revision) : liveVersions(file, isMeant, make, revision)),
    run,
  );
}

function everyVersion<Item>(
  isMeant: (record: KeyRecord) => boolean,
  make: (record: KeyRecord) => Item,
  revision: bigint | undefined,
): ItemSource<Item> {
  return {
    begin: (_, give) => ({
      range: { to: revision === undefined || revision <= 0n ? undefined : revision },
      visit: (record) => {
        if (isMeant(record)) give(make(record));
      },
    }),
  };
}

function liveVersions<Item>(
  file: BackendFile,
  isMeant: (record: KeyRecord) => boolean,
  make: (record: KeyRecord) => Item,
  revision: bigint | undefined,
): ItemSource<Item> {
  let live = new RecordMarks();
  let to = 0n;
  return {
    prepare: () =>
      new PassJob(file, (db) => {
        to = readableRevision(readRevisions(db), revision);
        const index = new KeyIndex({ maxKeyBytes: db.size });
        // The number of the newest record of each key; 0 if that is a tombstone.
        const newest = new Uint32Column();
        const marks = new RecordMarks();
        let number = 0;
        return {
          range: { to },
          visit: (record) => {
            number++;
            if (!isMeant(record)) return;
            const { bytes, userKeyStart, userKeyEnd, tombstone } = record;
            const id = tombstone
              ? index.find(bytes, userKeyStart, userKeyEnd)
              : index.add(bytes, userKeyStart, userKeyEnd);
            if (id < 0) return;
            const before = newest.get(id);
            if (before > 0) marks.clear(before);
            newest.set(id, tombstone ? 0 : number);
            if (!tombstone) marks.set(number);
          },
          finish: () => {
            live = marks;
          },
        };
      }),
    begin: (_, give) => {
      let number = 0;
      return {
        range: { to },
        visit: (record) => {
          if (live.has(++number)) give(make(record));
        },
      };
    },
  };
}
