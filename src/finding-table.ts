/**
 * What one entry of a table of finding codes consists of. Each format folder has such a table in its `findings.ts`.
 */

/** How bad a finding is; what each means is explained in docs/findings.md. */
export type Severity = 'info' | 'repairable' | 'stale' | 'corrupt' | 'unknown' | 'refuse';

/** Where a finding is. Numbers here are places that exist; numbers read from damaged bytes are in `args`, as text. */
export interface FindingPlace {
  readonly file?: string;
  /** Byte offset in the file. */
  readonly offset?: number;
  /** Page number; of a run of pages, the first. */
  readonly page?: number;
  /** A run of pages, both ends included. */
  readonly pages?: readonly [first: number, last: number];
  /** Page numbers from the root of the bucket's tree down to the page. */
  readonly path?: readonly number[];
  /** Names of the buckets from the top down, as printable text. */
  readonly bucket?: readonly string[];
  /** The key in that bucket, as printable text. */
  readonly key?: string;
  /** Index of the element on the page. */
  readonly element?: number;
  /** Index of the item inside the inline bucket that `element` holds. */
  readonly inline?: number;
  /** The finding that this one follows from. */
  readonly causedBy?: { readonly code: string; readonly page?: number };
}

/** A finding as the renderer sees it, whatever its code. */
export interface AnyFinding extends FindingPlace {
  readonly code: string;
  readonly severity: Severity;
  readonly args: Readonly<Record<string, string>>;
}

/** One code: how bad it is, the words for it, and what the documentation says of it. */
export interface FindingDefinition {
  readonly severity: Severity;
  /** The sentence, made from the finding's place and arguments. */
  message(finding: AnyFinding): string;
  /** What to do about it. */
  readonly remedy: string;
  /** What it means, and what usually causes it: for the documentation. */
  readonly meaning: string;
  /** When the same fact is less bad than `severity` says, how bad it is then, and what to do about it. */
  readonly milder?: { readonly severity: Severity; readonly when: string; readonly remedy: string };
  /** Whether the field's reference tool looks at this at all, for those who compare: bolt codes say what `bbolt check` does, those of logs and snap files what etcd does. */
  readonly peer: string;
}

export type FindingTable = Readonly<Record<string, FindingDefinition>>;

/** The sentence and the remedy for a finding, from the table that has its code. */
export function describeWith(table: FindingTable, finding: AnyFinding): { message: string; remedy: string } {
  // Whoever makes a finding takes its code from the table.
  const { message, remedy, milder } = table[finding.code] as FindingDefinition;
  return { message: message(finding), remedy: milder?.severity === finding.severity ? milder.remedy : remedy };
}
