/**
 * What the check of the bolt file means for the records in it: which buckets cannot be read to the end, so that nothing follows from
 * what is not there.
 */
import { keyText } from '../bolt/key-text.ts';
import type { AnyFinding } from '../finding-table.ts';
import type { Finding } from '../findings.ts';
import type { CheckReport } from '../report.ts';
import type { Cause } from './check-reporter.ts';
import type { BucketName } from './format.ts';

/** Damage that reaches into other buckets than the one it was found in. */
const SHARED: ReadonlySet<string> = new Set([
  'BOLT_PAGE_REFERENCED_TWICE',
  'BOLT_PAGE_CYCLE',
  'BOLT_OVERFLOW_OUT_OF_RANGE',
  'BOLT_OVERFLOW_TOO_LARGE',
]);
const SHORTENED = 'its elements end at byte ';
const LEASES = quoted('lease');

export class Structure {
  /** Something is wrong outside single buckets, so any of them may lack anything. */
  readonly #everywhere: boolean;
  readonly #damaged = new Map<string, Cause>();

  constructor({ findings, counts }: Pick<CheckReport, 'findings' | 'counts'>) {
    const bad = (findings as readonly AnyFinding[]).filter(({ severity }) => isBad(severity));
    // Of very many not all are listed.
    let everywhere = bad.length < (counts.corrupt ?? 0) + (counts.unknown ?? 0);
    for (const { code, bucket, page } of bad) {
      // Readers do not use the freelist.
      if (code.startsWith('BOLT_FREE')) continue;
      const [name] = bucket ?? [];
      if (name === undefined || SHARED.has(code)) everywhere = true;
      else if (!this.#damaged.has(name)) this.#damaged.set(name, page === undefined ? { code } : { code, page });
    }
    this.#everywhere = everywhere;
  }

  /** Whether every bucket can be found. */
  get bucketsKnown(): boolean {
    return !this.#everywhere;
  }

  /** Whether a bucket can be read to the end. */
  isSound(bucket: BucketName): boolean {
    return !this.#everywhere && !this.#damaged.has(quoted(bucket));
  }

  /** What is wrong with a bucket, if that is known. */
  causeIn(bucket: BucketName): Cause | undefined {
    return this.#damaged.get(quoted(bucket));
  }
}

const isBad = (severity: AnyFinding['severity']): boolean => severity === 'corrupt' || severity === 'unknown';

function quoted(name: string): string {
  return keyText(new TextEncoder().encode(name));
}

/** The same finding, as bad as it is for etcd: leases that are gone take no key with them. */
export function severityForEtcd(finding: Finding): Finding {
  if (finding.code !== 'BOLT_INLINE_PAGE' || finding.bucket?.[0] !== LEASES) return finding;
  return finding.args.reason.startsWith(SHORTENED) ? { ...finding, severity: 'repairable' } : finding;
}
