/**
 * What must be true of a file after a crash, whenever it came: it opens at the last commit that had returned, or at the
 * one that was being made; all of that and nothing else is in it; the check finds no damage; and writing goes on.
 */
import { checkBolt } from '../../src/bolt/check.ts';
import { openReadable } from '../../src/bolt/database.ts';
import { openWritable } from '../../src/bolt/writable.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { FindingCode } from '../../src/findings.ts';
import { type ByteSource, memorySource } from '../../src/io/byte-source.ts';
import { memoryFile } from '../../src/io/memory-file.ts';
import type { CrashRecording } from './crash-recording.ts';
import { type CrashPoint, lastCommit, replayCrashes } from './crash-replay.ts';
import { contentText, listDatabase } from './list-database.ts';
import { RecordingFile } from './recording-file.ts';
import { listTransaction } from './writer-operations.ts';

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
    txid = db.txid;
    if (txid !== before && txid !== after) problems.push(`opens at ${txid}, not at ${before} or ${after ?? 'none'}`);
    else if (contentText(listDatabase(db)) !== contents.get(txid)) problems.push(`other content at ${txid}`);
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    problems.push(`cannot be read: ${error.code} ${error.message}`);
  }
  const allowed: FindingCode[] = [];
  if (point.metaTorn) allowed.push(...OF_A_TORN_META);
  if ((txid === before && point.events > events) || recording.hasFailures) allowed.push(...OF_AN_UNFINISHED_COMMIT);
  problems.push(...findingsOtherThan(allowed, point.source));
  return problems.map((problem) => `${recording.name}; after commit ${before}, ${point.describe()}: ${problem}`);
}

function findingsOtherThan(allowed: readonly FindingCode[], source: ByteSource): string[] {
  const { findings } = checkBolt(source);
  return findings.filter(({ code }) => !allowed.includes(code)).map((finding) => JSON.stringify(finding));
}

const MARK = 'written after the crash';

/**
 * Opens the file for writing and commits something; then crashes at every point of that commit. Returns what is wrong, and
 * how many crash points there were.
 */
export function judgeGoingOn(recording: CrashRecording, point: CrashPoint): { problems: string[]; points: number } {
  const initial = bytesOf(point.source);
  const where = `${recording.name}, ${point.describe()}, then another commit`;
  const memory = memoryFile(initial);
  const file = new RecordingFile(memory, recording.pageSize);
  const problems: string[] = [];
  let points = 0;
  try {
    const db = openWritable(file);
    const before = db.txid;
    const contents = new Map([[before, contentText(db.view(listTransaction))]]);
    db.update((tx) => {
      const names = [...tx.buckets()].map(({ name }) => name);
      const [first] = names;
      if (first !== undefined && names.length > 2) tx.deleteBucket(first);
      tx.createBucketIfNotExists(MARK).put('key', new Uint8Array(recording.pageSize + 1));
    });
    contents.set(db.txid, contentText(db.view(listTransaction)));
    const commits = [
      { txid: before, events: 0 },
      { txid: db.txid, events: file.events.length },
    ];
    problems.push(...findingsOtherThan(['BOLT_TAIL_NOT_ZERO'], memorySource(memory.bytes())));
    db.close();
    // What lies about since the first crash is no fault of the second.
    const again = { ...recording, name: where, initial, events: file.events, commits, contents, hasFailures: true };
    for (const next of replayCrashes(again, { seed: 1, maxDraws: 4 })) {
      points++;
      // The torn meta of the first crash is still there until the second commit writes it.
      problems.push(...judgeCrash(again, point.metaTorn ? { ...next, metaTorn: true } : next));
    }
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    problems.push(`${error.code} ${error.message}`);
  }
  return { problems: problems.map((problem) => `${where}: ${problem}`), points };
}

/** A copy of a source. */
export function bytesOf(source: ByteSource): Uint8Array {
  const bytes = new Uint8Array(source.size);
  source.readInto(bytes, 0);
  return bytes;
}
