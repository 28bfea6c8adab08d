/**
 * What must be true of a file after a crash, whenever it came: it opens at the last commit that had returned, or at the
 * one that was being made; all of that and nothing else is in it; the check finds no damage; and writing goes on.
 */
import { checkBolt } from '../../src/bolt/check.ts';
import { openReadable } from '../../src/bolt/database.ts';
import type { Transaction } from '../../src/bolt/transaction.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { FindingCode } from '../../src/findings.ts';
import type { ByteSource } from '../../src/io/byte-source.ts';
import { type CrashRecording, recordOn } from './crash-recording.ts';
import { type CrashPoint, lastCommit, replayCrashes } from './crash-replay.ts';
import { contentText, listDatabase } from './list-database.ts';

/** A meta page that is there in part: the other one is in use, and the next commit writes this one. */
const OF_A_TORN_META: readonly FindingCode[] = ['BOLT_META_NEWER_INVALID', 'BOLT_META_OLDER_INVALID'];
/**
 * Pages of a commit that did not come to its end: behind the last page of the database, and in pages that only the commit
 * before the last one used. For information, no damage.
 */
const OF_AN_UNFINISHED_COMMIT: readonly FindingCode[] = ['BOLT_TAIL_NOT_ZERO', 'BOLT_PREVIOUS_DAMAGED'];

/** What is wrong with the file at a crash point; empty when nothing is. */
export function judgeCrash(recording: CrashRecording, point: CrashPoint): string[] {
  const { commits, contents } = recording;
  const last = lastCommit(recording, point.events);
  const { txid: before, events } = commits[last]!;
  const after = point.events > events ? commits[last + 1]?.txid : undefined;
  const problems: string[] = [];
  let txid: bigint | undefined;
  try {
    const db = openReadable(point.source);
    // Of two metas that are the same, either will do.
    txid = last === 0 && db.txid === recording.twin ? before : db.txid;
    if (txid !== before && txid !== after) problems.push(`opens at ${txid}, not at ${before} or ${after ?? 'none'}`);
    else if (contentText(listDatabase(db)) !== contents.get(txid)) problems.push(`other content at ${txid}`);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    problems.push(`cannot be read: ${error.code} ${error.message}`);
  }
  const allowed: FindingCode[] = [...(recording.known ?? [])];
  if (point.metaTorn) allowed.push(...OF_A_TORN_META);
  if ((txid === before && point.events > events) || recording.hasFailures) allowed.push(...OF_AN_UNFINISHED_COMMIT);
  problems.push(...findingsOtherThan(allowed, point.source));
  return problems.map((problem) => `${recording.name}; after commit ${before}, ${point.describe()}: ${problem}`);
}

function findingsOtherThan(allowed: readonly FindingCode[], source: ByteSource): string[] {
  const { findings } = checkBolt(source);
  return findings.filter(({ code }) => !allowed.includes(code)).map((finding) => JSON.stringify(finding));
}

/**
 * Opens the file for writing and commits something; then crashes at every point of that commit. Returns what is wrong, and
 * how many crash points there were.
 */
export function judgeGoingOn(recording: CrashRecording, point: CrashPoint): { problems: string[]; points: number } {
  const where = `${recording.name}, ${point.describe()}, then another commit`;
  const problems: string[] = [];
  let points = 0;
  try {
    const again = recordOn(where, bytesOf(point.source), [someChange(recording.pageSize)]);
    for (const next of replayCrashes(again, { seed: 1, maxDraws: 4 })) {
      points++;
      problems.push(...judgeCrash(again, next));
    }
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    problems.push(`${where}: ${error.code} ${error.message}`);
  }
  return { problems, points };
}

/** A transaction that can be made in any database. */
export const someChange =
  (pageSize: number) =>
  (tx: Transaction): void => {
    const names = [...tx.buckets()].map(({ name }) => name);
    const [first] = names;
    if (first !== undefined && names.length > 2) tx.deleteBucket(first);
    tx.createBucketIfNotExists('a new bucket').put(`key ${tx.txid}`, new Uint8Array(pageSize + 1));
  };

/** A copy of a source. */
export function bytesOf(source: ByteSource): Uint8Array {
  const bytes = new Uint8Array(source.size);
  source.readInto(bytes, 0);
  return bytes;
}
