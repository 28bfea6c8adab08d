/**
 * What a check knows of a data directory as a whole, in lines for people: how far the db has got, and what lies between it and the log.
 */
import type { DataDirSummary } from '../../datadir/summary.ts';
import { grouped } from './size.ts';

/** So many snapshots are named, the newest. */
const SHOWN_SNAPSHOTS = 10;

/** Each line has its name in front, as those about the log do. */
export function dataDirLines(summary: DataDirSummary): string[] {
  const { layout, etcdVersion, hasDb, hasWal, consistentIndex, dbTerm, notInDb, snapshots, receivedDbs } = summary;
  if (layout !== 'member' && layout !== 'both') return [];
  const position =
    consistentIndex === null
      ? 'how far it has got is not known'
      : `has entries up to ${number(consistentIndex)}${dbTerm === null ? '' : `, term ${dbTerm}`}`;
  const lines = [`for:       etcd ${etcdVersion}`, `db:        ${hasDb ? position : 'none'}`];
  if (!hasWal) lines.push('log:       none');
  if (notInDb !== null && notInDb !== '0') {
    lines.push(
      `to apply:  ${number(notInDb)} ${notInDb === '1' ? 'entry' : 'entries'} of the log that the db has not got`,
    );
  }
  // The files of older ones were purged.
  const kept = snapshots.filter(({ hasFile }, i) => hasFile || i === snapshots.length - 1);
  if (kept.length > 0) {
    const left = kept.length - SHOWN_SNAPSHOTS;
    const shown = kept.slice(-SHOWN_SNAPSHOTS).map(snapshotText).join(', ');
    lines.push(`snapshots: ${shown}${left > 0 ? `, and ${grouped(left)} older` : ''}`);
  }
  if (receivedDbs.length > 0) lines.push(`received:  a db up to entry ${receivedDbs.map(number).join(', ')}`);
  return lines;
}

function snapshotText({ index, hasFile, hasWalRecord }: DataDirSummary['snapshots'][number]): string {
  if (hasFile && hasWalRecord) return number(index);
  return `${number(index)} (${hasFile ? 'no record in the log' : 'no file'})`;
}

const number = (value: string): string => grouped(BigInt(value));
