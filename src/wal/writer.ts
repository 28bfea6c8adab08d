/**
 * Writes a write-ahead log: the same calls give the same bytes as the wal package of the etcd version that is asked for.
 * docs/writing-wal.md tells how to use it, when it syncs, and where it differs from etcd.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { DatadirError } from '../errors.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { ByteFile } from '../io/byte-source.ts';
import type { Entry, HardState } from '../proto/raft.ts';
import type { Metadata, WalSnapshot } from '../proto/wal.ts';
import {
  type AppendPoint,
  AppendPointReader,
  type NamedSegment,
  type StartSnapshot,
  selectSegments,
} from './append-point.ts';
import { frameOf } from './encode-frame.ts';
import { type EncodedState, encodeSave, encodeSnapshotRecord, metadataBytes } from './encode-payload.ts';
import { LENGTH_FIELD, RECORD_TYPE, SEGMENT_SIZE } from './format.ts';
import type { LogDirectory } from './log-directory.ts';
import { PageWriter } from './page-writer.ts';
import { parseSegmentName, segmentName } from './segment-name.ts';
import { zeroBehind } from './zero-behind.ts';

/** Options of `createWal`. */
export interface CreateWalOptions {
  /** Whose bytes are written. */
  readonly etcdVersion: EtcdMinor;
  /** At what size a segment is cut, and to what it is preallocated; default 64,000,000, which is etcd's. For tests. */
  readonly segmentSize?: number | undefined;
  /** Leaves out most syncs: quicker, and after a crash of the machine the log may be lost. */
  readonly noSync?: boolean | undefined;
}

/** Options of `openWal`. */
export interface OpenWalOptions extends CreateWalOptions {
  /**
   * The snapshot that a server would start from: only segments that it needs are read. Default: all are. A name that a
   * cut gives depends on the entries that were read, as with etcd.
   */
  readonly from?: StartSnapshot | undefined;
}

/** The file that becomes the next segment, until it is one. */
const NEXT = '0.tmp';

/**
 * Makes a new log in an empty directory (else `TARGET_EXISTS`). The metadata are kept in every segment; etcd expects the
 * ids of the member and its cluster.
 */
export function createWal(
  directory: LogDirectory,
  metadata: Metadata | Uint8Array | undefined,
  options: CreateWalOptions,
): WalWriter {
  const segmentSize = checkedSegmentSize(options);
  const bytes = metadataBytes(metadata, options.etcdVersion);
  if (directory.list().length > 0) {
    const { path } = directory;
    throw new DatadirError(
      'TARGET_EXISTS',
      `${path ?? 'the directory'}: not empty`,
      path === undefined ? {} : { path },
    );
  }
  const name = segmentName(0n, 0n);
  const file = directory.create(name);
  try {
    file.truncate(segmentSize);
    const state = { name, file, offset: 0, crc: 0, metadata: bytes, lastIndex: 0n };
    const writer = new WalWriter(directory, state, { ...options, segmentSize });
    writer.begin();
    return writer;
  } catch (error) {
    file.close();
    attempt(() => directory.remove(name));
    throw error;
  }
}

/**
 * Opens a log for appending: this changes it in place. It is read to its end first, and `WAL_DAMAGED` is thrown when that
 * cannot be reached. Remains of a torn write behind the last record are zeroed, as etcd does it (but saves that had been on
 * the disk, which etcd would zero too, are `WAL_DAMAGED`); otherwise opening writes nothing.
 */
export function openWal(directory: LogDirectory, options: OpenWalOptions): WalWriter {
  const segmentSize = checkedSegmentSize(options);
  const segments = selectSegments(directory.list(), options.from);
  const reader = new AppendPointReader(segments[0] as NamedSegment, options.from);
  for (const { name } of segments.slice(0, -1)) {
    const file = directory.open(name);
    try {
      reader.read(name, file);
    } finally {
      file.close();
    }
  }
  const { name } = segments.at(-1) as NamedSegment;
  const file = directory.open(name);
  try {
    const point = reader.point(reader.read(name, file));
    zeroBehind(name, file, point);
    return new WalWriter(directory, { name, file, ...point }, { ...options, segmentSize });
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Where a writer begins. */
interface WriterState extends AppendPoint {
  readonly name: string;
  readonly file: ByteFile;
}

/**
 * A log that is open for appending. A call that is refused (`USAGE`) changes nothing. After any other failure nobody can
 * tell what is on the disk: everything but `close()` then throws `WAL_OUTCOME_UNKNOWN`, until the log is opened again.
 */
export class WalWriter {
  readonly #directory: LogDirectory;
  readonly #etcdVersion: EtcdMinor;
  readonly #segmentSize: number;
  readonly #noSync: boolean;
  readonly #metadata: Uint8Array | undefined;
  #name: string;
  #file: ByteFile;
  #pages: PageWriter;
  #crc: number;
  #lastIndex: bigint;
  /** The last state saved by this writer, which a cut repeats. */
  #state: EncodedState | undefined;
  #condition: 'open' | 'failed' | 'closed' = 'open';
  #failure: unknown;

  /** Use `createWal` or `openWal`. @internal */
  constructor(directory: LogDirectory, state: WriterState, options: CreateWalOptions & { segmentSize: number }) {
    this.#directory = directory;
    this.#etcdVersion = options.etcdVersion;
    this.#segmentSize = options.segmentSize;
    this.#noSync = options.noSync ?? false;
    this.#metadata = state.metadata;
    this.#name = state.name;
    this.#file = state.file;
    this.#pages = new PageWriter(state.file, state.offset);
    this.#crc = state.crc;
    this.#lastIndex = state.lastIndex;
  }

  /** The name of the segment that is being written. */
  get segment(): string {
    return this.#name;
  }

  /** Where the next record begins in it. */
  get position(): number {
    return this.#pages.position;
  }

  /** The metadata that every segment begins with; undefined if the log has none. Not to be changed. */
  get metadata(): Uint8Array | undefined {
    return this.#metadata;
  }

  /** The index of the last entry that was saved or read, or of a later snapshot saved by this writer. */
  get lastIndex(): bigint {
    return this.#lastIndex;
  }

  /**
   * Appends entries and then the hard state, unless that is absent or all zero. Synced when it returns if there are entries,
   * or if term or vote are not those that this writer saved last; a change of the commit index alone may wait for the next
   * sync. Cuts the segment when it is full.
   */
  save(hardState: HardState | undefined, entries: readonly Entry[] = []): void {
    this.#assertOpen();
    const save = encodeSave(hardState, entries, this.#etcdVersion);
    const { state } = save;
    if (state === undefined && save.entries.length === 0) return;
    const { term, vote } = hardState ?? {};
    const before = this.#state;
    const mustSync =
      save.entries.length > 0 || (term ?? 0n) !== (before?.term ?? 0n) || (vote ?? 0n) !== (before?.vote ?? 0n);
    this.#change(() => {
      for (const { index, data } of save.entries) {
        this.#append(RECORD_TYPE.entry, data);
        this.#lastIndex = index;
      }
      if (state !== undefined) this.#saveState(state);
      if (this.#pages.written >= this.#segmentSize) this.#cut();
      else if (mustSync) this.#sync();
    });
  }

  /**
   * Appends the note that a snapshot was made; synced when it returns. From 3.5 on it has to have the members (`confState`)
   * unless its index is 0; 3.4 does not write them.
   */
  saveSnapshot(snapshot: WalSnapshot): void {
    this.#assertOpen();
    const data = encodeSnapshotRecord(snapshot, this.#etcdVersion);
    const { index = 0n } = snapshot;
    this.#change(() => {
      this.#append(RECORD_TYPE.snapshot, data);
      if (index > this.#lastIndex) this.#lastIndex = index;
      this.#sync();
    });
  }

  /** Ends the segment and begins the next one; everything is synced when it returns. */
  cut(): void {
    this.#assertOpen();
    this.#change(() => this.#cut());
  }

  /** Returns when everything saved is on stable storage. */
  sync(): void {
    this.#assertOpen();
    this.#change(() => this.#sync());
  }

  /** Syncs and closes. The last segment keeps the size that it was preallocated to. Does nothing when called again. */
  close(): void {
    if (this.#condition === 'closed') return;
    try {
      if (this.#condition === 'open') this.#change(() => this.#sync());
    } finally {
      this.#condition = 'closed';
      this.#file.close();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Writes the head of a new log. @internal */
  begin(): void {
    this.#change(() => {
      this.#saveCrc();
      this.#append(RECORD_TYPE.metadata, this.#metadata);
      this.#append(RECORD_TYPE.snapshot, encodeSnapshotRecord({ index: 0n, term: 0n }, this.#etcdVersion));
      this.#sync();
      if (!this.#noSync) this.#directory.sync();
    });
  }

  #cut(): void {
    this.#pages.flush();
    // Syncs too: when the next segment is there, this one must be whole.
    this.#file.truncate(this.#pages.written);

    const { sequence } = parseSegmentName(this.#name) as { sequence: bigint };
    const name = segmentName(BigInt.asUintN(64, sequence + 1n), BigInt.asUintN(64, this.#lastIndex + 1n));
    try {
      this.#startSegment();
      this.#saveCrc();
      this.#append(RECORD_TYPE.metadata, this.#metadata);
      if (this.#state !== undefined) this.#saveState(this.#state);
      this.#sync();
      this.#directory.rename(NEXT, name);
    } catch (error) {
      // etcd would use the file again without emptying it.
      attempt(() => this.#directory.remove(NEXT));
      throw error;
    }
    if (!this.#noSync) this.#directory.sync();
    // Opened by its new name, so that messages have it.
    const { written } = this.#pages;
    this.#file.close();
    this.#file = this.#directory.open(name);
    this.#name = name;
    this.#pages = new PageWriter(this.#file, written);
  }

  /** Goes on to the file that will be the next segment. */
  #startSegment(): void {
    // What a crash has left in it must not come to light behind new records.
    const stale = this.#directory.list().includes(NEXT);
    const file = stale ? this.#directory.open(NEXT) : this.#directory.create(NEXT);
    this.#file.close();
    this.#file = file;
    if (stale) file.truncate(0);
    file.truncate(this.#segmentSize);
    this.#pages = new PageWriter(file, 0);
  }

  #saveCrc(): void {
    this.#writeFrame(RECORD_TYPE.crc, undefined);
  }

  #saveState(state: EncodedState): void {
    this.#state = state;
    this.#append(RECORD_TYPE.state, state.data);
  }

  #append(type: number, data: Uint8Array | undefined): void {
    if (data !== undefined) this.#crc = crc32c(data, 0, data.length, this.#crc);
    this.#writeFrame(type, data);
  }

  #writeFrame(type: number, data: Uint8Array | undefined): void {
    const frame = frameOf({ type, crc: this.#crc, data });
    // In two parts, as etcd does: it decides which pages are written when, and so which save cuts the segment.
    this.#pages.write(frame.subarray(0, LENGTH_FIELD));
    this.#pages.write(frame.subarray(LENGTH_FIELD));
  }

  #sync(): void {
    this.#pages.flush();
    if (!this.#noSync) this.#file.sync();
  }

  #assertOpen(): void {
    if (this.#condition === 'closed') throw new DatadirError('WAL_CLOSED', 'the log was closed');
    if (this.#condition === 'failed') throw this.#unknownOutcome();
  }

  #change(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#condition = 'failed';
      this.#failure = error;
      throw error;
    }
  }

  #unknownOutcome(): DatadirError {
    const words = 'an earlier change of the log was not completed: it has to be opened again';
    return new DatadirError('WAL_OUTCOME_UNKNOWN', words, { path: this.#name, cause: this.#failure });
  }
}

function checkedSegmentSize({ segmentSize = SEGMENT_SIZE }: CreateWalOptions): number {
  if (Number.isSafeInteger(segmentSize) && segmentSize >= 0) return segmentSize;
  throw new DatadirError('USAGE', `segmentSize ${segmentSize} is not a number of bytes`);
}

/** Tidies up after a failure; a second one must not hide the first. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing more can be done.
  }
}
