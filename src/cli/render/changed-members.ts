/**
 * Members that were changed in a copy: for people and as JSON.
 */
import type { ChangedDirectory } from '../../files/change-members.ts';
import { columns } from './columns.ts';
import { findingJson, findingLine } from './report.ts';
import { grouped } from './size.ts';
import { visible } from './visible.ts';

/** Ids as numbers and as etcd prints them. */
export function changedJson(changed: ChangedDirectory): Record<string, unknown> {
  const { memberId, clusterId, addedId, members, findings, ...rest } = changed;
  return {
    ...rest,
    memberId,
    memberIdHex: memberId.toString(16),
    clusterId,
    clusterIdHex: clusterId.toString(16),
    addedId,
    addedIdHex: addedId?.toString(16) ?? null,
    members: members.map(({ id, name, peerUrls, clientUrls, isLearner }) => ({
      id,
      idHex: id.toString(16),
      name,
      peerURLs: peerUrls ?? [],
      clientURLs: clientUrls,
      isLearner,
    })),
    findings: findings.map(findingJson),
  };
}

export function changedText(source: string, changed: ChangedDirectory, ending: readonly string[] = []): string {
  const { path, memberId, clusterId, etcdVersion, changes, lastIndex, revision, notCommitted, members } = changed;
  const lines = [
    'DONE: the data directory was written',
    `${source} -> ${path}`,
    `member:    ${memberId.toString(16)}, cluster ${clusterId.toString(16)}, etcd ${etcdVersion}`,
    `revision:  ${grouped(revision.afterReplay)} (the db had ${grouped(revision.db)})`,
    `log:       all committed, up to entry ${grouped(lastIndex)}`,
    ...(notCommitted > 0n ? [`taken as committed: ${grouped(notCommitted)} of which the log did not say so`] : []),
    ...(changes.length === 0
      ? ['change:    none, it was alone already']
      : changes.map((words) => `change:    ${words}`)),
    ...changed.notes.map((note) => `note:      ${note}`),
    ...changed.findings.map((finding) => `${finding.severity}: ${findingLine(finding)}`),
    `members:   ${members.length}`,
  ];
  const rows = members.map(({ id, name, peerUrls, isLearner }) => [
    id.toString(16),
    name === '' ? '-' : visible(name),
    isLearner ? 'learner' : 'voter',
    visible((peerUrls ?? []).join(' ')),
  ]);
  const text = (all: readonly string[]): string => all.map((line) => `${visible(line)}\n`).join('');
  return `${text(lines)}${columns([['id', 'name', 'kind', 'peer URLs'], ...rows])}${text(ending)}`;
}
