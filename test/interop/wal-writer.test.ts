// Logs written by the real wal packages of etcd and logs written here: the same bytes after every call, and each side goes
// on where the other has stopped. Sequences at the edges are recorded in fixtures/wal-writer, also for machines without Go.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createWalDirectory, openWalDirectory } from '../../src/files/wal-directory.ts';
import { decodeLog, listLog } from '../support/wal-writer-decoder.ts';
import { randomSequence } from '../support/wal-writer-random.ts';
import { entryOf, ourOutcome } from '../support/wal-writer-sequence.ts';
import { DRIVEN_MINORS, walDriverPark } from './wal-driver.ts';
import { commandOf, readLogDirectory, realOutcome } from './wal-writer.ts';

const RANDOM_SEQUENCES = 8;

const park = walDriverPark();
afterAll(() => park.close());

describe.each(DRIVEN_MINORS)('etcd %s', (minor) => {
  describe.skipIf(!park.available(minor))('and here', () => {
    const folder = (name: string): string => join(park.folder, minor, name);

    test('write the same bytes: random sequences', async () => {
      const driver = park.start(minor);
      for (let seed = 1; seed <= RANDOM_SEQUENCES; seed++) {
        const sequence = randomSequence(seed);
        const real = await realOutcome(driver, sequence, folder('random'));
        expect(ourOutcome(sequence, minor), sequence.name).toEqual(real);
      }
    });

    test('append to what the other has written', async () => {
      const driver = park.start(minor);
      const dir = folder('by-turns');
      const options = { etcdVersion: minor, segmentSize: 3000 };
      await driver.do({ op: 'segmentSize', size: options.segmentSize });
      createWalDirectory(dir, { nodeId: 1n, clusterId: 2n }, options).close();
      const entries: { term: string; index: string; data: { length: number; seed: number } }[] = [];
      const more = (count: number) =>
        Array.from({ length: count }, () => {
          const index = entries.length + 1;
          const entry = { term: '1', index: `${index}`, data: { length: (index * 37) % 900, seed: index } };
          entries.push(entry);
          return entry;
        });
      for (let turn = 0; turn < 12; turn++) {
        if (turn % 2 === 0) {
          const log = openWalDirectory(dir, options);
          expect(log.lastIndex).toBe(BigInt(entries.length));
          log.save({ term: 1n, vote: 1n, commit: BigInt(entries.length) }, more(4).map(entryOf));
          if (turn === 4) log.cut();
          log.close();
        } else {
          const read = await driver.do({ op: 'open', dir, list: true });
          expect(read.metadata).toBe('08011002');
          expect(read.entries?.count).toBe(entries.length);
          await driver.do(commandOf({ do: 'save', entries: more(5) }, dir));
          if (turn === 7) await driver.do({ op: 'cut' });
          await driver.do({ op: 'close' });
        }
      }
      const { records, stop } = decodeLog(readLogDirectory(dir));
      expect(stop).toBe('end');
      expect(records.filter(({ type }) => type === 2).length).toBe(entries.length);
      const read = await driver.do({ op: 'readAllRead', dir, list: true });
      const expected = entries.map(({ index, data }) => [
        index,
        Buffer.from(entryOf({ data }).data ?? []).toString('hex'),
      ]);
      expect(read.list?.map(({ index, data }) => [index, data])).toEqual(expected);
    });

    test.runIf(process.platform === 'linux')('do not write at the same time', async () => {
      const driver = park.start(minor);
      const dir = folder('locked');
      const options = { etcdVersion: minor, segmentSize: 4096 };
      await driver.do({ op: 'segmentSize', size: options.segmentSize });
      await driver.do({ op: 'create', dir, metadataHex: '08011002' });
      expect(() => openWalDirectory(dir, options)).toThrow(expect.objectContaining({ code: 'FILE_LOCKED' }));
      await driver.do({ op: 'close' });
      openWalDirectory(dir, options).close();
    });

    test('take a log with a torn end for the same thing', async () => {
      const driver = park.start(minor);
      const options = { etcdVersion: minor, segmentSize: 8192 };
      await driver.do({ op: 'segmentSize', size: options.segmentSize });
      const logs = ['ours', 'real'].map((name) => folder(name));
      for (const dir of logs) {
        const log = createWalDirectory(dir, undefined, options);
        log.save(undefined, [{ term: 1n, index: 1n, data: new Uint8Array(100).fill(7) }]);
        log.close();
      }
      const [ours = '', real = ''] = logs;
      // Zeros, then what reached the disk of a record behind them.
      for (const dir of logs) {
        const [[name, bytes] = ['', new Uint8Array(0)]] = readLogDirectory(dir);
        bytes.fill(0xab, 5000, 6000);
        writeFileSync(join(dir, name), bytes);
      }
      openWalDirectory(ours, options).close();
      await driver.do({ op: 'open', dir: real });
      await driver.do({ op: 'close' });
      expect(listLog(readLogDirectory(ours))).toEqual(listLog(readLogDirectory(real)));
    });
  });
});
