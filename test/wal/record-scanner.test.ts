// Records and their chain of CRCs, a batch at a time: the same as one after the other, in windows of any size, with
// WebAssembly and without.
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { RecordScanner, ScanMemory } from '../../src/wal/record-scanner.ts';
import { faultySource, seededRandom } from '../support/faulty.ts';
import { logFixture, segments } from '../support/log-fixtures.ts';
import { referenceSegment } from '../support/reference-log.ts';
import { concat } from '../support/wal-edit.ts';
import { systematicCases } from './damage/systematic-cases.ts';
import { bytes, bytesToZero, entry, frame, number, RawLog, record, state, tag, text } from './etcd/raw-log.ts';
import { grown, started } from './log-maker.ts';

/** Everything that a scan says. */
interface Scan {
  readonly records: readonly { offset: number; type: number; crc: number; data: Uint8Array | undefined }[];
  readonly ended: string | undefined;
  readonly endOffset: number;
  readonly crc: number;
}

function scan(
  source: ByteSource,
  memory: ScanMemory,
  crc: number | 'unknown' = 0,
  start = 0,
): Scan & { scanner: RecordScanner } {
  const scanner = new RecordScanner(source, crc === 'unknown' ? undefined : crc, memory, start);
  const records: { offset: number; type: number; crc: number; data: Uint8Array | undefined }[] = [];
  while (scanner.next()) {
    const { count, bytes: from, offsets, types, crcs, dataStarts, dataEnds } = scanner;
    for (let i = 0; i < count; i++) {
      const data = dataStarts[i]! < 0 ? undefined : from.slice(dataStarts[i]!, dataEnds[i]!);
      records.push({ offset: offsets[i]!, type: types[i]!, crc: crcs[i]!, data });
    }
  }
  expect(scanner.next()).toBe(false);
  const { ended, endOffset, crc: last } = scanner;
  return { records, ended, endOffset, crc: last, scanner };
}

/** The same in one line, quick to compare. */
const told = ({ records, ended, endOffset, crc }: Scan): string => {
  const lines = records.map((each) => {
    const data = each.data === undefined ? 'none' : Buffer.from(each.data).toString('latin1');
    return `${each.offset} ${each.type} ${each.crc} ${data}`;
  });
  return [`${ended} ${endOffset} ${crc}`, ...lines].join('\n');
};
/** Whether a scan is what the plain reader says; strings of megabytes are not for an `expect` to print. */
function expectSame(actual: Scan, expected: Scan, what = ''): void {
  if (told(actual) === told(expected)) return;
  const first = actual.records.findIndex((each, i) => each.crc !== expected.records[i]?.crc);
  const brief = ({ records, ended, endOffset, crc }: Scan): object => ({
    records: records.length,
    ended,
    endOffset,
    crc,
  });
  expect({ ...brief(actual), first }, what).toEqual({ ...brief(expected), first: -1 });
  expect('the data of records', what).toBe('the same');
}

const memory = new ScanMemory(4096);
const plain = (): ScanMemory => {
  vi.stubGlobal('WebAssembly', undefined);
  try {
    return new ScanMemory(4096);
  } finally {
    vi.unstubAllGlobals();
  }
};
const withoutWasm = plain();
const memories = [8, 13, 64, 255, 1024].map((size) => new ScanMemory(size));
afterAll(() => vi.unstubAllGlobals());

const one = (log: RawLog): Uint8Array => log.segments[0]!.bytes;

test('without WebAssembly there is no kernel, and the window is plain memory', () => {
  expect(withoutWasm.window.length).toBe(8192);
  expect(scan(memorySource(one(started())), withoutWasm).records).toHaveLength(5);
});

test('every segment of the systematic cases reads as the plain reader reads it', () => {
  const seen = new Set<Uint8Array>();
  let n = 0;
  for (const { id, segments: log } of systematicCases()) {
    for (const { bytes: content } of log) {
      if (seen.has(content)) continue;
      seen.add(content);
      const expected = referenceSegment(content);
      const source = memorySource(content);
      expectSame(scan(source, memory), expected, id);
      expectSame(scan(source, memories[n++ % memories.length]!), expected, id);
      if (n % 7 === 0) expectSame(scan(source, withoutWasm), expected, id);
    }
  }
  expect(seen.size).toBeGreaterThan(5000);
});

describe('segments of real members', () => {
  test.each(['3.4.23/busy/m1', '3.5.33/v2/m1', '3.6.14/k8s/m1', '3.7.1/cluster/m2'])('%s', (name) => {
    const fixture = logFixture(name);
    for (const [i, input] of segments(fixture).entries()) {
      const file = fixture.walFiles.filter((each) => each.name.endsWith('.wal'))[i]!;
      // A few zeros of the many that follow.
      const expected = referenceSegment(concat([file.bytes, new Uint8Array(16)]));
      expect(expected.ended).toBe('zero');
      const large = new ScanMemory();
      expectSame(scan(input.source, large), expected);
      for (const other of [...memories, withoutWasm]) expectSame(scan(input.source, other), expected);
    }
  });
});

describe('many and large records', () => {
  test('more than fit a batch', () => {
    const log = grown(started(), 2n, 5000n);
    const content = one(log);
    const expected = referenceSegment(content);
    expect(expected.records.length).toBeGreaterThan(2 * 4096);
    for (const each of [memory, withoutWasm, memories[1]!]) expectSame(scan(memorySource(content), each), expected);
    // Damage in the first, the last and a middle record of a batch.
    for (const n of [0, 1, 4094, 4095, 4096, 4097, 8191, 8192, expected.records.length - 1]) {
      const bad = content.slice();
      const { offset } = expected.records[n]!;
      bad[offset + 8 + 3]! ^= 1;
      const damaged = referenceSegment(bad);
      for (const each of [memory, withoutWasm, new ScanMemory()]) {
        expectSame(scan(memorySource(bad), each), damaged, `record ${n}`);
      }
    }
  });

  test('records of several MiB, in windows that are smaller', () => {
    const random = seededRandom(5);
    const large = Uint8Array.from({ length: 3_000_001 }, () => Math.floor(random() * 256));
    const log = started()
      .add(2, entry(2n, large))
      .add(3, state(1n, 1n, 2n))
      .add(2, entry(3n, large.subarray(9)));
    const content = one(log);
    const expected = referenceSegment(content);
    expect(expected.ended).toBe('end');
    for (const each of [new ScanMemory(), memory, withoutWasm, memories[0]!]) {
      expectSame(scan(memorySource(content), each), expected);
    }
    const bad = content.slice();
    bad[content.length - 20]! ^= 0x40;
    const { scanner, ...found } = scan(memorySource(bad), memory);
    expectSame(found, referenceSegment(bad));
    expect(scanner.storedCrc).toBe(expected.crc);
    expect(scanner.computedCrc).not.toBe(expected.crc);
  });
});

describe('the chain', () => {
  const zero = (): RawLog => {
    const log = started();
    const data = entry(2n);
    const filler = bytes(data, tag(9, 2), 4);
    const crc = new RawLog();
    crc.crc = log.crc;
    return log.add(2, bytes(filler, bytesToZero(crc.add(2, filler).crc)));
  };

  test('a running value of exactly 0 lets any crc record pass, once', () => {
    const log = zero();
    expect(log.crc).toBe(0);
    const content = one(log.chain(0x1234).add(2, entry(3n)).chain(log.crc).add(2, entry(4n)));
    for (const each of [memory, withoutWasm, ...memories]) {
      const { ended, records } = scan(memorySource(content), each);
      expect([ended, records.length]).toEqual(['end', 10]);
    }
    const bad = one(zero().chain(0x1234).add(2, entry(3n)).chain(0x777));
    const { ended, scanner } = scan(memorySource(bad), memory);
    expect(ended).toBe('chain');
    expect(scanner.storedCrc).toBe(0x777);
  });

  test('a crc record that does not continue it ends the scan', () => {
    const log = started();
    const at = log.offset;
    const content = one(log.raw(frame(record(4, 77))).add(2, entry(2n)));
    for (const each of [memory, withoutWasm, ...memories]) {
      const { ended, endOffset, scanner } = scan(memorySource(content), each);
      expect([ended, endOffset, scanner.storedCrc, scanner.computedCrc]).toEqual([
        'chain',
        at,
        77,
        log.crc === 0 ? 0 : scanner.crc,
      ]);
    }
  });

  test('a head is believed, and told', () => {
    const content = one(new RawLog().chain(0xabcd).add(2, entry(1n)));
    const { scanner, ended } = scan(memorySource(content), memory, 5);
    expect([ended, scanner.headCrc]).toEqual(['end', 0xabcd]);
    expect(scan(memorySource(content), memory).scanner.headCrc).toBe(0xabcd);
  });

  test('without a head the value before has to fit, unless it is not known', () => {
    const whole = started();
    const before = whole.crc;
    const content = one(new RawLog());
    expect(content).toHaveLength(0);
    const rest = one(Object.assign(new RawLog(), { crc: before }).add(2, entry(2n)).add(2, entry(3n)));
    expect(scan(memorySource(rest), memory, before)).toMatchObject({ ended: 'end' });
    expect(scan(memorySource(rest), memory, before).scanner.headCrc).toBe(undefined);
    expect(scan(memorySource(rest), memory, 0)).toMatchObject({ ended: 'crc', endOffset: 0 });
    expect(scan(memorySource(rest), memory, 'unknown')).toMatchObject({ ended: 'end' });
    expect(scan(memorySource(rest), memory, 'unknown').records).toHaveLength(2);
  });

  test('records of unusual form count as well', () => {
    const data = entry(2n);
    const content = one(
      started()
        .body((crc) => bytes(text(3, data), number(2, crc), number(1, 2)), data)
        .body((crc) => bytes(number(1, 2), number(2, crc), text(3, 'old'), text(3, data), number(9, 1)), data)
        .body(
          (crc) =>
            bytes(
              number(1, 2),
              tag(2, 0),
              (crc & 0x7f) | 0x80,
              [0x80 | ((crc >>> 7) & 0x7f)],
              [0x80 | ((crc >>> 14) & 0x7f)],
              [0x80 | ((crc >>> 21) & 0x7f)],
              [0x80 | (crc >>> 28)],
              0,
              text(3, data),
            ),
          data,
        )
        .body((crc) => bytes(number(2, crc)), bytes())
        .body((crc) => bytes(number(1, -1), number(2, crc)), bytes()),
    );
    for (const each of [memory, withoutWasm, ...memories]) {
      const { ended, records } = scan(memorySource(content), each);
      expect(ended).toBe('end');
      expect(records.slice(5).map(({ type }) => type)).toEqual([2, 2, 2, 0, -1]);
      expect(records.slice(5).map((one) => one.data?.length)).toEqual([
        data.length,
        data.length,
        data.length,
        undefined,
        undefined,
      ]);
    }
  });
});

test('a place that cannot be read ends the scan behind the records before it', () => {
  const content = one(grown(started(), 2n, 60n));
  const expected = referenceSegment(content);
  const { offset } = expected.records[50]!;
  for (const each of [memory, withoutWasm, ...memories, new ScanMemory()]) {
    const source = faultySource(memorySource(content), { failAt: [[offset + 9, offset + 10]] });
    const { ended, endOffset, records, scanner } = scan(source, each);
    expect([ended, endOffset, records.length]).toEqual(['unreadable', offset, 50]);
    expect(scanner.error).toMatchObject({ code: 'IO_FAILED' });
    expect(scanner.crc).toBe(records.at(-1)!.crc);
  }
});

test('a scan can begin at any record', () => {
  const content = one(grown(started(), 2n, 20n));
  const expected = referenceSegment(content);
  for (const [n, { offset }] of expected.records.entries()) {
    const { records, ended } = scan(memorySource(content), memory, n === 0 ? 0 : expected.records[n - 1]!.crc, offset);
    expect(ended).toBe('end');
    expect(records.length).toBe(expected.records.length - n);
    expect(records.at(-1)).toEqual(expected.records.at(-1));
    expect(scan(memorySource(content), memories[1]!, 'unknown', offset).records).toEqual(expected.records.slice(n));
  }
});
