// Every change of the disk failing in turn, and every moment of a crash: the log reads to the last save that was synced, and
// holds nothing that was not saved.
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../../src/errors.ts';
import { openWal } from '../../../src/wal/writer.ts';
import { decodeLog } from '../../support/wal-writer-decoder.ts';
import { crashStates, type RecordingDirectory, recordingDirectory } from '../../support/wal-writer-directory.ts';
import { OurLog, type Sequence, type Step } from '../../support/wal-writer-sequence.ts';

const MEMBERS = { voters: ['7'], learners: [], votersOutgoing: [], learnersNext: [] };

const entry = (index: number, length: number) => ({ term: '1', index: `${index}`, data: { length, seed: index } });
const state = (commit: number) => ({ term: '1', vote: '7', commit: `${commit}` });

/** Small saves, one larger than the buffer, states that are not synced, cuts by size and by call, a reopening. */
const SEQUENCE: Sequence = {
  name: 'faults',
  segmentSize: 3000,
  metadata: '08011002',
  steps: [
    { do: 'save', hardState: state(1), entries: [entry(1, 20)] },
    { do: 'save', hardState: state(2) },
    { do: 'save', hardState: state(3) },
    { do: 'save', entries: [entry(2, 500), entry(3, 1500)] },
    { do: 'save', hardState: state(3), entries: [entry(4, 2000)] },
    { do: 'save', hardState: state(4) },
    { do: 'save', entries: [entry(5, 140_000), entry(6, 9000)] },
    { do: 'save', entries: [entry(6, 30)] },
    { do: 'saveSnapshot', snapshot: { index: '6', term: '1', confState: MEMBERS } },
    { do: 'cut' },
    { do: 'save', hardState: state(6) },
    { do: 'reopen', from: { index: '6', term: '1' } },
    { do: 'save', hardState: state(6), entries: [entry(7, 10)] },
    { do: 'save', hardState: state(7) },
    { do: 'sync' },
  ],
};

/** A log's records without the heads that cuts repeat. */
function savedRecords(files: ReadonlyMap<string, Uint8Array>): string[] {
  return decodeLog(files).records.flatMap(({ type, data }) =>
    type === 2 || type === 5 ? [`${type} ${Buffer.from(data ?? []).toString('hex')}`] : [],
  );
}

/** Whether everything is on the disk when the step returns. */
const isSynced = (step: Step): boolean => step.do !== 'save' || (step.entries ?? []).length > 0;

/** What the log holds after each step when nothing goes wrong, and how many changes of the disk that took. */
function healthy(): { records: string[][]; changes: number[] } {
  const directory = recordingDirectory();
  const log = new OurLog(directory, SEQUENCE, '3.6');
  const records: string[][] = [savedRecords(directory.files())];
  const changes = [directory.events.length];
  for (const step of SEQUENCE.steps) {
    log.do(step);
    records.push(savedRecords(directory.files()));
    changes.push(directory.events.length);
  }
  return { records, changes };
}

const HEALTHY = healthy();

/** Does the steps until one fails; how many were done. */
function run(directory: RecordingDirectory): { done: number; error: unknown; log: OurLog | undefined } {
  let log: OurLog | undefined;
  let done = 0;
  try {
    log = new OurLog(directory, SEQUENCE, '3.6');
    for (const step of SEQUENCE.steps) {
      log.do(step);
      done++;
    }
  } catch (error) {
    return { done, error, log };
  }
  return { done, error: undefined, log };
}

/** The records that must be there after `done` steps, and those that may be: of the next step a part. */
function assertBetween(records: readonly string[], done: number, what: string): void {
  let synced = done;
  while (synced > 0 && !isSynced(SEQUENCE.steps[synced - 1] as Step)) synced--;
  const certain = HEALTHY.records[synced] as string[];
  const possible = HEALTHY.records[Math.min(done + 1, SEQUENCE.steps.length)] as string[];
  expect(records.slice(0, certain.length), what).toEqual(certain);
  expect(records, what).toEqual(possible.slice(0, records.length));
}

describe('a change of the disk that fails', () => {
  const total = HEALTHY.changes.at(-1) as number;

  test('leaves a log that reads to the last synced save, wherever it is', () => {
    let failures = 0;
    for (let n = 0; n < total; n++) {
      const directory = recordingDirectory();
      directory.failAt(n);
      const { done, error, log } = run(directory);
      if (error === undefined) break;
      failures++;
      expect(isDatadirError(error, 'IO_FAILED'), String(error)).toBe(true);
      if (log === undefined) {
        expect(directory.list(), `change ${n}`).toEqual([]);
        continue;
      }
      const files = directory.files();
      assertBetween(savedRecords(files), done, `change ${n}`);
      expect([...files.keys()].filter((name) => name.endsWith('.tmp'))).toEqual([]);

      // Nothing more is written by that writer.
      const events = directory.events.length;
      for (const action of [() => log.writer.save(undefined, [{ index: 9n }]), () => log.writer.sync()]) {
        expect(() => action()).toThrow(expect.objectContaining({ code: expect.stringMatching(/^WAL_/) }));
      }
      log.writer.close();
      expect(directory.events.length).toBe(events);
    }
    expect(failures).toBeGreaterThan(40);
  });

  test('leaves a log that can be opened and gone on with, if it was not torn', () => {
    let opened = 0;
    for (let n = 0; n < total; n++) {
      const directory = recordingDirectory();
      directory.failAt(n);
      const { log } = run(directory);
      if (log === undefined) continue;
      const again = recordingDirectory(directory.files());
      const before = savedRecords(again.files());
      try {
        const writer = openWal(again, { etcdVersion: '3.6', segmentSize: SEQUENCE.segmentSize });
        writer.save(undefined, [{ term: 1n, index: writer.lastIndex + 1n }]);
        writer.cut();
        writer.close();
      } catch (error) {
        // A half-written record: repairing that is not the writer's business.
        expect(isDatadirError(error, 'WAL_DAMAGED'), String(error)).toBe(true);
        expect(savedRecords(again.files())).toEqual(before);
        continue;
      }
      opened++;
      const { stop } = decodeLog(again.files());
      expect(stop).toBe('end');
      expect(savedRecords(again.files()).slice(0, -1)).toEqual(before);
    }
    expect(opened).toBeGreaterThan(20);
  });
});

describe('a crash', () => {
  test('at any moment leaves a log that reads to the last synced save', () => {
    const directory = recordingDirectory();
    const { done } = run(directory);
    expect(done).toBe(SEQUENCE.steps.length);
    let states = 0;
    for (let moment = HEALTHY.changes[0] as number; moment <= directory.events.length; moment++) {
      const steps = HEALTHY.changes.findLastIndex((changes) => changes <= moment);
      for (const files of crashStates(directory.events.slice(0, moment), 6, moment)) {
        states++;
        assertBetween(savedRecords(files), steps, `after change ${moment}`);
      }
    }
    expect(states).toBeGreaterThan(300);
  });
});
