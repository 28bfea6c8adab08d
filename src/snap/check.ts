/**
 * The check of a `.snap` file, or of all files of a snap folder, as a job.
 *
 * Only the newest `.snap` file matters to a start; damage of older ones is told but is no problem. Files are opened one after
 * another, newest first as etcd goes through them. Which of them the log knows cannot be seen from here.
 */
import { DatadirError, isDatadirError } from '../errors.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import { type CheckReport, FindingList, type Level, MAX_FINDINGS } from '../report.ts';
import { contentFindings, makeFinding, problemFinding } from './check-content.ts';
import { chooseSnap, type SnapCandidate } from './choose.ts';
import { type SnapFinding, type SnapFindingCode, snapFindings } from './findings.ts';
import { type Leftover, listSnapFolder, newestSnap } from './list.ts';
import { SnapReading } from './reader.ts';
import { parseSnapName } from './snap-name.ts';
import { summarize } from './summarize.ts';
import type { SnapFileSummary, SnapSummary } from './summary.ts';

/** A file of the snap folder; it is opened when its turn comes, and closed again. */
export interface SnapFile {
  /** The name without directories. */
  readonly name: string;
  /** Throws a `DatadirError` if it cannot be opened. */
  open(): ByteSource;
}

/** Options of the check. */
export interface CheckSnapOptions {
  /** For the report; everything is looked at on every level. Default: `full`. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** Name for the report. Default: the source's own. */
  readonly path?: string | undefined;
  /** The whole data directory is checked: what the folder cannot tell by itself is told there. */
  readonly inDataDir?: boolean | undefined;
}

/** Checks one `.snap` file. Never throws for bad bytes or read errors: they are findings. */
export function checkSnap(input: Input, options: CheckSnapOptions = {}): CheckReport {
  return drain(snapFileCheck(toSource(input), options));
}

/** Checks the files of a snap folder, `db` and leftovers among them by name alone. Never throws for what is in them. */
export function checkSnapFolder(files: readonly SnapFile[], options: CheckSnapOptions = {}): CheckReport {
  return drain(new SnapCheckJob(files, options));
}

/** The job that checks one `.snap` file; its name is the last part of the path. */
export function snapFileCheck(source: ByteSource, options: CheckSnapOptions = {}): SnapCheckJob {
  const path = options.path ?? source.path ?? '';
  const name = path.split(/[/\\]/).at(-1) || 'the file';
  const file: SnapFile = { name, open: () => unclosed(source) };
  return new SnapCheckJob([file], { ...options, path, lone: true });
}

/** The caller closes what it opened. */
function unclosed(source: ByteSource): ByteSource {
  return {
    size: source.size,
    readInto: (target, offset) => source.readInto(target, offset),
    close: () => {},
    ...(source.path === undefined ? {} : { path: source.path }),
  };
}

/** So many files are listed in the report, the newest. */
const MAX_FILES_LISTED = 1000;

const LEFTOVERS: Readonly<Record<Leftover, SnapFindingCode>> = {
  'snapshot-db': 'SNAP_LEFTOVER_SNAPSHOT_DB',
  receiving: 'SNAP_LEFTOVER_RECEIVING',
  defragmenting: 'SNAP_LEFTOVER_DEFRAGMENTING',
  broken: 'SNAP_LEFTOVER_BROKEN',
};

/** The file that is being read. */
interface Current {
  readonly file: SnapFile;
  readonly source: ByteSource;
  readonly reading: SnapReading;
}

/** The check of a snap folder (all its names, `db` included), or of a lone file. */
export class SnapCheckJob implements Job<CheckReport> {
  readonly #options: CheckSnapOptions & { readonly lone?: boolean };
  readonly #started = performance.now();
  readonly #findings: FindingList;
  /** What is still to be read, newest first. */
  readonly #queue: SnapFile[];
  readonly #count: number;
  readonly #newest: string | undefined;
  readonly #candidates: SnapCandidate[] = [];
  readonly #summaries: SnapFileSummary[] = [];
  #content: SnapSummary['newest'];
  #customReported = false;
  #usable = 0;
  #reading: Current | undefined;
  /** Names of files that were read twice. */
  readonly #repeated = new Set<string>();
  #bytesRead = 0;
  #result: CheckReport | undefined;

  constructor(files: readonly SnapFile[], options: CheckSnapOptions & { readonly lone?: boolean } = {}) {
    this.#options = options;
    this.#findings = new FindingList(options.maxFindings ?? MAX_FINDINGS);
    if (options.lone === true) {
      this.#queue = [...files];
      this.#newest = files[0]?.name;
    } else {
      const byName = new Map(files.map((file) => [file.name, file]));
      const { snaps, leftovers } = listSnapFolder(byName.keys());
      this.#queue = snaps.map((name) => byName.get(name) as SnapFile);
      this.#newest = newestSnap(snaps);
      for (const { name, kind } of leftovers) this.#report(makeFinding(LEFTOVERS[kind], name, { name } as never));
      for (const name of snaps) {
        if (parseSnapName(name) === undefined) this.#report(makeFinding('SNAP_NAME_ODD', name, { name }));
      }
    }
    this.#count = this.#queue.length;
  }

  get progress(): Progress {
    const done = this.#bytesRead + (this.#reading?.reading.bytesRead ?? 0);
    // The sizes of files that are still closed are not known; most have about the same.
    const dealt = this.#count - this.#queue.length;
    const total =
      this.#result !== undefined ? done : Math.max(done, Math.ceil((done / Math.max(1, dealt)) * this.#count));
    return { done, total };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#result !== undefined) return true;
    if (this.#reading === undefined && !this.#openNext()) {
      this.#finish();
      return true;
    }
    const current = this.#reading;
    if (current?.reading.step()) {
      this.#reading = undefined;
      this.#bytesRead += current.reading.bytesRead;
      current.source.close();
      if (!this.#isBeingWritten(current)) this.#judge(current.file.name, current.source.size, current.reading);
    }
    return false;
  }

  /** Whether a file that cannot be used has another size by now: etcd was just writing it, and it is read once more. */
  #isBeingWritten({ file, source, reading }: Current): boolean {
    if (reading.problem === undefined || this.#options.lone === true || this.#repeated.has(file.name)) return false;
    this.#repeated.add(file.name);
    try {
      const again = file.open();
      const { size } = again;
      again.close();
      if (size === source.size) return false;
    } catch (error) {
      if (!isDatadirError(error)) throw error;
    }
    this.#queue.unshift(file);
    return true;
  }

  /** False when there is nothing left. A file that cannot be opened is judged at once. */
  #openNext(): boolean {
    const file = this.#queue.shift();
    if (file === undefined) return false;
    try {
      const source = file.open();
      this.#reading = { file, source, reading: new SnapReading(source, { maxKeys: 0 }) };
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      // A running etcd has purged it meanwhile.
      if (error.code === 'NOT_FOUND' && this.#options.lone !== true) return true;
      this.#judge(file.name, 0, { problem: { kind: 'unreadable', reason: error.message }, snap: undefined });
    }
    return true;
  }

  #judge(name: string, size: number, { snap, problem }: Pick<SnapReading, 'snap' | 'problem'>): void {
    const found = snap === undefined ? [problemFinding(name, size, problem)] : contentFindings(name, snap);
    const worst = found.find(({ severity }) => severity !== 'info');
    for (const finding of found) this.#reportOf(name, finding);
    const usable = snap !== undefined && snap.dataProblem === undefined;
    if (usable) this.#usable++;
    const candidate = snap === undefined ? undefined : { index: snap.index, term: snap.term };
    this.#candidates.push({ name, snapshot: candidate });
    if (this.#summaries.length < MAX_FILES_LISTED) {
      this.#summaries.push({
        name,
        size,
        usable,
        ...(worst === undefined ? {} : { problem: worst.code }),
        ...(snap === undefined ? {} : { index: snap.index.toString(), term: snap.term.toString() }),
      });
    }
    if (snap !== undefined) this.#content ??= { name, ...summarize(snap) };
  }

  /** Of files that are not the newest, damage is for information, and what is no damage is not told again. */
  #reportOf(name: string, finding: SnapFinding): void {
    if (finding.code === 'SNAP_V2_CUSTOM_CONTENT') {
      if (!this.#customReported) this.#report(finding);
      this.#customReported = true;
    } else if (name === this.#newest) this.#report(finding);
    else if (finding.severity !== 'info') {
      const reason = snapFindings[finding.code].message(finding).replace(/^snap file [^:]*: /, '');
      this.#report(makeFinding('SNAP_OLDER_DAMAGED', name, { name, problem: finding.code, reason }));
    }
  }

  #report(finding: SnapFinding): void {
    this.#findings.add(finding);
  }

  #finish(): void {
    const { path = '', level = 'full', lone = false, inDataDir = false } = this.#options;
    const judged = this.#candidates.length;
    if (!lone && judged > 0 && this.#usable === 0) {
      this.#report(makeFinding('SNAP_ALL_DAMAGED', undefined, { files: `${judged}` }));
    }
    const findings = this.#findings;
    const startsFrom = lone ? {} : { startsFrom: this.#startsFrom() };
    const content = this.#content === undefined ? {} : { newest: this.#content };
    this.#result = {
      schema: 1,
      path,
      kind: 'snap',
      level,
      verdict: findings.verdict,
      findings: findings.findings,
      counts: findings.counts,
      examined: examinedText(judged, lone),
      notExamined: inDataDir ? [V2_VALUES] : notExaminedText(lone),
      bytesRead: this.#bytesRead,
      elapsedMs: performance.now() - this.#started,
      snap: { ...content, files: this.#summaries, ...startsFrom },
    };
  }

  #startsFrom(): string | null {
    const all = this.#candidates.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]));
    return chooseSnap(this.#candidates, all, '3.6').file ?? null;
  }
}

function examinedText(files: number, lone: boolean): string[] {
  if (files === 0) return ['the names in the folder; there is no .snap file'];
  const what = 'checksum, raft snapshot and v2 store';
  return [lone ? `${what} of the file` : `${what} of ${files === 1 ? 'one .snap file' : `${files} .snap files`}`];
}

const V2_VALUES = 'values of v2 keys';

function notExaminedText(lone: boolean): string[] {
  const record = lone
    ? 'whether the log has a record of this snapshot: without one etcd does not start from it'
    : 'whether the log has a record of each snapshot: etcd starts from none without one';
  const others = lone ? ['other .snap files of the member'] : ['the database'];
  return [record, ...others, V2_VALUES];
}
