/**
 * A database with some history, and one more transaction to be tried on it, as often as one likes.
 */
import { createBolt, openWritable, type WritableBoltDb, type WriteOptions } from '../../src/bolt/writable.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import { contentText } from './list-database.ts';
import { RecordingFile } from './recording-file.ts';
import { AnythingMaker } from './writer-anything.ts';
import { listModel, ModelBucket } from './writer-model.ts';
import { applyToTransaction, listTransaction, type Operation } from './writer-operations.ts';
import { Choices, ContentMaker, chooseStyle } from './writer-random.ts';

export interface PreparedTransaction {
  readonly name: string;
  readonly pageSize: number;
  readonly options: WriteOptions;
  readonly bytes: Uint8Array;
  readonly before: ModelBucket;
  readonly operations: readonly Operation[];
  readonly after: ModelBucket;
}

export interface PrepareOptions {
  readonly seed: number;
  readonly pageSize: number;
  readonly noFreelistSync: boolean;
  /** Commits before it. */
  readonly history?: number;
  /** How many operations it has at least. */
  readonly operations?: number;
}

export function prepareTransaction(how: PrepareOptions): PreparedTransaction {
  const { seed, pageSize, noFreelistSync, history = 10, operations: wanted = 8 } = how;
  const choices = new Choices(seed);
  const maker = new AnythingMaker(choices, new ContentMaker(choices, chooseStyle(choices, pageSize)), {
    avoidDefectsOfBbolt: false,
  });
  const options = { noFreelistSync, allocSize: 1 << 14 };
  const file = memoryFile();
  const db = createBolt(file, { ...options, pageSize });
  let before = new ModelBucket();
  for (let i = 0; i < history; i++) {
    const { operations, after } = maker.next(before);
    db.update((tx) => {
      for (const operation of operations) applyToTransaction(tx, operation);
    });
    before = after;
  }
  db.close();
  const operations: Operation[] = [];
  let after = before;
  while (operations.length < wanted) {
    const next = maker.next(after);
    operations.push(...next.operations);
    after = next.after;
  }
  const name = `seed ${seed}, pages of ${pageSize}, freelist ${noFreelistSync ? 'none' : 'stored'}`;
  return { name, pageSize, options, bytes: file.bytes(), before, operations, after };
}

/** The database, open on a copy of its file. */
export class Trial {
  readonly prepared: PreparedTransaction;
  readonly memory: ReturnType<typeof memoryFile>;
  readonly file: RecordingFile;
  db: WritableBoltDb;

  constructor(prepared: PreparedTransaction, options: WriteOptions = {}) {
    this.prepared = prepared;
    this.memory = memoryFile(prepared.bytes);
    this.file = new RecordingFile(this.memory, prepared.pageSize);
    this.db = openWritable(this.file, { ...prepared.options, ...options });
  }

  /** Opens the file anew. */
  reopen(): void {
    this.db.close();
    this.db = openWritable(this.file, this.prepared.options);
  }

  /** Does the transaction. */
  run(): void {
    this.db.update((tx) => {
      for (const operation of this.prepared.operations) applyToTransaction(tx, operation);
    });
  }

  /** Free and pending pages together: a transaction that is undone leaves as many as there were. */
  get spare(): number {
    return this.db.freePageCount + this.db.pendingPageCount;
  }

  get content(): string {
    return contentText(this.db.view(listTransaction));
  }
}

export const contentOf = (model: ModelBucket): string => contentText(listModel(model));
