/**
 * The scan of one segment within a check: tells its records to the rules, and finds out what is the matter where the scan
 * ends before the segment does.
 */
import { crc32c } from '../checksum/crc32c.ts';
import { isDatadirError } from '../errors.ts';
import { EntryHead, HardStateHead } from '../proto/entry-head.ts';
import { type ConfState, ENTRY_CONF_CHANGE, parseConfChange, parseEntry, parseHardState } from '../proto/raft.ts';
import { parseWalRecord, parseWalSnapshot } from '../proto/wal.ts';
import { isKnownToAll, isKnownToEtcd36, judgePayload } from './entry-payload-check.ts';
import { LENGTH_FIELD, RECORD_TYPE } from './format.ts';
import { FrameReader } from './frame-reader.ts';
import type { LogRules } from './log-rules.ts';
import type { MetadataRule } from './metadata-rule.ts';
import { RecordScanner, type ScanEnd, type ScanMemory } from './record-scanner.ts';
import { type Beyond, BeyondSearch } from './resync.ts';
import type { NamedSegment } from './segment-input.ts';
import type { SegmentSummary } from './summary.ts';
import { hasZeroSector } from './torn-write.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A place where a segment cannot be read on. */
export interface Spot {
  readonly segment: number;
  readonly offset: number;
  readonly kind: ScanEnd;
  /** What etcd's own test says: one that a torn write can leave. */
  readonly looksTorn: boolean;
  /** Index and term of the last entry record before it. */
  readonly lastIndex: number;
  readonly lastTerm: number;
  readonly beyond: Beyond;
  /** The length that the frame claims. */
  readonly length: number;
  readonly storedCrc: number;
  readonly computedCrc: number;
  /** Why it cannot be read. */
  readonly reason: string;
}

/** What is known of a segment after its scan. */
export interface ScannedSegment {
  records: number;
  entries: number;
  firstIndex: number;
  lastIndex: number;
  /** Where its records end. */
  end: number;
  /** How the scan ended; undefined before. */
  ended: ScanEnd | undefined;
  /** The running CRC at the end of the segment before, if that is known. */
  readonly previousCrc: number | undefined;
  /** The crc record at its head. */
  headCrc: number | undefined;
  /** That record is wrong, but the others continue the segment before. */
  onlyHeadWrong: boolean;
  /** The running CRC at its end. */
  crc: number;
  /** The longest data of a record. */
  longest: number;
  spot: Spot | undefined;
}

/** The scan of a segment, in steps. */
export class SegmentScan {
  readonly result: ScannedSegment;
  readonly #number: number;
  readonly #segment: NamedSegment;
  readonly #rules: LogRules;
  readonly #metadata: MetadataRule;
  readonly #memory: ScanMemory;
  #scanner: RecordScanner;
  #search: BeyondSearch | undefined;
  #bytesRead = 0;
  #hasMetadata = false;
  readonly #entry = new EntryHead();
  readonly #state = new HardStateHead();
  readonly #appliedTo: number;

  /** `previousCrc` is the running CRC at the end of the segment before, if that is known; `appliedTo` the last entry that is in the db. */
  constructor(
    number: number,
    segment: NamedSegment,
    previousCrc: number | undefined,
    rules: LogRules,
    metadata: MetadataRule,
    memory: ScanMemory,
    appliedTo: number,
  ) {
    this.#number = number;
    this.#appliedTo = appliedTo;
    this.#segment = segment;
    this.#rules = rules;
    this.#metadata = metadata;
    this.#memory = memory;
    this.result = {
      records: 0,
      entries: 0,
      firstIndex: 0,
      lastIndex: 0,
      end: 0,
      ended: undefined,
      previousCrc,
      headCrc: undefined,
      onlyHeadWrong: false,
      crc: 0,
      longest: 0,
      spot: undefined,
    };
    this.#scanner = new RecordScanner(segment.source, previousCrc ?? 0, memory);
  }

  /** Bytes read so far, what was searched behind a bad spot not counted. */
  get bytesRead(): number {
    return this.#bytesRead + this.#scanner.bytesRead;
  }

  /** Scans about 1 MiB; true when it is finished. */
  step(): boolean {
    if (this.#search !== undefined) {
      if (!this.#search.step()) return false;
      this.#finish(this.#search.result);
      return true;
    }
    const scanner = this.#scanner;
    if (scanner.next()) {
      const { headCrc } = scanner;
      // Whatever is missing between the two segments, entries are.
      const isNew = this.result.records === 0 && headCrc !== undefined && headCrc !== this.result.previousCrc;
      if (isNew && this.result.previousCrc !== undefined) this.#rules.interrupt();
      this.#tell(scanner);
    }
    if (scanner.ended === undefined) return false;
    const { result } = this;
    result.headCrc ??= scanner.headCrc;
    if (scanner.ended === 'crc' && this.#continuesPrevious(scanner)) return false;
    result.end = scanner.endOffset;
    result.crc = scanner.crc;
    result.ended = scanner.ended;
    if (scanner.ended === 'end') return true;
    const inHead = result.headCrc !== undefined && !this.#hasMetadata;
    this.#search = new BeyondSearch(this.#segment.source, scanner.endOffset + LENGTH_FIELD, scanner.crc, { inHead });
    return false;
  }

  /** Whether the crc record at the head is wrong and nothing else: then the scan begins again behind it. */
  #continuesPrevious(scanner: RecordScanner): boolean {
    const seed = this.result.previousCrc;
    const { result } = this;
    if (seed === undefined || result.onlyHeadWrong || result.records !== 1 || result.headCrc === undefined)
      return false;
    const frames = new FrameReader(this.#segment.source, { start: scanner.endOffset });
    if (frames.next() !== 'frame') return false;
    const { data, crc = 0 } = parseWalRecord(frames.bytes, frames.start, frames.end);
    if (data === undefined || crc32c(data, 0, data.length, seed) !== crc) return false;
    this.#bytesRead += scanner.bytesRead;
    result.onlyHeadWrong = true;
    this.#scanner = new RecordScanner(this.#segment.source, seed, this.#memory, scanner.endOffset);
    return true;
  }

  #finish(beyond: Beyond): void {
    const { result } = this;
    const { ended, endOffset, storedCrc, computedCrc, error } = this.#scanner;
    if (ended === undefined || (ended === 'zero' && beyond.nonZero === 0)) return;
    const { index, term } = this.#rules.lastEntry;
    const frames = new FrameReader(this.#segment.source, { start: endOffset });
    const status = frames.next();
    result.spot = {
      segment: this.#number,
      offset: endOffset,
      kind: ended,
      looksTorn:
        ended === 'short' ||
        ended === 'beyond' ||
        ((ended === 'crc' || ended === 'unparsable') &&
          status === 'frame' &&
          hasZeroSector(frames.bytes, frames.start, frames.end + frames.padding, endOffset)),
      lastIndex: index,
      lastTerm: term,
      beyond,
      length: frames.length,
      storedCrc,
      computedCrc,
      reason: error?.message ?? '',
    };
  }

  /** Tells the records of a batch to the rules. */
  #tell(scanner: RecordScanner): void {
    const { result } = this;
    const { count, bytes, offsets, types, dataStarts, dataEnds } = scanner;
    for (let i = 0; i < count; i++) {
      const offset = offsets[i]!;
      const start = dataStarts[i]!;
      const end = dataEnds[i]!;
      if (end - start > result.longest) result.longest = end - start;
      switch (types[i]) {
        case RECORD_TYPE.entry:
          this.#tellEntry(bytes, start, end, offset);
          break;
        case RECORD_TYPE.state:
          this.#tellState(bytes, start, end, offset);
          break;
        case RECORD_TYPE.snapshot:
          this.#tellSnapshot(bytes, start, end, offset);
          break;
        case RECORD_TYPE.metadata:
          this.#hasMetadata = true;
          this.#metadata.add(start < 0 ? undefined : bytes.slice(start, end), { segment: this.#number, offset });
          break;
        case RECORD_TYPE.crc:
          break;
        default:
          this.#rules.unknownType(this.#number, offset, types[i]!);
      }
    }
    result.records += count;
  }

  #tellEntry(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const { result } = this;
    const entry = this.#entry;
    const rules = this.#rules;
    if (!entry.parse(bytes, Math.max(start, 0), Math.max(end, 0))) {
      this.#cannotParse('WAL_ENTRY_UNPARSABLE', offset, () => {
        const { term = 0n, index = 0n } = parseEntry(bytes, start, end);
        return index > MAX_SAFE ? `index ${index} of an entry` : `term ${term} of an entry`;
      });
      return;
    }
    const { type, term, index } = entry;
    result.entries++;
    if (result.firstIndex === 0) result.firstIndex = index;
    result.lastIndex = index;
    rules.entry(this.#number, offset, type, term, index);
    if (type > 1 || index === 0) return;
    const hasData = entry.dataStart >= 0;
    const judgement = hasData ? judgePayload(type, bytes, entry.dataStart, entry.dataEnd) : 'fine';
    if (judgement === 'v2') this.#tellV2(index, bytes.subarray(entry.dataStart, entry.dataEnd));
    else if (judgement !== 'fine') rules.badPayload(this.#number, offset, index, judgement);
    else if (type === ENTRY_CONF_CHANGE) {
      const { type: kind = 0, nodeId = 0n } = hasData
        ? parseConfChange(bytes.subarray(entry.dataStart, entry.dataEnd))
        : {};
      rules.change(index, kind, nodeId);
    } else if (index > this.#appliedTo && hasData && !isKnownToAll(bytes, entry.dataStart, entry.dataEnd)) {
      rules.lastNewerIndex = Math.max(rules.lastNewerIndex, index);
    }
    if (rules.members.collecting) {
      rules.members.add(type, term, index, hasData ? bytes.subarray(entry.dataStart, entry.dataEnd) : new Uint8Array());
    }
  }

  #tellV2(index: number, data: Uint8Array): void {
    const rules = this.#rules;
    rules.lastV2Index = Math.max(rules.lastV2Index, index);
    if (!isKnownToEtcd36(data)) rules.lastOtherV2Index = Math.max(rules.lastOtherV2Index, index);
  }

  #tellState(bytes: Uint8Array, start: number, end: number, offset: number): void {
    const state = this.#state;
    if (state.parse(bytes, Math.max(start, 0), Math.max(end, 0))) {
      this.#rules.hardState(this.#number, offset, state.term, state.voteLow, state.voteHigh, state.commit);
      return;
    }
    this.#cannotParse('WAL_STATE_UNPARSABLE', offset, () => {
      const { term = 0n, commit = 0n } = parseHardState(bytes, start, end);
      return term > MAX_SAFE ? `term ${term} of a hard state` : `commit index ${commit} of a hard state`;
    });
  }

  #tellSnapshot(bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.#cannotParse('WAL_SNAPSHOT_UNPARSABLE', offset, () => {
      const { index = 0n, term = 0n, confState } = parseWalSnapshot(bytes, Math.max(start, 0), Math.max(end, 0));
      if (index > MAX_SAFE || term > MAX_SAFE) return `index ${index}, term ${term} of a snapshot`;
      this.#rules.snapshot(this.#number, offset, Number(index), Number(term), keepable(confState));
      return '';
    });
  }

  /** Reports a record that does not parse, or holds a number that cannot be right, which `implausible` names. */
  #cannotParse(
    code: 'WAL_ENTRY_UNPARSABLE' | 'WAL_STATE_UNPARSABLE' | 'WAL_SNAPSHOT_UNPARSABLE',
    offset: number,
    implausible: () => string,
  ): void {
    try {
      const what = implausible();
      if (what !== '') this.#rules.unparsable(this.#number, offset, 'WAL_VALUE_IMPLAUSIBLE', { what });
    } catch (error) {
      if (!isDatadirError(error, 'PROTO_INVALID')) throw error;
      this.#rules.unparsable(this.#number, offset, code);
    }
  }
}

/** A segment as plain data, as far as it was scanned. */
export function segmentSummary(
  { name, source }: NamedSegment,
  scanned: ScannedSegment | undefined,
  judged: Pick<SegmentSummary, 'whole' | 'needed'>,
): SegmentSummary {
  const hasEntries = scanned !== undefined && scanned.entries > 0;
  return {
    name,
    size: source.size,
    end: scanned?.end ?? 0,
    records: scanned?.records ?? 0,
    entries: scanned?.entries ?? 0,
    firstIndex: hasEntries ? `${scanned.firstIndex}` : null,
    lastIndex: hasEntries ? `${scanned.lastIndex}` : null,
    ...judged,
  };
}

/** More members than any cluster has: such a configuration is not kept. */
const MAX_MEMBERS = 1000;

function keepable(confState: ConfState | undefined): ConfState | undefined {
  if (confState === undefined) return undefined;
  return confState.voters.length + confState.learners.length > MAX_MEMBERS ? undefined : confState;
}
