/**
 * The history of one key: every record of it that compaction has left, oldest first. One pass, no index.
 */
import type { RunOptions } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { ItemStream } from './item-stream.ts';
import { isKeyRecord, type KeyVersion, keyVersion } from './key-version.ts';
import { PassJob } from './pass-job.ts';
import { RangeBounds } from './range-bounds.ts';
import type { KeyRecord } from './record.ts';

/** What of the history is given. */
export interface HistoryOptions extends RunOptions {
  /** Only so many, the newest ones; they are counted in a pass of their own. 0 or none: all. */
  readonly limit?: number | undefined;
}

/**
 * All versions of `key`, oldest first, deletions included. Below the compacted revision there is at most its last one. Throws `USAGE` for
 * a key of no bytes.
 */
export function readHistory(
  file: BackendFile,
  key: Uint8Array,
  { limit = 0, ...options }: HistoryOptions = {},
): ItemStream<KeyVersion> {
  const bounds = new RangeBounds({ key });
  const isMeant = (record: KeyRecord): boolean =>
    isKeyRecord(record) && bounds.contains(record.bytes, record.userKeyStart, record.userKeyEnd);
  return new ItemStream(
    file,
    () => {
      let left = 0;
      return {
        prepare: () => (limit > 0 ? countJob(file, isMeant, (count) => (left = count - limit)) : undefined),
        begin: (_, give) => ({
          visit: (record) => {
            if (isMeant(record) && --left < 0) give(keyVersion(record));
          },
        }),
      };
    },
    options,
  );
}

function countJob(
  file: BackendFile,
  isMeant: (record: KeyRecord) => boolean,
  tell: (count: number) => void,
): PassJob<void> {
  return new PassJob(file, () => {
    let count = 0;
    return {
      visit: (record) => {
        if (isMeant(record)) count++;
      },
      finish: () => tell(count),
    };
  });
}
