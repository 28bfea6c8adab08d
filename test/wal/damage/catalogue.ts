/**
 * A log for every code of finding and every severity that it can have. Each is as small as it can be, and has no other
 * damage than what the row is about.
 */
import type { Severity } from '../../../src/finding-table.ts';
import type { ByteSource } from '../../../src/io/byte-source.ts';
import type { CheckReport } from '../../../src/report.ts';
import { type CheckWalOptions, checkWal } from '../../../src/wal/check.ts';
import type { WalFindingCode } from '../../../src/wal/findings.ts';
import { MAX_RECORD } from '../../../src/wal/format.ts';
import { noteInUse } from '../../../src/wal/in-use.ts';
import { faultySource } from '../../support/faulty.ts';
import { referenceCrc, varint } from '../../support/wal-edit.ts';
import { zeroTailedSource } from '../../support/zero-tailed-source.ts';
import { bytes, entry, frame, METADATA, number, RawLog, record, snapshot, state } from '../etcd/raw-log.ts';
import { grown, inputsOf, NODE, named, put, putEntry, started } from '../log-maker.ts';

/** One row. */
export interface CatalogueRow {
  readonly code: WalFindingCode;
  readonly severity: Severity;
  readonly what: string;
  readonly check: () => CheckReport;
}

interface Extra {
  readonly others?: readonly string[];
  readonly options?: CheckWalOptions;
  readonly inUse?: boolean;
  /** Changes the source of the last segment. */
  readonly source?: (source: ByteSource) => ByteSource;
}

const row = (
  code: WalFindingCode,
  severity: Severity,
  what: string,
  log: () => RawLog,
  extra: Extra = {},
): CatalogueRow => ({
  code,
  severity,
  what,
  check: () => {
    const segments = inputsOf(log().segments);
    const last = segments.at(-1);
    if (last !== undefined && extra.source !== undefined) {
      segments[segments.length - 1] = { name: last.name, source: extra.source(last.source) };
    }
    const report = checkWal({ segments, others: extra.others }, { windowSize: 4096, ...extra.options });
    return extra.inUse === true ? noteInUse(report) : report;
  },
});

/** Three segments, of which a start needs only the last, which has the newest snapshot. */
const purgeable = (change: (log: RawLog) => RawLog = (log) => log): RawLog => {
  const log = change(grown(started(), 2n, 4n))
    .begin(named(1, 5))
    .head()
    .add(3, state(1n, NODE, 4n));
  return grown(log, 5n, 6n)
    .begin(named(2, 7))
    .head()
    .add(3, state(1n, NODE, 6n))
    .add(2, putEntry(7n))
    .add(3, state(1n, NODE, 7n))
    .add(5, snapshot(7n, 1n));
};
/** The same with a first segment that was damaged later. */
const damagedFirst = (change: (log: RawLog) => RawLog): RawLog => {
  const whole = purgeable();
  const [, second, third] = whole.segments;
  const damaged = change(grown(started(), 2n, 4n));
  // What follows stays as it is: the damage breaks no chain but its own.
  damaged.begin(second!.name).raw(second!.bytes).begin(third!.name).raw(third!.bytes);
  return damaged;
};
const twoSegments = (second: (log: RawLog) => RawLog): RawLog =>
  second(grown(started(), 2n, 3n).begin(named(1, 4)).head());
const grownTo = (last: bigint): RawLog => grown(started(), 2n, last);
const flipped = (log: RawLog, change: (bytes: Uint8Array, at: number) => void): RawLog => {
  const at = log.offset;
  const copy = grown(log, 20n, 20n).segments.at(-1)!.bytes;
  change(copy, at);
  return new RawLog().raw(copy);
};
/** Entry 20 behind a log of 19, damaged; and three saves behind that if `more`. */
const damagedEntry = (change: (bytes: Uint8Array, at: number) => void, more = false): RawLog => {
  const log = grownTo(19n);
  const at = log.offset;
  log.add(2, entry(20n, put('k', 'x'.repeat(1200), 20n)));
  if (more) grown(log, 21n, 23n);
  const copy = log.segments[0]!.bytes;
  change(copy, at);
  return new RawLog().raw(copy);
};
/** Zero from the first sector boundary in a record to the next. */
const zeroSector = (copy: Uint8Array, at: number): void => {
  const start = Math.ceil((at + 16) / 512) * 512;
  copy.fill(0, start, start + 512);
};

export const catalogue: readonly CatalogueRow[] = [
  {
    code: 'WAL_NO_SEGMENTS',
    severity: 'corrupt',
    what: 'an empty directory',
    check: () => checkWal({ segments: [] }),
  },
  {
    code: 'WAL_NO_SEGMENTS',
    severity: 'corrupt',
    what: 'only a stray file',
    check: () => checkWal({ segments: inputsOf([{ name: 'foo.wal', bytes: bytes([1]) }]) }),
  },
  row('WAL_NAME_STRAY', 'info', 'a file that is no segment', () =>
    grownTo(2n)
      .begin('stray.wal')
      .raw(bytes([1])),
  ),
  row('WAL_NAME_UNUSUAL', 'repairable', 'fewer digits', () =>
    new RawLog('0-0.wal').raw(grownTo(2n).segments[0]!.bytes),
  ),
  row('WAL_LEFTOVER', 'info', 'what crashes leave', () => grownTo(2n), {
    others: ['0.tmp', 'x.tmp', `${named(0, 0)}.broken`, '.touch', 'lost+found'],
  }),
  row('WAL_SEQUENCE_GAP', 'repairable', 'a wrong number in a name', () =>
    grown(grownTo(3n).begin(named(2, 4)).head(), 4n, 5n),
  ),
  row('WAL_SEGMENT_MISSING', 'corrupt', 'a segment between two others is gone', () => {
    const [first, , third] = grown(
      twoSegments((log) => grown(log, 4n, 6n))
        .begin(named(2, 7))
        .head(),
      7n,
      8n,
    ).segments;
    return new RawLog(first!.name).raw(first!.bytes).begin(third!.name).raw(third!.bytes);
  }),
  row('WAL_SEGMENT_MISSING', 'repairable', 'the same before the newest snapshot', () => {
    const [first, , third] = purgeable().segments;
    return new RawLog(first!.name).raw(first!.bytes).begin(third!.name).raw(third!.bytes);
  }),
  row('WAL_SEGMENT_INDEX_NAME', 'repairable', 'a name with another index', () =>
    grown(grownTo(3n).begin(named(1, 9)).head(), 4n, 5n),
  ),
  row('WAL_SEGMENT_EMPTY', 'corrupt', 'the only segment is empty', () => new RawLog().zeros(100)),
  row('WAL_SEGMENT_EMPTY', 'repairable', 'the last segment is empty', () => grownTo(2n).begin(named(1, 3))),
  row('WAL_SEGMENT_WITHOUT_HEAD', 'info', 'the last segment continues without a head', () =>
    grown(grownTo(2n).begin(named(1, 3)), 3n, 4n),
  ),
  row('WAL_SEGMENT_WITHOUT_HEAD', 'repairable', 'a start begins with it', () =>
    grown(grownTo(2n).begin(named(1, 3)), 3n, 4n).add(5, snapshot(4n, 1n)),
  ),
  row('WAL_START_MISSING', 'corrupt', 'the first segment begins behind the snapshot', () =>
    new RawLog(named(1, 9))
      .chain(77)
      .add(1, METADATA)
      .add(3, state(1n, NODE, 9n))
      .add(5, snapshot(5n, 1n))
      .add(2, putEntry(9n)),
  ),
  row('WAL_CHAIN_BROKEN', 'corrupt', 'a head that continues nothing', () =>
    grown(grownTo(3n).begin(named(1, 4)).chain(77).add(1, METADATA), 4n, 5n),
  ),
  row('WAL_CHAIN_BROKEN', 'corrupt', 'a crc record in the middle', () =>
    grown(grownTo(3n).raw(frame(record(4, 77))), 4n, 5n),
  ),
  row('WAL_CHAIN_BROKEN', 'corrupt', 'only the crc record of a head is wrong', () => {
    const log = grownTo(3n);
    const { crc } = log;
    log.begin(named(1, 4)).raw(frame(record(4, 77)));
    log.crc = crc;
    return grown(log.add(1, METADATA), 4n, 5n);
  }),
  row('WAL_CHAIN_BROKEN', 'repairable', 'the same before the newest snapshot', () =>
    damagedFirst((log) => log.add(2, putEntry(5n)).add(2, putEntry(6n))),
  ),
  row('WAL_TORN_TAIL', 'repairable', 'the file ends within a record', () => flipped(grownTo(3n), () => {}), {
    source: (source) => ({ ...source, size: source.size - 40 }),
  }),
  row('WAL_TORN_TAIL', 'repairable', 'three bytes behind the last record', () => grownTo(3n).raw(bytes([1, 2, 3]))),
  row('WAL_TORN_TAIL', 'repairable', 'a sector of the last record is zero', () => damagedEntry(zeroSector)),
  row('WAL_TAIL_LOSES_COMMITTED', 'corrupt', 'the db has got further', () => damagedEntry(zeroSector), {
    options: { mustReach: 20n },
  }),
  row('WAL_TAIL_LOSES_COMMITTED', 'corrupt', 'the state says so', () =>
    grownTo(3n)
      .add(3, state(1n, NODE, 5n))
      .raw(bytes([1, 2, 3])),
  ),
  row('WAL_RECORD_CRC', 'corrupt', 'a byte of data', () =>
    damagedEntry((copy, at) => void copy.fill(1, at + 300, at + 301)),
  ),
  row('WAL_RECORD_CRC', 'corrupt', 'a zero sector with saves behind it', () => damagedEntry(zeroSector, true)),
  row('WAL_RECORD_CRC', 'repairable', 'the same before the newest snapshot', () =>
    damagedFirst((log) => log.raw(frame(record(2, 5, putEntry(5n))))),
  ),
  row('WAL_RECORD_UNPARSABLE', 'corrupt', 'an inner length', () =>
    damagedEntry((copy, at) => void copy.fill(0x0f, at + 8, at + 9)),
  ),
  row('WAL_RECORD_UNPARSABLE', 'repairable', 'the same before the newest snapshot', () =>
    damagedFirst((log) => log.raw(frame(bytes([0x0f, 1])))),
  ),
  row('WAL_RECORD_CUT', 'corrupt', 'a length of 1 TiB with saves behind it', () =>
    damagedEntry((copy, at) => new DataView(copy.buffer, copy.byteOffset).setBigUint64(at, 1n << 40n, true), true),
  ),
  row('WAL_RECORD_CUT', 'corrupt', 'another segment ends within a length field', () =>
    grown(
      grownTo(3n)
        .raw(bytes([1, 2, 3]))
        .begin(named(1, 4))
        .head(),
      4n,
      5n,
    ),
  ),
  row('WAL_RECORD_CUT', 'repairable', 'the same before the newest snapshot', () =>
    damagedFirst((log) => log.raw(bytes([1, 2, 3]))),
  ),
  row('WAL_RECORDS_BEHIND_END', 'corrupt', 'a hole with saves behind it', () =>
    damagedEntry((copy, at) => void copy.fill(0, at, at + 8), true),
  ),
  row('WAL_RECORDS_BEHIND_END', 'repairable', 'a hole with one save behind it', () =>
    grownTo(3n)
      .zeros(16)
      .add(2, putEntry(4n))
      .add(2, putEntry(5n))
      .add(3, state(1n, NODE, 5n)),
  ),
  row(
    'WAL_RECORD_TOO_LARGE',
    'unknown',
    'a record that is not read',
    () => grownTo(3n).raw(frame(bytes(), { field: BigInt(MAX_RECORD) + 8n })),
    {
      source: (source) => {
        const copy = new Uint8Array(source.size);
        source.readInto(copy, 0);
        return zeroTailedSource(copy, MAX_RECORD + 100_000);
      },
    },
  ),
  row('WAL_UNREADABLE', 'unknown', 'a bad place on the disk', () => grownTo(30n), {
    source: (source) => faultySource(source, { failAt: [[1000, 1001]] }),
  }),
  row('WAL_SEARCH_GIVEN_UP', 'info', 'a bomb of records', () => {
    // Each eight bytes look like the beginning of a record that reaches to the end.
    const size = 1 << 19;
    const bomb = new Uint8Array(size);
    const view = new DataView(bomb.buffer);
    for (let at = 0; at + 40 <= size; at += 16) {
      view.setBigUint64(at, BigInt(size - at - 8), true);
      const length = size - at - 8 - 3 - 1 - 1 - 3;
      bomb.set([0x08, 2, 0x10, 1, 0x1a, (length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14], at + 8);
    }
    return grownTo(3n).raw(frame(bytes([0x0f])), bomb);
  }),
  row('WAL_TAIL_NOT_ZERO', 'info', 'garbage behind the end', () =>
    grownTo(3n)
      .zeros(64)
      .raw(bytes([1, 2, 3, 4, 5, 6, 7, 8])),
  ),
  row('WAL_RECORD_TYPE', 'corrupt', 'a type that does not exist', () =>
    grownTo(3n).add(9, putEntry(4n)).add(9, putEntry(4n)),
  ),
  row('WAL_RECORD_TYPE', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(9, bytes([1]))),
  ),
  row('WAL_METADATA_MISSING', 'corrupt', 'no such record', () =>
    new RawLog()
      .chain(0)
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n)),
  ),
  row('WAL_METADATA_EMPTY', 'info', 'a record without data, as other programs write it', () =>
    new RawLog()
      .chain(0)
      .add(1)
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n)),
  ),
  row('WAL_METADATA_UNPARSABLE', 'corrupt', 'garbage', () =>
    new RawLog()
      .chain(0)
      .add(1, bytes([0xff]))
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n)),
  ),
  row('WAL_METADATA_UNPARSABLE', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(1, bytes([0xff]))),
  ),
  row('WAL_METADATA_CONFLICT', 'corrupt', 'another member', () =>
    grownTo(3n).add(1, bytes(number(1, 0x11), number(2, 0x20))),
  ),
  row('WAL_METADATA_CONFLICT', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(1, bytes(number(1, 0x11), number(2, 0x20)))),
  ),
  row('WAL_METADATA_UNEXPECTED', 'refuse', 'another member was expected', () => grownTo(3n), {
    options: { nodeId: 5n, clusterId: 6n },
  }),
  row('WAL_CLUSTER_ID', 'corrupt', 'first members that do not make it', () =>
    new RawLog()
      .head()
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n, bytes(number(2, 0), number(3, NODE)), 1n, 1))
      .add(3, state(1n, NODE, 1n)),
  ),
  row('WAL_CLUSTER_ID', 'repairable', 'only in segments that are not needed', () => {
    const first = new RawLog().chain(0).add(1, bytes(number(1, 0x10), number(2, 0x99)));
    first
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n, bytes(number(2, 0), number(3, NODE)), 1n, 1))
      .add(3, state(1n, NODE, 1n));
    const [, second, third] = purgeable().segments;
    return first.begin(second!.name).raw(second!.bytes).begin(third!.name).raw(third!.bytes);
  }),
  row('WAL_ENTRY_UNPARSABLE', 'corrupt', 'garbage', () => grownTo(3n).add(2, bytes([0xff]))),
  row('WAL_ENTRY_UNPARSABLE', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(2, bytes([0xff]))),
  ),
  row('WAL_STATE_UNPARSABLE', 'corrupt', 'garbage', () => grownTo(3n).add(3, bytes([0xff]))),
  row('WAL_STATE_UNPARSABLE', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(3, bytes([0xff]))),
  ),
  row('WAL_SNAPSHOT_UNPARSABLE', 'corrupt', 'garbage', () => grownTo(3n).add(5, bytes([0xff]))),
  row('WAL_SNAPSHOT_UNPARSABLE', 'repairable', 'the same before the newest snapshot', () =>
    purgeable((log) => log.add(5, bytes([0xff]))),
  ),
  row('WAL_VALUE_IMPLAUSIBLE', 'corrupt', 'an index above 2^53', () => grownTo(3n).add(2, putEntry(1n << 60n))),
  row('WAL_VALUE_IMPLAUSIBLE', 'repairable', 'an entry of index 0', () => grownTo(3n).add(2, entry(0n))),
  row('WAL_ENTRY_PAYLOAD', 'corrupt', 'a payload that is no request', () =>
    grownTo(3n)
      .add(2, entry(4n, bytes([0xff, 0xff])))
      .add(3, state(1n, NODE, 4n)),
  ),
  row('WAL_ENTRY_PAYLOAD', 'repairable', 'the same below the snapshot', () =>
    grownTo(3n)
      .add(2, entry(4n, bytes([0xff, 0xff])))
      .add(3, state(1n, NODE, 4n))
      .add(5, snapshot(4n, 1n)),
  ),
  row('WAL_ENTRY_TYPE', 'corrupt', 'type 2', () =>
    grownTo(3n)
      .add(2, entry(4n, '', 1n, 2))
      .add(3, state(1n, NODE, 4n)),
  ),
  row('WAL_ENTRY_TYPE', 'repairable', 'the same below the snapshot', () =>
    grownTo(3n)
      .add(2, entry(4n, '', 1n, 2))
      .add(3, state(1n, NODE, 4n))
      .add(5, snapshot(4n, 1n)),
  ),
  row('WAL_ENTRY_GAP', 'corrupt', 'an entry is missing', () => grown(grownTo(3n), 5n, 6n)),
  row('WAL_ENTRY_GAP', 'repairable', 'the same below the snapshot', () =>
    grown(grownTo(3n), 5n, 6n).add(5, snapshot(6n, 1n)),
  ),
  row('WAL_ENTRY_TERM_BACK', 'corrupt', 'a lower term, not committed', () =>
    grown(started(), 2n, 3n, 2n).add(2, putEntry(4n, 1n)),
  ),
  row('WAL_ENTRY_TERM_BACK', 'repairable', 'a lower term, committed', () =>
    grown(started(), 2n, 3n, 2n)
      .add(2, putEntry(4n, 1n))
      .add(3, state(2n, NODE, 4n)),
  ),
  row('WAL_COMMITTED_OVERWRITTEN', 'corrupt', 'a committed entry changes', () => grown(grownTo(4n), 3n, 5n, 2n)),
  row('WAL_COMMITTED_OVERWRITTEN', 'repairable', 'the same below the snapshot', () =>
    grown(grownTo(4n), 3n, 5n, 2n).add(5, snapshot(5n, 2n)),
  ),
  row('WAL_ENTRY_TERM_ABOVE_STATE', 'repairable', 'a state of a lower term than its entries', () =>
    grownTo(3n)
      .add(2, putEntry(4n, 2n))
      .add(3, state(1n, NODE, 3n)),
  ),
  row('WAL_ENTRY_TERM_ABOVE_STATE', 'info', 'entries whose state was not written', () =>
    grownTo(3n).add(2, putEntry(4n, 2n)),
  ),
  row('WAL_STATE_BACK', 'repairable', 'the commit goes back', () => grownTo(4n).add(3, state(1n, NODE, 2n))),
  row('WAL_STATE_BACK', 'repairable', 'the term goes back', () =>
    grown(started(), 2n, 3n, 2n).add(3, state(1n, NODE, 3n)),
  ),
  row('WAL_STATE_BACK', 'corrupt', 'nothing is there to commit again', () =>
    new RawLog(named(4, 50))
      .chain(9)
      .add(1, METADATA)
      .add(3, state(1n, NODE, 60n))
      .add(5, snapshot(60n, 1n))
      .add(2, putEntry(61n))
      .add(3, state(1n, NODE, 55n)),
  ),
  row('WAL_VOTE_CHANGED', 'repairable', 'two votes in one term', () => grownTo(3n).add(3, state(1n, 0x11n, 3n))),
  row('WAL_NO_STATE', 'info', 'the first save was not finished', () =>
    new RawLog().head().add(5, snapshot(0n, 0n)).add(2, entry(1n)),
  ),
  row('WAL_COMMIT_BEYOND', 'corrupt', 'more is committed than there is', () => grownTo(3n).add(3, state(1n, NODE, 9n))),
  row('WAL_NO_SNAPSHOT', 'repairable', 'no record, but the first entry', () =>
    new RawLog()
      .head()
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n)),
  ),
  row('WAL_NO_SNAPSHOT', 'corrupt', 'no record, and a later entry', () =>
    new RawLog(named(3, 20))
      .chain(5)
      .add(1, METADATA)
      .add(3, state(1n, NODE, 20n))
      .add(2, putEntry(20n)),
  ),
  row('WAL_NO_SNAPSHOT', 'corrupt', 'none at or below the commit', () =>
    new RawLog(named(3, 20))
      .chain(5)
      .add(1, METADATA)
      .add(3, state(1n, NODE, 20n))
      .add(5, snapshot(30n, 1n))
      .add(2, putEntry(20n)),
  ),
  row('WAL_SNAPSHOT_TERM', 'repairable', 'another term than its entry', () => grownTo(4n).add(5, snapshot(4n, 3n))),
  row('WAL_SNAPSHOT_CONFLICT', 'corrupt', 'the newest is there with two terms', () =>
    grownTo(4n).add(5, snapshot(0n, 7n)),
  ),
  row('WAL_SNAPSHOT_CONFLICT', 'repairable', 'an older one is', () =>
    grownTo(4n).add(5, snapshot(0n, 7n)).add(5, snapshot(4n, 1n)),
  ),
  row('WAL_SNAPSHOT_BACK', 'repairable', 'an older one behind a newer', () =>
    grownTo(6n).add(5, snapshot(6n, 1n)).add(5, snapshot(4n, 1n)),
  ),
  row('WAL_SNAPSHOT_PENDING', 'info', 'a snapshot that was being received', () =>
    grownTo(6n).add(5, snapshot(60n, 1n)).add(5, snapshot(70n, 1n)),
  ),
  row('WAL_TOO_INTRICATE', 'unknown', 'more runs than are followed', () => withManyRuns(grownTo(2n), (1 << 20) + 2), {
    options: { level: 'sanity' },
  }),
  row('WAL_IN_USE', 'info', 'a member is running', () => grownTo(3n), { inUse: true }),
];

/** `count` more entries, of two terms in turn: made in one piece, since there are many. */
function withManyRuns(log: RawLog, count: number): RawLog {
  const made = new Uint8Array(count * 40);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const index = i + 3;
    const data = Uint8Array.of(
      0x10,
      1 + (i & 1),
      0x18,
      (index & 0x7f) | 0x80,
      ((index >> 7) & 0x7f) | 0x80,
      index >> 14,
    );
    log.crc = referenceCrc(data, log.crc);
    const body = [0x08, 2, 0x10, ...varint(log.crc), 0x1a, data.length, ...data];
    const padding = (8 - (body.length % 8)) % 8;
    made.set([body.length, 0, 0, 0, 0, 0, 0, padding === 0 ? 0 : 0x80 | padding, ...body], at);
    at += 8 + body.length + padding;
  }
  return log.raw(made.subarray(0, at));
}
