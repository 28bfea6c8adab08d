/**
 * Records of a log as lines, in the form of `etcd-dump-logs`.
 */
import { compactText } from '../../proto/compact-text.ts';
import { decodeEntryPayload } from '../../proto/entry-payload.ts';
import type { ConfState } from '../../proto/raft.ts';
import { payloadText } from '../../proto/request-text.ts';
import { type EntryContent, entryTypeName, hex, type RecordContent } from '../../wal/dump-record.ts';
import type { EntryRuns } from '../../wal/entry-runs.ts';
import { newestValid } from '../../wal/info.ts';
import type { LogDamage, LogRecord } from '../../wal/log-records.ts';
import type { LogState } from '../../wal/survey.ts';
import { visible } from './visible.ts';

/** What is shown of the surviving entries. */
interface Range {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** The lines above the entries. */
export function dumpHead(state: LogState, runs: EntryRuns, range: Range): string {
  const { metadata, hardState } = state;
  const { count, last } = countIn(runs, range);
  const { term = 0n, commit = 0n, vote = 0n } = hardState ?? {};
  const lines = [
    'Snapshot:',
    snapshotWords(state),
    `Start dumping log entries from index ${range.from ?? state.firstIndex}.`,
    'WAL metadata:',
    `nodeID=${hex(metadata?.nodeId ?? 0n)} clusterID=${hex(metadata?.clusterId ?? 0n)} term=${term} commitIndex=${commit} vote=${hex(vote)}`,
    `WAL entries: ${count}`,
    ...(count === 0 ? [] : [`lastIndex=${last}`]),
    `term\t${'index'.padStart(10)}\ttype\tdata`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The newest snapshot that a start may use, by what the log says of it. */
function snapshotWords(state: LogState): string {
  const { index = 0n, term = 0n, confState } = newestValid(state) ?? {};
  if (index === 0n) return 'empty';
  const words = `term=${term} index=${index}`;
  if (confState === undefined) return words;
  return `${words} nodes=[${confState.voters.map(hex).join(' ')}] confstate=${confStateWords(confState)}`;
}

/** As Go prints it in JSON. */
function confStateWords(state: ConfState): string {
  const { voters, learners, votersOutgoing, learnersNext, autoLeave = false } = state;
  const lists = { voters, learners, voters_outgoing: votersOutgoing, learners_next: learnersNext };
  const fields = Object.entries(lists)
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => `"${name}":[${ids.join(',')}],`);
  return `{${fields.join('')}"auto_leave":${autoLeave}}`;
}

/** Surviving entries in a range: how many, and the index of the last. */
function countIn({ runs }: EntryRuns, { from = 0n, to }: Range): { count: number; last: number } {
  let count = 0;
  let last = 0;
  for (const { firstIndex, count: length } of runs) {
    const first = BigInt(firstIndex);
    const end = BigInt(firstIndex + length - 1);
    const start = first < from ? from : first;
    const stop = to !== undefined && to < end ? to : end;
    if (start > stop) continue;
    count += Number(stop - start) + 1;
    last = Number(stop);
  }
  return { count, last };
}

/** The row of an entry. One that was overwritten says so in the column of the type. */
export function entryRow({ entryType: type, term, index, data }: EntryContent, overwritten: boolean): string {
  const word = type === 0 ? 'norm' : type <= 2 ? 'conf' : `type ${type}`;
  const text = requestText(type, data);
  const mark = overwritten ? ' (overwritten)' : '';
  return `${`${term}`.padStart(4)}\t${`${index}`.padStart(10)}\t${word}${mark}\t${text}\n`;
}

/** What an entry asks for. Of v2 requests not all is escaped. */
function requestText(type: number, data: Uint8Array): string {
  const payload = decodeEntryPayload({ type, data });
  const text = payloadText(payload);
  return payload.kind === 'v2' ? visible(text) : text;
}

/** The line below the entries. */
export function dumpTail(types: string, count: number, overwritten: number): string {
  const marked = overwritten === 0 ? '' : `Overwritten entries shown besides: ${overwritten}\n`;
  return `\nEntry types (${types}) count is : ${count}\n${marked}`;
}

/** A record as `etcd-dump-logs -raw` prints it, but for the data of entries, which is decoded: it may hold secrets. */
export function recordLine({ crc }: LogRecord, content: RecordContent): string {
  switch (content.type) {
    case 'metadata':
      return `Metadata: ${compactText('etcdserverpb.Metadata', { NodeID: content.nodeId, ClusterID: content.clusterId })}`;
    case 'entry':
      return `Entry: ${entryWords(content)}`;
    case 'state': {
      const { term, vote, commit } = content;
      return `HardState: ${compactText('raftpb.HardState', { term, vote, commit })}`;
    }
    case 'crc':
      return `CRC: ${crc}`;
    case 'snapshot': {
      const { index, term, confState } = content;
      const members = confState === undefined ? {} : { conf_state: confStateMessage(confState) };
      return `Snapshot: ${compactText('walpb.Snapshot', { index, term, ...members })}`;
    }
    case 'undecodable':
      return `Undecodable ${content.recordType}: ${visible(content.reason)}`;
    case 'unknown':
      return `Unknown type of record: ${content.recordType}`;
  }
}

function entryWords({ entryType: type, term, index, data }: EntryContent): string {
  const kind = type === 0 ? '' : `Type:${entryTypeName(type)} `;
  return `Term:${term} Index:${index} ${kind}${requestText(type, data)}`;
}

function confStateMessage(state: ConfState): Record<string, unknown> {
  const { voters, learners, votersOutgoing, learnersNext, autoLeave } = state;
  return {
    voters,
    learners,
    voters_outgoing: votersOutgoing,
    learners_next: learnersNext,
    ...(autoLeave === undefined ? {} : { auto_leave: autoLeave }),
  };
}

const DAMAGE_WORDS: Readonly<Record<LogDamage['reason'], string>> = {
  short: 'the file ends inside a length field',
  beyond: 'a record reaches beyond the end of the file',
  'too-large': 'a record is larger than can be read here',
  unreadable: 'the file cannot be read',
  unparsable: 'a record that is no message',
  crc: 'the CRC of a record does not fit',
  chain: 'a CRC record does not continue the chain',
  hole: 'zeros, with records behind them',
};

/** What is wrong at a damaged place. */
export function damageWords({ reason }: LogDamage): string {
  return DAMAGE_WORDS[reason];
}
