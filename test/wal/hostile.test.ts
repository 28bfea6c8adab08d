// Any bytes in, an answer out: checks and readers of logs throw nothing but errors of their own, and come to an end.
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { describeFinding } from '../../src/findings.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { checkWal } from '../../src/wal/check.ts';
import { readWal } from '../../src/wal/reader.ts';
import type { SegmentInput } from '../../src/wal/segment-input.ts';
import { seededRandom } from '../support/faulty.ts';
import { logFixture } from '../support/log-fixtures.ts';
import { concat, SegmentEdit } from '../support/wal-edit.ts';
import { systematicLog } from './damage/systematic-cases.ts';
import { bytes, entry, number, RawLog, snapshot, state } from './etcd/raw-log.ts';
import { grown, inputsOf, NODE, named, putEntry, started } from './log-maker.ts';

/** Everything there is to be done with a log. */
function useAll(segments: readonly SegmentInput[]): void {
  const report = checkWal({ segments }, { windowSize: 256 });
  for (const finding of report.findings) {
    const { message } = describeFinding(finding);
    if (/undefined|NaN|\[object/.test(message)) throw new Error(message);
  }
  JSON.stringify(report);
  const log = readWal({ segments });
  let last = -1;
  let name = '';
  for (const item of log.records({ goOn: true })) {
    // In the order of the file, so that it ends.
    if (item.segment === name && item.offset < last) throw new Error(`${item.offset} after ${last}`);
    last = item.offset;
    name = item.segment;
  }
  void log.state;
  for (const after of [undefined, 5n]) {
    try {
      let next = 0n;
      for (const { index } of log.entries({ after })) {
        if (index <= next) throw new Error(`entry ${index} after ${next}`);
        next = index;
      }
    } catch (error) {
      if (!isDatadirError(error, 'WAL_DAMAGED', 'WAL_TOO_INTRICATE')) throw error;
    }
  }
}

describe('random bytes', () => {
  test.each([1, 2, 3, 4])('seed %d', (seed) => {
    const random = seededRandom(seed);
    for (let n = 0; n < 100; n++) {
      const content = Uint8Array.from({ length: Math.floor(random() * 400) }, () =>
        // Many small numbers, so that lengths and types are sometimes possible ones.
        random() < 0.5 ? Math.floor(random() * 6) : Math.floor(random() * 256),
      );
      try {
        useAll([{ name: named(0, 0), source: memorySource(content) }]);
      } catch (error) {
        throw new Error(`seed ${seed}, case ${n}: ${Buffer.from(content).toString('hex')}`, { cause: error });
      }
    }
  });
});

/** Changes a few bytes, moves, doubles or takes out pieces. */
function mutate(content: Uint8Array, random: () => number): Uint8Array {
  const below = (end: number): number => Math.floor(random() * end);
  let made: Uint8Array = content.slice();
  for (let n = below(3); n >= 0; n--) {
    const at = below(made.length);
    const kind = below(6);
    if (kind < 2) made[at] = below(256);
    else if (kind === 2) made[at]! ^= 1 << below(8);
    else if (kind === 3) made.fill(0, at, at + below(600));
    else if (kind === 4) made = made.slice(0, at);
    else {
      const length = below(64);
      made = concat([made.subarray(0, at), made.subarray(below(made.length), at + length), made.subarray(at)]);
    }
    if (made.length === 0) break;
  }
  return made;
}

describe('mutated segments', () => {
  test.each([11, 12, 13])('of a small log, seed %d', (seed) => {
    const random = seededRandom(seed);
    for (let n = 0; n < 400; n++) {
      const log = systematicLog();
      const which = Math.floor(random() * log.length);
      const segments = inputsOf(
        log.map((each, i) => (i === which ? { name: each.name, bytes: mutate(each.bytes, random) } : each)),
      );
      try {
        useAll(segments);
      } catch (error) {
        throw new Error(`seed ${seed}, case ${n}`, { cause: error });
      }
    }
  });

  test.each([
    ['3.4.23/v2/m1', 21],
    ['3.6.14/fresh/m1', 22],
    ['3.7.1/empty/m1', 23],
  ])('of %s, seed %d', (name, seed) => {
    const random = seededRandom(seed);
    const [file] = logFixture(name).walFiles;
    const content = file!.bytes.slice(0, 20_000);
    for (let n = 0; n < 100; n++) {
      try {
        useAll([{ name: named(0, 0), source: memorySource(mutate(content, random)) }]);
      } catch (error) {
        throw new Error(`seed ${seed}, case ${n}`, { cause: error });
      }
    }
  });

  test('records rearranged, doubled and left out, with right CRCs', () => {
    const random = seededRandom(31);
    const frames = systematicLog().flatMap(
      ({ bytes: content }) => new SegmentEdit({ bytes: content, size: content.length }).frames,
    );
    for (let n = 0; n < 200; n++) {
      const log = new RawLog().chain(0);
      for (let i = 0; i < 25; i++) {
        const { type, data } = frames[Math.floor(random() * frames.length)]!;
        if (type === 4) log.chain(random() < 0.5 ? log.crc : Math.floor(random() * 100));
        else log.add(random() < 0.9 ? type : 1 + Math.floor(random() * 5), data);
      }
      useAll(inputsOf(log.segments));
    }
  });
});

describe('bombs', () => {
  /** Frames that overlap: each `step` bytes one that looks right and reaches as far as the file. */
  function bomb(size: number, step: number, length: (at: number) => number): Uint8Array {
    const made = new Uint8Array(size);
    const view = new DataView(made.buffer);
    for (let at = 0; at + 64 < size; at += step) {
      const whole = Math.min(length(at), size - at - 8);
      const data = whole - 9;
      if (data < 0) continue;
      view.setUint32(at, whole, true);
      made.set([0x08, 2, 0x10, 1, 0x1a], at + 8);
      // Four bytes of length, needed or not.
      made.set([(data & 0x7f) | 0x80, ((data >> 7) & 0x7f) | 0x80, ((data >> 14) & 0x7f) | 0x80, data >> 21], at + 13);
    }
    return made;
  }

  test.each([
    ['every frame reaches to the end of the file', (at: number) => 4_000_000 - at],
    ['every frame has 64 KiB', () => 65_536],
    ['every frame is small', () => 100],
  ])('%s: the search gives up or ends', (_, length) => {
    const size = 4_000_000;
    const log = grown(started(), 2n, 3n).raw(
      Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0),
      bomb(size, 24, length),
    );
    const report = checkWal({ segments: inputsOf(log.segments) });
    expect(report.verdict).toBe('damaged');
    expect(report.wal?.damage[0]?.behind.records).toBe(0);
  });

  test('frames of no bytes', () => {
    const empties = new Uint8Array(800_000);
    for (let at = 7; at < empties.length; at += 8) empties[at] = 0x80;
    const report = checkWal({ segments: inputsOf(new RawLog().raw(empties).segments) });
    expect(report.findings.map(({ code }) => code)).toContain('WAL_RECORD_TYPE');
    expect(report.wal?.segments[0]?.records).toBe(100_000);
  });

  test('very many snapshot records, states and metadata', () => {
    const log = started();
    const parts: Uint8Array[] = [];
    const collect = Object.assign(new RawLog(), {
      crc: log.crc,
      raw(...more: Uint8Array[]): unknown {
        parts.push(...more);
        return this;
      },
    });
    for (let i = 0; i < 20_000; i++) {
      collect.add(5, snapshot(BigInt(i % 977), BigInt(i % 3)));
      if (i % 4 === 0) collect.add(3, state(BigInt(i % 5), BigInt(i % 7), BigInt(i % 11)));
      if (i % 8 === 0) collect.add(1, bytes(number(1, i), number(2, i)));
    }
    const report = checkWal({ segments: inputsOf(log.raw(concat(parts)).segments) });
    expect(report.verdict).toBe('damaged');
    expect(report.findings.length).toBeLessThan(20);
    expect(report.wal?.snapshotRecords).toBe(20_001);
  });

  test('entries that overwrite one another all the time', () => {
    const log = started();
    const parts: Uint8Array[] = [];
    const collect = Object.assign(new RawLog(), {
      crc: log.crc,
      raw(...more: Uint8Array[]): unknown {
        parts.push(...more);
        return this;
      },
    });
    for (let i = 0; i < 30_000; i++)
      collect.add(2, entry(BigInt(2 + ((i * 7919) % 1000)), '', BigInt(1 + (i % 3)), i % 3));
    const report = checkWal({ segments: inputsOf(log.raw(concat(parts)).segments) });
    expect(report.verdict).toBe('damaged');
    expect(report.findings.length).toBeLessThan(1100);
  });

  test('numbers at 2^53 and 2^64', () => {
    const edges = [2n ** 53n - 2n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
    for (const value of edges) {
      useAll(
        inputsOf(
          started()
            .add(2, putEntry(value))
            .add(2, putEntry(value + 1n)).segments,
        ),
      );
      useAll(
        inputsOf(
          started()
            .add(2, putEntry(2n, value))
            .add(3, state(value, NODE, 2n)).segments,
        ),
      );
      useAll(inputsOf(started().add(3, state(1n, value, value)).segments));
      useAll(
        inputsOf(
          started()
            .add(5, snapshot(value, value))
            .add(3, state(1n, NODE, value)).segments,
        ),
      );
      useAll(
        inputsOf(
          new RawLog(named(0, 0))
            .head()
            .add(5, snapshot(value, 1n))
            .add(3, state(1n, NODE, value)).segments,
        ),
      );
    }
  });

  test('many segments without records', () => {
    const segments = Array.from({ length: 500 }, (_, i) => ({ name: named(i, i), bytes: new Uint8Array(i % 20) }));
    const report = checkWal({ segments: inputsOf(segments) }, { windowSize: 64 });
    expect(report.verdict).toBe('damaged');
  });
});
