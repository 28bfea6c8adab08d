/**
 * What there is to say about one `.snap` file, as if it were the newest.
 */

import { crcText } from '../checksum/crc-text.ts';
import type { ConfState } from '../proto/raft.ts';
import { type SnapFinding, type SnapFindingCode, snapFindings } from './findings.ts';
import { MAX_SNAP_SIZE } from './format.ts';
import type { Snap, SnapProblem } from './reader.ts';
import { parseSnapName } from './snap-name.ts';
import { customContent, type V2Store } from './v2-store.ts';

/** A finding with the severity of its code. */
export function makeFinding<Code extends SnapFindingCode>(
  code: Code,
  file: string | undefined,
  args: Extract<SnapFinding, { code: Code }>['args'],
  offset?: number,
): SnapFinding {
  const place = { ...(file === undefined ? {} : { file }), ...(offset === undefined ? {} : { offset }) };
  // The compiler does not see that a code and its arguments belong together.
  return { code, severity: snapFindings[code].severity, ...place, args } as SnapFinding;
}

/** The finding for a file that cannot be used. */
export function problemFinding(name: string, size: number, problem: SnapProblem | undefined): SnapFinding {
  switch (problem?.kind) {
    case 'empty':
      return makeFinding('SNAP_EMPTY', name, { name, reason: problem.reason });
    case 'unparsable':
      return makeFinding('SNAP_UNPARSABLE', name, { name, reason: problem.reason }, problem.offset);
    case 'raft-unparsable':
      return makeFinding('SNAP_RAFT_UNPARSABLE', name, { name, reason: problem.reason }, problem.offset);
    case 'crc-zero':
      return makeFinding('SNAP_CRC_ZERO', name, { name, computed: crcText(problem.computed) });
    case 'crc-mismatch': {
      const { stored, computed } = problem;
      return makeFinding('SNAP_CRC_MISMATCH', name, { name, stored: crcText(stored), computed: crcText(computed) });
    }
    case 'too-large':
      return makeFinding('SNAP_TOO_LARGE', name, { name, size: `${size}`, limit: `${MAX_SNAP_SIZE}` });
    default:
      return makeFinding('SNAP_UNREADABLE', name, { name, reason: problem?.reason ?? 'no reason is known' });
  }
}

/** The findings for a file that etcd can read, worst first. */
export function contentFindings(name: string, snap: Snap): SnapFinding[] {
  const found: SnapFinding[] = [];
  if (snap.dataProblem !== undefined) {
    const { reason, offset } = snap.dataProblem;
    found.push(makeFinding('SNAP_V2_STORE_UNPARSABLE', name, { name, reason }, offset));
  }
  const reason = impossible(snap.confState);
  if (reason !== undefined) found.push(makeFinding('SNAP_CONF_STATE', name, { name, reason }));
  const named = parseSnapName(name);
  if (named !== undefined && (named.term !== snap.term || named.index !== snap.index)) {
    found.push(makeFinding('SNAP_NAME_MISMATCH', name, { name, term: `${snap.term}`, index: `${snap.index}` }));
  }
  if (snap.store !== undefined) found.push(...storeFindings(name, snap.store, snap.confState));
  return found;
}

function storeFindings(name: string, store: V2Store, confState: ConfState): SnapFinding[] {
  const found: SnapFinding[] = [];
  const members = idList(store.members.map(({ id }) => id));
  const inRaft = idList([...confState.voters, ...confState.learners]);
  if (members !== inRaft) {
    found.push(makeFinding('SNAP_MEMBERS_DIFFER', name, { name, members, confState: inRaft }));
  }
  const paths = customContent(store);
  if (paths.length > 0) {
    const { files, directories } = store.keys;
    const args = { name, paths: paths.join(', '), files: `${files}`, directories: `${directories}` };
    found.push(makeFinding('SNAP_V2_CUSTOM_CONTENT', name, args));
  }
  return found;
}

/** So many ids are named. */
const MAX_IDS = 20;

function idList(ids: readonly bigint[]): string {
  const sorted = [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const named = sorted.slice(0, MAX_IDS).map((id) => id.toString(16));
  if (sorted.length > MAX_IDS) named.push(`… (${sorted.length})`);
  return named.length === 0 ? 'none' : named.join(', ');
}

/** Why raft could not work with a configuration; undefined if it could. */
function impossible({ voters, learners }: ConfState): string | undefined {
  if (voters.length === 0) return 'no voters';
  const voting = new Set(voters);
  const both = learners.find((id) => voting.has(id));
  return both === undefined ? undefined : `member ${both.toString(16)} is voter and learner`;
}
