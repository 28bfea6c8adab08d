// Reads, writes and syncs that fail while something is being committed, at every place where they can: nothing of the
// transaction stays, the database can be used on, and the next commit works. Only when a meta may be on the disk or not,
// the database has to be opened again.
import { describe, expect, it } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import type { BoltDb } from '../../src/bolt/database.ts';
import type { Transaction } from '../../src/bolt/transaction.ts';
import { openWritable } from '../../src/bolt/writable.ts';
import { DatadirError, isDatadirError } from '../../src/errors.ts';
import type { FindingCode } from '../../src/findings.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { contentText, listDatabase } from '../support/list-database.ts';
import { contentOf, type PreparedTransaction, prepareTransaction, Trial } from '../support/prepared-transaction.ts';
import type { Fault } from '../support/recording-file.ts';
import { applyToModel } from '../support/writer-model.ts';
import { applyToTransaction, listTransaction } from '../support/writer-operations.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const TRIALS = Number(process.env['ETCD_DATADIR_FAULT_TRIALS'] ?? 4);

const CASES: readonly PreparedTransaction[] = [512, 1024, 4096].flatMap((pageSize) =>
  Array.from({ length: TRIALS }, (_, i) =>
    prepareTransaction({ seed: SEED * 100 + i, pageSize, noFreelistSync: i % 2 === 1 }),
  ),
);
const NAMED = CASES.map((prepared) => [prepared.name, prepared] as const);

/** What a commit that failed leaves: pages behind the end, or in those that only the commit before the last one used. */
const LEFT: readonly FindingCode[] = ['BOLT_TAIL_NOT_ZERO', 'BOLT_PREVIOUS_DAMAGED'];
const TORN: readonly FindingCode[] = ['BOLT_META_NEWER_INVALID', 'BOLT_META_OLDER_INVALID'];

function expectSound(trial: Trial, allowed: readonly FindingCode[]): void {
  const report = checkBolt(trial.memory.bytes());
  expect(report.findings.filter(({ code }) => !allowed.includes(code))).toEqual([]);
}

function expectSameFile(trial: Trial): void {
  // The matcher for arrays takes its time.
  expect(Buffer.compare(trial.memory.bytes(), trial.prepared.bytes)).toBe(0);
}

/** Runs `work`, which must throw one of our errors with words that say what happened. */
function failureOf(work: () => void): DatadirError | undefined {
  try {
    work();
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
    return error;
  }
  return undefined;
}

/** Readers that were open before it happened. */
class Before {
  readonly #readers: readonly [Transaction, BoltDb];
  readonly #content: string;

  constructor(trial: Trial) {
    this.#readers = [trial.db.begin(), trial.db.reader()];
    this.#content = contentOf(trial.prepared.before);
  }

  /** They see what they saw. */
  expectSame(): void {
    expect(contentText(listTransaction(this.#readers[0]))).toBe(this.#content);
    expect(contentText(listDatabase(this.#readers[1]))).toBe(this.#content);
  }

  end(): void {
    this.#readers[0].rollback();
    this.#readers[1].close();
  }
}

/** The database is as it was, and the transaction succeeds when nothing fails. */
function expectUsable(trial: Trial, spare: number, txid: bigint): void {
  const { db, prepared } = trial;
  trial.file.arm(undefined);
  expect([db.txid, trial.spare, db.pendingPageCount]).toEqual([txid, spare, db.pendingPageCount]);
  expect(trial.content).toBe(contentOf(prepared.before));
  expectSound(trial, LEFT);
  trial.run();
  expectCommitted(trial);
}

function expectCommitted(trial: Trial): void {
  expect(trial.content).toBe(contentOf(trial.prepared.after));
  expectSound(trial, ['BOLT_TAIL_NOT_ZERO']);
  // Every page is in use, or the next transaction but one can have it.
  expect(trial.spare).toBe(checkBolt(trial.memory.bytes()).bolt?.freePages);
}

/** Runs the transaction with each fault in turn, until there is no call left that could fail. */
function forEachFault(
  prepared: PreparedTransaction,
  fault: (index: number) => Fault,
  examine: (trial: Trial, error: DatadirError, before: { spare: number; txid: bigint; readers: Before }) => void,
): number {
  for (let index = 0; ; index++) {
    const trial = new Trial(prepared);
    const { txid } = trial.db;
    const before = { spare: trial.spare, txid, readers: new Before(trial) };
    trial.file.arm(fault(index));
    const error = failureOf(() => trial.run());
    if (!trial.file.failed) {
      expect(error).toBeUndefined();
      return index;
    }
    if (error === undefined) throw new Error(`${fault(index).call} ${index} failed, but the commit did not`);
    examine(trial, error, before);
    before.readers.expectSame();
    before.readers.end();
    trial.db.close();
  }
}

describe.each(NAMED)('%s', (_, prepared) => {
  it.each<[string, (index: number) => Fault]>([
    ['the disk is full from some write on', (index) => ({ call: 'write', index, lasting: true })],
    ['a write fails in the middle', (index) => ({ call: 'write', index, written: 512 })],
    ['a sync of data fails', (index) => ({ call: 'sync', index })],
    ['the file cannot be made longer', (index) => ({ call: 'truncate', index })],
    ['the file is longer, but the sync of that fails', (index) => ({ call: 'growth', index })],
    ['nothing of the meta can be written', (index) => ({ call: 'metaWrite', index })],
    [
      'only the header of the meta page is written, which is the same',
      (index) => ({ call: 'metaWrite', index, written: 16 }),
    ],
  ])('%s: the database can be used on', (what, fault) => {
    const count = forEachFault(prepared, fault, (trial, error, { spare, txid }) => {
      expect(error).toMatchObject({
        code: 'IO_FAILED',
        systemCode: /full|longer$/.test(what) ? 'ENOSPC' : expect.any(String),
      });
      expect(error.message).toMatch(/gave (ENOSPC|EIO)$/);
      expectUsable(trial, spare, txid);
    });
    // A file that has room enough does not grow; all the rest is part of every commit.
    if (!/longer/.test(what)) expect(count).toBeGreaterThan(0);
  });

  it.each<[string, (index: number) => Fault]>([
    ['the sync of the meta fails', (index) => ({ call: 'metaSync', index })],
    ['the meta is written in part', (index) => ({ call: 'metaWrite', index, written: 68 })],
    ['the meta is written, and the write fails all the same', (index) => ({ call: 'metaWrite', index, written: 80 })],
  ])('%s: the database has to be opened again', (_what, fault) => {
    const count = forEachFault(prepared, fault, (trial, error, { txid, readers }) => {
      expect(error).toMatchObject({ code: 'BOLT_OUTCOME_UNKNOWN', cause: expect.any(DatadirError) });
      expect(error.message).toMatch(/not known.*open the database again/);
      trial.file.arm(undefined);
      const { db } = trial;
      const uses = [() => db.begin(), () => db.begin({ writable: true }), () => db.reader(), () => db.view(() => {})];
      for (const use of [...uses, () => db.update(() => {})]) {
        expect(failureOf(use)).toMatchObject({ code: 'BOLT_OUTCOME_UNKNOWN' });
      }
      readers.expectSame();
      trial.reopen();
      const isNew = trial.db.txid !== txid;
      expect(trial.db.txid - txid).toBe(isNew ? 1n : 0n);
      expect(trial.content).toBe(contentOf(isNew ? prepared.after : prepared.before));
      expectSound(trial, [...LEFT, ...TORN]);
      if (isNew) trial.db.update(() => {});
      else trial.run();
      expectCommitted(trial);
      // The readers of the first handle end with it; these are only looked at once more.
      Object.assign(readers, { expectSame: () => {}, end: () => {} });
    });
    expect(count).toBe(1);
  });

  it('a read fails: the operation has no effect, or the commit fails as a whole', () => {
    let failures = 0;
    let committed = 0;
    for (let index = 0; ; index += 1 + Math.floor(index / 20)) {
      const trial = new Trial(prepared);
      const { spare } = trial;
      const { txid } = trial.db;
      const model = prepared.before.clone();
      trial.file.arm({ call: 'read', index });
      const tx = trial.db.begin({ writable: true });
      for (const operation of prepared.operations) {
        if (applyToTransaction(tx, operation) !== 'e:IO_FAILED') applyToModel(model, operation);
      }
      const error = failureOf(() => tx.commit());
      if (!trial.file.failed) break;
      failures++;
      if (error === undefined) {
        committed++;
        trial.file.arm(undefined);
        expect(trial.content).toBe(contentOf(model));
        expectSound(trial, []);
        expect(trial.spare).toBe(checkBolt(trial.memory.bytes()).bolt?.freePages);
      } else {
        expect(['IO_FAILED', 'BOLT_DAMAGED']).toContain(error.code);
        expect((error.cause as Error | undefined)?.message ?? error.message).toMatch(/gave EIO$/);
        expectUsable(trial, spare, txid);
      }
    }
    expect(failures).toBeGreaterThan(0);
    expect(committed).toBeLessThanOrEqual(failures);
  });

  it('a rollback at any point leaves everything as it was', () => {
    for (let count = 0; count <= prepared.operations.length; count += 1 + Math.floor(count / 4)) {
      const trial = new Trial(prepared);
      const { spare } = trial;
      const { txid } = trial.db;
      const readers = new Before(trial);
      const tx = trial.db.begin({ writable: true });
      for (const operation of prepared.operations.slice(0, count)) applyToTransaction(tx, operation);
      tx.rollback();
      expect(trial.file.events).toEqual([]);
      expectSameFile(trial);
      expectUsable(trial, spare, txid);
      readers.expectSame();
      readers.end();
    }
  });

  it('BOLT_MAX_SIZE leaves everything as it was', () => {
    const whole = new Trial(prepared);
    whole.run();
    const trial = new Trial(prepared, { maxSize: prepared.bytes.length });
    const { spare } = trial;
    const { txid } = trial.db;
    const error = failureOf(() => trial.run());
    if (error === undefined) {
      expectCommitted(trial);
      return;
    }
    expect(error).toMatchObject({
      code: 'BOLT_MAX_SIZE',
      message: expect.stringContaining(`${prepared.bytes.length}`),
    });
    expect([trial.db.txid, trial.spare]).toEqual([txid, spare]);
    expectSameFile(trial);
    const tx = trial.db.begin({ writable: true });
    expect(failureOf(() => tx.root.createBucketIfNotExists('fits'))).toBeUndefined();
    const second = failureOf(() => tx.commit());
    if (second !== undefined) expect(second.code).toBe('BOLT_MAX_SIZE');
    expectSound(trial, []);
    expect(trial.spare).toBe(checkBolt(trial.memory.bytes()).bolt?.freePages);
    trial.reopen();
    trial.run();
    expectSound(trial, ['BOLT_TAIL_NOT_ZERO']);
  });
});

describe('a file that is too short', () => {
  const prepared = CASES[0]!;

  it('is not opened for writing', () => {
    const { highWaterMark } = new Trial(prepared).db;
    const end = highWaterMark * prepared.pageSize;
    for (let size = 0; size < end; size += 256) {
      const error = failureOf(() => openWritable(memoryFile(prepared.bytes.subarray(0, size))));
      expect(error?.code, `${size}`).toMatch(/^BOLT_(NO_META|DAMAGED)$/);
    }
    expect(failureOf(() => openWritable(memoryFile(prepared.bytes.subarray(0, end))))).toBeUndefined();
  });

  it('having become so under an open database makes commits fail, or leaves what they wrote', () => {
    for (let size = 0; size < prepared.bytes.length; size += 512) {
      const trial = new Trial(prepared);
      trial.memory.truncate(size);
      const error = failureOf(() => trial.run());
      if (error !== undefined) expect(error.code).toMatch(/^(BOLT_DAMAGED|FILE_SHRANK)$/);
      failureOf(() => trial.content);
    }
  });
});
