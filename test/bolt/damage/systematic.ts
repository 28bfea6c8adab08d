/**
 * Damages a small file in every way that can be listed, and holds the checker and the reader to what must be true. The
 * tests of this folder call it once per fixture, so that they run side by side.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BoltEdit, type BoltField, BRANCH, boundaryValues, LEAF } from '../../support/bolt-edit.ts';
import { readFixture } from '../../support/fixtures.ts';
import { type ByteClass, byteClasses, fieldClass, type PageUse, pageUses } from './byte-classes.ts';
import { EXPECTATIONS } from './expectations.ts';
import { extremes, type Judgement, judge, type Outcome } from './judge.ts';
import { type Everything, readEverything } from './read-everything.ts';
import { Tally } from './tally.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/detection.md', import.meta.url));
const BYTE_KINDS = ['0x00', '0xFF', 'one bit'] as const;
const BYTES_BEYOND_DOUBT: ReadonlySet<ByteClass> = new Set([
  'value',
  'rest of a page',
  'free page',
  'rest of a meta page',
]);

const PAGE_KINDS = [
  'zeros',
  '0xFF',
  'swapped',
  'swapped, numbers right',
  'copy of another',
  'copy, number right',
] as const;

/** Tests that damage the fixture `bolt/NAME`. */
export function describeDamage(name: string): void {
  const original = readFixture(`bolt/${name}`);
  const healthy = new BoltEdit(original);
  const { pageSize, highWaterMark } = healthy;
  const everything = readEverything(original)!;
  let tried = 0;

  /** Checks a damaged file. Where nothing is found, reading must find nothing either; of the others a sample is read. */
  function examine(damaged: Uint8Array, what: string, readAll = true): Judgement & { read?: Everything | undefined } {
    const judgement = judge(damaged, pageSize);
    const sampled = tried++ % 16 === 0;
    if (!sampled && (judgement.outcome === 'found' || !readAll)) return judgement;
    const read = readEverything(damaged);
    if (judgement.outcome !== 'found' && (read === undefined || read.faults.length > 0 || read.errors.length > 0)) {
      expect({ what, faults: read?.faults, errors: read?.errors }).toEqual({ what, faults: [], errors: [] });
    }
    return { ...judgement, read };
  }

  /** Nothing but what the class of the byte allows may read differently when nothing was found. */
  function requireSame(class_: ByteClass, what: string, { outcome, read }: ReturnType<typeof examine>): void {
    if (outcome === 'found' || read === undefined) return;
    const mayChange = EXPECTATIONS[class_]?.mayChange ?? [];
    for (const part of ['structure', 'values', 'sequences'] as const) {
      if (!mayChange.includes(part) && read[part] !== everything[part]) expect(read[part], what).toBe(everything[part]);
    }
  }

  /** What the table of expectations says of the class is true of the outcome. */
  function requireExpected(class_: ByteClass, what: string, outcome: Outcome): void {
    const expected = EXPECTATIONS[class_]?.found;
    const right =
      expected === 'some' ||
      (expected === 'all' && outcome === 'found') ||
      (expected === 'noted' && outcome === 'noted') ||
      (expected === 'none' && outcome !== 'found');
    if (!right) expect({ what, outcome }).toEqual({ what, outcome: expected });
  }

  const bytesTally = new Tally([...BYTE_KINDS, 'edges']);

  describe(`damage to ${name}`, () => {
    test('the file is healthy to begin with, and read as a whole', () => {
      expect(judge(original).outcome).toBe('silent');
      expect(everything).toMatchObject({ faults: [], errors: [] });
      expect(everything.structure.split('\n').length).toBeGreaterThan(30);
    });

    test('every byte set to 0x00, to 0xFF, and with one bit flipped', { timeout: 300_000 }, () => {
      const classes = byteClasses(original);
      const damaged = original.slice();
      for (let at = 0; at < original.length; at++) {
        const class_ = classes[at]!;
        const before = original[at]!;
        for (const [i, value] of [0, 0xff, before ^ (1 << (at % 8))].entries()) {
          if (value === before) continue;
          const kind = BYTE_KINDS[i]!;
          const what = `byte ${at} (${class_}): ${kind}`;
          damaged[at] = value;
          const judgement = examine(damaged, what, !BYTES_BEYOND_DOUBT.has(class_));
          requireExpected(class_, what, judgement.outcome);
          requireSame(class_, what, judgement);
          bytesTally.add(class_, kind, judgement.outcome);
        }
        damaged[at] = before;
      }
      expect(bytesTally.rows.filter((row) => EXPECTATIONS[row] === undefined)).toEqual([]);
    });

    test('every field set to the edges of what it can hold', { timeout: 300_000 }, () => {
      for (const field of healthy.fields()) {
        const class_ = fieldClass(healthy, field);
        const values = boundaryValues(field.size, healthy.getField(field), BigInt(highWaterMark));
        for (const value of values) {
          if (value === healthy.getField(field)) continue;
          const edit = new BoltEdit(original);
          edit.setField(field, value);
          const what = `${class_} of page ${field.page} at ${field.offset}: ${value}`;
          const judgement = examine(edit.bytes, what);
          if (!mayPass(healthy, field, Number(value))) {
            requireExpected(class_, what, judgement.outcome);
            requireSame(class_, what, judgement);
          }
          bytesTally.add(class_, 'edges', judgement.outcome);
        }
      }
    });

    test('every field of a meta set to the edges, with a checksum that is right', { timeout: 300_000 }, () => {
      for (const field of healthy.fields()) {
        if (field.structure !== 'meta' || field.field === 'checksum') continue;
        for (const value of boundaryValues(
          field.size,
          healthy.getField(field),
          BigInt(highWaterMark),
          BigInt(pageSize),
        )) {
          const edit = new BoltEdit(original);
          edit.setField(field, value);
          edit.sealMeta(field.page as 0 | 1);
          const what = `meta ${field.page} ${field.field} ${value}`;
          const { outcome } = examine(edit.bytes, what);
          if (value !== healthy.getField(field)) requireSealed(healthy, field, value, what, outcome);
        }
      }
    });

    test('cut at every length', { timeout: 300_000 }, () => {
      for (let length = 0; length < original.length; length++) {
        const { outcome, report } = examine(original.subarray(0, length), `cut to ${length}`);
        if (outcome !== 'found') expect({ length, outcome }).toEqual({ length, outcome: 'found' });
        const [worst] = report.findings;
        const expected = length < 2 * pageSize ? 'BOLT_FILE_TOO_SMALL' : 'BOLT_FILE_TRUNCATED';
        if (worst!.code !== expected && length >= 4096)
          expect({ length, code: worst!.code }).toEqual({ length, code: expected });
      }
    });

    test('lengthened by anything', () => {
      for (const extra of [1, 31, 32, 33, 511, 512, 513, 5000]) {
        const longer = new Uint8Array(original.length + extra);
        longer.set(original);
        expect(examine(longer, `${extra} more zeros`).report.verdict).toBe('healthy');
        longer.fill(0xa5, original.length);
        const { report } = examine(longer, `${extra} more bytes`);
        expect(report.verdict).toBe('healthy');
        expect(report.findings.map(({ code }) => code)).toEqual([extra === 32 ? 'BOLT_TRAILER' : 'BOLT_TAIL_NOT_ZERO']);
      }
    });

    const pagesTally = new Tally(PAGE_KINDS);

    test('every page lost, swapped with every other, and replaced by every other', { timeout: 300_000 }, () => {
      const uses = pageUses(original);
      const page = (edit: BoltEdit, id: number): Uint8Array => edit.bytes.subarray(edit.at(id), edit.at(id + 1));
      const tryPage = (
        id: number,
        kind: (typeof PAGE_KINDS)[number],
        change: (edit: BoltEdit) => void,
        note = '',
      ): void => {
        const edit = new BoltEdit(original);
        change(edit);
        if (Buffer.compare(edit.bytes, original) === 0) return;
        const what = `page ${id} (${uses[id]}): ${kind} ${note}`;
        const judgement = examine(edit.bytes, what);
        requirePage(uses[id]!, kind, what, judgement.outcome);
        if (kind === 'copy, number right' && judgement.outcome !== 'found' && !mayStandIn(healthy, id, edit)) {
          expect({ what, outcome: judgement.outcome }).toEqual({ what, outcome: 'found' });
        }
        pagesTally.add(uses[id]!, kind, judgement.outcome);
      };
      for (let id = 0; id < highWaterMark; id++) {
        tryPage(id, 'zeros', (edit) => page(edit, id).fill(0));
        tryPage(id, '0xFF', (edit) => page(edit, id).fill(0xff));
        for (let other = 0; other < highWaterMark; other++) {
          if (other === id) continue;
          const note = `with ${other} (${uses[other]})`;
          const copy = (edit: BoltEdit, rightNumber: boolean): void => {
            page(edit, id).set(page(healthy, other));
            if (rightNumber) edit.setU64(edit.at(id), id);
          };
          const swap = (edit: BoltEdit, rightNumbers: boolean): void => {
            copy(edit, rightNumbers);
            page(edit, other).set(page(healthy, id));
            if (rightNumbers) edit.setU64(edit.at(other), other);
          };
          // A swap is counted for both pages; the damage is to the one that matters more.
          if (rank(uses[id]!) >= rank(uses[other]!)) {
            tryPage(id, 'swapped', (edit) => swap(edit, false), note);
            tryPage(id, 'swapped, numbers right', (edit) => swap(edit, true), note);
          }
          tryPage(id, 'copy of another', (edit) => copy(edit, false), note);
          tryPage(id, 'copy, number right', (edit) => copy(edit, true), note);
        }
      }
    });

    test('what was found of it is what the documentation says', () => {
      const order = Object.keys(EXPECTATIONS).filter((row) => bytesTally.rows.includes(row));
      const bytesTable = bytesTally.markdown('part of the file', order, (row) => EXPECTATIONS[row]?.why ?? '');
      const uses = RANKS.filter((use) => pagesTally.rows.includes(use));
      compareSection(name, `${bytesTable}\n\n${pagesTally.markdown('page', uses)}`);
      console.log(`${name}: ${tried} damaged files; at most ${JSON.stringify(extremes)}`);
    });
  });
}

/**
 * Without a stored freelist nobody misses a page. A child or root may then be replaced by any page that is free, or that
 * only the replaced one led to: what is read there may be an older copy of the right keys, or another bucket.
 */
function mayPass(healthy: BoltEdit, field: BoltField, page: number): boolean {
  if (healthy.freelist !== undefined || (field.field !== 'child' && field.structure !== 'bucket')) return false;
  const replaced = Number(healthy.getField(field));
  if (field.field === 'sequence' || replaced === 0) return false;
  const below = [...healthy.walk(replaced), ...[...healthy.buckets(replaced)].map(({ root }) => root)];
  return healthy.freePages().includes(page) || below.includes(page);
}

/** With a right checksum a meta is believed: what it says must then contradict the rest of the file. */
function requireSealed(healthy: BoltEdit, field: BoltField, value: bigint, what: string, outcome: Outcome): void {
  const contradicts =
    field.current === true &&
    (field.field === 'magic' ||
      field.field === 'version' ||
      field.field === 'pageSize' ||
      field.field === 'highWaterMark');
  // A mark below free pages at the end is one that an earlier transaction may have had.
  const low = field.field === 'highWaterMark' && value > BigInt(Math.max(...healthy.usedByTrees()));
  if (contradicts && !low && outcome !== 'found') expect({ what, outcome }).toEqual({ what, outcome: 'found' });
}

/** Least important first. */
const RANKS: readonly PageUse[] = ['free', 'continuation', 'older meta', 'leaf', 'branch', 'freelist', 'current meta'];
const rank = (use: PageUse): number => RANKS.indexOf(use);

/** Pages with a header of their own cannot be lost unnoticed; one with another page's content may pass for a good one. */
function requirePage(use: PageUse, kind: (typeof PAGE_KINDS)[number], what: string, outcome: Outcome): void {
  if (use === 'free' && !kind.startsWith('swapped') && outcome === 'found')
    expect({ what, outcome }).toEqual({ what, outcome: 'silent' });
  if (use === 'free' || use === 'continuation' || kind.endsWith('right')) return;
  if (outcome !== 'found') expect({ what, outcome }).toEqual({ what, outcome: 'found' });
}

/**
 * Whether page `id` of a damaged file, which is a copy of some other page of the same file, breaks no rule there: it lies in
 * no tree, or it is the root of a bucket, whose keys have no bounds, or its keys lie within those of the page it replaces.
 */
function mayStandIn(healthy: BoltEdit, id: number, damaged: BoltEdit): boolean {
  const uses = pageUses(healthy.bytes);
  // A meta that is a copy of the other one is the other one.
  if (uses[id] !== 'leaf' && uses[id] !== 'branch') return uses[id] !== 'freelist';
  const roots = [healthy.root, ...[...healthy.buckets()].map(({ root }) => root)];
  if (roots.includes(id)) return true;
  const flags = damaged.flags(id);
  if ((flags !== BRANCH && flags !== LEAF) || damaged.count(id) === 0) return false;
  const keys = flags === BRANCH ? damaged.branchElements(id) : damaged.leafElements(damaged.at(id));
  const [low, high] = boundsOf(healthy, id);
  const [first, last] = [keys[0]!.key, keys.at(-1)!.key];
  return Buffer.compare(first, low) >= 0 && (high === undefined || Buffer.compare(last, high) < 0);
}

/** The keys between which those of a page below a branch must lie. */
function boundsOf(edit: BoltEdit, id: number): [low: Uint8Array, high: Uint8Array | undefined] {
  for (const parent of edit.treePages()) {
    if (edit.flags(parent) !== BRANCH) continue;
    const elements = edit.branchElements(parent);
    const i = elements.findIndex(({ child }) => child === id);
    if (i < 0) continue;
    const isRoot = ![...edit.treePages()].some(
      (page) => edit.flags(page) === BRANCH && edit.branchElements(page).some(({ child }) => child === parent),
    );
    return [elements[i]!.key, elements[i + 1]?.key ?? (isRoot ? undefined : boundsOf(edit, parent)[1])];
  }
  throw new Error(`page ${id} is below no branch`);
}

/** The part of docs/detection.md about one fixture. UPDATE_DOCS=1 writes it (with --no-file-parallelism). */
function compareSection(name: string, text: string): void {
  const document = readFileSync(DOCUMENT, 'utf8');
  const start = `<!-- generated: ${name} -->\n`;
  const end = `\n<!-- end of ${name} -->`;
  const from = document.indexOf(start) + start.length;
  const to = document.indexOf(end);
  expect(from).toBeGreaterThanOrEqual(start.length);
  expect(to).toBeGreaterThan(0);
  if (process.env['UPDATE_DOCS'] !== undefined) {
    writeFileSync(DOCUMENT, document.slice(0, from) + text + document.slice(to));
  } else expect(document.slice(from, to), 'UPDATE_DOCS=1 writes it anew').toBe(text);
}
