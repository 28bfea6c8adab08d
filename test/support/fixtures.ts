/**
 * The stored fixtures: db files written by real etcd servers and by bbolt, and what the real bbolt command says of each.
 * Walks the fixtures folder, so that adding a file adds a case. What is there is told in fixtures/README.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export const FIXTURES: string = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Verbs of bbolt whose words are recorded for every db file. */
export type RecordedVerb = 'check' | 'info' | 'stats' | 'buckets' | 'pages';

export interface DbFixture {
  /** Path below fixtures/ without extension, e.g. `etcd/3.6.14/busy/m1`, `bolt/mixed-1024`. */
  readonly name: string;
  /** The gzipped file. */
  readonly path: string;
  /** `etcd`: written by a server; `bolt`: by bbolt alone; `surgery`: changed by `bbolt surgery`, not all of it healthy. */
  readonly kind: 'etcd' | 'bolt' | 'surgery';
  /** Version of etcd for kind `etcd`, else of bbolt. */
  readonly version: string;
  /** Folder of what is recorded of this file. */
  readonly recordings: string;
}

export interface Recording {
  /** Standard output, then standard error; as UTF-8 (bucket names may be other bytes: see `bytes`). */
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly exit: number;
}

/** What one command answered. Output of more than 256 KiB is kept as length and hash only. */
export interface RecordedAnswer {
  readonly exit: number;
  readonly stdout?: string;
  /** In place of `stdout` when that is not UTF-8. */
  readonly stdoutBase64?: string;
  readonly stdoutLength?: number;
  readonly stdoutSha256?: string;
  readonly stderr: string;
}

export interface RecordedCommand extends RecordedAnswer {
  /** Verb, options and arguments as given; `FILE` is the db file, `NOFILE` one that is not there. */
  readonly args: readonly string[];
  /** Fields of the answer in which another version differs, by version. */
  readonly differs?: Readonly<Record<string, Partial<RecordedAnswer>>>;
}

export interface BoltContentBucket {
  /** Hex of each bucket name from the top. */
  readonly path: readonly string[];
  readonly sequence: bigint;
  /** Plain keys, sub-buckets not counted. */
  readonly keys: number;
  /** Over all plain keys in order: u32le(key length) key u32le(value length) value. */
  readonly sha256: string;
}

export interface BoltContent {
  readonly kind: string;
  readonly pageSize: number;
  readonly sync: 'stored' | 'none';
  readonly buckets: readonly BoltContentBucket[];
}

/** How a surgery fixture was made, and what is true of it. */
export interface Surgery {
  readonly source: string;
  readonly command: string;
  readonly expected: string;
}

/** Exit code and first lines of `bbolt check` on a damaged db. 2 is a crash; a check that never ends was stopped. */
export interface ObservedCheck {
  readonly exit: number | 'timeout';
  readonly lines: readonly string[];
  /** Number of lines left out. */
  readonly more?: number;
}

const DB = '.db.gz';
const BBOLT_VERSION = '1.4.3';

function* walk(folder: string): Generator<DbFixture> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.name.endsWith(DB)) {
      // Plain bolt files have a folder of their own; of etcd's several lie side by side.
      const recordings = entry.name === `file${DB}` ? folder : path.slice(0, -DB.length);
      const name = relative(FIXTURES, recordings).split(sep).join('/');
      const [top, second = ''] = name.split('/');
      if (top === 'etcd') yield { name, path, kind: 'etcd', version: second, recordings };
      else yield { name, path, kind: top === 'bolt' ? 'bolt' : 'surgery', version: BBOLT_VERSION, recordings };
    }
  }
}

let listed: readonly DbFixture[] | undefined;

/** Every db file below fixtures/, in order of name. */
export function listDbFixtures(): readonly DbFixture[] {
  listed ??= [...walk(FIXTURES)];
  return listed;
}

function dbFixture(name: string): DbFixture {
  const found = listDbFixtures().find((fixture) => fixture.name === name);
  if (!found) throw new Error(`there is no fixture ${name}`);
  return found;
}

const plain = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

/** The file, or the gzipped form of it; undefined if neither is there. */
function readMaybeGzipped(path: string): Uint8Array | undefined {
  if (existsSync(path)) return plain(readFileSync(path));
  if (existsSync(`${path}.gz`)) return plain(gunzipSync(readFileSync(`${path}.gz`)));
  return undefined;
}

/** Unpacked files, last used last. All of them together would take 1.6 GB. */
const unpacked = new Map<string, Uint8Array>();
const UNPACKED_LIMIT = 96 * 1024 * 1024;

/** The unpacked bytes of a db file. They are shared: copy them (`slice`) before changing any. */
export function readFixture(fixture: string | DbFixture): Uint8Array {
  const { name, path } = typeof fixture === 'string' ? dbFixture(fixture) : fixture;
  const bytes = unpacked.get(name) ?? plain(gunzipSync(readFileSync(path)));
  unpacked.delete(name);
  unpacked.set(name, bytes);
  let total = 0;
  for (const held of unpacked.values()) total += held.length;
  for (const [other, held] of unpacked) {
    if (total <= UNPACKED_LIMIT || other === name) break;
    unpacked.delete(other);
    total -= held.length;
  }
  return bytes;
}

/** What `bbolt VERB FILE` (1.4.3) said; undefined if it was not recorded. */
export function recorded(fixture: string | DbFixture, verb: RecordedVerb): Recording | undefined {
  const { recordings } = typeof fixture === 'string' ? dbFixture(fixture) : fixture;
  const bytes = readMaybeGzipped(join(recordings, `bbolt-${verb}.txt`));
  if (!bytes) return undefined;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const last = /\[exit (-?\d+)\]\n$/.exec(all);
  if (!last) throw new Error(`the recording of ${verb} in ${recordings} has no exit code`);
  const words = bytes.subarray(0, last.index);
  return { text: new TextDecoder().decode(words), bytes: words, exit: Number(last[1]) };
}

/** Answers of bbolt 1.5.0 to many commands; undefined if none were recorded for this file. */
export function recordedCommands(fixture: string | DbFixture): readonly RecordedCommand[] | undefined {
  const { recordings } = typeof fixture === 'string' ? dbFixture(fixture) : fixture;
  return readJson(join(recordings, 'bbolt-commands.json')) as readonly RecordedCommand[] | undefined;
}

/** Standard output of a recorded command; undefined if only its hash was kept. */
export function stdoutOf(answer: RecordedAnswer): Uint8Array | undefined {
  if (answer.stdoutBase64 !== undefined) return new Uint8Array(Buffer.from(answer.stdoutBase64, 'base64'));
  return answer.stdout === undefined ? undefined : new TextEncoder().encode(answer.stdout);
}

/** What is in a plain bolt file, as its maker listed it; undefined for files of etcd and of surgery. */
export function contentOf(fixture: string | DbFixture): BoltContent | undefined {
  const { recordings } = typeof fixture === 'string' ? dbFixture(fixture) : fixture;
  type Stored = Omit<BoltContent, 'buckets'> & { buckets: { sequence: number | string }[] };
  const stored = readJson(join(recordings, 'content.json')) as Stored | undefined;
  if (!stored) return undefined;
  const buckets = stored.buckets.map((bucket) => ({ ...bucket, sequence: BigInt(bucket.sequence) }));
  return { ...stored, buckets: buckets as unknown as BoltContentBucket[] };
}

export function surgeryOf(fixture: string | DbFixture): Surgery | undefined {
  const { recordings } = typeof fixture === 'string' ? dbFixture(fixture) : fixture;
  return readJson(join(recordings, 'surgery.json')) as Surgery | undefined;
}

/** What `bbolt check` of 1.3.12, 1.4.3 and 1.5.0 did with a damaged `busy/m1`: [etcd version][recipe][bbolt version]. */
export function observedDamage(): Readonly<Record<string, Record<string, Record<string, ObservedCheck>>>> {
  return readJson(join(FIXTURES, 'damaged-bolt-observed.json')) as Record<
    string,
    Record<string, Record<string, ObservedCheck>>
  >;
}

function readJson(path: string): unknown {
  const bytes = readMaybeGzipped(path);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
