/**
 * The records of a segment one by one, as they lie in the file, if wanted also those behind damage.
 */
import type { DatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { LENGTH_FIELD, RECORD_TYPE } from './format.ts';
import { RecordScanner, type ScanEnd, type ScanMemory } from './record-scanner.ts';
import { BeyondSearch } from './resync.ts';

/** A record as it lies in its file. */
export interface LogRecord {
  readonly kind: 'record';
  readonly segment: string;
  /** Where its frame begins in the segment. */
  readonly offset: number;
  /** Where the frame ends and the next one begins. */
  readonly end: number;
  /** 1 metadata, 2 entry, 3 hard state, 4 crc, 5 snapshot. */
  readonly type: number;
  /** The CRC of all data up to and including this record. */
  readonly crc: number;
  /** A view, valid until the next record is asked for. */
  readonly data: Uint8Array | undefined;
}

/** A place where records cannot be read on. `hole`: zeros, with records behind them. */
export interface LogDamage {
  readonly kind: 'damage';
  readonly segment: string;
  readonly offset: number;
  readonly reason: Exclude<ScanEnd, 'end' | 'zero'> | 'hole';
  /** Why it could not be read, if `reason` says so. */
  readonly error?: DatadirError;
}

/** Where a segment's records are read, and from which running CRC on; undefined if that is not known. */
export interface SegmentToRead {
  readonly name: string;
  readonly source: ByteSource;
  readonly previousCrc: number | undefined;
  /** Go on behind damage, with the next records that continue one another. */
  readonly goOn: boolean;
}

/** The records of a segment; returns the running CRC at its end, undefined after damage. */
export function* segmentRecords(
  { name: segment, source, previousCrc, goOn }: SegmentToRead,
  memory: ScanMemory,
): Generator<LogRecord | LogDamage, number | undefined, undefined> {
  let scanner = new RecordScanner(source, previousCrc ?? 0, memory);
  let isWhole = true;
  for (;;) {
    while (scanner.next()) {
      const { count, bytes, offsets, types, crcs, dataStarts, dataEnds } = scanner;
      for (let i = 0; i < count; i++) {
        const offset = offsets[i]!;
        const type = types[i]!;
        const crc = crcs[i]!;
        if (offset === 0 && type === RECORD_TYPE.crc && breaksChain(previousCrc, crc)) {
          yield { kind: 'damage', segment, offset, reason: 'chain' };
          if (!goOn) return undefined;
        }
        const start = dataStarts[i]!;
        const data = start < 0 ? undefined : bytes.subarray(start, dataEnds[i]!);
        const end = i + 1 < count ? offsets[i + 1]! : scanner.endOffset;
        yield { kind: 'record', segment, offset, end, type, crc, data };
      }
    }
    const { ended = 'end', endOffset, crc, error } = scanner;
    if (ended !== 'end' && ended !== 'zero') {
      isWhole = false;
      yield { kind: 'damage', segment, offset: endOffset, reason: ended, ...(error === undefined ? {} : { error }) };
    }
    const behind = goOn && ended !== 'end' ? findRecords(source, endOffset + LENGTH_FIELD, crc) : undefined;
    if (behind === undefined) return isWhole ? crc : undefined;
    if (ended === 'zero') yield { kind: 'damage', segment, offset: endOffset, reason: 'hole' };
    isWhole = false;
    scanner = new RecordScanner(source, behind.continuesDirectly ? crc : undefined, memory, behind.offset);
  }
}

/** Anything may follow a running value of 0, or one that is not known. */
function breaksChain(previous: number | undefined, crc: number): boolean {
  return previous !== undefined && previous !== 0 && crc !== previous;
}

function findRecords(
  source: ByteSource,
  from: number,
  crc: number,
): { readonly offset: number; readonly continuesDirectly: boolean } | undefined {
  const search = new BeyondSearch(source, from, crc, { onlyFirst: true });
  while (!search.step());
  const { offset, continuesDirectly } = search.result;
  return offset < 0 ? undefined : { offset, continuesDirectly };
}
