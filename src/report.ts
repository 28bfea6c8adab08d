/**
 * The report of a check, the same shape for every kind of input, and the list that collects its findings.
 */
import type { BackendSummary } from './backend/summary.ts';
import type { DataDirSummary } from './datadir/summary.ts';
import type { AnyFinding, Severity } from './finding-table.ts';
import type { Finding } from './findings.ts';
import type { SnapSummary } from './snap/summary.ts';
import { severityRank, type Verdict, verdictOf } from './verdict.ts';
import type { WalSummary } from './wal/summary.ts';

/** What a path or source turned out to be. */
export type Kind = 'db' | 'wal' | 'snap' | 'data-dir';

/** How much is looked at: both metas and sizes; every page; also what etcd keeps in the records. */
export type Level = 'sanity' | 'full' | 'deep';

/** What a check found. Everything in it is plain data: it can be sent to a worker or printed as JSON. */
export interface CheckReport {
  readonly schema: 1;
  readonly path: string;
  readonly kind: Kind;
  readonly level: Level;
  readonly verdict: Verdict;
  /** Worst first, causes before their consequences; cut at `maxFindings`. */
  readonly findings: readonly Finding[];
  /** How many findings there are of each severity, those left out of `findings` included. */
  readonly counts: Readonly<Partial<Record<Severity, number>>>;
  readonly examined: readonly string[];
  readonly notExamined: readonly string[];
  readonly bytesRead: number;
  readonly elapsedMs: number;
  /** What is known of the bolt file, as far as its metas could be read. */
  readonly bolt?: BoltSummary;
  /** What etcd keeps in the db; level `deep`, and a db of etcd only. */
  readonly backend?: BackendSummary;
  /** What is known of a `.snap` file, or of the files of a snap folder. */
  readonly snap?: SnapSummary;
  /** What is known of a write-ahead log. */
  readonly wal?: WalSummary;
  /** What is known of a data directory as a whole. */
  readonly dataDir?: DataDirSummary;
}

/** The state of a bolt file that a check was made of. 64-bit numbers are decimal text. */
export interface BoltSummary {
  readonly pageSize: number;
  readonly txid: string;
  /** Number of the first page never used. */
  readonly highWaterMark: string;
  readonly freelistStored: boolean;
  /** Pages in use, overflow pages and both metas included. Undefined when only the metas were looked at. */
  readonly pagesInUse?: number;
  readonly freePages?: number;
  /** Whether the transaction before is whole; `same` when both metas describe the same state. */
  readonly previous: 'healthy' | 'damaged' | 'same' | 'none' | 'not-examined';
  /** The digest of all pairs, if one was asked for and every pair could be reached. */
  readonly digest?: DigestSummary;
}

/** What is in a bolt file, in whatever pages: equal for two files exactly if, but for a chance of 2^-60, they hold the same. */
export interface DigestSummary {
  /** Plain pairs of key and value in all buckets. */
  readonly pairs: number;
  /** Buckets, nested and inline ones included. */
  readonly buckets: number;
  /** 16 hexadecimal digits, of all keys, values, and names and sequences of buckets. */
  readonly value: string;
}

/** Default of `maxFindings`. */
export const MAX_FINDINGS = 1000;

/** Collects findings: counts all of them, keeps the worst. Memory is bounded whatever the input is. */
export class FindingList {
  readonly #limit: number;
  // Per severity, causes and consequences apart, so that the cut takes the least important ones.
  readonly #kept = new Map<Severity, { causes: Finding[]; consequences: Finding[] }>();
  readonly #counts: Partial<Record<Severity, number>> = {};

  constructor(limit: number = MAX_FINDINGS) {
    this.#limit = limit;
  }

  add(finding: Finding): void {
    this.#counts[finding.severity] = (this.#counts[finding.severity] ?? 0) + 1;
    let kept = this.#kept.get(finding.severity);
    if (kept === undefined) {
      kept = { causes: [], consequences: [] };
      this.#kept.set(finding.severity, kept);
    }
    const list = (finding as AnyFinding).causedBy === undefined ? kept.causes : kept.consequences;
    if (list.length < this.#limit) list.push(finding);
  }

  get counts(): Partial<Record<Severity, number>> {
    return { ...this.#counts };
  }

  get verdict(): Verdict {
    return verdictOf(this.#counts);
  }

  /** The findings kept, worst first, at most as many as the limit. */
  get findings(): Finding[] {
    const severities = [...this.#kept.keys()].sort((a, b) => severityRank(b) - severityRank(a));
    return severities
      .flatMap((severity) => {
        const { causes, consequences } = this.#kept.get(severity) as { causes: Finding[]; consequences: Finding[] };
        return [...causes, ...consequences];
      })
      .slice(0, this.#limit);
  }
}
