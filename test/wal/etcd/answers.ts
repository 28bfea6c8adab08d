/**
 * What the functions of a wal package answer about a log, each in one line, so that those of the real packages and those of
 * the simulation can be stored and compared: `verify`, `validSnapshots`, `readAll` in both modes, `repair`.
 */
import { createHash, type Hash } from 'node:crypto';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { memorySource } from '../../../src/io/byte-source.ts';
import type { Stop } from '../../../src/wal/etcd/decoder.ts';
import type { EtcdHardState, SnapshotId } from '../../../src/wal/etcd/parse-record.ts';
import { type ReadMode, readAll } from '../../../src/wal/etcd/read-all.ts';
import { repair } from '../../../src/wal/etcd/repair.ts';
import { selectSegments } from '../../../src/wal/etcd/start-segment.ts';
import { validSnapshots } from '../../../src/wal/etcd/valid-snapshots.ts';
import { verify } from '../../../src/wal/etcd/verify.ts';
import { tellsMore } from '../../../src/wal/etcd/words.ts';
import { namedSegments, type SegmentInput } from '../../../src/wal/segment-input.ts';
import type { DamageCase } from '../damage/systematic-cases.ts';

/** A log to be judged, and the snapshots to open it at; default 0/0 and 5/2, those of the systematic log. */
export interface JudgedCase extends DamageCase {
  readonly at?: readonly SnapshotId[];
}

/** The snapshots that a case is opened at. */
const placesOf = ({ at }: JudgedCase): readonly SnapshotId[] =>
  at ?? [
    { index: 0n, term: 0n },
    { index: 5n, term: 2n },
  ];

/** What is asked about every case, in order; `repair` and writing change files and get fresh copies. */
export type Question =
  | { readonly kind: 'validSnapshots' | 'repair' }
  | { readonly kind: 'verify' | 'readAllRead' | 'readAllWrite'; readonly at: SnapshotId };

export function questionsOf(judged: JudgedCase): Question[] {
  const places = placesOf(judged);
  return [
    { kind: 'validSnapshots' },
    ...places.map((at): Question => ({ kind: 'verify', at })),
    ...places.map((at): Question => ({ kind: 'readAllRead', at })),
    ...places.map((at): Question => ({ kind: 'readAllWrite', at })),
    { kind: 'repair' },
  ];
}

/** Size and hash of a file. */
export const fileAnswer = (bytes: Uint8Array): string =>
  `${bytes.length}:${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`;
/** What entries come to. */
export const entriesAnswer = (count: number, first: string, last: string, sha256: string): string =>
  count === 0 ? '0' : `${count}:${first}-${last}:${sha256.slice(0, 8)}`;
export const stateAnswer = (term: bigint | string, vote: bigint | string, commit: bigint | string): string =>
  `${term}/${vote}/${commit}`;

/** Words that differ between two runs of the same program, or between two builds of it, made the same. */
export function steadyWords(words: string): string {
  return words.replaceAll('\u00a0', ' ').replace(/(unexpected block type )(\d{6,}|<address>|ADDRESS)/, '$1<address>');
}

/** The simulation's answers, one for each question. */
export function ourAnswers(judged: JudgedCase, minor: EtcdMinor): string[] {
  const files = judged.segments.map(({ name, bytes }): SegmentInput => ({ name, source: memorySource(bytes, name) }));
  return questionsOf(judged).map((question) => {
    switch (question.kind) {
      case 'validSnapshots': {
        const { snapshots, stop } = validSnapshots(files, minor);
        if (stop.kind !== 'end' && stop.kind !== 'unexpected-eof') return stopAnswer(stop);
        return snapshots.map(({ index, term }) => `${index}/${term}`).join(' ');
      }
      case 'verify': {
        const { state, error } = verify(files, question.at, minor);
        return error === undefined ? stateOf(state!) : stopAnswer(error);
      }
      case 'repair': {
        const { repaired, cut } = repair(files, minor);
        const tail = tailOf(judged);
        const after = cut === undefined ? tail : tail.subarray(0, cut.offset);
        return `${repaired} ${fileAnswer(after)} ${cut === undefined ? 'none' : fileAnswer(tail)}`;
      }
      default:
        return readAnswer(judged, files, question.at, question.kind === 'readAllRead' ? 'read' : 'write', minor);
    }
  });
}

/** Name of the last segment: the file that a repair or a writer changes. Undefined: no file has the name of a segment. */
export function tailName({ segments }: JudgedCase): string | undefined {
  const named = segments.map(({ name, bytes }): SegmentInput => ({ name, source: memorySource(bytes) }));
  return namedSegments(named).at(-1)?.name;
}

function tailOf(judged: JudgedCase): Uint8Array {
  const name = tailName(judged);
  return judged.segments.find((segment) => segment.name === name)?.bytes ?? new Uint8Array();
}

const stateOf = ({ term, vote, commit }: EtcdHardState): string => stateAnswer(term, vote, commit);
const stopAnswer = ({ kind, words }: Stop): string => `${kind === 'panic' ? 'panic' : 'error'} ${steadyWords(words)}`;

function readAnswer(
  judged: JudgedCase,
  files: readonly SegmentInput[],
  at: SnapshotId,
  mode: ReadMode,
  minor: EtcdMinor,
): string {
  const selected = selectSegments(files, at.index, minor);
  if (typeof selected === 'string') {
    const opening = mode === 'write' ? 'openAtIndex failed: ' : '';
    return `error ${tellsMore(minor) ? `${opening}[openAtIndex] selectWALFiles failed: ` : ''}${selected}`;
  }
  const taken: { term: bigint; index: bigint; type: number; data: Uint8Array }[] = [];
  const result = readAll(selected, at, mode, minor, {
    onEntry({ term, index, type, dataStart, dataEnd }, kept, bytes) {
      taken.length = kept;
      taken.push({ term, index, type, data: bytes.slice(dataStart, dataEnd) });
    },
  });
  const { error } = result;
  if (error?.kind === 'panic') return stopAnswer(error);
  taken.length = result.entries;
  const digest = createHash('sha256');
  for (const entry of taken) addEntry(digest, entry);
  const answer = [
    result.metadata === undefined ? 'nil' : `<${Buffer.from(result.metadata).toString('hex')}>`,
    stateOf(result.state),
    entriesAnswer(taken.length, `${taken[0]?.index}`, `${taken.at(-1)?.index}`, digest.digest('hex')),
  ];
  if (mode === 'write') {
    // What lies behind the end of the log is overwritten with zeros.
    const tail = tailOf(judged).slice();
    answer.push(fileAnswer(error === undefined ? tail.fill(0, result.lastOffset) : tail));
  }
  return error === undefined ? answer.join(' ') : `${answer.join(' ')} ${stopAnswer(error)}`;
}

function addEntry(
  digest: Hash,
  { term, index, type, data }: { term: bigint; index: bigint; type: number; data: Uint8Array },
): void {
  const head = Buffer.alloc(24);
  head.writeBigUInt64LE(term, 0);
  head.writeBigUInt64LE(index, 8);
  head.writeInt32LE(type, 16);
  head.writeUInt32LE(data.length, 20);
  digest.update(head).update(data);
}
