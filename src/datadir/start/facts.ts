/**
 * What the parts of a directory say of one another, and what comes of it: numbers of the report's summaries, compared as a server
 * does.
 */
import type { EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';
import { snapshotDbName } from '../../snap/snap-name.ts';
import type { StartStage } from '../../wal/etcd/index.ts';
import { chosenSnap, logStartOf } from './chosen-snap.ts';
import { type Effect, type FactName, goesByDb, type Stage } from './effect.ts';
import { bothKinds, PROXY_GONE, publishFailed, snapshotDbMissing } from './words.ts';

/** A fact and its effect. */
export interface Fact {
  readonly fact: FactName;
  readonly effect: Effect;
}

/** The db that the entries of the log are applied to. */
export interface DbState {
  /** There was none: it is made, empty. */
  readonly isNew: boolean;
  /** Its consistent index. */
  readonly index: bigint;
  /** The file that takes its place. */
  readonly replacedBy: string | null;
}

/** The db of a start from the snapshot that `minor` chooses. */
export function dbStateOf(report: CheckReport, minor: EtcdMinor, findings: readonly AnyFinding[]): DbState {
  const { dataDir } = report;
  // An empty file is made a db, as if there were none.
  const isEmpty = findings.some(({ code, args }) => code === 'BOLT_FILE_TOO_SMALL' && args['size'] === '0');
  const isNew = isEmpty || dataDir?.hasDb !== true;
  const index = isNew ? 0n : BigInt(dataDir?.consistentIndex ?? '0');
  const snapshot = BigInt(chosenSnap(report, minor)?.index ?? '0');
  if (snapshot > index && dataDir?.receivedDbs.includes(`${snapshot}`) === true) {
    return { isNew, index: snapshot, replacedBy: snapshotDbName(snapshot) };
  }
  return { isNew, index, replacedBy: null };
}

/** The facts of a directory. */
export function factsOf(report: CheckReport, minor: EtcdMinor, db: DbState): readonly Fact[] {
  const { dataDir } = report;
  if (dataDir === undefined) return [];
  const layout = layoutEffect(dataDir.layout, minor);
  if (layout !== undefined) return [{ fact: 'layout', effect: layout }];
  if (!dataDir.hasWal) return [{ fact: 'no-log', effect: withoutLog(minor, db) }];
  const log = logStartOf(report, minor);
  if (log === undefined) return [{ fact: 'log', effect: ends('search', 'unknown', '', false) }];
  const facts: Fact[] = [];
  const snapshot = BigInt(chosenSnap(report, minor)?.index ?? '0');
  if (snapshot > db.index) {
    facts.push({ fact: 'db-behind', effect: ends('snapshot', 'panics', snapshotDbMissing(minor)) });
  }
  if (log.outcome !== 'starts' && log.outcome !== 'repairs') {
    const stage = LOG_STAGES[log.stage ?? 'search'];
    facts.push({ fact: 'log', effect: ends(stage, log.outcome, log.words, log.outcome !== 'unknown') });
  } else if (db.index - BigInt(log.lastIndex) > OWN_ENTRIES) {
    const lost = db.index - BigInt(log.lastIndex);
    const certain = lost > SOON_MADE_UP && loneVoter(report) !== false;
    facts.push({ fact: 'db-ahead', effect: appliesNothing(minor, certain) });
  }
  return facts;
}

/** Whether the member is the only voter, as far as the newest `.snap` file tells; null: not known. */
export function loneVoter({ snap, dataDir }: CheckReport): boolean | null {
  const voters = snap?.newest?.confState.voters;
  if (voters === undefined || voters.length === 0) return null;
  return voters.length === 1 && voters[0] === dataDir?.memberId;
}

const LOG_STAGES: Readonly<Record<StartStage, Stage>> = { search: 'search', read: 'log', raft: 'raft', apply: 'apply' };

/**
 * A server that lost so few entries makes up for them with its own first ones, and nobody notices: an empty one of its election, and
 * its own attributes.
 */
const OWN_ENTRIES = 2n;
/** So many are made up for within seconds or minutes, by requests that clients or the server itself repeat. */
const SOON_MADE_UP = 20n;
/** A new log of one member begins with its own addition. */
const NEW_LOG = 1n;

function ends(stage: Stage, outcome: Effect['outcome'], words: string, certain = true): Effect {
  return { stage, outcome, words, certain };
}

/** Entries below the consistent index count as applied, new ones too: 3.6 and later wait for the first of their own for ever. */
function appliesNothing(minor: EtcdMinor, certain: boolean): Effect {
  const serves = goesByDb(minor) ? 'nobody' : 'reads';
  return { stage: 'serve', outcome: 'hangs', words: publishFailed(minor), certain, serves };
}

/** A new member is made over whatever db there is. */
function withoutLog(minor: EtcdMinor, { isNew, index }: DbState): Effect {
  if (isNew) return ends('layout', 'begins-anew', '');
  const lost = index - NEW_LOG;
  return lost > OWN_ENTRIES ? appliesNothing(minor, lost > SOON_MADE_UP) : ends('serve', 'begins-anew', '');
}

function layoutEffect(layout: string, minor: EtcdMinor): Effect | undefined {
  switch (layout) {
    case 'both':
      return ends('layout', 'refuses', bothKinds(minor));
    case 'proxy':
      // Older ones start as a proxy for the v2 API, which has no data.
      return goesByDb(minor) ? ends('layout', 'panics', PROXY_GONE) : ends('layout', 'begins-anew', '');
    case 'member':
      return undefined;
    default:
      return ends('layout', 'begins-anew', '');
  }
}
