/**
 * What etcd does with the data directory at a path (Node).
 */
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import { DataDirCheckJob } from '../datadir/check-dir.ts';
import { DataDir } from '../datadir/data-dir.ts';
import { type Explanation, explainReport } from '../datadir/start/explanation.ts';
import type { EtcdMinor } from '../etcd-version.ts';
import { type RunOptions, runSliced } from '../io/job.ts';
import { type DataDirOptions, openDataDirFolder } from './data-dir-folder.ts';

/** Options of `explain`. */
export interface ExplainOptions extends DataDirOptions, RunOptions {
  /** The release that is to start. Default: that of the directory. All are explained whichever it is. */
  readonly etcdVersion?: EtcdMinor | undefined;
  /** How much is looked at before: `deep` reads every record of the db too. Default: `full`. */
  readonly level?: 'full' | 'deep' | undefined;
}

/** Checks the directory and tells what each release of etcd does when it is started on it; nothing is changed. */
export async function explain(path: string, options: ExplainOptions = {}): Promise<Explanation> {
  const { walDir, etcdVersion, level = 'full' } = options;
  const dir = new DataDir(openDataDirFolder(path, { walDir }));
  try {
    const job = new DataDirCheckJob(dir, { path, level, etcdVersion, sha256: createNodeSha256 });
    return explainReport(await runSliced(job, options));
  } finally {
    dir.close();
  }
}
