/**
 * A copy of a db, a snapshot file or a data directory with something changed in its db (Node): there whole, synced and checked, or not at
 * all. A snapshot file gets a new sha256.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { TrailerJob } from '../backend/trailer.ts';
import type { BoltDb } from '../bolt/database.ts';
import { createNodeSha256 } from '../checksum/node-sha256.ts';
import type { DataDir } from '../datadir/data-dir.ts';
import { AppendSha256Job } from '../datadir/rewrite/append-sha256.ts';
import type { DbChanges } from '../datadir/rewrite/db-changes.ts';
import { RewrittenCheckJob } from '../datadir/rewrite/rewrite-check.ts';
import { RewriteJob } from '../datadir/rewrite/rewrite-job.ts';
import { DatadirError } from '../errors.ts';
import { openFileSource } from '../io/file-source.ts';
import { runSliced } from '../io/job.ts';
import type { CheckReport } from '../report.ts';
import { type CopyPlan, copyDataDir, type DataDirCopyOptions, openForCopy } from './data-dir-copy.ts';
import { isDirectory } from './member-folder.ts';
import { Phases } from './phases.ts';
import { writeChecked } from './write-checked.ts';

/** Where a copy goes, and what is told meanwhile. */
export type EditCopyOptions = DataDirCopyOptions;

/** What was made. */
export interface EditedCopy {
  readonly path: string;
  readonly kind: 'db' | 'snapshot' | 'data-dir';
  /** Bytes of the db, before and after. */
  readonly size: { readonly before: number; readonly after: number };
  /** Of a snapshot file, in hexadecimal digits. */
  readonly sha256: string | null;
  /** The check of a data directory that was made. */
  readonly report: CheckReport | null;
}

/** What an edit looks at: the db, and the directory if it is one. */
export interface EditInput {
  readonly db: BoltDb;
  readonly dir: DataDir | undefined;
  readonly phases: Phases;
}

/** Makes up what is changed. */
type EditPlan = (input: EditInput) => Promise<DbChanges> | DbChanges;

/** What a copy may be that others must not. */
interface EditAllowance {
  /** The release whose data it was may refuse it: it is made for another one. Default false. */
  readonly mayBeRefused?: boolean | undefined;
}

/**
 * Copies `path` to `target` with the changes that `plan` makes up. `plan` throws `EDIT_REFUSED` where it must not be done; nothing has been
 * written then.
 */
export async function editCopy(
  path: string,
  target: string,
  options: EditCopyOptions,
  plan: EditPlan,
  allowed: EditAllowance = {},
): Promise<EditedCopy> {
  const edit = isDirectory(path) ? editDirectory : editFile;
  return edit(path, target, options, plan, allowed);
}

async function editDirectory(
  path: string,
  target: string,
  options: EditCopyOptions,
  plan: EditPlan,
  { mayBeRefused }: EditAllowance,
): Promise<EditedCopy> {
  const phases = new Phases(options, 0);
  const dir = await openForCopy(path, { ...options, mustStart: mayBeRefused !== true }, phases);
  try {
    const source = dir.db;
    const { db } = dir.backend;
    assertOwnDb(dir);
    const changes = await plan({ db, dir, phases });
    let after = 0;
    const copied: CopyPlan = {
      keepsReceived: true,
      mayBeRefused,
      db: async (file) => {
        const written = await phases.run(new RewriteJob(source, changes, file, { txid: db.txid }));
        after = written.size;
        return written;
      },
    };
    const report = await copyDataDir(dir, target, copied, options, phases);
    return { path: target, kind: 'data-dir', size: { before: source.size, after }, sha256: null, report };
  } finally {
    dir.close();
  }
}

/** A db that was received from a leader takes the place of the directory's own at the next start: changes would be lost. */
function assertOwnDb(dir: DataDir): void {
  const consistentIndex = dir.meta.consistentIndex ?? 0n;
  const waiting = dir.receivedDbs.find(({ index }) => index > consistentIndex);
  if (waiting === undefined) return;
  throw new DatadirError(
    'EDIT_REFUSED',
    `${dir.path}: ${waiting.file.name}, which was received from a leader, takes the place of the db at the next start; start etcd once before`,
    { path: dir.path },
  );
}

async function editFile(
  path: string,
  target: string,
  options: EditCopyOptions,
  plan: EditPlan,
  { mayBeRefused }: EditAllowance,
): Promise<EditedCopy> {
  const phases = new Phases(options, 0);
  const source = openFileSource(path);
  try {
    const file = new BackendFile(source);
    const snapshot = await isSnapshot(file, phases);
    const { db } = file;
    const changes = await plan({ db, dir: undefined, phases });
    const { size, sha256 } = await writeChecked(
      target,
      async (output, run) => {
        const written = await runSliced(new RewriteJob(source, changes, output, { txid: db.txid }), run);
        const trailer = snapshot ? await runSliced(new AppendSha256Job(output, createNodeSha256), run) : undefined;
        return { db: written, size: output.size, sha256: trailer };
      },
      (output, made) =>
        new RewrittenCheckJob(output, {
          db: made.db,
          old: source,
          path: target,
          snapshot,
          sha256: createNodeSha256,
          mayBeRefused,
        }),
      options,
    );
    return {
      path: target,
      kind: snapshot ? 'snapshot' : 'db',
      size: { before: source.size, after: size },
      sha256: sha256 === undefined ? null : Buffer.from(sha256).toString('hex'),
      report: null,
    };
  } finally {
    source.close();
  }
}

/** Whether it is a snapshot file, whose sha256 then must be right. */
async function isSnapshot(file: BackendFile, phases: Phases): Promise<boolean> {
  const { source } = file;
  const end = file.read((db) => db.highWaterMark * db.pageSize);
  const { state } = await phases.run(new TrailerJob(source, end, createNodeSha256));
  if (state === 'right' || state === 'missing') return state === 'right';
  const { path = 'the file' } = source;
  const words = state === 'wrong' ? 'the sha256 at its end is wrong' : 'it is cut off, or the sha256 at its end is';
  throw new DatadirError('SNAPSHOT_DAMAGED', `${path}: ${words}; 'etcd-datadir check' tells more`, { path });
}
