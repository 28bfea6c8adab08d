/**
 * The deep check of a directory or a db that was made by a test, from files as anybody finds them.
 */
import { expect } from 'vitest';
import { DataDirCheckJob } from '../../src/datadir/check-dir.ts';
import { DataDir } from '../../src/datadir/data-dir.ts';
import { startsOf } from '../../src/datadir/start/start.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { openDataDirFolder } from '../../src/files/data-dir-folder.ts';
import { runSliced } from '../../src/io/job.ts';
import type { CheckReport } from '../../src/report.ts';

/** Healthy, and a server of the release starts on it. `walDir`: if the log is not in it. */
export async function checkDataDir(path: string, minor?: EtcdMinor, walDir?: string): Promise<CheckReport> {
  using dir = new DataDir(openDataDirFolder(path, { walDir }));
  const report = await runSliced(new DataDirCheckJob(dir, { level: 'deep', etcdVersion: minor }));
  // The old members in a value that no server reads are told of, and no reason to change it: etcd's own tools leave it too.
  expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(report.verdict).toBe('healthy');
  if (minor !== undefined) {
    const start = startsOf(report).find(({ version }) => version === minor);
    expect(start).toMatchObject({ outcome: 'starts', lossless: true, words: '' });
  }
  return report;
}
