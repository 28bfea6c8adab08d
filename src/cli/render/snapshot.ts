/**
 * What a snapshot from a data directory was made of: for people and as JSON.
 */
import type { SnapshotSummary } from '../../files/replay-to-file.ts';
import { findingJson, findingLine } from './report.ts';
import { exactSize, grouped } from './size.ts';
import { visible } from './visible.ts';

const BASES: Readonly<Record<SnapshotSummary['base'], string>> = {
  db: 'the db of the directory',
  received: 'the db that was received from a leader',
  none: 'nothing: everything is from the log',
};

export function snapshotJson({ findings, ...summary }: SnapshotSummary): Record<string, unknown> {
  return { schema: 1, ...summary, findings: findings.map(findingJson) };
}

export function snapshotText(summary: SnapshotSummary, directory: string): string {
  const { path, size, sha256, revision, entries, stoppedAt, findings } = summary;
  const lines = [
    stoppedAt === null
      ? 'DONE: the snapshot was written'
      : `DONE UP TO A PANIC: etcd ${summary.etcdVersion} ends there`,
    `${directory} -> ${path}`,
    `revision:  ${grouped(revision.afterReplay)} (the db has ${grouped(revision.db)})`,
    `begins as: ${BASES[summary.base]}`,
    `entries:   ${entriesText(summary)}`,
    `size:      ${exactSize(size)}`,
    `sha256:    ${sha256}`,
  ];
  if (entries.notCommitted > 0n) lines.push(`not known to be committed: ${grouped(entries.notCommitted)} entries`);
  for (const finding of findings) lines.push(`${finding.severity}: ${findingLine(finding)}`);
  return lines.map((line) => `${visible(line)}\n`).join('');
}

function entriesText({ entries: { from, to, replayed }, etcdVersion }: SnapshotSummary): string {
  if (replayed === 0n) return 'the db has all of them';
  return `${grouped(replayed)} applied (${grouped(from)} to ${grouped(to)}), as etcd ${etcdVersion} does`;
}
