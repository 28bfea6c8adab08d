/**
 * Rules for how far the db and the log have got (X5, X5b, X6, X9): entries are in the log before they are in the db, and in the db on disk
 * before a snapshot of them is recorded.
 */
import { BackendFile } from '../backend/backend-file.ts';
import { readMeta } from '../backend/meta.ts';
import { isDatadirError } from '../errors.ts';
import { snapshotDbName } from '../snap/snap-name.ts';
import { causeAmong, type DirFacts } from './cross-facts.ts';
import type { CrossReporter } from './cross-reporter.ts';
import type { DataDir } from './data-dir.ts';

const CHANGES_WHILE_RUNNING = 'a running etcd has gone on meanwhile';

/** Reports what does not fit. */
export function checkPosition(facts: DirFacts, reporter: CrossReporter): void {
  const { consistentIndex, db, log, wal, level } = facts;
  if (log === undefined || wal === undefined) return;
  if (consistentIndex === undefined) {
    reporter.notExamined.push('how far the db has got in the log: its consistent index cannot be read');
    return;
  }
  if (db.state !== 'missing') checkEnd(facts, consistentIndex, reporter);
  if (level !== 'sanity') checkSnapshot(facts, consistentIndex, reporter);
  if (level !== 'sanity' && db.state !== 'missing') checkRestored(facts, consistentIndex, reporter);
}

/** The end of the log. */
function checkEnd(facts: DirFacts, consistentIndex: bigint, reporter: CrossReporter): void {
  const { dir, log, wal, inUse, logFindings } = facts;
  const place = { file: dir.dbPath };
  const lastIndex = log?.lastIndex ?? 0n;
  if (consistentIndex > lastIndex) {
    if (inUse) reporter.notExamined.push(`whether the log reaches as far as the db: ${CHANGES_WHILE_RUNNING}`);
    else {
      const args = { consistentIndex: `${consistentIndex}`, lastIndex: `${lastIndex}` };
      const cause = wal?.damage.length === 0 ? {} : causeAmong(logFindings);
      reporter.report('DIR_INDEX_BEYOND_LOG', args, { ...place, ...cause });
    }
  } else {
    reporter.examined.push('that the log has every entry that the db has');
    const commit = wal?.commit ?? null;
    if (commit !== null && consistentIndex > BigInt(commit)) {
      reporter.report('DIR_INDEX_BEYOND_COMMIT', { consistentIndex: `${consistentIndex}`, commit }, place);
    }
  }
  checkTerm(facts, consistentIndex, reporter);
}

/** The term of the entry that the db has got to; 3.4 stores none. */
function checkTerm({ dir, db, log, wal, inUse }: DirFacts, consistentIndex: bigint, reporter: CrossReporter): void {
  const dbTerm = db.meta?.term ?? 0n;
  const place = { file: dir.dbPath };
  if (dbTerm === 0n || inUse) return;
  const term = wal?.term ?? null;
  if (term !== null && dbTerm > BigInt(term)) {
    reporter.report('DIR_TERM_BEYOND_LOG', { dbTerm: `${dbTerm}`, term }, place);
    return;
  }
  const entryTerm = log?.termAt(consistentIndex);
  if (entryTerm === undefined || BigInt(entryTerm) === dbTerm) return;
  const args = { dbTerm: `${dbTerm}`, entryTerm: `${entryTerm}`, index: `${consistentIndex}` };
  reporter.report('DIR_TERM_DIFFERS', args, place);
}

/** The snapshot that a start begins at. */
function checkSnapshot({ dir, db, log, inUse }: DirFacts, consistentIndex: bigint, reporter: CrossReporter): void {
  const snapshot = BigInt(log?.snapshot?.index ?? 0);
  if (snapshot <= consistentIndex) {
    if (db.state !== 'missing') reporter.examined.push('that the db is not behind the snapshot that a start begins at');
    return;
  }
  if (inUse) {
    reporter.notExamined.push(`whether the db is behind the newest snapshot: ${CHANGES_WHILE_RUNNING}`);
    return;
  }
  const name = snapshotDbName(snapshot);
  const received = receivedDb(dir, snapshot);
  if (received === 'usable') {
    reporter.report('DIR_DB_RECEIVED', { snapshot: `${snapshot}`, name }, { file: `${dir.files.snap.path}/${name}` });
  } else if (db.state !== 'missing') {
    const args = { consistentIndex: `${consistentIndex}`, snapshot: `${snapshot}`, received };
    reporter.report('DIR_DB_BEHIND_SNAPSHOT', args, { file: dir.dbPath });
  } else if (dir.receivedDbs.some(({ index }) => index === snapshot)) {
    const args = { reason: received, lastIndex: `${log?.lastIndex ?? 0n}` };
    const complete = log?.isWholeFrom(0n) === true;
    reporter.report('DIR_DB_MISSING', args, { file: dir.dbPath }, complete ? 'repairable' : 'corrupt');
  }
}

/** Whether a db of that index was received which can take the place of `db`; otherwise why not. */
function receivedDb(dir: DataDir, snapshot: bigint): string {
  const name = snapshotDbName(snapshot);
  const found = dir.receivedDbs.find(({ index }) => index === snapshot);
  if (found === undefined) return `there is no ${name} to take its place`;
  try {
    const source = found.file.open();
    try {
      const { consistentIndex } = new BackendFile(source).read(readMeta);
      if ((consistentIndex ?? 0n) >= snapshot) return 'usable';
      return `${name} has entries up to ${consistentIndex ?? 0n} only`;
    } finally {
      source.close();
    }
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return `${name} cannot be read: ${error.message}`;
  }
}

/** What `snapshot restore` makes: a log of nothing but changes of membership, with a snapshot at its end. */
function checkRestored({ dir, db, log, wal }: DirFacts, consistentIndex: bigint, reporter: CrossReporter): void {
  const last = log?.lastIndex ?? 0n;
  const changes = log?.changes?.length ?? 0;
  const { commit = null, term = null } = wal ?? {};
  if (last === 0n || BigInt(log?.snapshot?.index ?? 0) !== last || log?.entries !== changes || commit === null) return;
  if (BigInt(changes) !== last || term === null) return;
  const dbTerm = db.meta?.term ?? null;
  if (`${consistentIndex}` === commit && (dbTerm === null || `${dbTerm}` === term)) return;
  const args = { consistentIndex: `${consistentIndex}`, commit, dbTerm: `${dbTerm ?? 'none'}`, term };
  reporter.report('DIR_RESTORED_DIFFERS', args, { file: dir.dbPath });
}
