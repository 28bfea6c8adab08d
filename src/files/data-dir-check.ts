/**
 * The check of a data directory that was just written, before it gets its name (Node): it must be whole, hold what went in, and the
 * release that it was made for must start on it.
 */
import { BackendCheckJob } from '../backend/check.ts';
import { selfCheckFailed } from '../bolt/bulk-check.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { DataDirCheckJob } from '../datadir/check-dir.ts';
import { DataDir } from '../datadir/data-dir.ts';
import { assertContent, isAcceptable, levelAfterWriting } from '../datadir/rewrite/rewrite-check.ts';
import type { WrittenDb } from '../datadir/rewrite/rewrite-job.ts';
import { startsOf } from '../datadir/start/start.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { describeFinding, type Finding } from '../findings.ts';
import type { ByteSource } from '../io/byte-source.ts';
import type { CheckReport } from '../report.ts';
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
  /** Whether that release need not start on it: it was made for another one. Default false. */
  readonly mayBeRefused?: boolean | undefined;
  readonly memberId?: bigint | undefined;
  readonly clusterId?: bigint | undefined;
}

/** Throws `SELF_CHECK_FAILED` unless everything is right. */
export async function checkNewDataDir(expected: ExpectedDataDir, phases: Phases): Promise<CheckReport> {
  const { path, walDir, target, db, old, etcdVersion, mayBeRefused = false, memberId, clusterId } = expected;
  const dir = new DataDir(openDataDirFolder(path, { walDir }));
  try {
    const level = levelAfterWriting(dir.db.size);
    const options = { level, etcdVersion, memberId, clusterId, digest: true, sha256: createNodeSha256, path: target };
    const report = await phases.run(new DataDirCheckJob(dir, options));
    if (db !== undefined) assertContent(report, db, target);
    const bad = report.findings.filter((finding) => !isAcceptable(finding, mayBeRefused));
    if (bad.length > 0) await assertKnown(bad, old, level, target, phases);
    else if (!mayBeRefused) assertStarts(report, target);
    return report;
  } finally {
    dir.close();
  }
}

/** What is wrong must have been wrong with the old db already. */
async function assertKnown(
  bad: readonly Finding[],
  old: ByteSource | undefined,
  level: ReturnType<typeof levelAfterWriting>,
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
