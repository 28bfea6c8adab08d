/**
 * Reads all there is in a file by every way of the reader, whatever its bytes: the only thing it may do is to throw one of
 * our errors, and it must come to an end.
 */
import type { Bucket } from '../../../src/bolt/bucket.ts';
import { type BoltDb, openReadable as openBolt } from '../../../src/bolt/database.ts';
import { isDatadirError } from '../../../src/errors.ts';

/** What was read. */
export interface Everything {
  /** Every bucket and key in order, as text: two files of the same structure give the same. */
  readonly structure: string;
  /** The values in the same order. */
  readonly values: string;
  /** Sequences of all buckets. */
  readonly sequences: string;
  /** Rules of a sound tree that do not hold: keys out of order, keys that cannot be found, one way unlike the other. */
  readonly faults: readonly string[];
  /** Errors that ended one of the ways. */
  readonly errors: readonly string[];
}

const latin1 = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

class Reading {
  readonly structure: string[] = [];
  readonly values: string[] = [];
  readonly sequences: string[] = [];
  readonly faults: string[] = [];
  readonly errors: string[] = [];
  readonly #limit: number;
  #steps = 0;

  constructor(size: number) {
    // More elements than bytes cannot be: whoever gives more runs in circles.
    this.#limit = 20 * size + 10_000;
  }

  step(): void {
    if (++this.#steps > this.#limit) throw new Error('reading does not come to an end');
  }

  /** Runs one way of reading; anything but our own errors goes on up. */
  attempt<Result>(name: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!isDatadirError(error) || error.code === 'INTERNAL' || error.code === 'USAGE') throw error;
      this.errors.push(`${name}: ${error.code}`);
      return undefined;
    }
  }

  bucket(bucket: Bucket, path: string, pending: [Bucket, string][]): void {
    const forwards: string[] = [];
    this.sequences.push(`${path} ${bucket.sequence}`);
    this.attempt('forwards', () => {
      const cursor = bucket.cursor();
      for (let element = cursor.first(); element !== undefined; element = cursor.next()) {
        this.step();
        const key = element.key.slice();
        const name = latin1(key);
        if (forwards.length > 0 && !(forwards[forwards.length - 1]! < name))
          this.faults.push(`${path}: keys out of order`);
        forwards.push(name);
        this.structure.push(`${path}/${name}${element.isBucket ? '/' : ''}`);
        if (element.isBucket) this.values.push('');
        else this.values.push(latin1(element.value()));
      }
    });
    this.attempt('backwards', () => {
      const cursor = bucket.cursor();
      let i = forwards.length;
      for (let element = cursor.last(); element !== undefined; element = cursor.prev()) {
        this.step();
        if (latin1(element.key) !== forwards[--i]) this.faults.push(`${path}: another key backwards`);
      }
      if (i > 0) this.faults.push(`${path}: fewer keys backwards`);
    });
    for (const name of forwards) {
      this.step();
      this.attempt('look up', () => {
        const key = new Uint8Array(Buffer.from(name, 'latin1'));
        const inner = bucket.bucket(key);
        if (inner !== undefined) pending.push([inner, `${path}/${name}`]);
        else if (bucket.get(key) === undefined) this.faults.push(`${path}: key ${name} is not found`);
      });
    }
  }

  database(db: BoltDb): void {
    const pending: [Bucket, string][] = [[db.root, '']];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) this.bucket(next[0], next[1], pending);
    this.attempt('stats', () => db.stats());
    this.attempt('inspect', () => db.inspect());
    this.attempt('pages', () => {
      for (const { id, type, overflow } of db.pages()) {
        this.step();
        // A meta page has no overflow pages. The table goes by what it says all the same, as that of bbolt does.
        if (id < 2 && overflow > 0) break;
        // What a free page holds means nothing.
        if (type === 'free') continue;
        this.attempt('page', () => {
          for (const { element } of db.page(id).items()) {
            this.step();
            element.copy();
          }
        });
      }
    });
    this.attempt('free pages', () => {
      for (const _ of db.freelist().ids()) this.step();
    });
  }
}

/** Reads the file; undefined when it cannot even be opened. */
export function readEverything(bytes: Uint8Array): Everything | undefined {
  const reading = new Reading(bytes.length);
  const db = reading.attempt('open', () => openBolt(bytes));
  if (db === undefined) return undefined;
  reading.database(db);
  const { faults, errors } = reading;
  return {
    structure: reading.structure.join('\n'),
    values: reading.values.join('\n'),
    sequences: reading.sequences.join('\n'),
    faults,
    errors,
  };
}
