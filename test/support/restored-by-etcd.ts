/**
 * What `snapshot restore` of real etcd tools did: fixtures/restored-by-etcd.json.gz, made by test/interop/record-restores.mjs,
 * which has the cases. What is kept of each is told in fixtures/README.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ETCD_MINORS, type EtcdMinor } from '../../src/etcd-version.ts';
import { FIXTURES, readFixture } from './fixtures.ts';

/** What SOURCE was: a stored db, perhaps changed; an empty db with few buckets; or no file at all. */
export type RestoreSource =
  | {
      /** Path below fixtures/etcd/ without extension, e.g. `3.6.14/busy/snapshot`. */
      readonly fixture: string;
      /** Only so many bytes of it; less than 0: without that many at the end. */
      readonly length?: number;
      /** The lowest bit of the byte at this offset was flipped; less than 0: counted from the end. */
      readonly flipped?: number;
    }
  | { readonly made: string }
  | 'missing'
  | 'directory'
  | 'not given';

/** A file or folder that was there when the tool had ended. */
export interface LeftFile {
  /** From the folder in which it ran; ends with a slash for a folder. */
  readonly path: string;
  /** In octal, four digits; the umask was 022. */
  readonly mode: string;
  /** Not for folders. */
  readonly size?: number;
}

/** A pair of a bucket, key and value in hex. */
export type HexPair = readonly [key: string, value: string];

/** Number of pairs of a bucket, and their checksum as `EntryDigest` counts it. */
export interface BucketDigest {
  readonly keys: number;
  readonly crc: number;
}

interface StoredContents {
  readonly wal: string;
  readonly snap: string;
  readonly ascending: boolean;
  readonly dbSha256: string;
  readonly buckets: Readonly<Record<string, BucketDigest>>;
  readonly changedBuckets: readonly string[];
  readonly pairs: Readonly<Record<string, readonly HexPair[] | undefined>>;
  readonly lastKey?: HexPair;
}

interface StoredCase {
  readonly version: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly source: RestoreSource;
  readonly before: readonly string[];
  readonly exit: number;
  readonly words: string;
  readonly files: readonly LeftFile[];
  readonly contents?: StoredContents;
}

interface Stored {
  readonly cases: readonly StoredCase[];
  /** Empty databases in base64, by name. */
  readonly made: Readonly<Record<string, string>>;
}

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

/** The data directory that a restore made. */
export class RestoredContents {
  readonly #stored: StoredContents;
  readonly walFile: LeftFile;
  readonly snapFile: LeftFile;
  readonly dbFile: LeftFile;

  constructor(stored: StoredContents, files: readonly LeftFile[]) {
    const find = (ending: string): LeftFile => {
      const found = files.find(({ path }) => path.endsWith(ending));
      if (found === undefined) throw new Error(`no file ${ending} was recorded`);
      return found;
    };
    this.#stored = stored;
    this.walFile = find('.wal');
    this.snapFile = find('.snap');
    this.dbFile = find('member/snap/db');
  }

  /** The records of the only segment with their padding; zeros follow, up to the size of `walFile`. */
  get wal(): Uint8Array {
    return fromBase64(this.#stored.wal);
  }

  /** The .snap file. */
  get snap(): Uint8Array {
    return fromBase64(this.#stored.snap);
  }

  /** Whether the members were added to the v2 store of the .snap in ascending order of their ids, as 3.6 and 3.7 do by chance only. */
  get ascending(): boolean {
    return this.#stored.ascending;
  }

  get dbSha256(): string {
    return this.#stored.dbSha256;
  }

  /** Every bucket of the db. */
  get buckets(): Readonly<Record<string, BucketDigest>> {
    return this.#stored.buckets;
  }

  /** Buckets that are new, or whose pairs are others than in the source. */
  get changedBuckets(): readonly string[] {
    return this.#stored.changedBuckets;
  }

  /** The pairs of `members`, `members_removed`, `meta` or `cluster`, in order; undefined if there is no such bucket. */
  pairs(bucket: 'members' | 'members_removed' | 'meta' | 'cluster'): readonly HexPair[] | undefined {
    return this.#stored.pairs[bucket];
  }

  /** The last pair of the bucket `key`, if it has any: the one that a bump of the revision adds. */
  get lastKey(): HexPair | undefined {
    return this.#stored.lastKey;
  }
}

/** One run of the tool of one version. */
export class RestoredCase {
  readonly version: string;
  readonly minor: EtcdMinor;
  readonly name: string;
  /** All arguments, from `snapshot restore` on. The source is SOURCE, the data directory mostly DATA, a log directory of its own WAL. */
  readonly args: readonly string[];
  readonly source: RestoreSource;
  /** Paths that were there before, besides the source; folders, of mode 0755, end with a slash. */
  readonly before: readonly string[];
  readonly exit: number;
  /** Its errors, one a line. None at all when 3.5 does not find a bucket. */
  readonly words: string;
  /** Everything but the source that was there when it had ended. */
  readonly files: readonly LeftFile[];
  /** What it made; undefined if it failed. */
  readonly contents: RestoredContents | undefined;
  readonly #made: Stored['made'];

  constructor(stored: StoredCase, made: Stored['made']) {
    this.version = stored.version;
    this.minor = ETCD_MINORS.find((minor) => stored.version.startsWith(`${minor}.`)) as EtcdMinor;
    this.name = stored.name;
    this.args = stored.args;
    this.source = stored.source;
    this.before = stored.before;
    this.exit = stored.exit;
    this.words = stored.words;
    this.files = stored.files;
    this.contents = stored.contents && new RestoredContents(stored.contents, stored.files);
    this.#made = made;
  }

  /** What was given for a flag, such as `--name`: undefined if it was not given, the empty text for one without a value. */
  flag(name: string): string | undefined {
    const index = this.args.indexOf(name);
    if (index < 0) return undefined;
    const next = this.args[index + 1];
    return next === undefined || next.startsWith('--') ? '' : next;
  }

  /** The bytes of SOURCE, not shared; undefined if there was no such file. */
  sourceBytes(): Uint8Array | undefined {
    const { source } = this;
    if (typeof source === 'string') return undefined;
    if ('made' in source) return fromBase64(this.#made[source.made] as string);
    const bytes = readFixture(`etcd/${source.fixture}`).slice();
    const { length, flipped } = source;
    if (flipped !== undefined) {
      const at = flipped < 0 ? bytes.length + flipped : flipped;
      bytes[at] = (bytes[at] as number) ^ 1;
    }
    return length === undefined ? bytes : bytes.slice(0, length);
  }
}

let listed: readonly RestoredCase[] | undefined;

/** Every case of every version. */
export function restoredCases(): readonly RestoredCase[] {
  listed ??= readAll();
  return listed;
}

function readAll(): readonly RestoredCase[] {
  const { cases, made } = JSON.parse(
    gunzipSync(readFileSync(join(FIXTURES, 'restored-by-etcd.json.gz'))).toString('utf8'),
  ) as Stored;
  return cases.map((stored) => new RestoredCase(stored, made));
}
