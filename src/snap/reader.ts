/**
 * Reads a `.snap` file: the checksum, the raft snapshot in it, and the v2 store in that.
 */
import { crcText } from '../checksum/crc-text.ts';
import { crc32c } from '../checksum/crc32c.ts';
import { DatadirError, isDatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type ConfState, parseRaftSnapshot, type RaftSnapshot } from '../proto/raft.ts';
import { parseSnapEnvelope } from '../proto/snap.ts';
import { MAX_SNAP_SIZE } from './format.ts';
import type { SnapDataKind } from './summary.ts';
import { type V2Store, type V2StoreOptions, V2StoreReading } from './v2-store.ts';

/** A `.snap` file that etcd can read. All bytes are views of one copy of the file. */
export interface Snap {
  readonly size: number;
  readonly crc: number;
  readonly index: bigint;
  readonly term: bigint;
  readonly confState: ConfState;
  /** The data of the raft snapshot. */
  readonly data: Uint8Array;
  readonly dataKind: SnapDataKind;
  /** There if the data is a v2 store that etcd can read. */
  readonly store?: V2Store;
  /** Why etcd up to 3.6 would not start from this data; the offset counts in the file. */
  readonly dataProblem?: { readonly reason: string; readonly offset?: number };
  /** The raft snapshot with all that is in the file, for an encoding that gives the same bytes. */
  readonly snapshot: RaftSnapshot;
}

/** Why etcd cannot read a `.snap` file; `unreadable` and `too-large` are our own reasons. */
export type SnapProblem =
  | { readonly kind: 'empty'; readonly reason: string }
  | { readonly kind: 'unparsable' | 'raft-unparsable'; readonly reason: string; readonly offset?: number }
  | { readonly kind: 'crc-zero'; readonly computed: number }
  | { readonly kind: 'crc-mismatch'; readonly stored: number; readonly computed: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads a `.snap` file. Throws `SNAP_DAMAGED` when etcd could not read it, and read errors. A v2 store that is not right is
 * not an error: see `dataProblem`.
 */
export function readSnap(input: Input, options: V2StoreOptions = {}): Snap {
  const source = toSource(input);
  const reading = new SnapReading(source, options);
  while (!reading.step());
  const { snap, problem, error } = reading;
  if (snap !== undefined) return snap;
  if (error !== undefined) throw error;
  const { path } = source;
  const offset = problem !== undefined && 'offset' in problem ? problem.offset : undefined;
  throw new DatadirError('SNAP_DAMAGED', `${path === undefined ? '' : `${path}: `}${problemText(problem)}`, {
    ...(path === undefined ? {} : { path }),
    ...(offset === undefined ? {} : { offset }),
  });
}

/** A problem in a few words. */
function problemText(problem: SnapProblem | undefined): string {
  switch (problem?.kind) {
    case 'empty':
      return problem.reason;
    case 'unparsable':
      return `not a snapshot: ${problem.reason}`;
    case 'raft-unparsable':
      return `the raft snapshot in it: ${problem.reason}`;
    case 'crc-zero':
      return `the stored CRC is 0, that of the data ${crcText(problem.computed)}`;
    case 'crc-mismatch':
      return `CRC mismatch: stored ${crcText(problem.stored)}, of the data ${crcText(problem.computed)}`;
    case 'too-large':
      return `larger than ${MAX_SNAP_SIZE} bytes, which are not read into memory`;
    case 'unreadable':
      return `cannot be read: ${problem.reason}`;
    case undefined:
      return 'whole';
  }
}

const PIECE = 1 << 20;

/** The reading of one file in steps. Never throws for what is in the file: `problem` or `snap` is there in the end. */
export class SnapReading {
  readonly #source: ByteSource;
  readonly #options: V2StoreOptions;
  /** Set when the file cannot be used. */
  problem: SnapProblem | undefined;
  /** The read error behind an `unreadable`. */
  error: DatadirError | undefined;
  /** Set when etcd can read the file. */
  snap: Snap | undefined;
  bytesRead = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #crc = 0;
  #data: Uint8Array = this.#bytes;
  #dataAt = 0;
  #hashed = 0;
  #computed = 0;
  #store: V2StoreReading | undefined;
  #next: () => boolean = () => this.#start();

  constructor(source: ByteSource, options: V2StoreOptions = {}) {
    this.#source = source;
    this.#options = options;
  }

  /** Goes on for about a MiB; true when everything is read. */
  step(): boolean {
    return this.#next();
  }

  #start(): boolean {
    const { size } = this.#source;
    if (size === 0) return this.#fail({ kind: 'empty', reason: 'the file is empty' });
    if (size > MAX_SNAP_SIZE) return this.#fail({ kind: 'too-large' });
    this.#bytes = readBuffer(size);
    this.#next = () => this.#read();
    return false;
  }

  #read(): boolean {
    const piece = this.#bytes.subarray(this.bytesRead, this.bytesRead + PIECE);
    try {
      const got = this.#source.readInto(piece, this.bytesRead);
      this.bytesRead += got;
      if (got < piece.length) {
        const message = `ends at ${this.bytesRead}, had ${this.#source.size} bytes when it was opened`;
        throw new DatadirError('FILE_SHRANK', message, { offset: this.bytesRead });
      }
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.error = error;
      return this.#fail({ kind: 'unreadable', reason: error.message });
    }
    if (this.bytesRead === this.#bytes.length) this.#next = () => this.#open();
    return false;
  }

  #open(): boolean {
    const bytes = this.#bytes;
    let crc = 0;
    let data: Uint8Array | undefined;
    try {
      ({ crc = 0, data } = parseSnapEnvelope(bytes));
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return this.#fail({ kind: 'unparsable', ...placed(error, 0) });
    }
    if (data === undefined || data.length === 0) return this.#fail({ kind: 'empty', reason: 'there is no data in it' });
    this.#crc = crc;
    this.#data = data;
    this.#dataAt = data.byteOffset - bytes.byteOffset;
    this.#next = () => this.#hash();
    return false;
  }

  #hash(): boolean {
    const end = Math.min(this.#data.length, this.#hashed + PIECE);
    this.#computed = crc32c(this.#data, this.#hashed, end, this.#computed);
    this.#hashed = end;
    if (end < this.#data.length) return false;
    const computed = this.#computed;
    // etcd takes a stored 0 for a file that was never filled, even where 0 is right.
    if (this.#crc === 0) return this.#fail({ kind: 'crc-zero', computed });
    if (this.#crc !== computed) return this.#fail({ kind: 'crc-mismatch', stored: this.#crc, computed });
    return this.#openRaft();
  }

  #openRaft(): boolean {
    let snapshot: RaftSnapshot;
    try {
      snapshot = parseRaftSnapshot(this.#data);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return this.#fail({ kind: 'raft-unparsable', ...placed(error, this.#dataAt) });
    }
    const { data = new Uint8Array(0), metadata = {} } = snapshot;
    this.snap = {
      size: this.#bytes.length,
      crc: this.#crc,
      index: metadata.index ?? 0n,
      term: metadata.term ?? 0n,
      confState: metadata.confState ?? { voters: [], learners: [], votersOutgoing: [], learnersNext: [] },
      data,
      dataKind: data.length === 0 ? 'empty' : 'other',
      snapshot,
    };
    if (data.length === 0) {
      this.snap = { ...this.snap, dataProblem: { reason: 'there is none' } };
      return true;
    }
    this.#store = new V2StoreReading(data, this.#options);
    this.#next = () => this.#readStore(data);
    return false;
  }

  #readStore(data: Uint8Array): boolean {
    const store = this.#store as V2StoreReading;
    const snap = this.snap as Snap;
    try {
      if (!store.step()) return false;
      this.snap = store.sawRoot
        ? { ...snap, dataKind: 'v2-store', store: store.result }
        : { ...snap, dataProblem: { reason: 'the document has no Root' } };
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      const dataProblem = placed(error, data.byteOffset - this.#bytes.byteOffset);
      this.snap = { ...snap, dataKind: store.sawRoot ? 'v2-store' : 'other', dataProblem };
    }
    return true;
  }

  #fail(problem: SnapProblem): boolean {
    this.problem = problem;
    return true;
  }
}

/** What a parser says of bytes that begin at `base` of the file: the reason without the place, which counts in its own bytes. */
function placed({ message, offset }: DatadirError, base: number): { reason: string; offset?: number } {
  const reason = message.replace(/^v2 store: /, '').replace(/ at byte \d+$/, '');
  return offset === undefined ? { reason } : { reason, offset: base + offset };
}
