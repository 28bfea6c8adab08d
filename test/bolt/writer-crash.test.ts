// The machine stops in the middle of a sequence of transactions: after every write, within every write, and with any part
// of what was not synced lost. Whatever is left must be the last commit or the one that was being made, whole.
//
// ETCD_DATADIR_CRASH_POINTS sets how many crashes are simulated, ETCD_DATADIR_SEED which.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { PageAllocator } from '../../src/bolt/page-allocator.ts';
import { createBolt, openWritable } from '../../src/bolt/writable.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { judgeCrash, someChange } from '../support/crash-judge.ts';
import {
  type CrashRecording,
  type RecordOptions,
  recordOn,
  recordTransactions,
  withoutSyncs,
} from '../support/crash-recording.ts';
import { replayCrashes } from '../support/crash-replay.ts';
import { firstProblem, PAGE_SIZES, simulateCrashes } from '../support/crash-simulation.ts';
import type { FileEvent } from '../support/faulty.ts';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { contentText } from '../support/list-database.ts';
import { RecordingFile } from '../support/recording-file.ts';
import { listTransaction } from '../support/writer-operations.ts';

const SEED = Number(process.env['ETCD_DATADIR_SEED'] ?? 1);
const POINTS = Number(process.env['ETCD_DATADIR_CRASH_POINTS'] ?? 12_000);

describe('a crash at any moment', () => {
  const lines: string[] = [];
  let total = 0;
  afterAll(() => console.log(`\ncrash simulation, seed ${SEED}: ${total} crash points\n${lines.join('\n')}\n`));

  it.each(PAGE_SIZES)('leaves a whole file, pages of %i', { timeout: 60_000 + 30 * POINTS }, (pageSize) => {
    const started = performance.now();
    const result = simulateCrashes({ seed: SEED, pageSize, points: POINTS / PAGE_SIZES.length });
    const { points, sequences, commits, continued, problems } = result;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    lines.push(
      `  pages of ${pageSize}: ${points} points of ${commits} commits in ${sequences} sequences, writing went on ${continued} times, ${seconds} s`,
    );
    total += points;
    expect(problems).toEqual([]);
  });

  // Metas that are equal, or in the other place, as surgery leaves them; page sizes that bbolt does not make; backups.
  const fixtures = listDbFixtures().filter(({ kind }) => kind !== 'etcd');
  const small = fixtures.filter((fixture) => readFixture(fixture).length <= 1 << 18);
  const whole = small.filter((fixture) => checkBolt(readFixture(fixture)).verdict === 'healthy');
  it.each(whole.map(({ name }) => name))('leaves a whole file of %s', { timeout: 60_000 }, (name) => {
    const bytes = readFixture(name);
    const change = someChange(openReadable(bytes).pageSize);
    const recording = recordOn(name, bytes, [change, () => {}, change]);
    for (const point of replayCrashes(recording, { seed: SEED, drawsPerEvent: 2, maxDraws: 10 })) {
      total++;
      expect(judgeCrash(recording, point)).toEqual([]);
    }
  });

  // A process was killed after it had written a meta, but before the sync. The next process saw that commit and wrote over
  // pages of the one before, in the same stretch without a sync: the disk could have that, but not the meta.
  it('does no harm after another process was killed before its last sync', () => {
    const memory = memoryFile();
    const pageSize = 1024;
    const first = createBolt(memory, { pageSize });
    first.update((tx) => tx.createBucket('b').put('key', 'value'));
    first.update((tx) => tx.bucket('b')?.put('key', 'second'));
    const initial = memory.bytes();
    const before = first.txid;
    const contents = new Map([[before, contentText(first.view(listTransaction))]]);
    const file = new RecordingFile(memory, pageSize);
    const killed = openWritable(file);
    file.arm({ call: 'metaSync', index: 0 });
    expect(() => killed.update((tx) => tx.bucket('b')?.put('key', 'third'))).toThrow(/not known/);

    const next = openWritable(file);
    expect(next.txid).toBe(before + 1n);
    contents.set(next.txid, contentText(next.view(listTransaction)));
    const seen = file.events.length;
    next.update((tx) => tx.bucket('b')?.put('key', 'fourth'));
    expect(file.events[seen]).toEqual({ kind: 'sync' });
    contents.set(next.txid, contentText(next.view(listTransaction)));
    const commits = [
      { txid: before, events: 0 },
      { txid: before + 1n, events: seen + 1 },
      { txid: next.txid, events: file.events.length },
    ];
    const rest = { pageSize, initial, events: file.events, contents, hasFailures: false, readerProblems: [] };
    const recording: CrashRecording = { name: 'killed', commits, ...rest };
    const points = [...replayCrashes(recording, { seed: SEED })];
    expect(points.length).toBeGreaterThan(5);
    expect(firstProblem(recording)).toBeUndefined();
    // Without that sync the simulation finds what went wrong.
    const syncs = file.events.flatMap(({ kind }, i) => (kind === 'sync' ? [i] : []));
    expect(firstProblem(withoutSyncs(recording, (nth) => syncs[nth] !== seen))).toBeDefined();
  });
});

describe('the simulation finds what is wrong with', () => {
  afterEach(() => vi.restoreAllMocks());

  const options: RecordOptions = { seed: SEED, pageSize: 1024, transactions: 12 };
  const isMeta = (event: FileEvent | undefined): boolean => event?.kind === 'write' && event.offset <= options.pageSize;

  it('a writer that never syncs', () => {
    expect(firstProblem(withoutSyncs(recordTransactions(options), () => false))).toBeDefined();
  });

  it('a writer that does not sync pages before the meta', () => {
    const recording = recordTransactions(options);
    expect(firstProblem(recording)).toBeUndefined();
    const broken = withoutSyncs(recording, (_, event) => !isMeta(recording.events[event + 1]));
    expect(firstProblem(broken)).toMatch(/cannot be read|BOLT_|other content/);
  });

  it('a writer that does not sync the meta', () => {
    const recording = recordTransactions(options);
    const broken = withoutSyncs(recording, (_, event) => !isMeta(recording.events[event - 1]));
    expect(firstProblem(broken)).toMatch(/opens at \d+, not at/);
  });

  it.each([true, false])('a writer that takes pages again at once; freelist not stored: %s', (noFreelistSync) => {
    vi.spyOn(PageAllocator.prototype, 'free').mockImplementation(function (this: PageAllocator, first, count) {
      for (let page = first; page < first + count; page++) this.addFree(page);
    });
    expect(firstProblem(recordTransactions({ ...options, noFreelistSync }))).toBeDefined();
  });

  it('a writer that has no regard for readers', () => {
    vi.spyOn(PageAllocator.prototype, 'addReader').mockImplementation(() => {});
    const readers = (seed: number) => recordTransactions({ ...options, seed, readers: true }).readerProblems;
    expect([1, 2, 3].flatMap(readers)).not.toEqual([]);
  });

  it('a commit that is not what was committed', () => {
    const recording = recordTransactions(options);
    const contents = new Map([...recording.contents].map(([txid, text]) => [txid, text.replace(/\d$/, 'x')]));
    for (const point of replayCrashes({ ...recording, contents }, { seed: 1 })) {
      expect(judgeCrash({ ...recording, contents }, point).join('\n')).toMatch(/other content/);
      break;
    }
  });
});
