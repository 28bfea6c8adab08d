// The reader of logs: records as they lie, those behind damage, the entries that survive.
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { type LogEntry, readWal } from '../../src/wal/reader.ts';
import { faultySource, seededRandom } from '../support/faulty.ts';
import { type LogFixture, logFixture, logFixtures, segments } from '../support/log-fixtures.ts';
import {
  type ReferenceEntry,
  type ReferenceRecord,
  referenceEntries,
  referenceSegment,
} from '../support/reference-log.ts';
import type { SmallSegment } from '../support/small-log.ts';
import { concat } from '../support/wal-edit.ts';
import { systematicCases, systematicLog } from './damage/systematic-cases.ts';
import { bytes, entry, frame, METADATA, RawLog, record, snapshot, state } from './etcd/raw-log.ts';
import { grown, inputsOf, NODE, named, putEntry, started } from './log-maker.ts';

const open = (log: readonly SmallSegment[]): ReturnType<typeof readWal> => readWal({ segments: inputsOf(log) });

/** Records of a whole log, by the plain reader. */
function referenceRecords(files: readonly { readonly bytes: Uint8Array }[]): ReferenceRecord[] {
  let crc = 0;
  return files.flatMap(({ bytes: content }) => {
    const segment = referenceSegment(content, crc);
    crc = segment.crc;
    return segment.records;
  });
}

const line = ({ index, term, type, data }: ReferenceEntry | LogEntry): string =>
  `${index} ${term} ${type ?? 0} ${Buffer.from(data ?? []).toString('latin1')}`;

/** The plain reader is slow. */
const isSmall = ({ scenario }: LogFixture): boolean => !/^(segments|k8s|tail-)/.test(scenario);

describe('the logs of real members', () => {
  test.each(logFixtures().filter(isSmall))('$name: records, entries and state', (fixture) => {
    const files = fixture.walFiles.filter(({ name }) => name.endsWith('.wal'));
    const expected = referenceRecords(files.map((file) => ({ bytes: concat([file.bytes, new Uint8Array(16)]) })));
    using log = readWal({ segments: segments(fixture) });
    let n = 0;
    for (const item of log.records()) {
      const { offset, type, crc, data } = expected[n++]!;
      expect(item).toMatchObject({ kind: 'record', offset, type, crc });
      if (item.kind !== 'record' || Buffer.compare(item.data ?? new Uint8Array(), data ?? new Uint8Array()) !== 0) {
        throw new Error(`record ${n} differs`);
      }
    }
    expect(n).toBe(expected.length);
    const entries = referenceEntries(expected);
    expect(Array.from(log.entries(), line).join('\n')).toBe(entries.map(line).join('\n'));
    expect(log.state).toMatchObject({
      entries: entries.length,
      firstIndex: entries[0]?.index,
      lastIndex: entries.at(-1)?.index,
      damage: undefined,
    });
    // From the newest snapshot on.
    const after = log.state.validSnapshots.at(-1)?.index ?? 0n;
    const behind = entries.filter(({ index }) => index > after);
    expect(Array.from(log.entries({ after }), line).join('\n')).toBe(behind.map(line).join('\n'));
  });

  test('three segments of 64 MB: every entry once, from any snapshot on', () => {
    const fixture = logFixture('3.5.33/segments/m1');
    using log = readWal({ segments: segments(fixture) });
    const indexes = [...log.entries()].map(({ index }) => Number(index));
    expect(indexes).toEqual(Array.from({ length: 202 }, (_, i) => i + 1));
    expect([...log.entries({ after: 150n })].map(({ index }) => Number(index))).toEqual(indexes.slice(150));
    expect(log.segments.map(({ sequence }) => sequence)).toEqual([0n, 1n, 2n]);
  });
});

describe('entries', () => {
  test.each([1, 2, 3, 4, 5, 6])('of any order, across segments, from anywhere on; seed %d', (seed) => {
    const random = seededRandom(seed);
    const log = new RawLog().head().add(5, snapshot(0n, 0n));
    let last = 0n;
    for (let i = 0; i < 300; i++) {
      const back = BigInt(Math.floor(random() * 6));
      const index = random() < 0.85 ? last + 1n : last > back ? last - back : 1n;
      log.add(2, entry(index, `e${i}`, BigInt(1 + Math.floor(i / 50))));
      last = index;
      if (random() < 0.2) log.add(3, state(BigInt(1 + Math.floor(i / 50)), NODE, 0n));
      if (random() < 0.03) log.add(2, entry(0n));
      if (random() < 0.05) log.begin(named(i + 1, Number(last) + 1)).head();
    }
    const expected = referenceRecords(log.segments);
    using reader = open(log.segments);
    expect(Array.from(reader.entries(), line)).toEqual(referenceEntries(expected).map(line));
    for (const after of [1n, last / 2n, last - 1n, last]) {
      // From the segment on that a start there begins with.
      const from = reader.segments.findLastIndex(({ index }) => index <= after);
      const entries = referenceEntries(
        log.segments.slice(from).flatMap(({ bytes: content }) => referenceSegment(content).records),
        after,
      );
      let next = after + 1n;
      const isWhole = entries.every(({ index }) => index === next++);
      if (isWhole) expect(Array.from(reader.entries({ after }), line)).toEqual(entries.map(line));
      else expect(() => [...reader.entries({ after })]).toThrow(/are missing/);
    }
  });

  test('tell where they lie', () => {
    const log = grown(grown(started(), 2n, 3n).begin(named(1, 4)).head(), 4n, 5n);
    using reader = open(log.segments);
    const places = [...reader.entries()].map(({ index, segment, offset }) => [Number(index), segment, offset]);
    const offsets = log.segments.map(({ bytes: content }) =>
      referenceSegment(content)
        .records.filter(({ type }) => type === 2)
        .map(({ offset }) => offset),
    );
    expect(places).toEqual([
      ...[1, 2, 3].map((index, i) => [index, named(0, 0), offsets[0]![i]]),
      ...[4, 5].map((index, i) => [index, named(1, 4), offsets[1]![i]]),
    ]);
  });

  test('behind an index that no segment reaches back to', () => {
    using reader = open(new RawLog(named(3, 20)).chain(5).add(1, METADATA).add(2, putEntry(20n)).segments);
    expect(() => [...reader.entries({ after: 10n })]).toThrow('no segment reaches back to index 10');
    expect(() => [...reader.entries({ after: 20n })]).not.toThrow();
  });

  test('end where the log does: at damage', () => {
    const log = grown(started(), 2n, 4n);
    const at = log.offset;
    grown(log, 5n, 9n);
    const [{ name, bytes: content }] = log.segments as [SmallSegment];
    content[at + 20]! ^= 1;
    using reader = open([{ name, bytes: content }]);
    expect([...reader.entries()]).toHaveLength(4);
    expect(reader.state).toMatchObject({ lastIndex: 4n, damage: { offset: at, reason: 'crc', segment: name } });
  });
});

describe('state', () => {
  test('of a log', () => {
    const log = grown(started(), 2n, 4n).add(5, snapshot(3n, 1n)).add(5, snapshot(60n, 1n));
    using reader = open(grown(log, 5n, 5n).segments);
    const { metadata, hardState, snapshots, validSnapshots, ...rest } = reader.state;
    expect(metadata).toMatchObject({ nodeId: 0x10n, clusterId: 0x20n });
    expect(hardState).toEqual({ term: 1n, vote: NODE, commit: 5n });
    expect(snapshots.map(({ index }) => index)).toEqual([0n, 3n, 60n]);
    expect(validSnapshots.map(({ index }) => index)).toEqual([0n, 3n]);
    expect(rest).toEqual({ entries: 5, overwritten: 0, firstIndex: 1n, lastIndex: 5n, damage: undefined });
    expect(reader.state).toBe(reader.state);
  });

  test('of no log', () => {
    using reader = open([]);
    expect(reader.state).toMatchObject({
      metadata: undefined,
      hardState: undefined,
      entries: 0,
      firstIndex: 0n,
      lastIndex: 0n,
    });
    expect([...reader.records()]).toEqual([]);
    expect([...reader.entries()]).toEqual([]);
  });

  test.each([
    ['an unknown type', (log: RawLog) => log.add(9, bytes([1]))],
    ['an entry that is none', (log: RawLog) => log.add(2, bytes([0xff]))],
    ['a state that is none', (log: RawLog) => log.add(3, bytes([0xff]))],
    ['a snapshot that is none', (log: RawLog) => log.add(5, bytes([0xff]))],
  ])('ends at %s', (_, add) => {
    const log = grown(started(), 2n, 3n);
    const { offset } = log;
    using reader = open(grown(add(log), 4n, 5n).segments);
    expect(reader.state).toMatchObject({ lastIndex: 3n, damage: { offset, reason: 'unparsable' } });
  });
});

describe('records', () => {
  test('from a segment on', () => {
    const log = grown(grown(started(), 2n, 3n).begin(named(1, 4)).head(), 4n, 5n);
    using reader = open(log.segments);
    const from = [...reader.records({ fromSegment: named(1, 4) })];
    expect(from).toHaveLength(6);
    expect(from[0]).toMatchObject({ kind: 'record', type: 4, offset: 0, segment: named(1, 4) });
    expect(() => [...reader.records({ fromSegment: 'x' })]).toThrow('x: no such segment');
  });

  test('end at damage, unless they are to go on', () => {
    const log = grown(started(), 2n, 4n);
    const at = log.offset;
    log.add(2, putEntry(5n));
    const next = log.offset;
    grown(log.add(3, state(1n, NODE, 5n)), 6n, 9n)
      .begin(named(1, 10))
      .head();
    const { segments: files } = grown(log, 10n, 11n);
    files[0]!.bytes[at + 24]! ^= 1;
    using reader = open(files);
    const plain = [...reader.records()];
    expect(plain.at(-1)).toEqual({ kind: 'damage', segment: named(0, 0), offset: at, reason: 'crc' });
    expect(plain).toHaveLength(11 + 1);
    const all = [...reader.records({ goOn: true })];
    expect(all.filter(({ kind }) => kind === 'damage')).toHaveLength(1);
    expect(all[12]).toMatchObject({ kind: 'record', offset: next, type: 3 });
    expect(all.at(-1)).toMatchObject({ kind: 'record', segment: named(1, 10), type: 3 });
    // All but the one that is damaged.
    expect(all).toHaveLength(11 + 1 + 9 + 6);
  });

  test('behind a hole of zeros', () => {
    const log = grown(started(), 2n, 4n);
    const at = log.offset;
    const { segments: files } = grown(log.zeros(64), 5n, 7n);
    using reader = open(files);
    expect([...reader.records()]).toHaveLength(11);
    const all = [...reader.records({ goOn: true })];
    expect(all[11]).toEqual({ kind: 'damage', segment: named(0, 0), offset: at, reason: 'hole' });
    expect(all).toHaveLength(11 + 1 + 6);
  });

  test('a segment that does not continue the one before', () => {
    const log = grown(
      grown(started(), 2n, 3n)
        .begin(named(1, 4))
        .raw(frame(record(4, 77))),
      4n,
      4n,
    );
    const broken = new RawLog().chain(77).add(1, METADATA);
    using reader = open([log.segments[0]!, { name: named(1, 4), bytes: broken.segments[0]!.bytes }]);
    expect([...reader.records()].at(-1)).toMatchObject({
      kind: 'damage',
      segment: named(1, 4),
      offset: 0,
      reason: 'chain',
    });
    expect([...reader.records({ goOn: true })].slice(-2).map(({ kind }) => kind)).toEqual(['record', 'record']);
  });

  test('all good records of every damaged log are found again', () => {
    const whole = new Set(referenceRecords(systematicLog()).map(({ crc, offset }) => `${offset} ${crc}`));
    let n = 0;
    let most = 0;
    for (const { id, segments: files } of systematicCases()) {
      if (!/^(flip:.*:(data|crc:3|length:5|type-tag:0)|zero-(record|length):)/.test(id) || n++ % 3 !== 0) continue;
      const seen: string[] = [];
      let damage = 0;
      for (const item of open(files).records({ goOn: true })) {
        if (item.kind === 'damage') damage++;
        else seen.push(`${item.offset} ${item.crc}`);
      }
      // The damaged record is missing, and at most two more that alone prove nothing.
      const found = seen.filter((each) => whole.has(each)).length;
      most = Math.max(most, whole.size - found);
      expect(whole.size - found, `${id}: ${found} of ${whole.size}, ${damage} bad places`).toBeLessThanOrEqual(3);
    }
    expect(n).toBeGreaterThan(50);
    expect(most).toBeGreaterThan(0);
  });
});

describe('a log that is open', () => {
  test('closes its sources, once it is not used any more', () => {
    const closed: string[] = [];
    const source = (name: string): ByteSource => ({ ...memorySource(bytes()), close: () => void closed.push(name) });
    {
      using log = readWal({
        segments: [
          { name: named(0, 0), source: source('first') },
          { name: named(1, 1), source: source('second') },
        ],
      });
      expect(log.segments).toHaveLength(2);
    }
    expect(closed).toEqual(['first', 'second']);
  });

  test('several iterations may be under way', () => {
    using log = open(grown(started(), 2n, 40n).segments);
    const first = log.entries();
    const second = log.entries();
    const third = log.records();
    for (let i = 1n; i <= 40n; i++) {
      expect(first.next().value).toMatchObject({ index: i });
      third.next();
      expect(second.next().value).toMatchObject({ index: i });
    }
  });

  test('a place that cannot be read is told, and what lies behind it is found', () => {
    const { segments: files } = grown(started(), 2n, 60n);
    const at = referenceSegment(files[0]!.bytes).records[40]!.offset;
    const source = faultySource(memorySource(files[0]!.bytes), { failAt: [[at + 2, at + 3]] });
    using log = readWal({ segments: [{ name: named(0, 0), source }] });
    const items = [...log.records()];
    expect(items).toHaveLength(41);
    expect(items.at(-1)).toMatchObject({ kind: 'damage', reason: 'unreadable', offset: at });
    expect(log.state.damage).toMatchObject({ reason: 'unreadable' });
  });
});
