/**
 * Ways to damage (or to change without damage) the segments of a member: records, the chain of checksums, whole segments.
 * Made for `busy`, which has one segment, and for `segments`, which has three. What the real servers do with each is in
 * fixtures/damaged-log-observed.json (variant 0).
 */
import { copyLog, type EditedLog, type LogRecipe, resized, segmentAt } from './edited-log.ts';
import {
  bytesIn,
  CRC,
  ENTRY,
  encodeFields,
  type Frame,
  METADATA,
  numberIn,
  type RecordToWrite,
  SegmentEdit,
  SNAPSHOT,
  STATE,
  withField,
} from './wal-edit.ts';

type Apply = LogRecipe['apply'];

const SECTOR = 512;
const PAGE = 4096;

const change =
  (apply: (log: EditedLog, variant: number) => void): Apply =>
  (log, variant) => {
    const copy = copyLog(log);
    apply(copy, variant);
    return copy;
  };
/** Changes bytes of the last segment. */
const edit = (apply: (segment: SegmentEdit, variant: number) => void): Apply =>
  change((log, variant) => {
    const [name, file] = segmentAt(log, -1);
    const segment = new SegmentEdit(file);
    apply(segment, variant);
    log.segments.set(name, segment.file);
  });
/** Writes the last segment anew with other records and a right CRC chain. */
const rebuild = (records: (segment: SegmentEdit, variant: number) => readonly RecordToWrite[]): Apply =>
  edit((segment, variant) => segment.rebuild(records(segment, variant)));
/** Cuts the last segment. */
const cut = (size: (segment: SegmentEdit, variant: number) => number): Apply =>
  change((log, variant) => {
    const [name, file] = segmentAt(log, -1);
    log.segments.set(name, resized(file, size(new SegmentEdit(file), variant)));
  });
/** Cuts segment `n`. */
const cutSegment = (n: number, size: (variant: number) => number): Apply =>
  change((log, variant) => {
    const [name, file] = segmentAt(log, n);
    log.segments.set(name, resized(file, size(variant)));
  });
const removeSegments = (...numbers: number[]): Apply =>
  change((log) => {
    for (const name of numbers.map((n) => segmentAt(log, n)[0])) log.segments.delete(name);
  });
const renameLast = (rename: (name: string) => string): Apply =>
  change((log) => {
    const [name, file] = segmentAt(log, -1);
    log.segments.delete(name);
    log.segments.set(rename(name), file);
  });
const add = (name: string, bytes: Uint8Array, size = bytes.length): Apply =>
  change((log) => void log.segments.set(name, { bytes, size }));

function some<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the log has no place for this damage');
  return found;
}
const last = (segment: SegmentEdit): Frame => some(segment.frames.at(-1));
const lastOf = (segment: SegmentEdit, type: number, n = -1): Frame => some(segment.ofType(type).at(n));
const dataOf = (frame: Frame): Uint8Array => some(frame.data);
const dataAt = (frame: Frame): number => some(frame.dataAt);
function middleEntry(segment: SegmentEdit, variant: number): Frame {
  const entries = segment.ofType(ENTRY);
  return some(entries[(Math.floor(entries.length / 2) + 11 * variant) % entries.length]);
}
/** The first sector boundary behind the first byte of the frame's data. */
const boundaryIn = (frame: Frame): number => Math.ceil((dataAt(frame) + 1) / SECTOR) * SECTOR;

const without = (segment: SegmentEdit, gone: (frame: Frame) => boolean): Frame[] =>
  segment.frames.filter((frame) => !gone(frame));
/** The frames, some of them with other data. */
const withData = (
  segment: SegmentEdit,
  chosen: (frame: Frame) => boolean,
  data: (old: Uint8Array) => Uint8Array,
): RecordToWrite[] => segment.frames.map((frame) => (chosen(frame) ? { ...frame, data: data(dataOf(frame)) } : frame));

/** The last segment with one more entry behind the last record, whose payload has several sectors. */
function withAppended(segment: SegmentEdit, variant: number): SegmentEdit {
  const data = dataOf(lastOf(segment, ENTRY));
  const payload = Uint8Array.from({ length: 2000 + 300 * variant }, (_, i) => 'torn'.charCodeAt(i % 4));
  const entry = encodeFields([
    { number: 1, value: 0n },
    { number: 2, value: numberIn(data, 2) },
    { number: 3, value: numberIn(data, 3) + 1n },
    { number: 4, value: payload },
  ]);
  segment.rebuild([...segment.frames, { type: ENTRY, data: entry }]);
  return new SegmentEdit(segment.file);
}
/** Changes the last segment after an entry was appended; the result may also be cut. */
const appendAndEdit = (apply: (segment: SegmentEdit, variant: number) => number | undefined): Apply =>
  change((log, variant) => {
    const [name, file] = segmentAt(log, -1);
    const segment = withAppended(new SegmentEdit(file), variant);
    const size = apply(segment, variant);
    log.segments.set(name, size === undefined ? segment.file : resized(segment.file, size));
  });

/** 64 bytes that are no record. */
function putGarbage(segment: SegmentEdit, at: number, variant: number): void {
  for (let k = 0; k < 64; k++) segment.change(at + k, () => (k * 37 + variant * 11 + 13) & 0xff);
}
const NEXT_SEGMENT = '0000000000000001-0000000000000200.wal';
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

type Row = Omit<LogRecipe, 'area' | 'base' | 'needs'> & Partial<Pick<LogRecipe, 'base' | 'needs'>>;

const tails: Row[] = [
  {
    name: 'wal-torn-tail-short',
    severity: 'repairable',
    what: 'the file ends in the middle of the last record',
    apply: cut((segment, variant) => last(segment).at + 9 + variant),
  },
  {
    name: 'wal-torn-tail-in-length',
    severity: 'repairable',
    what: 'the file ends inside the length field of the last record',
    apply: cut((segment, variant) => last(segment).at + 3 + variant),
  },
  {
    name: 'wal-cut-at-record',
    severity: 'healthy',
    what: 'the file ends exactly behind the last record: no preallocated tail',
    apply: cut((segment) => segment.end),
  },
  {
    name: 'wal-torn-tail-zero-sector',
    severity: 'corrupt',
    needs: 'dir',
    what: 'the last large entry reaches over a sector boundary, and all is zero from there on: looks like a torn write, but the db has applied what is lost (variant 0 loses two entries, whose indexes the restarted server uses up for its own; from variant 1 on writes of clients are lost)',
    apply: edit((segment, variant) => {
      const large = segment.ofType(ENTRY).filter((frame) => boundaryIn(frame) < dataAt(frame) + dataOf(frame).length);
      segment.fill(0, boundaryIn(some(large.at(-1 - variant))), segment.end);
    }),
  },
  {
    name: 'wal-torn-append-zero-sector',
    severity: 'repairable',
    what: 'one more entry, never committed, was being written: all of it behind a sector boundary is zero',
    apply: appendAndEdit((segment) => void segment.fill(0, boundaryIn(last(segment)), segment.end)),
  },
  {
    name: 'wal-torn-append-hole',
    severity: 'repairable',
    what: 'one more entry, never committed, was being written: one sector in its middle is zero, what follows reached the disk',
    apply: appendAndEdit((segment) => {
      const at = boundaryIn(last(segment));
      segment.fill(0, at, at + SECTOR);
      return undefined;
    }),
  },
  {
    name: 'wal-torn-append-short',
    severity: 'repairable',
    what: 'one more entry, never committed, was being written: the file ends inside it',
    apply: appendAndEdit((segment, variant) => dataAt(last(segment)) + 700 + variant),
  },
  {
    name: 'wal-tail-zeroed',
    severity: 'corrupt',
    needs: 'dir',
    what: 'all is zero from a record boundary in the middle on: reads as a shorter, well-formed log, behind the db',
    apply: edit((segment, variant) => segment.fill(0, middleEntry(segment, variant).at, segment.end)),
  },
  {
    name: 'wal-garbage-behind-end',
    severity: 'info',
    what: 'random bytes behind the zeros that end the log',
    apply: edit((segment, variant) => putGarbage(segment, segment.end + 4096, variant)),
  },
  {
    name: 'wal-garbage-right-behind-last',
    severity: 'repairable',
    what: 'garbage in place of zeros right behind the last record; its length field reaches past the end of the file, so it is cut off like a torn tail (3.4: fatal)',
    apply: edit((segment, variant) => putGarbage(segment, segment.end, variant)),
  },
];

const bytes: Row[] = [
  {
    name: 'wal-last-record-flip',
    severity: 'corrupt',
    what: 'one bit of the last entry is flipped, no sector of it is zero',
    apply: edit((segment, variant) => segment.change(dataAt(lastOf(segment, ENTRY)) + 4 + variant, (b) => b ^ 1)),
  },
  {
    name: 'wal-middle-flip',
    severity: 'corrupt',
    what: 'one bit of an entry in the middle is flipped',
    apply: edit((segment, variant) => {
      const frame = middleEntry(segment, variant);
      segment.change(dataAt(frame) + Math.floor(dataOf(frame).length / 2), (b) => b ^ 4);
    }),
  },
  {
    name: 'wal-middle-crc-field',
    severity: 'corrupt',
    what: 'the crc field of a record in the middle is changed',
    apply: edit((segment, variant) => segment.change(middleEntry(segment, variant).at + 8 + 3, (b) => b ^ 1)),
  },
  {
    name: 'wal-middle-sector-zeroed',
    severity: 'corrupt',
    what: 'one 512-byte sector in the middle is zero',
    apply: edit((segment, variant) => {
      const at = Math.floor(middleEntry(segment, variant).at / SECTOR) * SECTOR;
      segment.fill(0, at, at + SECTOR);
    }),
  },
  {
    name: 'wal-middle-page-zeroed',
    severity: 'corrupt',
    what: '4096 bytes in the middle are zero, from a page boundary on',
    apply: edit((segment, variant) => {
      const at = Math.floor(middleEntry(segment, variant).at / PAGE) * PAGE;
      segment.fill(0, at, at + PAGE);
    }),
  },
  {
    name: 'wal-padding-garbage',
    severity: 'healthy',
    what: 'padding bytes of a record are not zero: neither checked nor covered by the CRC',
    apply: edit((segment) => {
      const frame = some(segment.frames.filter(({ padding }) => padding > 0).at(-3));
      segment.fill(0xee, frame.end - frame.padding, frame.end);
    }),
  },
  {
    name: 'wal-hole',
    severity: 'corrupt',
    what: 'one whole record in the middle is zero, good records follow',
    apply: edit((segment, variant) => {
      const { at, end } = middleEntry(segment, variant);
      segment.fill(0, at, end);
    }),
  },
  {
    name: 'wal-length-huge',
    severity: 'corrupt',
    what: 'the length field of a record in the middle says 1 TiB',
    apply: edit((segment, variant) => segment.changeLength(middleEntry(segment, variant), () => 1n << 40n)),
  },
  {
    name: 'wal-length-too-long',
    severity: 'corrupt',
    what: 'the length field of a record in the middle is 8 too large',
    apply: edit((segment, variant) => segment.changeLength(middleEntry(segment, variant), (field) => field + 8n)),
  },
  {
    name: 'wal-inner-length-long',
    severity: 'corrupt',
    what: 'the length of the data field inside a record runs past the record: etcd up to 3.6 takes it for a torn tail',
    apply: edit((segment, variant) => segment.change(dataAt(middleEntry(segment, variant)) - 1, (b) => b | 0x7f)),
  },
  {
    name: 'wal-type-unknown',
    severity: 'corrupt',
    what: 'a record in the middle has type 9 (the type is not covered by the CRC)',
    apply: edit((segment, variant) => segment.change(middleEntry(segment, variant).at + 9, () => 9)),
  },
  {
    name: 'wal-entry-typed-state',
    severity: 'repairable',
    what: 'an entry below the newest raft snapshot is typed as a hard state (the type is not covered by the CRC): not needed at start',
    apply: edit((segment, variant) => segment.change(middleEntry(segment, variant).at + 9, () => STATE)),
  },
];

const meanings: Row[] = [
  {
    name: 'wal-metadata-other-node',
    severity: 'corrupt',
    needs: 'dir',
    what: 'metadata names another node id, CRC chain right',
    apply: rebuild((segment) =>
      withData(
        segment,
        ({ type }) => type === METADATA,
        (data) => withField(data, 1, 0x1234567890abcdefn),
      ),
    ),
  },
  {
    name: 'wal-metadata-other-cluster',
    severity: 'corrupt',
    what: 'metadata names another cluster id than the bootstrap entries give, CRC chain right: one member alone starts, under the wrong id',
    apply: rebuild((segment) =>
      withData(
        segment,
        ({ type }) => type === METADATA,
        (data) => withField(data, 2, 0xfedcba0987654321n),
      ),
    ),
  },
  {
    name: 'wal-metadata-missing',
    severity: 'corrupt',
    what: 'no metadata record, CRC chain right',
    apply: rebuild((segment) => without(segment, ({ type }) => type === METADATA)),
  },
  {
    name: 'wal-two-metadata',
    severity: 'corrupt',
    what: 'a second metadata record in the middle disagrees with the first, CRC chain right',
    apply: rebuild((segment) => {
      const data = withField(dataOf(some(segment.ofType(METADATA)[0])), 1, 7n);
      const middle = Math.floor(segment.frames.length / 2);
      return [...segment.frames.slice(0, middle), { type: METADATA, data }, ...segment.frames.slice(middle)];
    }),
  },
  {
    name: 'wal-entry-gap',
    severity: 'corrupt',
    what: 'an entry behind the newest raft snapshot is missing, CRC chain right',
    apply: rebuild((segment, variant) => {
      const gone = lastOf(segment, ENTRY, -8 - variant);
      return without(segment, (frame) => frame === gone);
    }),
  },
  {
    name: 'wal-entry-gap-before-snapshot',
    severity: 'repairable',
    what: 'an entry long before the newest raft snapshot is missing, CRC chain right: not needed at start',
    apply: rebuild((segment, variant) => {
      const gone = some(segment.ofType(ENTRY)[20 + variant]);
      return without(segment, (frame) => frame === gone);
    }),
  },
  {
    name: 'wal-entry-repeated',
    severity: 'healthy',
    what: 'an entry is saved twice: legal, the later one wins',
    apply: rebuild((segment, variant) => {
      const twice = lastOf(segment, ENTRY, -5 - variant);
      return segment.frames.flatMap((frame) => (frame === twice ? [frame, frame] : [frame]));
    }),
  },
  {
    name: 'wal-commit-beyond',
    severity: 'corrupt',
    what: 'the last hard state commits 50 entries that are not in the log, CRC chain right',
    apply: rebuild((segment) => {
      const state = lastOf(segment, STATE);
      return withData(
        segment,
        (frame) => frame === state,
        (data) => withField(data, 3, numberIn(data, 3) + 50n),
      );
    }),
  },
  {
    name: 'wal-commit-back',
    severity: 'repairable',
    what: 'the last hard states commit less than the newest raft snapshot, CRC chain right: the log reaches back to the first entry, so all is committed again',
    apply: rebuild((segment) => {
      const states = segment.ofType(STATE).slice(-60);
      return withData(
        segment,
        (frame) => states.includes(frame),
        (data) => withField(data, 3, 9n),
      );
    }),
  },
  {
    name: 'wal-term-back',
    severity: 'repairable',
    what: 'an entry near the end, already applied, has a lower term than those before, CRC chain right: nothing is lost here, but a lagging peer would be sent the wrong term',
    apply: rebuild((segment, variant) => {
      const entry = lastOf(segment, ENTRY, -6 - variant);
      return withData(
        segment,
        (frame) => frame === entry,
        (data) => withField(data, 2, 1n),
      );
    }),
  },
  {
    name: 'wal-entry-garbage',
    severity: 'corrupt',
    what: 'the payload of an entry near the end is garbage, CRC chain right',
    apply: rebuild((segment, variant) => {
      const entries = segment.ofType(ENTRY).filter((frame) => bytesIn(dataOf(frame), 4).length > 10);
      const entry = some(entries.at(-5 - variant));
      return withData(
        segment,
        (frame) => frame === entry,
        (data) => withField(data, 4, new Uint8Array(12).fill(0xff)),
      );
    }),
  },
  {
    name: 'wal-snapshot-record-missing',
    severity: 'healthy',
    needs: 'dir',
    what: 'the record of the newest .snap is missing (crash between the two writes): etcd uses the one before',
    apply: rebuild((segment) => {
      const gone = lastOf(segment, SNAPSHOT);
      return without(segment, (frame) => frame === gone);
    }),
  },
  {
    name: 'wal-snapshot-records-missing',
    severity: 'repairable',
    needs: 'dir',
    what: 'no snapshot record but the first, while .snap files exist',
    apply: rebuild((segment) => {
      const first = some(segment.ofType(SNAPSHOT)[0]);
      return without(segment, (frame) => frame.type === SNAPSHOT && frame !== first);
    }),
  },
  {
    name: 'wal-snapshot-record-term',
    severity: 'repairable',
    what: 'the newest snapshot record has another term than its entry and the .snap file: up to 3.6 an older one is used',
    apply: rebuild((segment) => {
      const newest = lastOf(segment, SNAPSHOT);
      return withData(
        segment,
        (frame) => frame === newest,
        (data) => withField(data, 2, 1n),
      );
    }),
  },
];

const wholeSegments: Row[] = [
  {
    name: 'wal-segment-missing-middle',
    base: 'segments',
    severity: 'repairable',
    needs: 'dir',
    what: 'the middle segment is gone; the newest raft snapshot needs only the last one, so setting the first aside too cures it',
    apply: removeSegments(1),
  },
  {
    name: 'wal-segment-missing-first',
    base: 'segments',
    severity: 'healthy',
    what: 'the first segment is gone, as after a purge; the newest raft snapshot needs only the later ones',
    apply: removeSegments(0),
  },
  {
    name: 'wal-segment-only-last',
    base: 'segments',
    severity: 'healthy',
    what: 'only the last segment is left, as after a purge; the newest raft snapshot needs no other',
    apply: removeSegments(0, 1),
  },
  {
    name: 'wal-segment-missing-last',
    base: 'segments',
    severity: 'corrupt',
    needs: 'dir',
    what: 'the last segment is gone: the rest is a well-formed log, behind the db',
    apply: removeSegments(2),
  },
  {
    name: 'wal-segment-renumbered',
    base: 'segments',
    severity: 'repairable',
    what: 'the last segment has its sequence number raised by one: a hole in the numbers, the CRC chain shows that nothing is missing',
    apply: renameLast((name) => name.replace(/^.{16}/, '0000000000000003')),
  },
  {
    name: 'wal-segment-index-name',
    base: 'segments',
    severity: 'repairable',
    what: 'the name of the last segment claims a lower first index than it has: a start from a snapshot in between would fail',
    apply: renameLast((name) => name.replace(/-.{16}/, '-0000000000000070')),
  },
  {
    name: 'wal-segment-crc-chain',
    base: 'segments',
    severity: 'corrupt',
    what: 'the crc record at the head of the last segment does not continue the chain',
    apply: edit((segment, variant) => {
      const head = some(segment.ofType(CRC)[0]);
      segment.change(head.at + 8 + 3 + (variant & 1), (b) => b ^ 2);
    }),
  },
  {
    name: 'wal-segment-crc-chain-middle',
    base: 'segments',
    severity: 'repairable',
    what: 'the crc record at the head of the middle segment does not continue the chain; the newest raft snapshot needs only the last segment, so setting the others aside cures it',
    apply: change((log) => {
      const [name, file] = segmentAt(log, 1);
      const changed = file.bytes.slice();
      changed[8 + 3]! ^= 2;
      log.segments.set(name, { ...file, bytes: changed });
    }),
  },
  {
    name: 'wal-segment-cut-middle',
    base: 'segments',
    severity: 'repairable',
    what: 'the middle segment is cut inside a record; the newest raft snapshot needs only the last segment, so setting the others aside cures it',
    apply: cutSegment(1, (variant) => 40_000_003 - variant * 1_500_000),
  },
  {
    name: 'wal-segment-cut-first',
    base: 'segments',
    severity: 'repairable',
    what: 'the first segment is cut inside a record; the newest raft snapshot needs only the last segment, so setting the first aside cures it',
    apply: cutSegment(0, (variant) => 30_000_003 - variant * 1_500_000),
  },
  {
    name: 'wal-segment-empty-last',
    base: 'segments',
    severity: 'corrupt',
    needs: 'dir',
    what: 'the last segment has zero bytes',
    apply: cutSegment(2, () => 0),
  },
  {
    name: 'wal-segment-empty-added',
    severity: 'repairable',
    what: 'an empty file with the next segment name lies behind the last segment',
    apply: add(NEXT_SEGMENT, new Uint8Array()),
  },
  {
    name: 'wal-segment-zero-added',
    severity: 'repairable',
    what: 'a file of zeros with the next segment name lies behind the last segment (crash in a cut)',
    apply: add(NEXT_SEGMENT, new Uint8Array(), 65536),
  },
  {
    name: 'wal-only-empty-file',
    severity: 'corrupt',
    what: 'the only segment has zero bytes',
    apply: cutSegment(0, () => 0),
  },
  {
    name: 'wal-only-zeros',
    severity: 'corrupt',
    what: 'the only segment is all zero',
    apply: change((log) => {
      const [name] = segmentAt(log, 0);
      log.segments.set(name, { bytes: new Uint8Array(), size: 64_000_000 });
    }),
  },
  {
    name: 'wal-stray-name',
    severity: 'info',
    what: 'a file stray.wal lies in the WAL directory',
    apply: add('stray.wal', ascii('stray')),
  },
  {
    name: 'wal-copied-segment',
    severity: 'info',
    what: 'an operator left a copy "….wal.bak" and a "….wal.broken"',
    apply: change((log) => {
      const [name] = segmentAt(log, 0);
      for (const suffix of ['bak', 'broken']) log.segments.set(`${name}.${suffix}`, { bytes: ascii('x'), size: 1 });
    }),
  },
];

export const walRecipes: readonly LogRecipe[] = [...tails, ...bytes, ...meanings, ...wholeSegments].map((recipe) => ({
  area: 'wal',
  base: 'busy',
  needs: 'wal',
  ...recipe,
}));
