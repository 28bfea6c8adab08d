/**
 * Records what a sequence of transactions does to its file, and what the database holds after each commit: what a
 * replay of crashes (crash-replay.ts) starts from.
 */
import { checkBolt } from '../../src/bolt/check.ts';
import { type BoltDb, openReadable } from '../../src/bolt/database.ts';
import type { Meta } from '../../src/bolt/meta.ts';
import type { Transaction } from '../../src/bolt/transaction.ts';
import { createBolt, openWritable, type WritableBoltDb } from '../../src/bolt/writable.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { FindingCode } from '../../src/findings.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { FileEvent } from './faulty.ts';
import { contentText, listDatabase } from './list-database.ts';
import { type Fault, RecordingFile } from './recording-file.ts';
import { AnythingMaker } from './writer-anything.ts';
import { listModel, ModelBucket } from './writer-model.ts';
import { applyToTransaction, listTransaction } from './writer-operations.ts';
import { Choices, ContentMaker, chooseStyle } from './writer-random.ts';

/** A commit that returned. */
export interface RecordedCommit {
  readonly txid: bigint;
  /** How many events there were then. */
  readonly events: number;
}

export interface CrashRecording {
  readonly name: string;
  readonly pageSize: number;
  /** The file before the first event. Its database is that of the first of `commits`. */
  readonly initial: Uint8Array;
  readonly events: readonly FileEvent[];
  readonly commits: readonly RecordedCommit[];
  /** What the database holds after each commit, as `contentText` has it. */
  readonly contents: ReadonlyMap<bigint, string>;
  /** Commits failed on the way: their pages may lie about. */
  readonly hasFailures: boolean;
  /** What readers saw that they should not have seen. */
  readonly readerProblems: readonly string[];
  /** Findings that the file had before the first event, and may keep. */
  readonly known?: readonly FindingCode[];
  /** Both metas of the file were the same but for this number, so that either is the first of `commits`. */
  readonly twin?: bigint | undefined;
}

export interface RecordOptions {
  readonly seed: number;
  readonly pageSize: number;
  readonly noFreelistSync?: boolean;
  readonly noGrowSync?: boolean;
  /** Readers are opened and ended on the way. */
  readonly readers?: boolean;
  /**
   * Some commits fail before their meta is written, after which what they wrote may never reach the disk; and some
   * processes end between the writing of a meta and its sync, after which another goes on.
   */
  readonly failures?: boolean;
  readonly transactions: number;
}

/** Records transactions on a file that is there already; its content is taken for right. */
export function recordOn(
  name: string,
  initial: Uint8Array,
  works: readonly ((tx: Transaction) => void)[],
): CrashRecording {
  const memory = memoryFile(initial);
  const { pageSize, metas, meta } = openReadable(initial);
  const other = metas[1 - meta.page] as Meta;
  const twin = other.problem === undefined && other.root === meta.root ? other.txid : undefined;
  const file = new RecordingFile(memory, pageSize);
  const db = openWritable(file);
  const content = (): string => contentText(db.view(listTransaction));
  const commits: RecordedCommit[] = [{ txid: db.txid, events: 0 }];
  const contents = new Map([[db.txid, content()]]);
  for (const work of works) {
    db.update(work);
    commits.push({ txid: db.txid, events: file.events.length });
    contents.set(db.txid, content());
  }
  db.close();
  const known = checkBolt(initial).findings.map(({ code }) => code);
  return {
    name,
    pageSize,
    initial,
    events: file.events,
    commits,
    contents,
    hasFailures: false,
    readerProblems: [],
    known,
    twin,
  };
}

/** Plays a random sequence of transactions to a file in memory. */
export function recordTransactions(options: RecordOptions): CrashRecording {
  const { seed, pageSize, noFreelistSync = false, noGrowSync = false } = options;
  const choices = new Choices(seed);
  const style = chooseStyle(choices, pageSize);
  const maker = new AnythingMaker(choices, new ContentMaker(choices, style), { avoidDefectsOfBbolt: false });
  const memory = memoryFile();
  // The file grows in small steps, so that it does so often.
  const settings = {
    noFreelistSync,
    noGrowSync,
    initialMapSize: 0,
    allocSize: choices.one([1 << 15, 1 << 15, 1 << 16, 1 << 24]),
  };
  createBolt(memory, { pageSize }).close();
  const initial = memory.bytes();
  const file = new RecordingFile(memory, pageSize);
  let db = openWritable(file, settings);
  let model = new ModelBucket();
  const contents = new Map([[db.txid, contentText(listModel(model))]]);
  const commits: RecordedCommit[] = [{ txid: db.txid, events: 0 }];
  const readers = new Readers(contents);
  let hasFailures = false;
  /** A commit that was not synced, though whoever opens the file sees it; and the number of events when it was made. */
  let unsynced: RecordedCommit | undefined;

  const reopen = (): void => {
    readers.endAll();
    db.close();
    db = openWritable(file, settings);
  };
  const note = (after: ModelBucket): void => {
    model = after;
    contents.set(db.txid, contentText(listModel(model)));
  };
  for (let done = 0; done < options.transactions; ) {
    if (options.readers === true) readers.change(db, choices);
    if (choices.chance(0.05)) reopen();
    const { operations, after } = maker.next(model);
    const tx = db.begin({ writable: true });
    for (const operation of operations) applyToTransaction(tx, operation);
    if (choices.chance(0.1)) {
      tx.rollback();
      continue;
    }
    const before = file.events.length;
    const outcome = commitWith(
      tx,
      file,
      options.failures === true && choices.chance(0.4) ? someFault(choices) : undefined,
    );
    if (unsynced !== undefined) {
      const sync = file.events.findIndex(({ kind }, i) => i >= unsynced!.events && kind === 'sync');
      if (sync >= 0) {
        commits.push({ txid: unsynced.txid, events: sync + 1 });
        unsynced = undefined;
      }
    }
    if (outcome === 'failed') loseSome(file.events, before, choices);
    if (outcome === 'unknown') {
      reopen();
      note(after);
      unsynced = { txid: db.txid, events: file.events.length };
    }
    if (outcome !== 'committed') {
      hasFailures = true;
      continue;
    }
    done++;
    note(after);
    commits.push({ txid: db.txid, events: file.events.length });
  }
  readers.endAll();
  const kind = `${noFreelistSync ? 'none' : 'stored'}${noGrowSync ? ', grown by writing' : ''}`;
  const extras = `${options.readers ? ', readers' : ''}${options.failures ? ', failures' : ''}`;
  return {
    name: `seed ${seed}, pages of ${pageSize}, freelist ${kind}${extras}`,
    pageSize,
    initial,
    events: file.events,
    commits,
    contents,
    hasFailures,
    readerProblems: readers.problems,
  };
}

type Outcome = 'committed' | 'failed' | 'unknown';

function commitWith(tx: Transaction, file: RecordingFile, fault: Fault | undefined): Outcome {
  file.arm(fault);
  try {
    tx.commit();
    return 'committed';
  } catch (error) {
    if (isDatadirError(error, 'IO_FAILED')) return 'failed';
    if (isDatadirError(error, 'BOLT_OUTCOME_UNKNOWN')) return 'unknown';
    throw error;
  } finally {
    file.arm(undefined);
  }
}

function someFault(choices: Choices): Fault {
  const call = choices.one([
    'write',
    'write',
    'truncate',
    'growth',
    'sync',
    'metaWrite',
    'metaSync',
    'metaSync',
  ] as const);
  if (call !== 'write') return { call, index: 0 };
  return { call, index: choices.below(2), written: choices.below(3) * 512, lasting: true };
}

/** After a sync that failed, the system may take for written what never was: a later sync does not bring it back. */
function loseSome(events: FileEvent[], from: number, choices: Choices): void {
  const synced = events.findLastIndex(({ kind }) => kind === 'sync') + 1;
  const lost = events.splice(Math.max(from, synced));
  events.push(...lost.filter(({ kind }) => kind === 'truncate' || choices.chance(0.5)));
}

/** Readers at older commits, which read only when they end. */
class Readers {
  readonly problems: string[] = [];
  readonly #contents: ReadonlyMap<bigint, string>;
  readonly #open: (Transaction | BoltDb)[] = [];

  constructor(contents: ReadonlyMap<bigint, string>) {
    this.#contents = contents;
  }

  change(db: WritableBoltDb, choices: Choices): void {
    if (this.#open.length < 4 && choices.chance(0.3)) {
      this.#open.push(choices.chance(0.5) ? db.begin() : db.reader());
      // Some have looked at something already.
      if (choices.chance(0.3)) this.#content(this.#open.at(-1)!);
    }
    if (this.#open.length > 0 && choices.chance(0.15)) this.#end(choices.below(this.#open.length));
  }

  endAll(): void {
    while (this.#open.length > 0) this.#end(0);
  }

  #end(index: number): void {
    const [reader] = this.#open.splice(index, 1);
    const content = this.#content(reader!);
    if (content !== this.#contents.get(reader!.txid))
      this.problems.push(`the reader at ${reader!.txid} sees ${content}`);
    if ('rollback' in reader!) reader.rollback();
    else reader!.close();
  }

  #content(reader: Transaction | BoltDb): string {
    try {
      return contentText('rollback' in reader ? listTransaction(reader) : listDatabase(reader));
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      return error.message;
    }
  }
}

/** The recording as if syncs for which `keep` is false had not been made. */
export function withoutSyncs(recording: CrashRecording, keep: (nth: number, event: number) => boolean): CrashRecording {
  const events: FileEvent[] = [];
  const positions: number[] = [];
  let syncs = 0;
  for (const [index, event] of recording.events.entries()) {
    positions.push(events.length);
    if (event.kind !== 'sync' || keep(syncs++, index)) events.push(event);
  }
  positions.push(events.length);
  const commits = recording.commits.map((commit) => ({ ...commit, events: positions[commit.events]! }));
  return { ...recording, events, commits };
}
