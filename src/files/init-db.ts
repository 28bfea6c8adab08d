/**
 * A blank db by path (Node): the first of the two phases of a bootstrap.
 */

import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { type BlankKind, blankBuckets } from '../datadir/create/blank-db.ts';
import { AppendSha256Job } from '../datadir/rewrite/append-sha256.ts';
import { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { RewrittenCheckJob } from '../datadir/rewrite/rewrite-check.ts';
import { RewriteJob } from '../datadir/rewrite/rewrite-job.ts';
import { DatadirError } from '../errors.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import type { OutputOptions } from '../io/output.ts';
import { writeChecked } from './write-checked.ts';

/** How a blank db is made. */
export interface InitDbOptions extends OutputOptions, RunOptions {
  /** Default `any`: usable with every release. */
  readonly kind?: BlankKind | undefined;
  /** Whether a sha256 follows, as in a snapshot file, so that etcd's own tools restore it without `--skip-hash-check`. Default false. */
  readonly withHash?: boolean | undefined;
  /** Default 4096. */
  readonly pageSize?: number | undefined;
}

/** What was made. */
export interface BlankDb {
  readonly path: string;
  readonly size: number;
  readonly buckets: readonly string[];
  /** In hexadecimal digits; null without one. */
  readonly sha256: string | null;
}

/** Those of machines; others make files whose length does not tell whether a sha256 follows. */
const PAGE_SIZES: readonly number[] = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/** Makes a blank db at `path`, which must not exist: there whole, synced and checked, or not at all. */
export async function initDb(path: string, options: InitDbOptions = {}): Promise<BlankDb> {
  const { kind, withHash = false, pageSize } = options;
  if (pageSize !== undefined && !PAGE_SIZES.includes(pageSize)) {
    throw new DatadirError('USAGE', `page size ${pageSize}: etcd's tools need one of ${PAGE_SIZES.join(', ')}`);
  }
  const buckets = blankBuckets(kind);
  const { size, sha256 } = await writeChecked(
    path,
    async (file, run) => {
      const changes = new DbChanges({ neededBuckets: buckets });
      const db = await runSliced(new RewriteJob(undefined, changes, file, { pageSize }), run);
      const trailer = withHash ? await runSliced(new AppendSha256Job(file, createNodeSha256), run) : null;
      return { db, size: file.size, sha256: trailer };
    },
    (source, { db }) =>
      new RewrittenCheckJob(source, { db, old: undefined, path, snapshot: withHash, sha256: createNodeSha256 }),
    options,
  );
  return { path, size, buckets, sha256: sha256 === null ? null : Buffer.from(sha256).toString('hex') };
}
