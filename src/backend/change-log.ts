/**
 * The changes of all keys, or of those below a prefix, in the order in which they happened.
 */
import type { RunOptions } from '../io/job.ts';
import type { BackendFile } from './backend-file.ts';
import { Float64Column } from './column.ts';
import { ItemStream } from './item-stream.ts';
import { hasPrefix } from './key-path.ts';
import { isKeyRecord } from './key-version.ts';
import { PassJob } from './pass-job.ts';
import type { KeyRecord } from './record.ts';

/** Which changes are given. */
export interface ChangeLogOptions extends RunOptions {
  /** The first and the last revision. Default: all. */
  readonly from?: bigint | undefined;
  readonly to?: bigint | undefined;
  /** Changes of keys that begin with this only. */
  readonly prefix?: Uint8Array | undefined;
  /**
   * All changes of the revisions in which there is one below the prefix. Takes a pass over the records first, and 8 bytes of memory for each such
   * revision.
   */
  readonly wholeRevisions?: boolean | undefined;
}

/** A change of a key. */
export interface Change {
  readonly revision: bigint;
  /** Number of the operation in its transaction. */
  readonly sub: bigint;
  readonly key: Uint8Array;
  readonly type: 'put' | 'delete';
  /** These are 0 for a deletion, as in etcd's events. */
  readonly version: bigint;
  readonly createRevision: bigint;
  readonly lease: bigint;
  /** How many bytes the value has. */
  readonly valueLength: number;
  /** Whether the key begins with the prefix: others are there with `wholeRevisions` only. */
  readonly matches: boolean;
}

const NOTHING = new Uint8Array(0);

/** The changes, in the order of revisions. Up to the compacted revision they are incomplete: of each key at most the last one is left. */
export function readChanges(file: BackendFile, options: ChangeLogOptions = {}): ItemStream<Change> {
  const { from, to, prefix = NOTHING, wholeRevisions = false, ...run } = options;
  const range = { from, to };
  const matches = ({ bytes, userKeyStart, userKeyEnd }: KeyRecord): boolean =>
    hasPrefix(bytes, userKeyStart, userKeyEnd, prefix);
  return new ItemStream(
    file,
    () => {
      let wanted: Revisions | undefined;
      return {
        prepare() {
          if (!wholeRevisions || prefix.length === 0) return undefined;
          return new PassJob(file, () => {
            const found = new Revisions();
            return {
              range,
              visit: (record) => {
                if (isKeyRecord(record) && matches(record)) found.add(record.main);
              },
              finish: () => {
                wanted = found;
              },
            };
          });
        },
        begin: (_, give) => ({
          range,
          visit: (record) => {
            if (!isKeyRecord(record)) return;
            const own = matches(record);
            if (own || wanted?.has(record.main) === true) give(changeOf(record, own));
          },
        }),
      };
    },
    run,
  );
}

/** Revisions that are added, and later asked for, in ascending order. */
class Revisions {
  readonly #list = new Float64Column();
  #length = 0;
  #at = 0;

  add(main: number): void {
    if (this.#length > 0 && this.#list.get(this.#length - 1) === main) return;
    this.#list.set(this.#length++, main);
  }

  has(main: number): boolean {
    while (this.#at < this.#length && this.#list.get(this.#at) < main) this.#at++;
    return this.#at < this.#length && this.#list.get(this.#at) === main;
  }
}

function changeOf(record: KeyRecord, matches: boolean): Change {
  const { version, createRevision, lease } = record.keyValue();
  const { main, sub } = record.revision();
  return {
    revision: main,
    sub,
    key: record.userKey(),
    type: record.tombstone ? 'delete' : 'put',
    version,
    createRevision,
    lease,
    valueLength: record.userValueEnd - record.userValueStart,
    matches,
  };
}
