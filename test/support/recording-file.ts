/**
 * A file that records every write, truncation and sync, and that can be told to fail at one of its next calls.
 */
import { DatadirError } from '../../src/errors.ts';
import type { ByteFile } from '../../src/io/byte-source.ts';
import type { FileEvent } from './faulty.ts';

/**
 * Calls that can fail. `write` and `sync` are about data pages, `metaWrite` and `metaSync` about metas; `growth` is a
 * truncation whose change was made, but not its sync.
 */
export type FailingCall = 'read' | 'truncate' | 'growth' | 'write' | 'sync' | 'metaWrite' | 'metaSync';

/** A failure to come. */
export interface Fault {
  readonly call: FailingCall;
  /** Which of the calls of that kind from now on fails; 0 is the next one. */
  readonly index: number;
  /** How many bytes of a write reach the file all the same; default none. */
  readonly written?: number;
  /** All later calls of that kind fail too, as on a disk that is full. */
  readonly lasting?: boolean;
}

const REASONS: Readonly<Record<FailingCall, string>> = {
  read: 'EIO',
  truncate: 'ENOSPC',
  growth: 'EIO',
  write: 'ENOSPC',
  sync: 'EIO',
  metaWrite: 'EIO',
  metaSync: 'EIO',
};

export class RecordingFile implements ByteFile {
  /** What was done to the file. */
  readonly events: FileEvent[] = [];
  /** Whether the fault that is armed has come to pass. */
  failed = false;
  readonly #file: ByteFile;
  readonly #pageSize: number;
  #metaWritten = false;
  #fault: Fault | undefined;
  #calls = 0;

  constructor(file: ByteFile, pageSize: number) {
    this.#file = file;
    this.#pageSize = pageSize;
  }

  get size(): number {
    return this.#file.size;
  }

  currentSize(): number {
    return this.#file.size;
  }

  /** Has a call fail; undefined: none fails from now on. */
  arm(fault: Fault | undefined): void {
    this.#fault = fault;
    this.#calls = 0;
    this.failed = false;
  }

  #isToFail(call: FailingCall): boolean {
    const fault = this.#fault;
    if (fault?.call !== call) return false;
    const index = this.#calls++;
    if (index !== fault.index && !(fault.lasting === true && index > fault.index)) return false;
    this.failed = true;
    return true;
  }

  readInto(target: Uint8Array, offset: number): number {
    if (this.#isToFail('read')) throw failure('read', `read of ${target.length} bytes at offset ${offset}`);
    return this.#file.readInto(target, offset);
  }

  write(offset: number, bytes: Uint8Array): void {
    const call = offset <= this.#pageSize ? 'metaWrite' : 'write';
    this.#metaWritten = call === 'metaWrite';
    const fails = this.#isToFail(call);
    const written = bytes.slice(0, fails ? (this.#fault?.written ?? 0) : bytes.length);
    if (written.length > 0) {
      this.#file.write(offset, written);
      this.events.push({ kind: 'write', offset, bytes: written });
    }
    if (fails) throw failure(call, `write of ${bytes.length} bytes at offset ${offset}`);
  }

  truncate(size: number): void {
    if (this.#isToFail('truncate')) throw failure('truncate', `truncate to ${size} bytes`);
    this.#file.truncate(size);
    this.events.push({ kind: 'truncate', size });
    if (this.#isToFail('growth')) throw failure('growth', `sync after truncate to ${size} bytes`);
    this.events.push({ kind: 'sync' });
  }

  sync(): void {
    const call = this.#metaWritten ? 'metaSync' : 'sync';
    this.#metaWritten = false;
    if (this.#isToFail(call)) throw failure(call, 'sync');
    this.#file.sync();
    this.events.push({ kind: 'sync' });
  }

  close(): void {
    this.#file.close();
  }
}

function failure(call: FailingCall, what: string): DatadirError {
  return new DatadirError('IO_FAILED', `${what} gave ${REASONS[call]}`, { systemCode: REASONS[call] });
}
