// Good records behind a bad spot: what is found, what it proves, and that the search ends.
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { type Beyond, BeyondSearch } from '../../src/wal/resync.ts';
import { faultySource, seededRandom } from '../support/faulty.ts';
import { concat } from '../support/wal-edit.ts';
import { zeroTailedSource } from '../support/zero-tailed-source.ts';
import { bytes, entry, frame, METADATA, RawLog, record, snapshot, state } from './etcd/raw-log.ts';
import { grown, NODE, put, putEntry } from './log-maker.ts';

const SEED = 0x1234_5678;
/** Records that go on from a record of the CRC `SEED`. */
const following = (): RawLog => Object.assign(new RawLog(), { crc: SEED });
const contentOf = (log: RawLog): Uint8Array => log.segments[0]!.bytes;

function search(
  source: ByteSource | Uint8Array,
  offset = 0,
  options: { onlyFirst?: boolean; inHead?: boolean } = {},
): Beyond {
  const job = new BeyondSearch(source instanceof Uint8Array ? memorySource(source) : source, offset, SEED, options);
  let steps = 0;
  while (!job.step()) if (++steps > 100_000) throw new Error('does not end');
  return job.result;
}

describe('what proves that records are genuine', () => {
  test('nothing behind', () => {
    expect(search(new Uint8Array(5000))).toEqual({
      records: 0,
      entries: 0,
      firstIndex: 0,
      lastIndex: 0,
      states: 0,
      commit: 0,
      snapshots: 0,
      saves: 'none',
      offset: -1,
      continuesDirectly: false,
      nonZero: 0,
      givenUp: false,
    });
  });

  test('a single record that continues the last good one', () => {
    const content = contentOf(following().zeros(64).add(2, putEntry(5n)));
    expect(search(content)).toMatchObject({
      records: 1,
      entries: 1,
      firstIndex: 5,
      offset: 64,
      continuesDirectly: true,
      saves: 'one',
    });
  });

  test('a single record that continues anything else proves nothing', () => {
    const other = Object.assign(new RawLog(), { crc: 99 }).zeros(64).add(2, putEntry(5n));
    expect(search(contentOf(other))).toMatchObject({ records: 0, saves: 'none' });
    expect(search(contentOf(other)).nonZero).toBeGreaterThan(10);
  });

  test('two that continue one another, wherever the chain comes from', () => {
    const other = Object.assign(new RawLog(), { crc: 99 })
      .zeros(64)
      .add(2, putEntry(5n))
      .add(3, state(1n, NODE, 5n));
    expect(search(contentOf(other))).toMatchObject({
      records: 2,
      entries: 1,
      states: 1,
      commit: 5,
      continuesDirectly: false,
    });
  });

  test('two that do not', () => {
    const content = concat([frame(record(2, 1, putEntry(5n))), frame(record(2, 2, putEntry(6n)))]);
    expect(search(content).records).toBe(0);
  });

  test('chains behind one another, damage between them', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).raw(new Uint8Array(40).fill(0xff));
    grown(log, 5n, 7n).raw(new Uint8Array(24).fill(0xee));
    log.crc = 4242;
    expect(search(contentOf(grown(log, 9n, 12n)))).toMatchObject({
      records: 14,
      entries: 7,
      firstIndex: 5,
      lastIndex: 12,
      offset: 40,
      commit: 12,
    });
  });

  test('a record whose length is a multiple of 256 is one, too', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).zeros(8);
    // One of these has 256 bytes with the tags and the crc.
    const data = [...Array(60)]
      .map((_, i) => entry(5n, put('k', 'x'.repeat(200 + i), 5n)))
      .find((each) => {
        const probe = Object.assign(new RawLog(), { crc: 99 });
        probe.add(2, each);
        return contentOf(probe)[0] === 0 && contentOf(probe)[1] === 1;
      });
    expect(data).toBeDefined();
    log.add(2, data).add(3, state(1n, NODE, 5n));
    expect(search(contentOf(log))).toMatchObject({ records: 2, offset: 8 });
  });

  test('with onlyFirst the search ends at the first', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).raw(new Uint8Array(40).fill(0xff));
    expect(search(contentOf(grown(log, 5n, 50n)), 0, { onlyFirst: true })).toMatchObject({ offset: 40, records: 1 });
  });

  test('unaligned records are found from an unaligned spot on', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).raw(bytes([1, 2, 3]));
    for (let index = 5n; index < 9n; index++) log.add(2, putEntry(index), { padding: bytes() });
    expect(search(contentOf(log), 1)).toMatchObject({ records: 4, offset: 3 });
  });

  test('a crc record in the middle of a chain', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).add(2, putEntry(5n));
    expect(search(contentOf(log.chain(log.crc).add(2, putEntry(6n))))).toMatchObject({ records: 3, entries: 2 });
  });
});

describe('one save or several', () => {
  const at = (index: bigint): Uint8Array => putEntry(index);
  const s = (commit: bigint): Uint8Array => state(1n, NODE, commit);
  type Build = (log: RawLog) => RawLog;

  test.each<[string, Build, 'one' | 'several']>([
    ['entries', (log) => log.add(2, at(5n)).add(2, at(6n)).add(2, at(7n)), 'one'],
    ['entries and a state', (log) => log.add(2, at(5n)).add(2, at(6n)).add(3, s(6n)), 'one'],
    ['a state, then entries: the state went with them', (log) => log.add(3, s(4n)).add(2, at(5n)).add(3, s(5n)), 'one'],
    ['states alone', (log) => log.add(3, s(4n)).add(3, s(5n)).add(3, s(6n)), 'one'],
    ['entries, state, entries', (log) => log.add(2, at(5n)).add(3, s(5n)).add(2, at(6n)), 'several'],
    ['entries, two states, entries', (log) => log.add(2, at(5n)).add(3, s(5n)).add(3, s(5n)).add(2, at(6n)), 'several'],
    ['an index that comes again', (log) => log.add(2, at(5n)).add(2, at(6n)).add(2, at(6n)), 'several'],
    ['an index that goes back', (log) => log.add(2, at(5n)).add(2, at(6n)).add(2, at(4n)), 'several'],
    ['a snapshot behind entries', (log) => log.add(2, at(5n)).add(5, snapshot(5n, 1n)), 'several'],
    ['entries behind a snapshot', (log) => log.add(5, snapshot(5n, 1n)).add(2, at(6n)), 'several'],
    ['a snapshot alone', (log) => log.add(5, snapshot(5n, 1n)), 'one'],
    ['a head', (log) => log.add(1, METADATA).add(3, s(4n)), 'one'],
    ['entries behind a head', (log) => log.add(1, METADATA).add(3, s(4n)).add(2, at(5n)), 'several'],
    ['a snapshot behind a head', (log) => log.add(1, METADATA).add(5, snapshot(5n, 1n)), 'several'],
  ])('%s', (_, build, saves) => {
    expect(search(contentOf(build(following().zeros(16)))).saves).toBe(saves);
  });

  test('entries behind a spot that is in the head itself', () => {
    const content = contentOf(following().zeros(16).add(3, s(4n)).add(2, at(5n)));
    expect(search(content, 0, { inHead: true }).saves).toBe('several');
    expect(search(contentOf(following().zeros(16).add(3, s(4n))), 0, { inHead: true }).saves).toBe('one');
  });
});

describe('large files', () => {
  test('records on both sides of what is read at a time', () => {
    const random = seededRandom(3);
    for (const place of [1_048_576 - 24, 1_048_576 - 16, 1_048_576 - 8, 1_048_576, 1_048_576 + 8]) {
      const log = Object.assign(new RawLog(), { crc: 99 }).raw(
        Uint8Array.from({ length: place }, () => 1 + Math.floor(random() * 7)),
      );
      expect(search(contentOf(grown(log, 5n, 9n))), `${place}`).toMatchObject({
        records: 10,
        offset: place,
        saves: 'several',
      });
    }
  });

  test('a record of several MiB', () => {
    const log = Object.assign(new RawLog(), { crc: 99 })
      .zeros(8)
      .add(2, entry(5n, put('k', 'x'.repeat(3_000_000), 5n)));
    expect(search(contentOf(grown(log, 6n, 7n)))).toMatchObject({ records: 5, entries: 3, offset: 8 });
  });

  test('64 MB of zeros are looked through, and nothing else', () => {
    const source = faultySource(zeroTailedSource(new Uint8Array(), 64_000_000));
    expect(search(source)).toMatchObject({ records: 0, nonZero: 0 });
    expect(source.bytesRead).toBeLessThan(65_000_000);
  });
});

describe('a source that fails', () => {
  test('what lies behind a place that cannot be read is found', () => {
    const log = Object.assign(new RawLog(), { crc: 99 }).raw(new Uint8Array(20_000).fill(0xff));
    const content = contentOf(grown(log, 5n, 9n));
    for (const bad of [0, 8, 4095, 4096, 9000]) {
      const source = faultySource(memorySource(content), { failAt: [[bad, bad + 1]] });
      expect(search(source), `${bad}`).toMatchObject({ records: 10, offset: 20_000 });
    }
    expect(search(faultySource(memorySource(content), { failAt: [[0, content.length]] }))).toMatchObject({
      records: 0,
    });
  });

  test('a file that got shorter', () => {
    const content = contentOf(grown(following(), 5n, 9n));
    expect(search(faultySource(memorySource(content), { shrinkTo: 10 }))).toMatchObject({ records: 0 });
    expect(search({ ...memorySource(new Uint8Array(100)), size: 10_000_000 })).toMatchObject({ records: 0 });
  });
});
