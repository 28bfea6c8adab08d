/**
 * Reading keys of files with changed bytes: an answer or an error of ours, never anything else.
 */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { readChanges } from '../../src/backend/change-log.ts';
import { exportRecords } from '../../src/backend/export-records.ts';
import { readHistory } from '../../src/backend/history.ts';
import { rangeJob } from '../../src/backend/range.ts';
import { fromKeyRange } from '../../src/backend/range-bounds.ts';
import { isDatadirError } from '../../src/errors.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { bytesOf, PLAIN_KEYS, PlainMvcc } from '../support/plain-mvcc.ts';

const store = new PlainMvcc();
for (let i = 0; i < 120; i++) {
  const key = PLAIN_KEYS[i % PLAIN_KEYS.length] as string;
  store.txn(i % 7 === 6 ? [{ delete: key }] : [{ put: key, value: 'v'.repeat((i * 37) % 500) }]);
}
store.compact(20n);
const whole = await store.db(1024);

const ALL = fromKeyRange(new Uint8Array());
const READINGS: readonly ((file: BackendFile) => Iterable<unknown>)[] = [
  (file) => drain(rangeJob(file, ALL)).keyValues,
  (file) => drain(rangeJob(file, { ...ALL, sortBy: 'value', order: 'descend' })).keyValues,
  (file) => drain(rangeJob(file, { key: bytesOf('/a'), revision: 60n })).keyValues,
  (file) => readHistory(file, bytesOf('/a'), { limit: 3 }),
  (file) => readChanges(file, { prefix: bytesOf('/a'), wholeRevisions: true }),
  (file) => exportRecords(file),
  (file) => exportRecords(file, { allRevisions: true }),
];

/** Bytes anywhere, most of them where pages and elements have their heads. */
const place = fc.oneof(
  fc.nat(whole.length - 1),
  fc.tuple(fc.nat(whole.length / 1024 - 1), fc.nat(120)).map(([page, at]) => page * 1024 + at),
);
const anyByte = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255));

test.prop([fc.array(fc.tuple(place, anyByte), { minLength: 1, maxLength: 6 })], { numRuns: 400 })(
  'changed bytes',
  (changes) => {
    const bytes = whole.slice();
    for (const [at, value] of changes) bytes[at] = value;
    for (const read of READINGS) {
      try {
        const file = new BackendFile(memorySource(bytes));
        expect([...read(file)].length).toBeLessThan(whole.length);
      } catch (error) {
        if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
      }
    }
  },
);

test.prop([fc.nat(whole.length)], { numRuns: 60 })('a file that ends too early', (length) => {
  for (const read of READINGS) {
    try {
      expect([...read(new BackendFile(memorySource(whole.slice(0, length))))].length).toBeLessThan(whole.length);
    } catch (error) {
      if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
    }
  }
});
