/**
 * What a server of each release does when it is started on a data directory: from the report of a check, nothing is read here.
 *
 * Every finding has an effect at a step of the start, or none (effects.ts); what the parts say of one another are facts with effects
 * of their own (facts.ts). The first step that does not go on decides.
 */
import { DatadirError } from '../../errors.ts';
import { ETCD_MINORS, type EtcdMinor } from '../../etcd-version.ts';
import type { AnyFinding } from '../../finding-table.ts';
import type { CheckReport } from '../../report.ts';
import type { Cut } from '../../wal/etcd/index.ts';
import { chosenSnap, logStartOf } from './chosen-snap.ts';
import { type Effect, type FactName, STAGES, type Stage } from './effect.ts';
import { ruleOf } from './effects.ts';
import { type DbState, dbStateOf, factsOf, loneVoter } from './facts.ts';
import { findingsFor } from './findings-for.ts';

/**
 * `starts`: as it is. `repairs`: after cutting the end of the log off. `refuses`: ends with an error. `panics`: crashes. `hangs`: runs,
 * but does not serve clients as it should. `begins-anew`: makes a new member, whatever is there. `unknown`: cannot be told.
 */
export type DirStartOutcome = 'starts' | 'repairs' | 'refuses' | 'panics' | 'hangs' | 'begins-anew' | 'unknown';

/** What a server of one release does with a directory. Plain data, 64-bit numbers as decimal text. */
export interface DirStart {
  readonly version: EtcdMinor;
  readonly outcome: DirStartOutcome;
  /** What it prints, or how that begins; paths are from the data directory on. Empty where it says nothing, or that is not known. */
  readonly words: string;
  /** Everything committed is there after the start. */
  readonly lossless: boolean;
  /** Whether it does so every time; what a server makes of damaged pages is often chance. As sure as the check has looked. */
  readonly certain: boolean;
  /** The codes of the findings that lead to it. */
  readonly causes: readonly string[];
  /** The step at which it ends; null if it starts. */
  readonly stage: Stage | null;
  /** For whom it is there: `reads` get an answer and writes do not. */
  readonly serves: 'clients' | 'reads' | 'nobody';
  /** The snapshot it begins with: the beginning of the log is index 0. Null if it does not get there. */
  readonly snapshot: { readonly index: string; readonly term: string; readonly file: string | null } | null;
  /** `.snap` files that it renames to `….broken`, from the snap folder on. */
  readonly renames: readonly string[];
  /** The received db that it puts in the place of `db`. */
  readonly replacesDb: string | null;
  /** It makes an empty db first, as there is none. */
  readonly makesDb: boolean;
  /** What it cuts off the log. */
  readonly cut: Cut | null;
  /** The entries that it applies to the db; null if none. What of them counts as committed depends on `loneVoter`. */
  readonly applies: { readonly first: string; readonly last: string } | null;
  /** Whether the member is the only voter, and so commits all of its log by itself; null if the report does not tell. */
  readonly loneVoter: boolean | null;
}

/** What each release does, oldest first. `report`: of the check of a data directory at level `full` or `deep`. */
export function startsOf(report: CheckReport): readonly DirStart[] {
  if (report.dataDir === undefined) {
    throw new DatadirError('USAGE', 'only the report of a data directory tells what etcd does with one');
  }
  return ETCD_MINORS.map((minor) => startOf(report, minor));
}

/** Whether the release mends by itself what is wrong, at its start and without loss. */
export function mends({ outcome, lossless }: DirStart): boolean {
  return (outcome === 'starts' || outcome === 'repairs') && lossless;
}

interface Caused {
  readonly effect: Effect;
  readonly causes: readonly string[];
}

function startOf(report: CheckReport, minor: EtcdMinor): DirStart {
  const findings = findingsFor(report, minor);
  const db = dbStateOf(report, minor, findings);
  const effects = [
    ...findings.flatMap((finding): Caused[] => {
      const effect = ruleOf(finding).effect?.(finding, minor, report);
      return effect === undefined ? [] : [{ effect, causes: [finding.code] }];
    }),
    ...factsOf(report, minor, db).map(
      ({ fact, effect }): Caused => ({ effect, causes: reasonsFor(fact, findings, report, minor) }),
    ),
  ].sort(byStage);
  const last = effects.find(({ effect }) => effect.outcome !== 'goes-on');
  const met = last === undefined ? effects : effects.slice(0, effects.indexOf(last) + 1);
  const reached = (stage: Stage): boolean =>
    last === undefined || STAGES.indexOf(last.effect.stage) >= STAGES.indexOf(stage);
  return {
    ...ending(last?.effect, report, minor),
    version: minor,
    lossless: (last === undefined || last.effect.outcome === 'begins-anew') && !losesAnything(findings, met),
    certain: met.every(({ effect }) => effect.certain) && !findings.some(({ severity }) => severity === 'unknown'),
    causes: causesOf(last, met, findings),
    serves: last?.effect.outcome === 'begins-anew' ? 'clients' : servesOf(met),
    ...detailsOf(report, minor, db, reached),
  };
}

/** By step; of one step what ends the start first, the certain before the likely. */
function byStage(a: Caused, b: Caused): number {
  const rank = ({ effect }: Caused): number =>
    STAGES.indexOf(effect.stage) * 4 + (effect.outcome === 'goes-on' ? 2 : 0) + (effect.certain ? 0 : 1);
  return rank(a) - rank(b);
}

function ending(
  effect: Effect | undefined,
  report: CheckReport,
  minor: EtcdMinor,
): Pick<DirStart, 'outcome' | 'words' | 'stage'> {
  if (effect !== undefined && effect.outcome !== 'goes-on') {
    return { outcome: effect.outcome, words: effect.words, stage: effect.stage };
  }
  const log = logStartOf(report, minor);
  return { outcome: log?.outcome === 'repairs' ? 'repairs' : 'starts', words: log?.words ?? '', stage: null };
}

const isAboveInfo = ({ severity }: AnyFinding): boolean => severity !== 'info';
const unique = (codes: readonly string[]): readonly string[] => [...new Set(codes)];

/** Damage stays, whatever a server makes of it. */
function losesAnything(findings: readonly AnyFinding[], met: readonly Caused[]): boolean {
  return (
    findings.some(({ severity }) => severity === 'corrupt' || severity === 'unknown') ||
    met.some(({ effect }) => effect.outcome === 'hangs')
  );
}

/** Why it ends where it does; of a server that starts, what it starts in spite of. */
function causesOf(
  last: Caused | undefined,
  met: readonly Caused[],
  findings: readonly AnyFinding[],
): readonly string[] {
  if (last !== undefined) return unique(last.causes);
  return unique([...met.flatMap(({ causes }) => causes), ...findings.filter(isAboveInfo).map(({ code }) => code)]);
}

/** The codes of findings that are the reason for a fact: of the log those at the very place, if there is one. */
function reasonsFor(
  fact: FactName,
  findings: readonly AnyFinding[],
  report: CheckReport,
  minor: EtcdMinor,
): readonly string[] {
  const reasons = findings.filter((finding) => ruleOf(finding).explains?.includes(fact) === true);
  const { segment, offset } = (fact === 'log' ? logStartOf(report, minor) : undefined) ?? {};
  const there = reasons.filter(
    (finding) => segment !== undefined && finding.file?.endsWith(segment) === true && finding.offset === offset,
  );
  const wrong = reasons.filter(isAboveInfo);
  return (there.length > 0 ? there : wrong.length > 0 ? wrong : reasons).map(({ code }) => code);
}

function servesOf(met: readonly Caused[]): DirStart['serves'] {
  let serves: DirStart['serves'] = 'clients';
  for (const { effect } of met) {
    if (effect.outcome !== 'goes-on' && effect.serves === undefined) return 'nobody';
    if (effect.serves === 'nobody') return 'nobody';
    if (effect.serves === 'reads') serves = 'reads';
  }
  return serves;
}

/** What it does on the way, as far as it gets. */
function detailsOf(
  report: CheckReport,
  minor: EtcdMinor,
  db: DbState,
  reached: (stage: Stage) => boolean,
): Pick<DirStart, 'snapshot' | 'renames' | 'replacesDb' | 'makesDb' | 'cut' | 'applies' | 'loneVoter'> {
  const chosen = reached('snapshot') && report.dataDir?.hasWal === true ? chosenSnap(report, minor) : undefined;
  const log = logStartOf(report, minor);
  const last = log?.lastIndex ?? '0';
  const applies =
    chosen !== undefined && reached('apply') && BigInt(last) > db.index ? { first: `${db.index + 1n}`, last } : null;
  return {
    snapshot: chosen === undefined ? null : { index: chosen.index, term: chosen.term, file: chosen.file ?? null },
    renames: chosen?.broken ?? [],
    replacesDb: reached('schema') ? db.replacedBy : null,
    makesDb: db.isNew && reached('search'),
    cut: (reached('log') && log?.cut) || null,
    applies,
    loneVoter: loneVoter(report),
  };
}
