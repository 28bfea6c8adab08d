/**
 * Rules for what must be there: a db beside a log, and a log beside a db (X7).
 */
import type { DirFacts } from './cross-facts.ts';
import type { CrossReporter } from './cross-reporter.ts';
import { itemNamed } from './data-dir-files.ts';

/** Reports what is missing. */
export function checkPresence(facts: DirFacts, reporter: CrossReporter): void {
  const { dir, db, consistentIndex } = facts;
  const { snap, wal } = dir.files;
  const place = { file: dir.dbPath };
  if (db.state === 'unopened') {
    reporter.report('DIR_UNREADABLE', { reason: db.problem?.message ?? 'no reason is known' }, place);
  }
  const dbMissing = db.state === 'missing' && snap.state !== 'unreadable';
  const walMissing = !dir.hasWal && wal.state !== 'unreadable';
  if (dbMissing && walMissing) {
    // A start makes both anew, whatever `.snap` files say.
    reporter.report('DIR_NOTHING_THERE', { kind: 'member' });
    return;
  }
  if (dbMissing && wal.state !== 'unreadable') reportDb(facts, reporter);
  if (!walMissing || db.state === 'missing') return;
  if (consistentIndex === undefined) {
    reporter.report('DIR_WAL_MISSING', { consistentIndex: 'an entry that cannot be told' }, { file: wal.path });
  } else if (consistentIndex > 0n) {
    reporter.report('DIR_WAL_MISSING', { consistentIndex: `${consistentIndex}` }, { file: wal.path });
  } else reporter.report('DIR_WAL_NOT_BEGUN', {}, { file: wal.path });
}

function reportDb({ dir, log, level, inUse }: DirFacts, reporter: CrossReporter): void {
  const { snap } = dir.files;
  const item = itemNamed(snap, 'db');
  const place = { file: dir.dbPath };
  const reason =
    item !== undefined
      ? `${dir.dbPath} is no file`
      : snap.state === 'directory'
        ? `${snap.path} has none`
        : `there is no folder ${snap.path}`;
  const lastIndex = `${log?.lastIndex ?? 0n}`;
  const { snapshot } = log ?? {};
  // One that was sent by a leader takes its place.
  const received = dir.receivedDbs.find(({ index }) => index > 0n && index === BigInt(snapshot?.index ?? 0));
  if (received !== undefined) return;
  const complete = log?.isWholeFrom(0n) === true;
  if (level === 'sanity' && !complete && !inUse)
    reporter.notExamined.push('whether the log has every entry from the first on');
  reporter.report('DIR_DB_MISSING', { reason, lastIndex }, place, complete ? 'repairable' : 'corrupt');
}
