/**
 * Opens the PATH of a command that reads what etcd keeps in a db, and says what the answer does not hold.
 */
import type { BackendFile } from '../backend/backend-file.ts';
import type { UnreadableRecords } from '../backend/keyspace-scan.ts';
import type { LogBeside } from '../files/log-beside.ts';
import { openBackendPath } from '../files/open-backend.ts';
import { type Job, runSliced } from '../io/job.ts';
import type { Invocation } from './command.ts';
import { counted, grouped } from './render/size.ts';

/** What a command gets. */
export interface BackendInput {
  readonly file: BackendFile;
  readonly path: string;
  readonly kind: 'db' | 'snapshot' | 'data-dir';
  /** From the log of a data directory; undefined for a db or snapshot file, in which they are not. */
  readonly clusterId: bigint | undefined;
  readonly memberId: bigint | undefined;
  readonly raftTerm: bigint | undefined;
  /** Entries that the log holds beyond the db; undefined without a log. */
  readonly notReplayed: bigint | undefined;
  /** Fields about this for JSON of our own shape. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Opens PATH (or another path), runs `use`, and closes it whatever happens. */
export async function withBackend(
  invocation: Invocation,
  use: (input: BackendInput) => Promise<number> | number,
  path: string = invocation.positionals[0] ?? '',
): Promise<number> {
  const opened = openBackendPath(path);
  try {
    const { file, kind } = opened;
    const walDir = invocation.options['wal-dir'] as string | undefined;
    const log = kind === 'data-dir' ? await readLog(path, file, walDir) : undefined;
    noteLog(invocation, path, log);
    return await use({
      file,
      path,
      kind,
      clusterId: log?.clusterId,
      memberId: log?.memberId,
      raftTerm: log?.term,
      notReplayed: log?.notReplayed,
      fields: log === undefined ? {} : { notReplayed: `${log.notReplayed}` },
    });
  } finally {
    opened.close();
  }
}

/** Imported for a data directory only: the modules that read logs are many. */
async function readLog(path: string, file: BackendFile, walDir: string | undefined): Promise<LogBeside | undefined> {
  const { logBeside } = await import('../files/log-beside.ts');
  return logBeside(path, file, { walDir });
}

function noteLog({ note }: Invocation, path: string, log: LogBeside | undefined): void {
  if (log === undefined) return;
  if (log.damage !== undefined) {
    note(
      `${path}: the log cannot be read to its end (${log.damage}); what it holds beyond the db is not in the answer`,
    );
  } else if (log.notReplayed > 0n) {
    const entries = log.notReplayed === 1n ? '1 entry' : `${grouped(log.notReplayed)} entries`;
    note(
      `${path}: the log holds ${entries} beyond the db, which are not in the answer: a server applies them when it starts`,
    );
  }
}

/** Runs a job with progress and Ctrl-C. */
export async function runJob<Result>({ signal, showProgress }: Invocation, job: Job<Result>): Promise<Result> {
  try {
    return await runSliced(job, { signal, onProgress: showProgress });
  } finally {
    showProgress(undefined);
  }
}

/** Says how many records were passed over, if any. */
export function noteUnreadable({ note }: Invocation, { count, pageId, offset }: Readonly<UnreadableRecords>): void {
  if (count === 0) return;
  const records = `${counted(count, 'record')} cannot be read and ${count === 1 ? 'is' : 'are'} not in the answer`;
  const which = count === 1 ? 'it' : 'the first';
  note(`${records}: ${which} is on page ${pageId}, byte ${offset}; check --level deep tells more`);
}
