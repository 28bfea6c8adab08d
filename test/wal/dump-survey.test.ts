import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { decodeRecord } from '../../src/wal/dump-record.ts';
import { markedRecords, SurveyJob } from '../../src/wal/dump-survey.ts';
import { walInfo } from '../../src/wal/info.ts';
import { readWal, type Wal } from '../../src/wal/reader.ts';
import { segmentName } from '../../src/wal/segment-name.ts';
import { buildLog, emptyEntry, metadata, state } from '../support/small-log.ts';

interface Written {
  readonly term: bigint;
  readonly index: bigint;
}

/** A log of these entries; a segment for each list. */
function logOf(lists: readonly (readonly Written[])[]): Wal {
  const plans = lists.map((entries, i) => ({
    name: segmentName(BigInt(i), BigInt(i)),
    records: [metadata(1n, 2n), ...entries.map(({ term, index }) => emptyEntry(term, index)), state(1n, 1n, 1n)],
  }));
  return readWal({ segments: buildLog(plans, 32).map(({ name, bytes }) => ({ name, source: memorySource(bytes) })) });
}

function entriesOf(wal: Wal): { index: bigint; overwritten: boolean }[] {
  const entries: { index: bigint; overwritten: boolean }[] = [];
  for (const item of markedRecords(wal, drain(new SurveyJob(wal)))) {
    if (item.kind !== 'record') throw new Error('the log is whole');
    const content = decodeRecord(item);
    if (content.type === 'entry') entries.push({ index: content.index, overwritten: item.overwritten });
  }
  return entries;
}

describe('markedRecords', () => {
  test('marks what a later entry replaces, in the segment before too', () => {
    const wal = logOf([
      [1n, 2n, 3n].map((index) => ({ term: 1n, index })),
      [2n, 3n].map((index) => ({ term: 2n, index })),
    ]);
    expect(entriesOf(wal).map(({ overwritten }) => overwritten)).toEqual([false, true, true, false, false]);
  });

  const lists = fc.array(
    fc.array(fc.record({ term: fc.bigInt(1n, 3n), index: fc.bigInt(0n, 12n) }), { maxLength: 12 }),
    { minLength: 1, maxLength: 4 },
  );

  property.prop([lists])('survivors are those that etcd would keep', (entries) => {
    const all = entries.flat();
    // An entry is gone once one at its index or below follows; those without an index were never part of a log.
    const expected = all.map(({ index }, i) => ({
      index,
      overwritten: index === 0n || all.slice(i + 1).some((later) => later.index > 0n && later.index <= index),
    }));
    expect(entriesOf(logOf(entries))).toEqual(expected);
    const kept = expected.filter(({ overwritten }) => !overwritten);
    const info = walInfo(logOf(entries));
    expect(info.entries).toBe(kept.length);
    expect(info.kinds.noop).toBe(kept.length);
    expect(info.lastIndex).toBe(kept.length === 0 ? null : `${kept.at(-1)!.index}`);
  });
});
