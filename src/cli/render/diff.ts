/**
 * What differs between two dbs, for people and as JSON.
 */
import type { BucketDiff } from '../../backend/diff-buckets.ts';
import type { DifferenceKind, DiffResult, KeyDifference, KeyState } from '../../backend/diff-result.ts';
import type { Output } from '../output.ts';
import { base64 } from './base64.ts';
import { jsonOf } from './json.ts';
import { leaseText } from './lease-id.ts';
import { readableBytes } from './readable-bytes.ts';
import { counted, grouped } from './size.ts';
import { visible } from './visible.ts';

/** A side of the comparison. */
export interface ComparedSide {
  readonly path: string;
  readonly kind: string;
  readonly revision: bigint;
  /** Further fields for JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** So much of a value is shown to people. */
const VALUE_SHOWN = 60;

const SIGNS: Readonly<Record<DifferenceKind, string>> = { added: '+', removed: '-', changed: '~' };

/** The verdict, and what was compared. */
export function diffHead({ counts, different, ignoreRevisions }: DiffResult, a: ComparedSide, b: ComparedSide): string {
  const { added, removed, changed, same } = counts;
  const verdict = different
    ? `different: ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed, ${grouped(same)} the same`
    : `no difference in ${counted(same, 'key')}`;
  const compared = ignoreRevisions ? 'values and leases; not revisions' : 'values, leases, revisions';
  return [
    verdict,
    `A:        ${visible(a.path)}, revision ${a.revision}`,
    `B:        ${visible(b.path)}, revision ${b.revision}`,
    `compared: ${compared}`,
    '',
  ].join('\n');
}

/** A key alone. */
export function differentKey(kind: DifferenceKind, key: Uint8Array): string {
  return `${SIGNS[kind]} ${readableBytes(key)}\n`;
}

/** A key, and what both sides have. */
export function differenceText(item: KeyDifference): string {
  const head = `${SIGNS[item.kind]} ${readableBytes(item.key)}`;
  const parts = item.kind === 'changed' ? `  (${item.parts.join(', ')})` : '';
  const a = 'a' in item ? stateLine('A', item.a) : '';
  const b = 'b' in item ? stateLine('B', item.b) : '';
  return `${head}${parts}\n${a}${b}`;
}

function stateLine(side: string, { createRevision, modRevision, version, lease, value }: KeyState): string {
  const numbers = `created ${createRevision}, changed ${modRevision}, version ${version}${leaseText(lease)}`;
  const shown = value.length === 0 ? '' : `: ${readableBytes(value, VALUE_SHOWN)}`;
  return `    ${side}  ${numbers}, ${counted(value.length, 'byte')}${shown}\n`;
}

/** What differs in the other buckets; empty if nothing does. */
export function bucketsText(buckets: readonly BucketDiff[]): string {
  const different = buckets.filter(({ equal }) => !equal);
  if (different.length === 0) return '';
  const lines = different.map(({ name, pairsA, pairsB, added, removed, changed }) => {
    if (pairsA === null || pairsB === null) return `  ${name}: only ${pairsA === null ? 'B' : 'A'} has this bucket\n`;
    return `  ${name}: ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed\n`;
  });
  return `other buckets that differ:\n${lines.join('')}`;
}

/** A key that differs, for JSON. */
export function differenceJson(item: KeyDifference): Record<string, unknown> {
  const key = base64(item.key);
  if (item.kind === 'added') return { key, ...stateJson(item.b) };
  if (item.kind === 'removed') return { key, ...stateJson(item.a) };
  return { key, differs: item.parts, a: stateJson(item.a), b: stateJson(item.b) };
}

/** The same with `--keys-only`. */
export function keyJson(key: Uint8Array): Record<string, unknown> {
  return { key: base64(key) };
}

function stateJson({ createRevision, modRevision, sub, version, lease, value }: KeyState): Record<string, unknown> {
  return { createRevision, modRevision, sub, version, lease, value: base64(value) };
}

/** The document: fields, then three lists of any length, one item a line. */
export class DiffDocument {
  readonly #out: Output;
  #items = 0;

  constructor(
    out: Output,
    { counts, different, ignoreRevisions, buckets }: DiffResult,
    { a, b, prefix }: { readonly a: ComparedSide; readonly b: ComparedSide; readonly prefix: string },
  ) {
    this.#out = out;
    const side = ({ path, kind, revision, fields }: ComparedSide) => ({ path, kind, revision, ...fields });
    const fields = { schema: 1, a: side(a), b: side(b), prefix, ignoreRevisions, different, counts, buckets };
    out.write('{\n');
    for (const [name, value] of Object.entries(fields)) out.write(`  ${jsonOf(name)}: ${jsonOf(value)},\n`);
  }

  begin(kind: DifferenceKind): void {
    this.#items = 0;
    this.#out.write(`  ${jsonOf(kind)}: [`);
  }

  item(value: unknown): void {
    this.#out.write(`${this.#items++ === 0 ? '\n    ' : ',\n    '}${jsonOf(value)}`);
  }

  end(last: boolean): void {
    this.#out.write(`${this.#items === 0 ? '' : '\n  '}]${last ? '\n}\n' : ',\n'}`);
  }
}
