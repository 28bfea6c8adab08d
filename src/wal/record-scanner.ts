/**
 * Scans the records of one segment at the speed of memory, a batch at a time: frames, record envelopes and the CRC chain
 * are verified before anybody looks at what the records hold.
 *
 * The CRCs of a batch are folded together and compared once (`crc32c-chain.ts`); only when that comparison fails are the
 * records gone through one by one to name the bad one. A batch never holds a record that is not right.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { Crc32cChain } from '../checksum/crc32c-chain.ts';
import { FoldKernel } from '../checksum/sparse-fold.ts';
import type { DatadirError } from '../errors.ts';
import { type ByteSource, readBuffer } from '../io/byte-source.ts';
import { RecordHead } from '../proto/record-head.ts';
import { RECORD_TYPE } from './format.ts';
import { FrameReader, type FrameStatus, WINDOW } from './frame-reader.ts';

/**
 * Why a scan ended: at the end of the file or a zero length field, which is how a segment ends, or at something that is
 * wrong. `unparsable`: the record is no protobuf message; `crc`: its CRC does not fit; `chain`: a crc record does not
 * continue the chain.
 */
export type ScanEnd = Exclude<FrameStatus, 'frame'> | 'unparsable' | 'crc' | 'chain';

/** Records in one batch at most. */
const BATCH = 4096;

/** Memory for scanning, used for one segment after the other. */
export class ScanMemory {
  readonly chain: Crc32cChain;
  /** What segments are read into. */
  readonly window: Uint8Array;

  constructor(windowSize: number = WINDOW) {
    const kernel = FoldKernel.create(2 * windowSize);
    this.chain = new Crc32cChain(kernel);
    this.window = kernel?.allocate(2 * windowSize) ?? readBuffer(2 * windowSize);
  }
}

/** The scan of one segment. After `next()` the fields describe the batch: `count` records, in `bytes`. */
export class RecordScanner {
  count = 0;
  bytes: Uint8Array;
  /** Of each record: where its frame begins in the file, its type, its CRC, and its data in `bytes` (-1: none). */
  readonly offsets: Float64Array = new Float64Array(BATCH);
  readonly types: Float64Array = new Float64Array(BATCH);
  readonly crcs: Uint32Array = new Uint32Array(BATCH);
  readonly dataStarts: Int32Array = new Int32Array(BATCH);
  readonly dataEnds: Int32Array = new Int32Array(BATCH);

  /** Why there are no more batches; undefined while there may be some. */
  ended: ScanEnd | undefined;
  /** Where the scan ended: the end of the last good record. */
  endOffset = 0;
  /** The running CRC after the last good record. */
  crc: number;
  /** The value of the crc record at the head of the segment; undefined if there is none. */
  headCrc: number | undefined;
  /** What the bad record's CRC is, and what it should be, after `crc` and `chain`. */
  storedCrc = 0;
  computedCrc = 0;
  error: DatadirError | undefined;

  readonly #frames: FrameReader;
  readonly #chain: Crc32cChain;
  #first = true;
  #adopts: boolean;
  readonly #record = new RecordHead();

  /**
   * `crc` is the running CRC before the first record: what a segment without a crc record at its head continues. Undefined:
   * it is not known, and the CRC of the first record is believed. `start` is where the first record begins.
   */
  constructor(source: ByteSource, crc: number | undefined, memory: ScanMemory, start = 0) {
    const { window } = memory;
    this.#frames = new FrameReader(source, { start, windowSize: window.length >> 1, buffer: window });
    this.#chain = memory.chain;
    this.bytes = window;
    this.crc = crc ?? 0;
    this.#adopts = crc === undefined;
    this.#chain.start(this.crc);
  }

  get bytesRead(): number {
    return this.#frames.bytesRead;
  }

  /** Goes on to the next batch. False, and `ended` set, when there is none; `ended` may be set with the last batch already. */
  next(): boolean {
    this.count = 0;
    if (this.ended !== undefined) return false;
    const frames = this.#frames;
    const chain = this.#chain;
    const record = this.#record;
    const seed = this.#adopts ? undefined : this.crc;
    let running = this.crc;
    let count = 0;
    // Only the first record of a batch may move the window: the others refer to the bytes in it.
    for (let status: FrameStatus | 'outside' = frames.next(); status !== 'outside'; status = frames.nextInWindow()) {
      if (status !== 'frame') {
        this.#end(status, frames);
        break;
      }
      const { bytes } = frames;
      if (!record.parse(bytes, frames.start, frames.end)) {
        this.#end('unparsable', frames);
        break;
      }
      const { type, crc, dataStart, dataEnd } = record;
      if (type === RECORD_TYPE.crc) {
        if (this.#first) {
          this.headCrc = crc;
          running = crc;
          chain.start(crc);
        } else if (running !== 0 && crc !== running) {
          this.storedCrc = crc;
          this.computedCrc = running;
          this.#end('chain', frames);
          break;
        } else if (crc !== running) {
          // Anything may follow a running value of 0. What was before has to be right by itself.
          if (count > 0) {
            frames.seek(frames.offset);
            break;
          }
          running = crc;
          chain.start(crc);
        }
      } else if (this.#adopts) {
        running = crc;
        chain.start(crc);
      } else {
        if (dataStart >= 0) chain.feed(bytes, dataStart, dataEnd);
        chain.expect(crc);
        running = crc;
      }
      this.#first = false;
      this.#adopts = false;
      this.bytes = bytes;
      this.offsets[count] = frames.offset;
      this.types[count] = type;
      this.crcs[count] = crc;
      this.dataStarts[count] = dataStart;
      this.dataEnds[count] = dataEnd;
      count++;
      if (count === BATCH) break;
    }
    this.count = count;
    if (chain.settle()) {
      this.crc = running;
      if (this.ended === undefined) this.endOffset = frames.position;
    } else this.#findBad(seed, running, frames);
    return this.count > 0;
  }

  #end(status: ScanEnd, frames: FrameReader): void {
    this.ended = status;
    this.endOffset = frames.offset;
    this.error = frames.error;
  }

  /** Some record of the batch is wrong: ends the batch before the first that is. */
  #findBad(seed: number | undefined, last: number, frames: FrameReader): void {
    const { bytes, types, crcs, dataStarts, dataEnds } = this;
    let running = seed ?? 0;
    for (let i = 0; i < this.count; i++) {
      const stored = crcs[i]!;
      if (types[i] === RECORD_TYPE.crc || (i === 0 && seed === undefined)) running = stored;
      else {
        const start = dataStarts[i]!;
        const computed = start < 0 ? running : crc32c(bytes, start, dataEnds[i]!, running);
        if (computed !== stored) {
          this.storedCrc = stored;
          this.computedCrc = computed;
          this.ended = 'crc';
          this.endOffset = this.offsets[i]!;
          this.error = undefined;
          this.count = i;
          this.crc = running;
          return;
        }
        running = stored;
      }
    }
    // The single values are what counts.
    this.crc = last;
    this.#chain.start(last);
    if (this.ended === undefined) this.endOffset = frames.position;
  }
}
