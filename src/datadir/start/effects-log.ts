/**
 * What findings about the log and the `.snap` files do to a start. What a server makes of the log itself is simulated record by
 * record, and its outcome is in the report: here the findings are only the reasons for it.
 */

import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';
import type { SnapFindingCode } from '../../snap/findings.ts';
import type { WalFindingCode } from '../../wal/findings.ts';
import { walFindings } from '../../wal/findings.ts';
import { chosenSnap } from './chosen-snap.ts';
import { type Effect, type EffectRule, NONE } from './effect.ts';
import { V2_CONTENT } from './words.ts';

const PART_OF_LOG: EffectRule = { explains: ['log', 'db-ahead', 'no-log'] };

/** Rules for codes of the log that say more than its simulated start. */
const OWN_RULES: Readonly<Partial<Record<WalFindingCode, EffectRule>>> = {
  // With entries but without a state no leader is elected; 3.7 gets over it.
  WAL_NO_STATE: {
    effect: ({ args }, minor) =>
      minor !== '3.7' && args['entries'] !== '0'
        ? { stage: 'serve', outcome: 'goes-on', words: '', certain: false }
        : undefined,
  },
};

export const walEffects: Readonly<Record<WalFindingCode, EffectRule>> = Object.fromEntries(
  Object.keys(walFindings).map((code) => [code, OWN_RULES[code as WalFindingCode] ?? PART_OF_LOG]),
) as Record<WalFindingCode, EffectRule>;

/** What happens to releases that choose the file; 3.7 opens none. */
function ifChosen(
  effect: (minor: EtcdMinor) => Effect | undefined,
): (finding: AnyFinding, minor: EtcdMinor, report: CheckReport) => Effect | undefined {
  return ({ args }, minor, report) =>
    minor !== '3.7' && chosenSnap(report, minor)?.file === args['name'] ? effect(minor) : undefined;
}

/** A file that cannot be read is renamed, and passed over: that is part of the choice. */
const SET_ASIDE = NONE;

export const snapEffects: Readonly<Record<SnapFindingCode, EffectRule>> = {
  SNAP_EMPTY: SET_ASIDE,
  SNAP_UNPARSABLE: SET_ASIDE,
  SNAP_CRC_ZERO: SET_ASIDE,
  SNAP_CRC_MISMATCH: SET_ASIDE,
  SNAP_RAFT_UNPARSABLE: SET_ASIDE,
  SNAP_V2_STORE_UNPARSABLE: {
    effect: ifChosen(() => ({ stage: 'snapshot', outcome: 'panics', words: '', certain: false })),
  },
  SNAP_CONF_STATE: { effect: ifChosen(() => ({ stage: 'raft', outcome: 'panics', words: '', certain: false })) },
  SNAP_NAME_MISMATCH: NONE,
  SNAP_ALL_DAMAGED: { explains: ['log'] },
  SNAP_UNREADABLE: SET_ASIDE,
  SNAP_TOO_LARGE: NONE,
  SNAP_OLDER_DAMAGED: NONE,
  SNAP_NAME_ODD: NONE,
  SNAP_MEMBERS_DIFFER: NONE,
  SNAP_V2_CUSTOM_CONTENT: {
    effect: ifChosen((minor) =>
      minor === '3.6' ? { stage: 'snapshot', outcome: 'refuses', words: V2_CONTENT, certain: true } : undefined,
    ),
  },
  SNAP_LEFTOVER_SNAPSHOT_DB: NONE,
  SNAP_LEFTOVER_RECEIVING: NONE,
  SNAP_LEFTOVER_DEFRAGMENTING: NONE,
  SNAP_LEFTOVER_BROKEN: NONE,
};
