/**
 * Writes to a file whatever its bytes are. The only thing that may happen besides a commit is one of our errors, and what
 * a commit did not touch must be as it was.
 */
import type { Bucket } from '../../src/bolt/bucket.ts';
import { checkBolt } from '../../src/bolt/check.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { findFreePages } from '../../src/bolt/free-pages.ts';
import { PageLoader } from '../../src/bolt/page-loader.ts';
import type { Transaction } from '../../src/bolt/transaction.ts';
import { PathPool } from '../../src/bolt/tree-path.ts';
import type { TxBucket } from '../../src/bolt/tx-bucket.ts';
import { openWritable } from '../../src/bolt/writable.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { FindingCode } from '../../src/findings.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { CheckReport } from '../../src/report.ts';
import { BoltEdit } from './bolt-edit.ts';
import { EntryDigest, toText } from './writer-operations.ts';
import { Choices } from './writer-random.ts';

/**
 * Damage by which a page belongs to two owners, is free and in use, or will be somebody's when the file grows: what one
 * owner does to it happens to the other. A writer that believes a stored freelist cannot notice this, short of reading
 * the whole file.
 */
const PAGES_SHARED: readonly FindingCode[] = [
  'BOLT_PAGE_REFERENCED_TWICE',
  'BOLT_PAGE_CYCLE',
  'BOLT_FREE_PAGE_IN_USE',
  'BOLT_FREE_PAGE_IN_OVERFLOW',
  'BOLT_CHILD_OUT_OF_RANGE',
  'BOLT_BUCKET_ROOT_OUT_OF_RANGE',
  'BOLT_OVERFLOW_OUT_OF_RANGE',
];

export interface HostileCase {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly seed: number;
  /** How many kinds of transactions are tried; default all. */
  readonly scripts?: number | undefined;
}

/** What came of the attempts on one file. */
interface HostileOutcome {
  readonly opened: boolean;
  readonly committed: number;
  readonly refused: number;
  readonly problems: readonly string[];
  readonly slowestMs: number;
}

/** Buckets looked at in one transaction, and keys of one of them. */
const MAX_BUCKETS = 60;
const MAX_KEYS = 400;

/** Runs something that may fail with one of our errors; tells whether it did not. */
function allowed(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isDatadirError(error) || error.code === 'INTERNAL') throw error;
    if (error.message.length === 0 || /undefined|NaN/.test(error.message)) throw error;
    return false;
  }
}

/** Buckets that can be reached, from the top. */
function reach(tx: Transaction): TxBucket[] {
  const found: TxBucket[] = [];
  const waiting: TxBucket[] = [tx.root];
  for (let bucket = waiting.shift(); bucket !== undefined && found.length < MAX_BUCKETS; bucket = waiting.shift()) {
    const here = bucket;
    if (here !== tx.root) found.push(here);
    allowed(() => {
      for (const child of here.buckets()) if (waiting.push(child) > MAX_BUCKETS) break;
    });
  }
  return found;
}

type Script = (tx: Transaction, choices: Choices) => void;

function change(bucket: TxBucket, choices: Choices): void {
  const keys: Uint8Array[] = [];
  allowed(() => {
    const cursor = bucket.cursor();
    for (let entry = cursor.first(); entry !== undefined && keys.length < MAX_KEYS; entry = cursor.next()) {
      if (!entry.isBucket) keys.push(entry.key);
    }
  });
  for (const key of choices.some(keys, choices.one([0.05, 0.5, 1]))) allowed(() => bucket.delete(key));
  for (const key of choices.some(keys, 0.1)) allowed(() => bucket.put(key, new Uint8Array(choices.below(700))));
  for (let i = 0; i < 5; i++) allowed(() => bucket.put(`new ${choices.below(1000)}`, 'value'));
  if (choices.chance(0.3)) allowed(() => bucket.put('large', new Uint8Array(choices.below(9000))));
  if (choices.chance(0.3)) allowed(() => bucket.nextSequence());
  if (choices.chance(0.3)) allowed(() => bucket.createBucketIfNotExists('inner').put('k', 'v'));
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  nothing: () => {},
  everything: (tx, choices) => {
    for (const bucket of reach(tx)) change(bucket, choices);
    allowed(() => tx.createBucketIfNotExists('new').put('key', 'value'));
  },
  deletedBuckets: (tx, choices) => {
    const names = [...reach(tx)].map(({ name }) => name);
    for (const name of choices.some(names, 0.5)) allowed(() => tx.deleteBucket(name));
    for (const bucket of reach(tx)) {
      if (choices.chance(0.3)) allowed(() => bucket.deleteBucket(choices.one(names)));
    }
  },
  movedBuckets: (tx, choices) => {
    const all = reach(tx);
    for (let i = 0; i < 10 && all.length > 0; i++) {
      const { name } = choices.one(all);
      const [from, to] = [choices.one([undefined, ...all]), choices.one([undefined, ...all])];
      allowed(() => tx.moveBucket(name, from, to));
      if (choices.chance(0.3)) change(choices.one(all), choices);
    }
  },
  cursors: (tx) => {
    for (const bucket of reach(tx)) {
      allowed(() => {
        const cursor = bucket.cursor();
        let entry = cursor.last();
        for (let i = 0; entry !== undefined && i < MAX_KEYS; i++, entry = cursor.prev()) {
          if (!entry.isBucket && i % 3 > 0) cursor.delete();
        }
      });
    }
  },
};

/** What can be read in each top-level bucket; errors are part of it. */
function topBuckets(bytes: Uint8Array): Map<string, string> {
  const result = new Map<string, string>();
  let left = 2000;
  const listed = (bucket: Bucket, depth: number): string => {
    if (depth > 30 || left-- < 0) return '...';
    const digest = new EntryDigest();
    const inner: Uint8Array[] = [];
    const whole = allowed(() =>
      bucket.forEach((key, value, isBucket) => {
        digest.add(key, value);
        if (isBucket) inner.push(key.slice());
      }),
    );
    const parts = [`${bucket.sequence} ${digest} ${whole}`];
    for (const name of inner) {
      const found = allowed(() => {
        const child = bucket.bucket(name);
        parts.push(child === undefined ? 'not found' : listed(child, depth + 1));
      });
      if (!found) parts.push('damaged');
    }
    return parts.join('\n');
  };
  allowed(() => {
    const db = openReadable(bytes);
    for (const bucket of db.buckets()) result.set(toText(bucket.name), listed(bucket, 0));
  });
  return result;
}

const isShared = ({ findings }: CheckReport): boolean => findings.some(({ code }) => PAGES_SHARED.includes(code));

/** Whether a page is free by the list, though a reader reaches it: it may do so where the check no longer goes. */
function isReachedAndFree(bytes: Uint8Array): boolean {
  let found = false;
  const sound = allowed(() => {
    const db = openReadable(bytes);
    const pool = new PathPool(new PageLoader(memorySource(bytes), db.pageSize, db.highWaterMark));
    const walked = findFreePages(pool, undefined, db.root.rootPage);
    const unreached = new Set(walked.ids());
    found = walked.sharedPage !== undefined || [...db.freelist().ids()].some((id) => !unreached.has(id));
  });
  return found || !sound;
}

const isHealthy = ({ verdict }: CheckReport): boolean => verdict === 'healthy';

/** The list from another place on. */
const rotated = <T>(list: readonly T[], by: number): T[] => list.map((_, i) => list[(i + by) % list.length]!);

/** Opens a file for writing again and again and does everything that can be done to it. */
function writeHostile({ name, bytes, seed, scripts: count }: HostileCase): HostileOutcome {
  const before = checkBolt(bytes);
  const problems: string[] = [];
  let [committed, refused, slowestMs] = [0, 0, 0];
  const opened = allowed(() => openWritable(memoryFile(bytes)).close());
  if (opened && before.bolt?.freelistStored === false && isShared(before)) {
    problems.push(`${name}: was opened, though all trees were walked and pages are shared`);
  }
  const scripts = rotated(Object.entries(SCRIPTS), seed).slice(0, count);
  for (const [index, [title, script]] of opened ? scripts.entries() : []) {
    for (const noFreelistSync of index % 2 === 0 ? [undefined, true] : [undefined, false]) {
      const started = performance.now();
      const file = memoryFile(bytes);
      const db = openWritable(file, { noFreelistSync });
      const label = `${name}, ${title}: `;
      // The second commit takes pages that the first one gave up.
      for (let round = 0; round < 2; round++) {
        const unchanged = file.bytes();
        const spare = db.freePageCount + db.pendingPageCount;
        const done = allowed(() => {
          const tx = db.begin({ writable: true });
          script(tx, new Choices(seed + round));
          tx.commit();
        });
        if (done) committed++;
        else {
          refused++;
          if (Buffer.compare(unchanged, file.bytes()) !== 0)
            problems.push(`${label}a commit that failed changed the file`);
          if (db.freePageCount + db.pendingPageCount !== spare)
            problems.push(`${label}a commit that failed changed counts`);
        }
        const after = checkBolt(file.bytes());
        if (isHealthy(before) && !isHealthy(after)) {
          problems.push(`${label}healthy before, now ${JSON.stringify(after.findings.slice(0, 2))}`);
        }
      }
      db.close();
      slowestMs = Math.max(slowestMs, performance.now() - started);
    }
  }
  if (opened) problems.push(...touchOne(name, bytes, seed, before));
  return { opened, committed, refused, problems, slowestMs };
}

/** Changes one top-level bucket; all others have to stay as they were. */
function touchOne(name: string, bytes: Uint8Array, seed: number, before: CheckReport): string[] {
  if (isShared(before) || isReachedAndFree(bytes)) return [];
  const choices = new Choices(seed);
  const readable = topBuckets(bytes);
  if (readable.size < 2) return [];
  const chosen = choices.one([...readable.keys()]);
  const file = memoryFile(bytes);
  const db = openWritable(file);
  const problems: string[] = [];
  for (let round = 0; round < 3; round++) {
    allowed(() => {
      db.update((tx) => {
        const bucket = tx.bucket(new Uint8Array(Buffer.from(chosen, 'latin1')));
        if (bucket === undefined) return;
        if (round === 2) tx.deleteBucket(bucket.name);
        else change(bucket, choices);
      });
    });
    const now = topBuckets(file.bytes());
    for (const [other, content] of readable) {
      if (other === chosen || now.get(other) === content) continue;
      problems.push(`${name}: changing ${JSON.stringify(chosen)} changed ${JSON.stringify(other)} (round ${round})`);
    }
  }
  return problems;
}

/** One file may take so long; the largest take a second. */
const SLOW_MS = 20_000;

/** Writes to files and counts what came of it. */
export class HostileTally {
  #files = 0;
  #opened = 0;
  #committed = 0;
  #refused = 0;
  #slowestMs = 0;

  /** Returns what is wrong; throws anything that was thrown besides our errors. */
  write(one: HostileCase): readonly string[] {
    let outcome: HostileOutcome;
    try {
      outcome = writeHostile(one);
    } catch (cause) {
      throw new Error(`${one.name}, seed ${one.seed}: ${cause}`, { cause });
    }
    this.#files++;
    if (outcome.opened) this.#opened++;
    this.#committed += outcome.committed;
    this.#refused += outcome.refused;
    this.#slowestMs = Math.max(this.#slowestMs, outcome.slowestMs);
    return outcome.slowestMs < SLOW_MS ? outcome.problems : [`${one.name}: took ${Math.round(outcome.slowestMs)} ms`];
  }

  toString(): string {
    const commits = `${this.#committed} commits, ${this.#refused} refused`;
    return `${this.#files}, ${this.#opened} of them opened; ${commits}; slowest ${Math.round(this.#slowestMs)} ms`;
  }
}

/** Without what lies behind the last page. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  const bolt = new BoltEdit(bytes);
  return bolt.bytes.subarray(0, Math.min(bytes.length, bolt.at(bolt.highWaterMark)));
}
