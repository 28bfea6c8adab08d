/**
 * The check of a bolt file as a job: metas, freelist, all trees, leaks, the rest of the file, and the transaction before.
 *
 * A file may be in use while it is checked. bbolt never overwrites pages of its newest state, so what was found counts
 * only if the newest transaction is still the same afterwards; otherwise the check is repeated, a few times.
 */

import { DatadirError, isDatadirError } from '../errors.ts';
import { describeWith } from '../finding-table.ts';
import type { Verdict } from '../findings.ts';
import type { ByteSource } from '../io/byte-source.ts';
import { type Input, toSource } from '../io/input.ts';
import { drain, type Job, type Progress } from '../io/job.ts';
import {
  type BoltSummary,
  type CheckReport,
  type DigestSummary,
  FindingList,
  type Level,
  MAX_FINDINGS,
} from '../report.ts';
import { FreelistCheck } from './check-freelist.ts';
import { type CheckedMetas, checkMetaAgainstFile, checkMetas, hasTrailer, usableHighWaterMark } from './check-metas.ts';
import { CheckReporter } from './check-reporter.ts';
import { TreeWalk } from './check-tree.ts';
import { boltFindings } from './findings.ts';
import { FIRST_DATA_PAGE, NO_FREELIST } from './format.ts';
import { MAX_ATTEMPTS } from './live-source.ts';
import { type LocatedMetas, locateMetas } from './locate.ts';
import { currentMeta, type Meta } from './meta.ts';
import { PageBitmap } from './page-bitmap.ts';
import { PageRuns } from './page-runs.ts';

export interface CheckBoltOptions {
  /** `sanity`: both metas and sizes; `full` (default): every page; `deep` is `full` for a plain bolt file. */
  readonly level?: Level | undefined;
  /** How many findings are kept; all are counted. Default 1000. */
  readonly maxFindings?: number | undefined;
  /** Name for the report. Default: the source's own. */
  readonly path?: string | undefined;
  /** Check only the tree below this page. There is no account of unreachable pages then. */
  readonly fromPage?: number | undefined;
  /**
   * Makes a digest of all pairs (`bolt.digest` of the report), for which every value is read as well. There is none in a
   * report on a file of which not every pair could be reached, or that changed all the time.
   */
  readonly digest?: boolean | undefined;
}

/** Checks a bolt file without a pause. Never throws for bad bytes or read errors: they are findings. */
export function checkBolt(input: Input, options: CheckBoltOptions = {}): CheckReport {
  return drain(new BoltCheckJob(toSource(input), options));
}

/** What no check of the structure can vouch for. */
export const UNPROTECTED = 'values and free pages: bolt keeps no checksum of them';

const TAIL_PIECE = 1 << 20;
/** So much behind the last page is looked at; etcd preallocates 16 MiB. */
const MAX_TAIL = 32 << 20;
const LEAK_PAGES_PER_STEP = 1 << 22;

type Phase = 'metas' | 'freelist' | 'tree' | 'leaks' | 'tail' | 'previous' | 'again' | 'done';

/** The check of one bolt file, in steps. */
export class BoltCheckJob implements Job<CheckReport> {
  readonly #source: ByteSource;
  readonly #options: CheckBoltOptions;
  readonly #started = performance.now();
  #phase: Phase = 'metas';
  #attempt = 1;
  #bytesRead = 0;
  #done = 0;
  #attemptState: Attempt | undefined;
  #result: CheckReport | undefined;

  constructor(source: ByteSource, options: CheckBoltOptions = {}) {
    // Counts what is read; everything else is the caller's source.
    this.#source = {
      size: source.size,
      readInto: (target, offset) => {
        const got = source.readInto(target, offset);
        this.#bytesRead += got;
        return got;
      },
      close: () => source.close(),
      currentSize: () => sizeNow(source),
    };
    this.#options = { ...options, path: options.path ?? source.path };
  }

  get progress(): Progress {
    const state = this.#attemptState;
    const total = state === undefined ? this.#source.size : state.total;
    if (state !== undefined) this.#done = Math.max(this.#done, Math.min(total, state.done));
    return {
      done: this.#phase === 'done' ? Math.max(this.#done, total) : this.#done,
      total: Math.max(total, this.#done),
    };
  }

  get result(): CheckReport {
    if (this.#result === undefined) throw new DatadirError('INTERNAL', 'the check has not finished');
    return this.#result;
  }

  step(): boolean {
    if (this.#phase === 'metas') this.#attemptState = new Attempt(this.#source, this.#options);
    const state = this.#attemptState as Attempt;
    if (this.#phase !== 'again') this.#phase = state.step(this.#phase);
    if (this.#phase === 'again') this.#decide(state);
    return this.#phase === 'done';
  }

  /** Everything has been looked at: is it still the same file? */
  #decide(state: Attempt): void {
    // No finding can come from a writer's work when there is none; values can, which only a digest depends on.
    const doubtful = state.verdict !== 'healthy' || state.digest !== undefined;
    const changed = doubtful && state.hasChanged();
    if (!changed) {
      this.#finish(state.report(this.#bytesRead, performance.now() - this.#started));
    } else if (this.#attempt < MAX_ATTEMPTS) {
      this.#attempt++;
      this.#phase = 'metas';
    } else if (state.verdict === 'healthy') {
      state.digest = undefined;
      this.#finish(state.report(this.#bytesRead, performance.now() - this.#started));
    } else {
      state.giveUp(this.#attempt);
      this.#finish(state.report(this.#bytesRead, performance.now() - this.#started, 'in-use'));
    }
  }

  #finish(report: CheckReport): void {
    this.#result = report;
    this.#phase = 'done';
  }
}

/** The length of a source now, or, where that cannot be had, when it was opened. */
function sizeNow(source: ByteSource): number {
  try {
    return source.currentSize?.() ?? source.size;
  } catch (error) {
    if (!isDatadirError(error)) throw error;
    return source.size;
  }
}

/** One pass over the file. */
class Attempt {
  readonly #source: ByteSource;
  #size: number;
  readonly #options: CheckBoltOptions;
  #findings: FindingList;
  #reporter: CheckReporter;
  readonly #examined: string[] = [];
  readonly #notExamined: string[] = [];
  #located: LocatedMetas | undefined;
  #metas: CheckedMetas | undefined;
  readonly #reached = new PageBitmap();
  #free: PageBitmap | undefined;
  #freelist: FreelistCheck | undefined;
  #walk: TreeWalk | undefined;
  /** Of the newest state, when it was asked for and could be made. */
  digest: DigestSummary | undefined;
  #leakPage = FIRST_DATA_PAGE;
  readonly #leaks = new PageRuns();
  #tailOffset = 0;
  #previous: BoltSummary['previous'] = 'not-examined';
  #previousFindings: FindingList | undefined;

  constructor(source: ByteSource, options: CheckBoltOptions) {
    this.#source = source;
    this.#size = source.size;
    this.#options = options;
    this.#findings = new FindingList(options.maxFindings ?? MAX_FINDINGS);
    this.#reporter = new CheckReporter(this.#findings);
  }

  get verdict(): Verdict {
    return this.#findings.verdict;
  }

  get total(): number {
    const pages = this.#metas?.highWaterMark ?? 0;
    return Math.min(this.#size, pages === 0 ? this.#size : pages * this.#pageSize);
  }

  get done(): number {
    return (this.#reached.count + (this.#free?.count ?? 0)) * this.#pageSize;
  }

  get #pageSize(): number {
    return this.#located?.pageSize ?? 0;
  }

  /** Does a piece of the phase and returns the one to go on with. */
  step(phase: Phase): Phase {
    switch (phase) {
      case 'metas':
        return this.#startMetas();
      case 'freelist':
        if (!(this.#freelist as FreelistCheck).step()) return 'freelist';
        return this.#startTree();
      case 'tree':
        if (!(this.#walk as TreeWalk).step()) return 'tree';
        return this.#afterTree();
      case 'leaks':
        return this.#stepLeaks() ? this.#startTail() : 'leaks';
      case 'tail':
        return this.#stepTail() ? this.#startPrevious() : 'tail';
      case 'previous':
        if (!(this.#walk as TreeWalk).step()) return 'previous';
        this.#endPrevious();
        return 'again';
      default:
        return phase;
    }
  }

  // ---- phases ---------------------------------------------------------------------------------------------------

  #startMetas(): Phase {
    this.#located = locateMetas(this.#source);
    // Asked for after the metas: a writer makes the file longer before it writes a meta that needs it.
    this.#size = sizeNow(this.#source);
    this.#metas = checkMetas(this.#located, this.#size, this.#reporter);
    this.#examined.push('both meta pages, and the length of the file');
    const { current, highWaterMark } = this.#metas;
    const level = this.#options.level ?? 'full';
    if (current === undefined || highWaterMark === 0) {
      this.#notExamined.push('all data pages: without a valid meta it is not known where they are');
      return 'again';
    }
    if (level === 'sanity') {
      this.#notExamined.push('all data pages (level sanity)');
      return 'again';
    }
    this.#reached.addRun(0, FIRST_DATA_PAGE);
    return current.freelist === NO_FREELIST ? this.#startTree() : this.#startFreelist(current, highWaterMark);
  }

  #startFreelist(current: Meta, highWaterMark: number): Phase {
    this.#free = new PageBitmap();
    this.#freelist = new FreelistCheck({
      source: this.#source,
      size: this.#size,
      pageSize: this.#pageSize,
      highWaterMark,
      freelist: current.freelist,
      metaPage: current.page,
      reached: this.#reached,
      free: this.#free,
      reporter: this.#reporter,
      truncated: this.#metas?.truncated,
    });
    return this.#freelist.start() ? 'freelist' : this.#startTree();
  }

  #startTree(): Phase {
    const { current, highWaterMark } = this.#metas as CheckedMetas;
    const { root } = current as Meta;
    const { fromPage } = this.#options;
    const digest = this.#options.digest === true && fromPage === undefined;
    this.#walk = this.#newWalk(this.#reached, highWaterMark, this.#free, undefined, this.#reporter, digest);
    if (fromPage !== undefined) {
      if (fromPage < FIRST_DATA_PAGE || fromPage >= highWaterMark) {
        const range = `[${FIRST_DATA_PAGE}, ${highWaterMark})`;
        throw new DatadirError('BOLT_PAGE_OUT_OF_RANGE', `page ID (${fromPage}) out of range ${range}`);
      }
      // Which bucket the page belongs to is not known; a name that is no bucket's keeps it from passing for the root.
      this.#walk.start(fromPage, { parent: undefined, name: new TextEncoder().encode('?'), nameLength: 1 });
    } else if (root < BigInt(FIRST_DATA_PAGE) || root >= BigInt(highWaterMark)) {
      const { page } = current as Meta;
      const args = { root: `${root}`, highWaterMark: `${(current as Meta).highWaterMark}` };
      this.#walk.lost = this.#reporter.report('BOLT_ROOT_OUT_OF_RANGE', args, { page, offset: page * this.#pageSize });
    } else this.#walk.start(Number(root));
    return 'tree';
  }

  #newWalk(
    reached: PageBitmap,
    highWaterMark: number,
    free: PageBitmap | undefined,
    known: PageBitmap | undefined,
    reporter: CheckReporter,
    digest = false,
  ): TreeWalk {
    return new TreeWalk({
      source: this.#source,
      size: this.#size,
      pageSize: this.#pageSize,
      highWaterMark,
      reached,
      free,
      known,
      reporter,
      truncated: this.#metas?.truncated,
      digest,
    });
  }

  #afterTree(): Phase {
    const { fromPage } = this.#options;
    if (fromPage !== undefined) {
      this.#examined.push(`the tree below page ${fromPage}`);
      this.#notExamined.push('all other pages');
      return 'again';
    }
    this.#freelist?.settleExcess();
    const lost = this.#walk?.lost;
    if (lost?.code === 'BOLT_ROOT_OUT_OF_RANGE')
      this.#notExamined.push('all data pages: it is not known where the root is');
    else {
      this.#examined.push('every page of every bucket: headers, elements, keys and their order, inline buckets');
      if (lost !== undefined)
        this.#notExamined.push('what can no longer be reached below the pages that findings name');
    }
    this.digest = this.#walk?.digest;
    if (this.digest !== undefined) this.#examined.push('every value, for the digest of all pairs');
    else if (this.#options.digest === true) {
      this.#notExamined.push('the digest of all pairs: not every one of them could be reached');
    }
    if (this.#free === undefined) this.#examined.push('no freelist is stored: what is not in use is free');
    else if (this.#freelist?.complete === true) {
      this.#examined.push('the freelist, and whether every page is either in use or free');
      return 'leaks';
    } else this.#notExamined.push('unreachable pages: the freelist could not be read');
    return this.#startTail();
  }

  /** Pages that are neither in use nor free, as runs. Those that a damaged page has lost are one finding. */
  #stepLeaks(): boolean {
    const { highWaterMark } = this.#metas as CheckedMetas;
    const free = this.#free as PageBitmap;
    // What lies beyond the end of the file was reported with it.
    const end = Math.min(highWaterMark, Math.floor(this.#size / this.#pageSize));
    const stop = Math.min(end, this.#leakPage + LEAK_PAGES_PER_STEP);
    while (this.#leakPage < stop) {
      const first = this.#reached.next(false, this.#leakPage, stop);
      const used = this.#reached.next(true, first, stop);
      for (let page = free.next(false, first, used); page < used; ) {
        const next = free.next(true, page, used);
        this.#leaks.add(page, next);
        page = free.next(false, next, used);
      }
      this.#leakPage = used;
    }
    if (this.#leakPage < end) return false;
    this.#leaks.report(this.#reporter, this.#pageSize, this.#walk?.lost);
    return true;
  }

  #startTail(): Phase {
    const { highWaterMark } = this.#metas as CheckedMetas;
    const end = highWaterMark * this.#pageSize;
    this.#tailOffset = Math.min(end, this.#size);
    if (hasTrailer(this.#size, end)) {
      this.#reporter.report('BOLT_TRAILER', { length: `${this.#size - end}` }, { offset: end });
      this.#notExamined.push('the sha256 behind the last page');
      return this.#startPrevious();
    }
    if (this.#size > end) this.#examined.push('the bytes behind the last page');
    if (this.#size - end > MAX_TAIL)
      this.#notExamined.push(`bytes from offset ${end + MAX_TAIL} on: behind the last page`);
    return 'tail';
  }

  #stepTail(): boolean {
    const end = Math.min(this.#size, (this.#metas as CheckedMetas).highWaterMark * this.#pageSize + MAX_TAIL);
    const length = Math.min(TAIL_PIECE, end - this.#tailOffset);
    if (length <= 0) return true;
    const piece = new Uint8Array(Math.ceil(length / 4) * 4);
    try {
      this.#source.readInto(piece.subarray(0, length), this.#tailOffset);
    } catch (error) {
      if (!isDatadirError(error)) throw error;
      this.#notExamined.push(`bytes from offset ${this.#tailOffset} on: ${error.message}`);
      return true;
    }
    if (new Uint32Array(piece.buffer).some((word) => word !== 0)) {
      const from = this.#tailOffset + piece.findIndex((byte) => byte !== 0);
      this.#reporter.report('BOLT_TAIL_NOT_ZERO', { from: `${from}` }, { offset: from });
      return true;
    }
    this.#tailOffset += length;
    return this.#tailOffset >= end;
  }

  /** The older meta's tree. Of a healthy file only what differs is read; of a damaged one everything. */
  #startPrevious(): Phase {
    const { current, previous } = this.#metas as CheckedMetas;
    if (previous === undefined || current === undefined) {
      this.#previous = 'none';
      return 'again';
    }
    if (previous.root === current.root && previous.highWaterMark === current.highWaterMark) {
      this.#previous = 'same';
      return 'again';
    }
    const highWaterMark = usableHighWaterMark(previous.highWaterMark, this.#size, this.#pageSize);
    this.#previousFindings = new FindingList(1);
    const reporter = new CheckReporter(this.#previousFindings);
    const whole = this.#findings.verdict === 'healthy' || this.#findings.verdict === 'repairable';
    const reached = new PageBitmap();
    this.#walk = this.#newWalk(reached, highWaterMark, undefined, whole ? this.#reached : undefined, reporter);
    // Nobody could fall back to a meta that is wrong about the file itself, however good its tree is.
    checkMetaAgainstFile(previous, this.#size, this.#pageSize, reporter);
    if (previous.root < BigInt(FIRST_DATA_PAGE) || previous.root >= BigInt(highWaterMark)) {
      const args = { root: `${previous.root}`, highWaterMark: `${previous.highWaterMark}` };
      reporter.report('BOLT_ROOT_OUT_OF_RANGE', args, { page: previous.page });
    } else this.#walk.start(Number(previous.root));
    return 'previous';
  }

  #endPrevious(): void {
    const findings = this.#previousFindings as FindingList;
    const { txid } = (this.#metas as CheckedMetas).previous as Meta;
    this.#examined.push('pages of the transaction before that differ');
    if (findings.verdict === 'healthy') {
      this.#previous = 'healthy';
      if (this.#findings.verdict === 'damaged') this.#reporter.report('BOLT_PREVIOUS_HEALTHY', { txid: `${txid}` });
      return;
    }
    this.#previous = 'damaged';
    const [worst] = findings.findings;
    const finding = worst === undefined ? '' : describeWith(boltFindings, worst).message;
    this.#reporter.report('BOLT_PREVIOUS_DAMAGED', { txid: `${txid}`, finding });
  }

  // ---- the end --------------------------------------------------------------------------------------------------

  /** Whether the newest transaction is another one than when this pass began. */
  hasChanged(): boolean {
    const before = currentMeta((this.#located as LocatedMetas).metas);
    const now = currentMeta(locateMetas(this.#source).metas);
    const size = sizeNow(this.#source);
    return before?.txid !== now?.txid || before?.root !== now?.root || size < this.#size;
  }

  /** Drops what was found: it may be the work of the writer. */
  giveUp(attempts: number): void {
    const { txid } = currentMeta(locateMetas(this.#source).metas) ?? { txid: 0n };
    this.#findings = new FindingList();
    this.#reporter = new CheckReporter(this.#findings);
    this.digest = undefined;
    this.#reporter.report('BOLT_CHANGED_WHILE_READ', { txid: `${txid}`, attempts: `${attempts}` });
  }

  report(bytesRead: number, elapsedMs: number, verdict: Verdict = this.#findings.verdict): CheckReport {
    const { path = '', level = 'full' } = this.#options;
    const bolt = this.#summary();
    if (level === 'deep') this.#notExamined.push("etcd's records in the buckets");
    return {
      schema: 1,
      path,
      kind: 'db',
      level,
      verdict,
      findings: this.#findings.findings.map((finding) => (path === '' ? finding : { ...finding, file: path })),
      counts: this.#findings.counts,
      examined: this.#examined,
      notExamined: [...this.#notExamined, UNPROTECTED],
      bytesRead,
      elapsedMs: Math.round(elapsedMs),
      ...(bolt === undefined ? {} : { bolt }),
    };
  }

  #summary(): BoltSummary | undefined {
    const current = this.#metas?.current;
    if (current === undefined) return undefined;
    const walked = this.#walk !== undefined && this.#options.fromPage === undefined;
    const inUse = this.#reached.count;
    return {
      pageSize: this.#pageSize,
      txid: `${current.txid}`,
      highWaterMark: `${current.highWaterMark}`,
      freelistStored: current.freelist !== NO_FREELIST,
      ...(walked
        ? { pagesInUse: inUse, freePages: this.#free?.count ?? (this.#metas?.highWaterMark ?? 0) - inUse }
        : {}),
      previous: this.#previous,
      ...(this.digest === undefined ? {} : { digest: this.digest }),
    };
  }
}
