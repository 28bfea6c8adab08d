/**
 * The membership of a cluster, for people.
 */
import type { Cluster } from '../../backend/cluster.ts';
import type { Members } from '../../backend/members.ts';
import { columns } from './columns.ts';
import { visible } from './visible.ts';

/** What `members` tells. */
export interface MembershipFacts {
  readonly path: string;
  /** Undefined if there is no log to have it from. */
  readonly clusterId: bigint | undefined;
  readonly cluster: Cluster;
  readonly members: Members;
}

/** The text of `members`. */
export function membersText({ path, clusterId, cluster, members: { members, removed } }: MembershipFacts): string {
  const { version, downgrade } = cluster;
  const lines = [
    visible(path),
    `cluster:    ${clusterId === undefined ? 'its id is in the log only, not in a db' : clusterId.toString(16)}`,
    `version:    ${version === null ? 'not agreed on yet' : visible(version)}`,
    `downgrade:  ${downgrade?.enabled === true ? `to ${visible(downgrade.targetVersion)} is under way` : 'none'}`,
    `members:    ${members.length === 0 ? 'none' : members.length}`,
  ];
  const rows = members.map(({ id, name, isLearner, peerUrls, clientUrls }) => [
    id.toString(16),
    name === '' ? '-' : visible(name),
    `${name === '' ? 'unstarted' : 'started'}${isLearner ? ', learner' : ''}`,
    urls(peerUrls),
    urls(clientUrls),
  ]);
  const table = rows.length === 0 ? '' : columns([['id', 'name', 'state', 'peer URLs', 'client URLs'], ...rows]);
  const gone = removed.length === 0 ? 'none' : removed.map((id) => id.toString(16)).join(', ');
  return `${lines.join('\n')}\n${table}removed:    ${gone}\n`;
}

const urls = (list: readonly string[]): string => (list.length === 0 ? '-' : visible(list.join(' ')));
