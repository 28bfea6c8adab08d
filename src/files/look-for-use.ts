/**
 * Whether an etcd writes to a log while it is checked (Node).
 */
import type { CheckReport } from '../report.ts';
import { noteInUse } from '../wal/in-use.ts';
import type { WalFolder } from './wal-folder.ts';

/** The report of the log in a folder, with a word if it is in use; the kernel is asked while the check runs. */
export function lookingForUse(folder: WalFolder): (report: CheckReport) => Promise<CheckReport> {
  const looking = folder.lookForUse();
  looking.catch(() => {}); // heard below, unless the check fails first
  return async (report) => ((await looking) ? noteInUse(report) : report);
}
