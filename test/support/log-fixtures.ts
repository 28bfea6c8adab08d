/**
 * The stored logs: the WAL and snap files of members of real etcd servers, and what the real `etcd-dump-logs` prints of
 * them. Walks fixtures/logs, so that adding a member adds a case. What is there is told in fixtures/README.md.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SegmentInput } from '../../src/wal/segment-input.ts';
import { FIXTURES } from './fixtures.ts';
import { readTar } from './tar.ts';
import { zeroTailedSource } from './zero-tailed-source.ts';

const LOGS = join(FIXTURES, 'logs');

/** A file of `member/wal` or `member/snap`. */
export interface LogFile {
  readonly name: string;
  /** Length of the file. */
  readonly size: number;
  readonly mode: number;
  /**
   * The bytes up to the last that is not zero; zeros follow up to `size`. Unpacked when asked for, and shared: copy them
   * (`slice`) before changing any.
   */
  readonly bytes: Uint8Array;
}

/** The log of one member. */
export interface LogFixture {
  /** `VERSION/SCENARIO/MEMBER`, e.g. `3.6.14/busy/m1`. */
  readonly name: string;
  /** Version of the etcd server that wrote it. */
  readonly version: string;
  readonly scenario: string;
  readonly member: string;
  /** Files of `member/wal` in order of name: segments, and `0.tmp` after a crash. */
  readonly walFiles: readonly LogFile[];
  /** Files of `member/snap` in order of name, without the db. */
  readonly snapFiles: readonly LogFile[];
  /** `consistent_index` of the member's db, as `etcd-dump-db` printed it; undefined if it has none. */
  readonly consistentIndex: bigint | undefined;
  /** What `etcd-dump-logs` printed, lines cut at 600 bytes; its exit code was 0. */
  dumpLogs(): string;
  /** The same for `etcd-dump-logs -raw`. */
  dumpLogsRaw(): string;
}

/** Unpacked archives, last used last. Those of `segments` have 150 MB each. */
const unpacked = new Map<string, Map<string, Uint8Array>>();
const UNPACKED_LIMIT = 200 * 1024 * 1024;

function archive(path: string): Map<string, Uint8Array> {
  const files = unpacked.get(path) ?? readTar(new Uint8Array(gunzipSync(readFileSync(path)).buffer));
  unpacked.delete(path);
  unpacked.set(path, files);
  const sizeOf = (held: Map<string, Uint8Array>): number =>
    [...held.values()].reduce((sum, { length }) => sum + length, 0);
  let total = [...unpacked.values()].reduce((sum, held) => sum + sizeOf(held), 0);
  for (const [other, held] of unpacked) {
    if (total <= UNPACKED_LIMIT || other === path) break;
    unpacked.delete(other);
    total -= sizeOf(held);
  }
  return files;
}

function archived(path: string, file: string): Uint8Array {
  const bytes = archive(path).get(file);
  if (!bytes) throw new Error(`${path} has no ${file}`);
  return bytes;
}

interface Manifest {
  readonly consistentIndex?: string;
  readonly files: readonly { readonly path: string; readonly size: number; readonly mode: string }[];
}

/** The log of a member in another folder than fixtures/logs, in the same form. */
export function storedLog(folder: string, version: string, scenario: string, member: string): LogFixture {
  const path = join(folder, version, scenario, member);
  const { consistentIndex, files } = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Manifest;
  const inFolder = (part: string): LogFile[] =>
    files
      .filter((file) => file.path.startsWith(part))
      .map(({ path: file, size, mode }) => ({
        name: file.slice(part.length),
        size,
        mode: Number.parseInt(mode, 8),
        get bytes() {
          return archived(`${path}.tar.gz`, file);
        },
      }));
  const dump = (file: string): string => {
    const text = new TextDecoder().decode(archived(`${path}.dumps.tar.gz`, file));
    const words = text.replace(/\[exit 0\]\n$/, '');
    if (words === text) throw new Error(`${file} of ${path} does not end with exit code 0`);
    return words;
  };
  return {
    name: `${version}/${scenario}/${member}`,
    version,
    scenario,
    member,
    walFiles: inFolder('wal/'),
    snapFiles: inFolder('snap/'),
    consistentIndex: consistentIndex === undefined ? undefined : BigInt(consistentIndex),
    dumpLogs: () => dump('dump-logs.txt'),
    dumpLogsRaw: () => dump('dump-logs-raw.txt'),
  };
}

let listed: readonly LogFixture[] | undefined;

/** Every stored log, in order of name. Unpacks nothing. */
export function logFixtures(): readonly LogFixture[] {
  const sorted = (folder: string): string[] => readdirSync(folder).sort();
  listed ??= sorted(LOGS).flatMap((version) =>
    sorted(join(LOGS, version)).flatMap((scenario) =>
      sorted(join(LOGS, version, scenario))
        .filter((file) => file.endsWith('.json'))
        .map((file) => storedLog(LOGS, version, scenario, file.slice(0, -'.json'.length))),
    ),
  );
  return listed;
}

/** The log named `VERSION/SCENARIO/MEMBER`. */
export function logFixture(name: string): LogFixture {
  const found = logFixtures().find((fixture) => fixture.name === name);
  if (!found) throw new Error(`there is no log fixture ${name}`);
  return found;
}

/** The bytes of a file with its zeros at the end. Of a segment these are 64 MB: take `segments` where that does. */
export function wholeFile({ bytes, size }: Pick<LogFile, 'bytes' | 'size'>): Uint8Array {
  if (bytes.length === size) return bytes;
  const whole = new Uint8Array(size);
  whole.set(bytes.subarray(0, size));
  return whole;
}

/** The segments as sources in memory, zeros at their ends not held; other files of `member/wal` are left out. */
export function segments(fixture: Pick<LogFixture, 'walFiles'>): SegmentInput[] {
  return fixture.walFiles
    .filter(({ name }) => name.endsWith('.wal'))
    .map(({ name, bytes, size }) => ({ name, source: zeroTailedSource(bytes, size, name) }));
}

/** Makes `member/wal` and `member/snap` in `directory`, with holes for the zeros at the end. There will be no db. */
export function unpack(fixture: Pick<LogFixture, 'walFiles' | 'snapFiles'>, directory: string): void {
  const folders = { wal: fixture.walFiles, snap: fixture.snapFiles };
  for (const [folder, files] of Object.entries(folders)) {
    const path = join(directory, 'member', folder);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const { name, bytes, size, mode } of files) writeSparse(join(path, name), bytes, size, mode);
  }
}

/** Writes `bytes` and lengthens (or cuts) the file to `size` without writing the zeros. Replaces nothing. */
export function writeSparse(path: string, bytes: Uint8Array, size: number, mode = 0o600): void {
  if (existsSync(path)) throw new Error(`${path} is there already`);
  const file = openSync(path, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    ftruncateSync(file, size);
  } finally {
    closeSync(file);
  }
}

/** What a server and its `etcd-dump-logs` did with a damaged log. */
export interface ObservedLog {
  /** `timeout`: it ran, but never got to serve clients. */
  readonly outcome: 'started' | 'exited' | 'timeout' | 'started, then died';
  readonly exit?: number;
  /** Its fatal, panic and error lines and talk of repairs. */
  readonly words?: readonly string[];
  /** Whether revision, keys and hash are those of the undamaged fixture. */
  readonly sameAsHealthy?: boolean;
  readonly revision?: number;
  readonly keys?: number;
  /** What became of a put: `visible` right after, or how it was refused. */
  readonly put?: string;
  /** Paths that the server itself made or removed. */
  readonly filesAdded?: readonly string[];
  readonly filesRemoved?: readonly string[];
  /** Exit code, last unindented line and number of lines of `etcd-dump-logs`. */
  readonly dumpLogs?: { readonly exit: number; readonly last: string; readonly lines: number };
}

/** What the real programs did with damaged logs (variant 0): [etcd version][recipe]. `none-SCENARIO` is without damage. */
export function observedLogDamage(): Readonly<Record<string, Readonly<Record<string, ObservedLog>>>> {
  const text = readFileSync(join(FIXTURES, 'damaged-log-observed.json'), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, ObservedLog>>;
}
