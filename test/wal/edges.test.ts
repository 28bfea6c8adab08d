// What a reader of logs has to get right at the edges, each as a named case: what is found, what survives, and that no
// release of etcd is said to refuse a log that is called healthy.
import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../src/report.ts';
import type { CheckWalOptions } from '../../src/wal/check.ts';
import { noteInUse } from '../../src/wal/in-use.ts';
import { readWal } from '../../src/wal/reader.ts';
import type { SmallSegment } from '../support/small-log.ts';
import {
  bytes,
  bytesToZero,
  entry,
  frame,
  METADATA,
  number,
  RawLog,
  record,
  snapshot,
  state,
  tag,
  text,
} from './etcd/raw-log.ts';
import { checked, codesOf, grown, inputsOf, NODE, named, put, putEntry, started } from './log-maker.ts';

/** Findings of a log, after making sure that etcd agrees where there is none above info. */
function found(segments: readonly SmallSegment[], options: CheckWalOptions = {}): string[] {
  const report = checked(segments, options);
  agrees(report);
  return codesOf(report);
}

function agrees({ verdict, wal }: CheckReport): void {
  if (verdict !== 'healthy') return;
  for (const { version, outcome, words } of wal!.etcd)
    expect([version, outcome, words]).toEqual([version, 'starts', '']);
}

/** Index and term of the entries that survive. */
const surviving = (segments: readonly SmallSegment[], after?: bigint): string[] =>
  [...readWal({ segments: inputsOf(segments) }).entries({ after })].map(({ index, term }) => `${index}/${term}`);

const body = (crc: number): Uint8Array => record(2, crc, putEntry(4n));
const TOP = 1n << 63n;

describe('length fields', () => {
  const withField = (field: (length: bigint) => bigint): SmallSegment[] => {
    const log = grown(started(), 2n, 3n);
    let size = 0n;
    log.body(
      (crc) => {
        const made = body(crc);
        size = BigInt(made.length);
        return made;
      },
      putEntry(4n),
      { padding: bytes() },
    );
    // The frame that was just added is unpadded: its field is the length alone.
    const [{ name, bytes: content }] = log.segments as [SmallSegment];
    const at = content.length - 8 - Number(size);
    new DataView(content.buffer, content.byteOffset).setBigUint64(at, field(size), true);
    return [{ name, bytes: content }];
  };

  test('padding bits without bit 63 do not count', () => {
    expect(found(withField((size) => size | (5n << 56n)))).toEqual([]);
  });

  test('bits 59 to 62 do not count', () => {
    expect(found(withField((size) => size | (15n << 59n)))).toEqual([]);
  });

  test('bit 63 with no padding', () => {
    expect(found(withField((size) => size | TOP))).toEqual([]);
  });

  test('more than 2^53 bytes in a short file: the write is torn', () => {
    expect(found(withField(() => (1n << 53n) + 1n))).toEqual(['WAL_TORN_TAIL repairable']);
    expect(found(withField(() => (1n << 56n) - 1n))).toEqual(['WAL_TORN_TAIL repairable']);
  });

  test('an empty record is of type 0, and its crc of 0 fits only a running value of 0', () => {
    const log = grown(started(), 2n, 3n).raw(frame(bytes(), { field: TOP }));
    expect(found(grown(log, 4n, 4n).segments)).toEqual(['WAL_RECORD_CRC corrupt']);
    const first = new RawLog()
      .raw(frame(bytes(), { field: TOP }))
      .head()
      .add(5, snapshot(0n, 0n))
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n));
    expect(found(first.segments)).toEqual(['WAL_RECORD_TYPE corrupt']);
  });

  test('etcd 2 wrote frames without padding; later releases append padded ones behind them', () => {
    const log = started();
    for (let index = 2n; index <= 5n; index++) log.add(2, putEntry(index), { padding: bytes() });
    expect(found(grown(log, 6n, 8n).segments)).toEqual([]);
    expect(surviving(log.segments)).toHaveLength(8);
    // Good records behind damage are found there, too.
    const odd = started();
    odd.add(2, putEntry(2n), { padding: bytes() });
    while (odd.offset % 8 === 0) odd.add(2, entry(3n, put('k', 'v'.repeat(odd.offset % 5), 3n)), { padding: bytes() });
    const at = odd.offset;
    for (let index = 4n; index <= 9n; index++) {
      odd.add(2, putEntry(index), { padding: bytes() }).add(3, state(1n, NODE, index), { padding: bytes() });
    }
    const [{ name, bytes: content }] = odd.segments as [SmallSegment];
    content[at + 20]! ^= 1;
    const report = checked([{ name, bytes: content }]);
    expect(codesOf(report)).toEqual(['WAL_RECORD_CRC corrupt']);
    expect(report.wal?.damage[0]?.behind).toMatchObject({ entries: 5, lastIndex: '9', saves: 'several' });
  });
});

describe('the end of a log', () => {
  test.each([8, 16, 4096, 65_536])('%d zeros are the end', (zeros) => {
    expect(found(grown(started(), 2n, 3n).zeros(zeros).segments)).toEqual([]);
  });

  test.each([1, 3, 7])('%d zeros more than a multiple of 8 are behind the end already', (zeros) => {
    expect(found(grown(started(), 2n, 3n).zeros(8 + zeros).segments)).toEqual([]);
  });

  test.each([1, 3, 7])('%d zeros alone are no length field: torn', (zeros) => {
    expect(found(grown(started(), 2n, 3n).zeros(zeros).segments)).toEqual(['WAL_TORN_TAIL repairable']);
  });

  test('zeros at the end of a segment that is not the last are passed over', () => {
    expect(found(grown(grown(started(), 2n, 3n).zeros(64).begin(named(1, 4)).head(), 4n, 5n).segments)).toEqual([]);
  });

  test('no preallocated space at all', () => {
    expect(found(started().segments)).toEqual([]);
  });

  test('a segment with its head only', () => {
    const log = grown(started(), 2n, 3n)
      .begin(named(1, 4))
      .head()
      .add(3, state(1n, NODE, 3n))
      .zeros(512);
    expect(found(log.segments)).toEqual([]);
  });

  test('a last segment of no bytes, or of nothing but zeros: etcd starts and goes on in it', () => {
    for (const zeros of [0, 4096]) {
      const log = grown(started(), 2n, 3n).begin(named(1, 4)).zeros(zeros);
      const report = checked(log.segments);
      expect(codesOf(report)).toEqual(['WAL_SEGMENT_EMPTY repairable']);
      expect(report.wal?.etcd.every(({ outcome }) => outcome === 'starts')).toBe(true);
      // And so it looks afterwards.
      const after = grown(grown(started(), 2n, 3n).begin(named(1, 4)), 4n, 5n);
      expect(found(after.segments)).toEqual(['WAL_SEGMENT_WITHOUT_HEAD info']);
      expect(surviving(after.segments)).toHaveLength(5);
    }
  });

  test('a live copy that was torn at a page: only the last save is concerned', () => {
    const one = started();
    let index = 2n;
    while (one.offset < 3800) {
      grown(one, index, index);
      index++;
    }
    one.add(2, entry(index, put('k', 'x'.repeat(2000), index))).add(3, state(1n, NODE, index));
    const [{ name, bytes: content }] = one.segments as [SmallSegment];
    expect(content.length).toBeGreaterThan(4096);
    // The rest of the file is what it was before: zeros.
    const live = new Uint8Array(65_536);
    live.set(content.subarray(0, 4096));
    const report = checked([{ name, bytes: live }]);
    expect(codesOf(report)).toEqual(['WAL_TORN_TAIL repairable']);
    expect(report.wal?.lastIndex).toBe(`${index - 1n}`);
    expect(codesOf(checked([{ name, bytes: content.slice(0, 4096) }]))).toEqual(['WAL_TORN_TAIL repairable']);
    // What is seen at the end of a log in use may be a write in progress.
    expect(codesOf(noteInUse(report))).toEqual(['WAL_TORN_TAIL repairable', 'WAL_IN_USE info']);
  });
});

test('a segment without a head that a start begins with is cured by joining it with the one before', () => {
  const log = grown(grown(started(), 2n, 3n).begin(named(1, 4)), 4n, 5n).add(5, snapshot(5n, 1n));
  expect(codesOf(checked(log.segments))).toEqual(['WAL_SEGMENT_WITHOUT_HEAD repairable']);
  const [before, behind] = log.segments as [SmallSegment, SmallSegment];
  const joined = [{ name: before.name, bytes: Uint8Array.from([...before.bytes, ...behind.bytes]) }];
  expect(codesOf(checked(joined))).toEqual([]);
  expect(checked(joined).wal).toMatchObject({ lastIndex: '5', snapshot: { index: '5' } });
  expect(checked(joined).wal?.etcd.map(({ outcome }) => outcome)).toEqual(['starts', 'starts', 'starts', 'starts']);
});

describe('the chain of CRCs', () => {
  test('a running value of exactly 0 at the end of a segment lets any head follow', () => {
    const log = grown(started(), 2n, 3n);
    // An entry with an unknown field that makes the value 0.
    const data = bytes(putEntry(4n), tag(9, 2), 4);
    const probe = new RawLog();
    probe.crc = log.crc;
    log.add(2, bytes(data, bytesToZero(probe.add(2, data).crc)));
    expect(log.crc).toBe(0);
    log
      .begin(named(1, 5))
      .chain(0x1234)
      .add(1, METADATA)
      .add(3, state(1n, NODE, 4n));
    expect(found(grown(log, 5n, 6n).segments)).toEqual([]);
    expect(surviving(log.segments)).toHaveLength(6);
  });

  test('a record whose crc is 0 is written with its field', () => {
    const log = new RawLog().chain(0).add(1, bytesToZero(0));
    expect(log.crc).toBe(0);
    expect(found(log.segments).filter((code) => code.startsWith('WAL_RECORD'))).toEqual([]);
  });

  test('the first segment of a purged log may begin with any value', () => {
    const log = new RawLog(named(7, 100))
      .chain(0xdead)
      .add(1, METADATA)
      .add(3, state(3n, NODE, 99n));
    expect(found(grown(log, 100n, 102n, 3n).add(5, snapshot(101n, 3n)).segments)).toEqual([]);
    expect(surviving(log.segments, 101n)).toEqual(['102/3']);
  });
});

describe('entries', () => {
  test('overwritten across segments: the later ones count', () => {
    const log = grown(started(), 2n, 3n).add(2, putEntry(4n)).add(2, putEntry(5n)).begin(named(1, 6)).head();
    grown(log.add(3, state(1n, NODE, 3n)), 4n, 7n, 2n);
    expect(found(log.segments)).toEqual([]);
    expect(surviving(log.segments)).toEqual(['1/1', '2/1', '3/1', '4/2', '5/2', '6/2', '7/2']);
    expect(checked(log.segments).wal).toMatchObject({ entries: 7, overwritten: 2 });
  });

  test('a name lower than the one before it, after the log was truncated', () => {
    const log = grown(started(), 2n, 3n);
    for (let index = 4n; index <= 8n; index++) log.add(2, putEntry(index));
    log
      .begin(named(1, 9))
      .head()
      .add(3, state(1n, NODE, 3n));
    log
      .add(2, putEntry(4n, 2n))
      .add(3, state(2n, NODE, 3n))
      .begin(named(2, 5))
      .head()
      .add(3, state(2n, NODE, 3n));
    expect(found(grown(log, 5n, 6n, 2n).segments)).toEqual([]);
    expect(surviving(log.segments)).toEqual(['1/1', '2/1', '3/1', '4/2', '5/2', '6/2']);
  });

  test('a lower term may replace a higher one that was never committed', () => {
    const log = grown(started(), 2n, 3n)
      .add(2, putEntry(4n, 3n))
      .add(3, state(3n, NODE, 3n));
    log
      .add(2, putEntry(4n, 2n))
      .add(2, putEntry(5n, 4n))
      .add(3, state(4n, NODE, 5n));
    expect(found(log.segments)).toEqual([]);
  });

  test('the same index again is legal', () => {
    const log = grown(started(), 2n, 4n).add(2, putEntry(4n)).add(2, putEntry(4n));
    expect(found(grown(log, 5n, 5n).segments)).toEqual([]);
    expect(surviving(log.segments)).toHaveLength(5);
  });

  test('an overwrite below the snapshot is passed over, and takes nothing away', () => {
    const log = grown(started(), 2n, 6n).add(5, snapshot(5n, 1n)).add(2, putEntry(3n));
    grown(log, 7n, 8n);
    expect(found(log.segments)).toEqual([]);
    expect(surviving(log.segments, 5n)).toEqual(['6/1', '7/1', '8/1']);
    // Read from the beginning it does take away: so does etcd from an older snapshot.
    expect(surviving(log.segments)).toEqual(['1/1', '2/1', '3/1', '7/1', '8/1']);
    expect(() => surviving(log.segments, 0n)).toThrow(/entries 4 to 6 are missing/);
  });

  test('a committed entry never changes', () => {
    const log = grown(started(), 2n, 5n);
    expect(found(grown(log, 4n, 6n, 2n).segments)).toEqual([
      'WAL_COMMITTED_OVERWRITTEN corrupt',
      'WAL_STATE_BACK repairable',
    ]);
  });

  test('index 0 is passed over', () => {
    const log = grown(started(), 2n, 3n).add(2, entry(0n));
    expect(found(grown(log, 4n, 5n).segments)).toEqual(['WAL_VALUE_IMPLAUSIBLE repairable']);
    expect(surviving(log.segments)).toHaveLength(5);
  });

  test('an index of 2^64 - 1', () => {
    const log = grown(started(), 2n, 3n).add(2, entry(2n ** 64n - 1n));
    expect(found(log.segments)).toEqual(['WAL_VALUE_IMPLAUSIBLE corrupt']);
    expect(readWal({ segments: inputsOf(log.segments) }).state.damage).toMatchObject({ reason: 'unparsable' });
  });

  test.each([
    ['without its type, as 3.7 writes it', bytes(number(2, 1), number(3, 4), text(4, put('k', 'v')))],
    ['with its fields in another order', bytes(text(4, put('k', 'v')), number(3, 4), number(2, 1), number(1, 0))],
    ['with unknown fields', bytes(number(9, 9), putEntry(4n), text(12, 'x'), tag(13, 5), [1, 2, 3, 4])],
    ['with a field twice: the last counts', bytes(entry(9n, 'old'), putEntry(4n))],
    ['without data', bytes(number(1, 0), number(2, 1), number(3, 4))],
    ['with numbers in more bytes than they need', bytes([0x10, 0x81, 0x80, 0x00, 0x18, 0x84, 0x80, 0x80, 0x00])],
  ])('an entry %s', (_, data) => {
    const log = grown(started(), 2n, 3n)
      .add(2, data)
      .add(3, state(1n, NODE, 4n));
    expect(found(grown(log, 5n, 5n).segments)).toEqual([]);
    expect(surviving(log.segments)).toEqual(['1/1', '2/1', '3/1', '4/1', '5/1']);
  });

  test('a member that joined by a snapshot has a gap, which the snapshot covers', () => {
    const log = grown(started(), 2n, 11n)
      .add(5, snapshot(71n, 2n))
      .add(3, state(2n, 0n, 71n));
    expect(found(grown(log, 72n, 75n, 2n).segments)).toEqual([]);
    expect(surviving(log.segments, 71n)).toEqual(['72/2', '73/2', '74/2', '75/2']);
    expect(() => surviving(log.segments, 5n)).toThrow(/entries 12 to 71 are missing/);
    expect(surviving(log.segments)).toHaveLength(15);
  });
});

describe('snapshots', () => {
  test('a record before its entries: one that was received', () => {
    const log = new RawLog()
      .head()
      .add(5, snapshot(0n, 0n))
      .add(5, snapshot(5n, 2n))
      .add(3, state(2n, 0n, 5n));
    expect(found(grown(log, 6n, 8n, 2n).segments)).toEqual([]);
    expect(checked(log.segments).wal).toMatchObject({ firstIndex: '6', snapshot: { index: '5', term: '2' } });
  });

  test('two equal records', () => {
    const log = grown(started(), 2n, 4n).add(5, snapshot(4n, 1n)).add(5, snapshot(4n, 1n));
    expect(found(grown(log, 5n, 5n).segments)).toEqual([]);
  });

  test('two records of one index and different terms: etcd does not start', () => {
    const log = grown(started(), 2n, 4n).add(5, snapshot(4n, 1n)).add(5, snapshot(4n, 2n));
    expect(found(log.segments)).toEqual(['WAL_SNAPSHOT_CONFLICT corrupt', 'WAL_SNAPSHOT_TERM repairable']);
  });

  test('one above the commit index is not used', () => {
    const log = grown(started(), 2n, 4n).add(5, snapshot(60n, 1n));
    expect(found(log.segments)).toEqual(['WAL_SNAPSHOT_PENDING info']);
    expect(checked(log.segments).wal?.snapshot).toEqual({ index: '0', term: '0' });
  });

  test.each([
    ['without members', snapshot(4n, 1n)],
    [
      'with members, unpacked',
      bytes(snapshot(4n, 1n), text(3, bytes(number(1, 1), number(1, 2), number(2, 3), number(5, 0)))),
    ],
    ['with members, packed', bytes(snapshot(4n, 1n), text(3, bytes(text(1, bytes([1, 2])), text(2, bytes([3])))))],
    ['without auto_leave', bytes(snapshot(4n, 1n), text(3, number(1, 1)))],
    ['with unknown fields', bytes(number(7, 1), snapshot(4n, 1n), text(9, 'x'))],
    ['with its term before its index', bytes(number(2, 1), number(1, 4))],
  ])('a record %s', (_, data) => {
    const log = grown(started(), 2n, 4n).add(5, data);
    expect(found(grown(log, 5n, 5n).segments)).toEqual([]);
    expect(checked(log.segments).wal?.snapshot).toEqual({ index: '4', term: '1' });
  });

  test('none at all: 3.7 crashes', () => {
    const log = new RawLog()
      .head()
      .add(2, entry(1n))
      .add(3, state(1n, NODE, 1n));
    const report = checked(log.segments);
    expect(codesOf(report)).toEqual(['WAL_NO_SNAPSHOT repairable']);
    expect(report.wal?.etcd.map(({ outcome }) => outcome)).toEqual(['starts', 'starts', 'starts', 'panics']);
  });
});

describe('hard states', () => {
  test('none at all', () => {
    const log = new RawLog().head().add(5, snapshot(0n, 0n)).add(2, entry(1n)).add(2, putEntry(2n));
    expect(found(log.segments)).toEqual(['WAL_NO_STATE info']);
  });

  test('only in a segment that was purged: nothing is known to be committed', () => {
    const log = new RawLog(named(3, 20)).chain(5).add(1, METADATA).add(5, snapshot(20n, 1n)).add(2, putEntry(21n));
    const report = checked(log.segments);
    expect(codesOf(report)).toContain('WAL_NO_SNAPSHOT corrupt');
    expect(report.wal?.commit).toBe(null);
  });

  test('a vote of 0 may become any, and any with a new term', () => {
    const log = grown(started(), 2n, 3n)
      .add(3, state(2n, 0n, 3n))
      .add(3, state(2n, 7n, 3n))
      .add(3, state(3n, 8n, 3n));
    expect(found(log.segments)).toEqual([]);
  });

  test('states between entries, at any commit up to the last entry', () => {
    const log = started();
    for (let index = 2n; index <= 9n; index++) log.add(2, putEntry(index)).add(3, state(1n, NODE, index - 1n));
    expect(found(log.segments)).toEqual([]);
    expect(checked(log.segments).wal).toMatchObject({ commit: '8', lastIndex: '9' });
  });

  test('ids that use all 64 bits', () => {
    const log = grown(started(), 2n, 3n).add(3, state(2n, 0xfedc_ba98_7654_3210n, 3n));
    expect(found(log.segments)).toEqual([]);
    expect(checked(log.segments).wal?.vote).toBe(`${0xfedc_ba98_7654_3210n}`);
  });
});

describe('metadata', () => {
  const log = (first: Uint8Array | undefined, second: Uint8Array | undefined): SmallSegment[] =>
    grown(
      new RawLog()
        .chain(0)
        .add(1, first)
        .add(5, snapshot(0n, 0n))
        .add(1, second)
        .add(2, entry(1n))
        .add(3, state(1n, NODE, 1n)),
      2n,
      3n,
    ).segments;

  test('none, then some: the log has an owner', () => {
    const report = checked(log(undefined, METADATA));
    expect(codesOf(report)).toEqual(['WAL_METADATA_EMPTY info']);
    expect(report.wal?.nodeId).toBe(`${NODE}`);
    expect(report.wal?.etcd.map(({ outcome }) => outcome)).toEqual(['starts', 'starts', 'starts', 'starts']);
  });

  test('some, then other', () => {
    expect(found(log(METADATA, bytes(number(1, 0x10), number(2, 0x21))))).toEqual(['WAL_METADATA_CONFLICT corrupt']);
  });

  test('the same ids in other bytes are a conflict too', () => {
    expect(found(log(METADATA, bytes(number(2, 0x20), number(1, 0x10))))).toEqual(['WAL_METADATA_CONFLICT corrupt']);
  });
});

describe('files beside the segments', () => {
  test('a stale N.tmp with head records, a .broken beside a healthy segment: neither is read', () => {
    const { segments } = grown(started(), 2n, 3n);
    const report = checked(segments);
    expect(report.verdict).toBe('healthy');
    const names = ['0.tmp', '1.tmp', `${named(0, 0)}.broken`];
    const [{ name, bytes: content }] = segments as [SmallSegment];
    const beside = readWal({
      segments: inputsOf([
        { name, bytes: content },
        { name: `${name}.broken`, bytes: bytes([1, 2]) },
      ]),
      others: names,
    });
    expect([...beside.records()]).toHaveLength(9);
  });

  test('names in any order: read by name', () => {
    const { segments } = grown(grown(started(), 2n, 3n).begin(named(1, 4)).head(), 4n, 5n);
    expect(found([...segments].reverse())).toEqual([]);
  });

  test('sequence 0, then 5: etcd does not mind if the chain goes on', () => {
    const log = grown(grown(started(), 2n, 3n).begin(named(5, 4)).head(), 4n, 5n);
    const report = checked(log.segments);
    expect(codesOf(report)).toEqual(['WAL_SEQUENCE_GAP repairable']);
    expect(report.wal?.etcd.every(({ outcome }) => outcome === 'starts')).toBe(true);
  });
});
