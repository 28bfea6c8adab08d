import { expect, test } from 'vitest';
import { encodeWalSnapshot } from '../../src/proto/wal.ts';
import type { LogRecord } from '../../src/wal/log-records.ts';
import { Survey } from '../../src/wal/survey.ts';

const record = (type: number, data?: Uint8Array): LogRecord => ({
  kind: 'record',
  segment: 's',
  offset: 0,
  end: 8,
  type,
  crc: 0,
  data,
});

test('snapshot records are kept, up to a number that no log has', () => {
  const survey = new Survey();
  const data = encodeWalSnapshot({ index: 7n, term: 2n }, 'gogo');
  for (let i = 0; i < 100_000; i++) survey.add(record(5, data), 0);
  expect(survey.state.snapshots).toHaveLength(100_000);
  // Without a hard state nothing is committed.
  expect(survey.state.validSnapshots).toEqual([]);
  expect(() => survey.add(record(5, data), 0)).toThrow(expect.objectContaining({ code: 'WAL_TOO_INTRICATE' }));
});

test('a record whose content cannot be used ends the survey there', () => {
  for (const bad of [
    record(9),
    record(2, Uint8Array.of(0xff)),
    record(3, Uint8Array.of(0x08)),
    record(5, Uint8Array.of(7)),
  ]) {
    const survey = new Survey();
    expect(survey.add(bad, 0)).toBe(false);
    expect(survey.state.damage).toMatchObject({ segment: 's', offset: 0, reason: 'unparsable' });
  }
});
