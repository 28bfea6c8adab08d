/**
 * What a log holds, for people.
 */
import type { SnapshotRecordSummary, WalInfo } from '../../wal/info.ts';
import { columns } from './columns.ts';
import { counted, exactSize, grouped } from './size.ts';
import { visible } from './visible.ts';

/** Snapshot records are listed up to this number, the last ones: a log that was never purged has thousands. */
const MAX_SNAPSHOTS = 10;

/** The text of `wal info`. */
export function walInfoText(directory: string, info: WalInfo): string {
  const { segments, hardState, nodeIdHex, clusterIdHex, minimumVersion, damage } = info;
  const size = segments.reduce((sum, each) => sum + each.size, 0);
  const lines = [
    visible(directory),
    `node:       ${nodeIdHex ?? 'not told'}`,
    `cluster:    ${clusterIdHex ?? 'not told'}`,
    `entries:    ${entryWords(info)}`,
    `kinds:      ${kindWords(info)}`,
    `hard state: ${hardState === null ? 'none' : `term ${grouped(BigInt(hardState.term))}, vote ${hardState.voteHex}, commit ${grouped(BigInt(hardState.commit))}`}`,
    `needs etcd: ${minimumVersion === null ? 'any version' : `${minimumVersion} or later`}`,
    `damage:     ${damage === null ? 'none' : `${damage.kind}, ${visible(damage.segment)} at byte ${grouped(damage.offset)}; nothing behind it was read`}`,
    `segments:   ${segments.length}, ${exactSize(size)}`,
  ];
  return `${lines.join('\n')}\n${segmentTable(info)}${snapshotTable(info.snapshots)}`;
}

function entryWords({ entries, firstIndex, lastIndex, overwritten }: WalInfo): string {
  const range = entries === 0 ? 'none' : `${grouped(entries)}, from ${firstIndex} to ${lastIndex}`;
  return overwritten === 0 ? range : `${range}; ${grouped(overwritten)} more were overwritten`;
}

function kindWords({ kinds: { normal, confChange, v2, noop, other } }: WalInfo): string {
  const words = [
    counted(normal, 'request'),
    counted(confChange, 'conf change'),
    `${counted(v2, 'request')} of the v2 API`,
    counted(noop, 'no-op'),
  ];
  if (other > 0) words.push(`${grouped(other)} of unknown type`);
  return words.join(', ');
}

function segmentTable({ segments }: WalInfo): string {
  const rows = segments.map(({ name, size, end, records, firstIndex, lastIndex }) => [
    visible(name),
    grouped(size),
    grouped(end),
    grouped(records),
    firstIndex === null ? '-' : `${firstIndex} to ${lastIndex}`,
  ]);
  return columns([['name', 'size', 'end of data', 'records', 'entries'], ...rows]);
}

function snapshotTable(snapshots: readonly SnapshotRecordSummary[]): string {
  if (snapshots.length === 0) return 'snapshots:  none\n';
  const left = snapshots.length - MAX_SNAPSHOTS;
  const rows = snapshots
    .slice(-MAX_SNAPSHOTS)
    .map(({ index, term, valid }) => [index, term, valid ? 'valid' : 'above the commit index']);
  const more = left > 0 ? `, the last ${MAX_SNAPSHOTS} of them (--json lists all)` : '';
  return `snapshots:  ${grouped(snapshots.length)}${more}\n${columns([['index', 'term', 'state'], ...rows])}`;
}
