/**
 * Compaction: everything in a bolt file, written to a new one without free pages. `content-job.ts` reads and checks it.
 */
import { DatadirError } from '../errors.ts';
import type { Finding } from '../findings.ts';
import type { ByteFile, ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { type Job, type Progress, type RunOptions, runSliced } from '../io/job.ts';
import { SelfCheckJob } from './bulk-check.ts';
import { BulkCopy } from './bulk-copy.ts';
import { type BuildOptions, BulkFile } from './bulk-file.ts';
import { type ContentFacts, ContentJob } from './content-job.ts';
import type { BoltDb } from './database.ts';
import type { DigestSummary } from './pair-digest.ts';

export { damageReport } from './content-job.ts';

/** How a file is compacted. What is not given is as in the source; pages are filled up. */
export type CompactOptions = BuildOptions;

/** What a compaction did. */
export interface CompactSummary {
  /** Length of the source, and of the new file. */
  readonly sourceSize: number;
  readonly size: number;
  /** The transaction of the source that the new file holds. */
  readonly txid: bigint;
  readonly pageSize: number;
  readonly freelistStored: boolean;
  /** Keys with values. */
  readonly pairs: number;
  readonly buckets: number;
  /** The digest of all of them, the same for source and new file. */
  readonly digest: string;
  /** What was noticed about the source that did not stand in the way, such as a damaged meta page. */
  readonly findings: readonly Finding[];
}

/**
 * Compacts a bolt file into an empty `ByteFile`, in slices, and checks the result by reading it again. The source is
 * left open, and as it was. Throws `BOLT_SOURCE_DAMAGED` (`damageReport` gives the findings), `SOURCE_CHANGED`,
 * `SELF_CHECK_FAILED`; the new file is of no use then.
 */
export async function compactBolt(
  input: Input,
  target: ByteFile,
  options: CompactOptions & RunOptions = {},
): Promise<CompactSummary> {
  const summary = await runSliced(new CompactJob(toSource(input), target, options), options);
  await runSliced(new SelfCheckJob(target, summary), { signal: options.signal });
  return summary;
}

/** What has been written, but for the metas. */
interface Copied {
  readonly db: BoltDb;
  readonly file: BulkFile;
  readonly digest: DigestSummary;
  readonly findings: readonly Finding[];
}

/** A compaction in steps. The result is written and, unless `noSync` is given, synced, but not read again. */
export class CompactJob implements Job<CompactSummary> {
  readonly #source: ByteSource;
  readonly #file: ByteFile;
  readonly #options: CompactOptions;
  readonly #content: ContentJob<Copied>;
  #result: CompactSummary | undefined;

  /** `file` must be empty. */
  constructor(source: ByteSource, file: ByteFile, options: CompactOptions = {}) {
    this.#source = source;
    this.#file = file;
    this.#options = options;
    this.#content = new ContentJob(source, (db, kernel) => {
      const target = new BulkCopy(this.#newFile(db), kernel);
      return { target, finish: (facts) => copied(db, target, facts) };
    });
  }

  get progress(): Progress {
    return this.#content.progress;
  }

  get result(): CompactSummary {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the compaction has not finished');
    return this.#result;
  }

  step(): boolean {
    if (!this.#content.step()) return false;
    const { db, file, digest, findings } = this.#content.result;
    const size = file.finish(db.meta.sequence);
    this.#result = {
      sourceSize: this.#source.size,
      size,
      txid: db.txid,
      ...this.#layout(db),
      pairs: digest.pairs,
      buckets: digest.buckets,
      digest: digest.value,
      findings,
    };
    return true;
  }

  #newFile(db: BoltDb): BulkFile {
    if (this.#file.size > 0) this.#file.truncate(0);
    return new BulkFile(this.#file, { ...this.#options, ...this.#layout(db) });
  }

  /** What is not given is as in the source. */
  #layout(db: BoltDb): { readonly pageSize: number; readonly freelistStored: boolean } {
    const { pageSize = db.pageSize, freelistStored = db.freelistStored } = this.#options;
    return { pageSize, freelistStored };
  }
}

function copied(db: BoltDb, { file, digest: all }: BulkCopy, { findings, checked }: ContentFacts): Copied {
  const digest = all.summary();
  // The checker, where it was asked, has found out by itself what is in the file.
  if (checked !== undefined && checked.value !== digest.value) {
    throw new DatadirError('INTERNAL', `digest ${digest.value} read, the check found ${checked.value}`);
  }
  return { db, file, digest, findings };
}
