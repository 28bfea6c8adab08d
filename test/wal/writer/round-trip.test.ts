// Random sequences of calls: what is read back is what was saved, and saving it again gives the same bytes.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { ETCD_MINORS, type EtcdMinor } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import { encodeEntry, parseEntry, parseHardState } from '../../../src/proto/raft.ts';
import { encodeWalSnapshot, parseWalSnapshot } from '../../../src/proto/wal.ts';
import { frameOf } from '../../../src/wal/encode-frame.ts';
import { FrameReader } from '../../../src/wal/frame-reader.ts';
import { type MemoryLogDirectory, memoryLogDirectory } from '../../../src/wal/log-directory.ts';
import { createWal, openWal } from '../../../src/wal/writer.ts';
import { decodeLog, segmentsOf } from '../../support/wal-writer-decoder.ts';
import { randomSequence } from '../../support/wal-writer-random.ts';
import { dataOf, entryOf, OurLog, snapshotOf } from '../../support/wal-writer-sequence.ts';

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
const filesOf = (directory: MemoryLogDirectory) =>
  new Map(directory.list().map((name) => [name, directory.read(name)]));

const anySequence = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  length: fc.integer({ min: 0, max: 40 }),
  version: fc.constantFrom<EtcdMinor>(...ETCD_MINORS),
});

describe('a log that was written', () => {
  test.prop([anySequence], { numRuns: 30 })('holds what was saved', ({ seed, length, version }) => {
    const sequence = randomSequence(seed, length);
    const directory = memoryLogDirectory();
    const log = new OurLog(directory, sequence, version);
    const style = version === '3.7' ? 'google' : 'gogo';
    const saved: [number, string][] = [[5, '08001000']];
    for (const step of sequence.steps) {
      if (log.do(step) === 'refused') continue;
      if (step.do === 'saveSnapshot') {
        const snapshot = snapshotOf(step.snapshot);
        const kept = version === '3.4' ? { ...snapshot, confState: undefined } : snapshot;
        saved.push([5, hex(encodeWalSnapshot(kept, style))]);
      }
      if (step.do !== 'save') continue;
      for (const entry of step.entries ?? []) saved.push([2, hex(encodeEntry(entryOf(entry), style))]);
    }
    log.writer.close();

    const files = filesOf(directory);
    const { records, stop } = decodeLog(files);
    expect(stop).toBe('end');
    expect(directory.list().filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // A cut repeats the state, so states are not compared here.
    const own = records.filter(({ type }) => type === 2 || type === 5).map(({ type, data }) => [type, hex(data)]);
    expect(own).toEqual(saved);
    // Heads: a crc record that continues the chain, the metadata.
    const { metadata } = sequence;
    for (const segment of segmentsOf(files)) {
      const [crc, head] = records.filter((record) => record.segment === segment);
      expect(crc?.type).toBe(4);
      expect(head?.type).toBe(1);
      expect(head?.data).toEqual(metadata === undefined ? undefined : dataOf(metadata));
    }
  });

  test.prop([anySequence], { numRuns: 30 })(
    'gives the same bytes when it is saved again',
    ({ seed, length, version }) => {
      const { segmentSize, metadata, steps } = randomSequence(seed, length);
      const first = memoryLogDirectory();
      const sequence = { name: '', segmentSize, ...(metadata === undefined ? {} : { metadata }), steps };
      const log = new OurLog(first, sequence, version);
      for (const step of steps) if (step.do !== 'reopen') log.do(step);
      log.writer.close();
      const files = filesOf(first);
      const { records } = decodeLog(files);

      const again = memoryLogDirectory();
      const huge = { etcdVersion: version, segmentSize: 1e12 };
      // Preallocation is left to the directory: this one has none.
      const lazy = { ...again, create: (name: string) => ({ ...again.create(name), truncate() {} }) };
      const writer = createWal(
        { ...lazy, open: again.open },
        metadata === undefined ? undefined : dataOf(metadata),
        huge,
      );
      let segment = records[0]?.segment;
      let hasState = false;
      for (const [i, record] of records.entries()) {
        if (record.segment !== segment) writer.cut();
        segment = record.segment;
        const data = record.data ?? new Uint8Array(0);
        // What the cut itself has written.
        const isHead = hasState && records[i - 1]?.type === 1;
        if (record.type === 2) writer.save(undefined, [parseEntry(data)]);
        else if (record.type === 3 && !isHead) {
          writer.save(parseHardState(data));
          hasState = true;
        } else if (record.type === 5 && i > 2) writer.saveSnapshot(parseWalSnapshot(data));
      }
      writer.close();
      for (const name of segmentsOf(files)) {
        const expected = files.get(name) as Uint8Array;
        const got = again.read(name);
        const end = Math.max(...records.filter((record) => record.segment === name).map(({ offset }) => offset));
        expect(hex(got.subarray(0, end + 8))).toBe(hex(expected.subarray(0, end + 8)));
      }
    },
  );

  test.prop([anySequence], { numRuns: 30 })('has frames that are made again from their records', (params) => {
    const directory = memoryLogDirectory();
    const sequence = randomSequence(params.seed, params.length);
    const log = new OurLog(directory, sequence, params.version);
    for (const step of sequence.steps) log.do(step);
    log.writer.close();
    const files = filesOf(directory);
    const { records } = decodeLog(files);
    let i = 0;
    for (const segment of segmentsOf(files)) {
      const bytes = files.get(segment) as Uint8Array;
      const reader = new FrameReader(memorySource(bytes));
      while (reader.next() === 'frame') {
        const record = records[i++];
        expect(record?.offset).toBe(reader.offset);
        if (record !== undefined) {
          expect(hex(frameOf(record))).toBe(hex(bytes.subarray(reader.offset, reader.position)));
        }
      }
    }
    expect(i).toBe(records.length);
    expect(() => openWal(directory, { etcdVersion: params.version, segmentSize: 4096 }).close()).not.toThrow();
  });
});
