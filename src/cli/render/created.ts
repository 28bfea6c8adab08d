/**
 * Members that were made: for people and as JSON.
 */
import type { CreatedMember, CreatedMembers } from '../../files/restore.ts';
import { columns } from './columns.ts';
import { findingJson, findingLine } from './report.ts';
import { grouped } from './size.ts';
import { visible } from './visible.ts';

/** Ids as numbers and as etcd prints them. */
export function createdJson(created: CreatedMembers, source: string | undefined): Record<string, unknown> {
  const { clusterId, memberId, members, findings, ...rest } = created;
  return {
    schema: 1,
    source: source ?? null,
    memberId,
    memberIdHex: memberId?.toString(16) ?? null,
    clusterId,
    clusterIdHex: clusterId.toString(16),
    members: members.map(memberJson),
    ...rest,
    findings: findings.map(findingJson),
  };
}

function memberJson({ id, name, peerUrls, isLearner, ...rest }: CreatedMember): Record<string, unknown> {
  return { id, idHex: id.toString(16), name, peerURLs: peerUrls, isLearner, ...rest };
}

export function createdText(created: CreatedMembers, source: string | undefined): string {
  const { clusterId, members, revision, bump, files, notes, findings, dryRun } = created;
  const made = members.filter(({ dataDir }) => dataDir !== null);
  const what = made.length === 1 ? 'the data directory' : `${made.length} data directories`;
  const lines = [
    dryRun
      ? `WOULD WORK: ${what} can be made; nothing was written`
      : `DONE: ${what} ${made.length === 1 ? 'was' : 'were'} made`,
    ...made.map(({ dataDir }) => (source === undefined ? `${dataDir}` : `${source} -> ${dataDir}`)),
    `cluster:   ${clusterId.toString(16)}`,
    `revision:  ${grouped(revision)}${bump === null ? '' : ` (raised by ${grouped(bump.by)}; what was before counts as compacted)`}`,
    ...notes.map((note) => `note:      ${note}`),
    ...findings.map((finding) => `${finding.severity}: ${findingLine(finding)}`),
    `members:   ${members.length}`,
  ];
  const rows = members.map(({ id, name, peerUrls, isLearner, dataDir }) => [
    id.toString(16),
    visible(name),
    isLearner ? 'learner' : 'voter',
    visible(peerUrls.join(' ')),
    dataDir === null ? 'not made here' : visible(dataDir),
  ]);
  const table = columns([['id', 'name', 'kind', 'peer URLs', 'directory'], ...rows]);
  const starts = made.flatMap(({ startCommand }) => (startCommand === null ? [] : [`  ${startCommand}`]));
  const ending = [
    ...(dryRun ? files.map((file) => `would be made: ${file}`) : []),
    starts.length === 1 ? 'start it with:' : 'start them with:',
    ...starts,
  ];
  const text = (all: readonly string[]): string => all.map((line) => `${visible(line)}\n`).join('');
  return `${text(lines)}${table}${text(ending)}`;
}
