/**
 * Entries of a log from an index on: what comes before is passed over, but for what is asked for.
 */
import { expect, test } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { finish } from '../../src/wal/etcd/steps.ts';
import { type EntriesOptions, readWal } from '../../src/wal/reader.ts';
import { addNodeEntry, buildLog, emptyEntry, metadata, putEntry, snapshot, state } from '../support/small-log.ts';

const NODE = 0x10n;
const HEAD = [metadata(NODE, 0x99n), snapshot(0n, 0n)];
const RECORDS = [
  emptyEntry(1n, 1n),
  putEntry(1n, 2n, 'a', '1'),
  addNodeEntry(1n, 3n, NODE),
  putEntry(1n, 4n, 'b', '2'),
  putEntry(1n, 5n, 'c', '3'),
  putEntry(2n, 6n, 'd', '4'),
  state(2n, NODE, 6n),
];

function open(records = RECORDS) {
  const log = buildLog([{ name: '0000000000000000-0000000000000000.wal', records: [...HEAD, ...records] }]);
  return readWal({ segments: log.map(({ name, bytes }) => ({ name, source: memorySource(bytes) })) });
}

const indexes = (options: EntriesOptions, records = RECORDS): bigint[] =>
  [...open(records).entries(options)].map(({ index }) => index);

test('all from there on, and one for each piece that was read before', () => {
  expect(indexes({ from: 5n })).toEqual([1n, 5n, 6n]);
  expect(indexes({ from: 6n })).toEqual([6n]);
  expect(indexes({})).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
});

test('changes of members too, if asked for', () => {
  expect(indexes({ from: 6n, changesBelow: true })).toEqual([1n, 3n, 6n]);
});

test('a gap is found also among what is passed over', () => {
  const records = RECORDS.filter((_, i) => i !== 1);
  expect(() => indexes({ after: 0n, from: 6n }, records)).toThrow(
    expect.objectContaining({ code: 'WAL_DAMAGED', expected: '2', actual: '3' }),
  );
});

test('what the log comes to in steps is the same as at once', () => {
  const wal = open();
  expect(finish(wal.stateSteps(0n))).toEqual(open().state);
  expect([...wal.entries({ after: 4n })].map(({ index }) => index)).toEqual([5n, 6n]);
});
