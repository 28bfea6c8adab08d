/**
 * What etcd does with a data directory, for people: release by release, what happens in which order, and why. And as JSON.
 */
import { styleText } from 'node:util';
import type { Explanation } from '../../datadir/start/explanation.ts';
import { findingsFor } from '../../datadir/start/findings-for.ts';
import type { DirStart, DirStartOutcome } from '../../datadir/start/start.ts';
import { describeFinding, type Finding } from '../../findings.ts';
import { brokenName } from '../../snap/choose.ts';
import { jsonText } from './json.ts';
import { findingJson, findingLine, verdictText } from './report.ts';
import { grouped } from './size.ts';
import { visible } from './visible.ts';

type Style = Parameters<typeof styleText>[0];

const OUTCOME_WORDS: Readonly<Record<DirStartOutcome, readonly [words: string, style: Style]>> = {
  starts: ['STARTS', 'green'],
  repairs: ['STARTS, after cutting off the end of the log', 'yellow'],
  refuses: ['DOES NOT START', 'red'],
  panics: ['DOES NOT START: it panics', 'red'],
  hangs: ['HANGS: it runs, but does not serve as it should', 'red'],
  'begins-anew': ['BEGINS ANEW: it makes a new member', 'red'],
  unknown: ['CANNOT BE TOLD', 'yellow'],
};

/** Reasons that are named; the check lists all. */
const MAX_REASONS = 5;

/** The explanation as text, of the releases in `told`. */
export function explanationText(explanation: Explanation, told: readonly DirStart[], color: boolean): string {
  const { report, etcdVersion } = explanation;
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const parts = [
    `${visible(report.path)}: what etcd does when it is started on it\n` +
      `the check of level ${report.level} says: ${verdictText(report.verdict)}\n`,
  ];
  for (const { versions, start } of groups(told, explanation)) {
    const own = versions.includes(etcdVersion) && told.length > 1 ? ' (the release of this directory)' : '';
    const [words, style] = OUTCOME_WORDS[start.outcome];
    const sure = start.certain ? '' : ', most likely';
    const lines = [
      `etcd ${versions.join(', ')}${own}: ${paint([style as never, 'bold'], words)}${sure}`,
      ...stepLines(start).map((line) => `  - ${line}`),
      ...reasonLines(explanation, start).map((line) => `  ${line}`),
    ];
    parts.push(`${lines.map((line) => `${line}\n`).join('')}`);
  }
  if (report.level === 'full') parts.push('what is in the records of the db was not looked at (--level deep)\n');
  return parts.join('\n');
}

/** The explanation as JSON. */
export function explanationJson({ report, etcdVersion }: Explanation, told: readonly DirStart[]): string {
  const { path, kind, level, verdict, findings, counts, examined, notExamined, dataDir } = report;
  return jsonText({
    schema: 1,
    path,
    kind,
    level,
    verdict,
    etcdVersion,
    inUse: dataDir?.inUse ?? false,
    starts: told,
    findings: findings.map(findingJson),
    counts,
    examined,
    notExamined,
  });
}

/** Releases that do the same, for the same reasons, are told together. */
function groups(
  starts: readonly DirStart[],
  explanation: Explanation,
): { readonly versions: string[]; readonly start: DirStart }[] {
  const found = new Map<string, { readonly versions: string[]; readonly start: DirStart }>();
  for (const start of starts) {
    const { version, ...rest } = start;
    const name = JSON.stringify([rest, reasonLines(explanation, start)]);
    const group = found.get(name);
    if (group === undefined) found.set(name, { versions: [version], start });
    else group.versions.push(version);
  }
  return [...found.values()];
}

/** What happens, in order. */
function stepLines(start: DirStart): string[] {
  const { snapshot, renames, replacesDb, makesDb, cut, stage } = start;
  const lines: string[] = [];
  if (makesDb) lines.push('there is no db: it makes an empty one');
  for (const name of renames) lines.push(`cannot read ${name}, and renames it to ${brokenName(name)}`);
  if (snapshot !== null) lines.push(beginning(snapshot));
  if (replacesDb !== null) lines.push(`puts ${replacesDb}, received from the leader, in the place of db`);
  if (cut !== null) {
    lines.push(
      `takes the end of the log for a torn write: keeps a copy of ${cut.segment} (.broken) and cuts it at byte ` +
        `${grouped(cut.offset)}, ${grouped(cut.bytes)} bytes off`,
    );
  }
  const applied = applying(start);
  if (applied !== undefined) lines.push(applied);
  lines.push(...endLines(start, stage));
  return lines.map(visible);
}

function beginning({ index, term, file }: NonNullable<DirStart['snapshot']>): string {
  if (index === '0') return 'begins with the first entry of the log';
  const where = file === null ? 'as the log has it, without a .snap file' : `file ${file}`;
  return `begins with snapshot ${grouped(BigInt(index))} of term ${term}, ${where}`;
}

function applying({ applies, loneVoter, outcome }: DirStart): string | undefined {
  if (applies === null) {
    return outcome === 'starts' || outcome === 'repairs' ? 'the db has every entry of the log already' : undefined;
  }
  const range = `applies entries ${grouped(BigInt(applies.first))} to ${grouped(BigInt(applies.last))} to the db`;
  if (loneVoter === null) return `${range}, if they are committed`;
  return loneVoter
    ? `${range}: it is the only voter, so all of them count`
    : `${range}: those that are committed, the others when a majority of the members has them`;
}

function endLines({ outcome, words, lossless, serves }: DirStart, stage: DirStart['stage']): string[] {
  const said = words === '' ? [] : [`says: ${words}`];
  switch (outcome) {
    case 'starts':
    case 'repairs':
      return [...said, servingLine(serves), lossLine(lossless)];
    case 'hangs':
      return [...said, hangingLine(serves, stage)];
    case 'begins-anew':
      return [...said, 'starts a new log as if nothing had been there', lossLine(lossless)];
    case 'unknown':
    case 'refuses':
    case 'panics':
      return said;
  }
}

function servingLine(serves: DirStart['serves']): string {
  switch (serves) {
    case 'clients':
      return 'serves clients as soon as there is a leader';
    case 'reads':
      return 'answers reads, but takes no writes that need space';
    case 'nobody':
      return 'takes neither reads nor writes because of an alarm';
  }
}

function hangingLine(serves: DirStart['serves'], stage: DirStart['stage']): string {
  if (stage === 'open-db') return 'waits until the other program has ended';
  return serves === 'reads'
    ? 'calls itself healthy and answers reads, but what clients write is not applied, and they get no answer'
    : 'never gets to serve clients';
}

function lossLine(lossless: boolean): string {
  return lossless ? 'everything committed is there' : 'what was lost or damaged before is not mended by it';
}

/** The findings that lead to it, worst first, and what to do about the first. */
function reasonLines({ report }: Explanation, { causes, version }: DirStart): string[] {
  const wanted = new Set(causes);
  const all = findingsFor(report, version) as readonly Finding[];
  const findings = all.filter(({ code }) => wanted.has(code));
  const [first] = findings;
  if (first === undefined) return [];
  const shown = findings.slice(0, MAX_REASONS);
  const more = findings.length - shown.length;
  return [
    ...shown.map((finding) => `because: ${findingLine(finding)}  [${finding.code}]`),
    ...(more > 0 ? [`because: ${grouped(more)} more findings of these kinds`] : []),
    `to do:   ${describeFinding(first).remedy}`,
  ];
}
