/**
 * The check of a data directory that was just written, before it gets its name (Node): it must be whole, hold what went in, and the
 * release that it was made for must start on it.
 */
import { BackendCheckJob } from '../backend/check.ts';
import { selfCheckFailed } from '../bolt/bulk-check.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { DataDirCheckJob } from '../datadir/check-dir.ts';
import { DataDir } from '../datadir/data-dir.ts';
import type { WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { startsOf } from '../datadir/start/start.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import type { Severity } from '../finding-table.ts';
import { describeFinding, type Finding } from '../findings.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { CheckReport, Level } from '../report.ts';
import { openDataDirFolder } from './data-dir-folder.ts';
import type { Phases } from './phases.ts';

/** What a directory must be. */
export interface ExpectedDataDir {
  /** Where it is for now, and the log if that is not in it. */
  readonly path: string;
  readonly walDir?: string | undefined;
  /** The name that it will have. */
  readonly target: string;
  /** What was written as its db; undefined if that is the byte for byte copy of one that was not judged. */
  readonly db?: WrittenDb | undefined;
  /** The db that it was made from: what is wrong with its records may be wrong with the new one too. */
  readonly old?: ByteSource | undefined;
  /** The release that must start on it. Default: the one whose data it is. */
  readonly etcdVersion?: EtcdMinor | undefined;
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
}

type DbLevel = Exclude<Level, 'sanity'>;

/** A larger db is not checked key by key: that takes memory for each. All its old records are known by the digest to be as they were. */
export const DEEP_LIMIT: number = 64 << 20;
const HARMLESS: ReadonlySet<Severity> = new Set(['info', 'repairable']);

/** Throws `SELF_CHECK_FAILED` unless everything is right. */
export async function checkNewDataDir(expected: ExpectedDataDir, phases: Phases): Promise<CheckReport> {
  const { path, walDir, target, db, old, etcdVersion, memberId, clusterId } = expected;
  const dir = new DataDir(openDataDirFolder(path, { walDir }));
  try {
    const level: DbLevel = dir.db.size <= DEEP_LIMIT ? 'deep' : 'full';
    const options = { level, etcdVersion, memberId, clusterId, digest: true, sha256: createNodeSha256, path: target };
    const report = await phases.run(new DataDirCheckJob(dir, options));
    if (db !== undefined) assertContent(report, db, target);
    const bad = report.findings.filter(({ severity }) => !HARMLESS.has(severity));
    if (bad.length > 0) await assertKnown(bad, old, level, target, phases);
    else assertStarts(report, target);
    return report;
  } finally {
    dir.close();
  }
}

function assertContent({ bolt }: CheckReport, db: WrittenDb, target: string): void {
  const found = bolt?.digest;
  const expected = `${db.pairs} pairs in ${db.buckets} buckets, digest ${db.digest}`;
  const actual = `${found?.pairs} pairs in ${found?.buckets} buckets, digest ${found?.value}`;
  if (actual !== expected) throw selfCheckFailed(`${actual}; what went in was ${expected}`, target);
}

/** What is wrong must have been wrong with the old db already. */
async function assertKnown(
  bad: readonly Finding[],
  old: ByteSource | undefined,
  level: DbLevel,
  target: string,
  phases: Phases,
): Promise<void> {
  const known = new Set<string>();
  if (old !== undefined) {
    const { findings } = await phases.run(new BackendCheckJob(old, { level }));
    for (const { code } of findings) known.add(code);
  }
  const own = bad.find(({ code }) => !known.has(code));
  if (own !== undefined) throw selfCheckFailed(describeFinding(own).message, target);
}

function assertStarts(report: CheckReport, target: string): void {
  const etcdVersion = report.dataDir?.etcdVersion;
  const start = startsOf(report).find(({ version }) => version === etcdVersion);
  if (start === undefined || start.outcome === 'starts') return;
  throw selfCheckFailed(`etcd ${etcdVersion} would not start on it: ${start.words || start.outcome}`, target);
}
