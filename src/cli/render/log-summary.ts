/**
 * What a check of a log tells besides its findings, for people: how far the log reaches, what is lost, and what each release of
 * etcd does with it.
 */
import type { DamageSummary, StartSummary, WalSummary } from '../../wal/summary.ts';
import { counted, grouped } from './size.ts';

const number = (value: string | null): string => (value === null ? 'none' : grouped(BigInt(value)));

/** Lines for the report. */
export function logSummaryLines(wal: WalSummary): string[] {
  const { segments, firstIndex, lastIndex, entries, overwritten, commit, term, nodeIdHex, clusterIdHex, snapshot } =
    wal;
  const lost = overwritten === 0 ? '' : `, ${grouped(overwritten)} more overwritten`;
  const lines = [
    `log:       ${counted(segments.length, 'segment')}, entries ${number(firstIndex)} to ${number(lastIndex)} (${grouped(entries)}${lost})`,
    `state:     term ${number(term)}, committed up to ${number(commit)}`,
    `starts at: ${snapshot === null ? 'no snapshot' : `snapshot ${grouped(BigInt(snapshot.index))} of term ${snapshot.term}`}`,
    `of:        member ${nodeIdHex ?? 'unknown'}, cluster ${clusterIdHex ?? 'unknown'}`,
  ];
  for (const damage of wal.damage) lines.push(damageLine(damage));
  return [...lines, ...startLines(wal.etcd)];
}

function damageLine({ segment, offset, kind, lastIndex, lastTerm, behind }: DamageSummary): string {
  const range =
    behind.entries === 0 ? '' : `, entries ${behind.firstIndex} to ${behind.lastIndex} (${grouped(behind.entries)})`;
  const rest =
    behind.records === 0 ? 'nothing behind it' : `${counted(behind.records, 'good record')} behind it${range}`;
  return `bad spot:  ${segment}, byte ${grouped(offset)}: ${kind}; last good entry ${lastIndex} of term ${lastTerm}; ${rest}`;
}

/** Releases that do the same are told together. */
function startLines(outcomes: readonly StartSummary[]): string[] {
  const groups = new Map<string, string[]>();
  for (const outcome of outcomes) {
    const words = startWords(outcome);
    groups.set(words, [...(groups.get(words) ?? []), outcome.version]);
  }
  return [...groups].map(([words, versions]) => `etcd ${versions.join(', ')}: ${words}`);
}

function startWords({ outcome, words, cut, snapshot, lastIndex }: StartSummary): string {
  const from = snapshot === null ? 'the first entry' : `snapshot ${grouped(BigInt(snapshot.index))}`;
  const until = `from ${from}, log up to ${grouped(BigInt(lastIndex))}`;
  const cutWords = cut === undefined ? '' : `cuts ${cut.segment} at byte ${grouped(cut.offset)}`;
  switch (outcome) {
    case 'starts':
      return `starts ${until}`;
    case 'repairs':
      return `${cutWords === '' ? 'repairs nothing' : cutWords}, then starts ${until}`;
    case 'refuses':
      return `does not start: ${words}`;
    case 'panics':
      return `panics: ${words}`;
    case 'unknown':
      return `cannot be told: ${words}`;
  }
}
