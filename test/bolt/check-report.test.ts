// The report as a whole: what is kept of very many findings, their order, and what follows from what.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { findingTable } from '../../src/findings.ts';
import { type CheckReport, FindingList } from '../../src/report.ts';
import { severityRank, verdictOf } from '../../src/verdict.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { catalogue, placesOf } from './damage/catalogue.ts';

/** The leaves of a file of some thousand pages, all damaged, each in one of two ways. */
function manyDamages(): { file: Uint8Array; leaves: number } {
  const edit = new BoltEdit(readFixture('bolt/mixed-1024'));
  const leaves = edit
    .treePages()
    .filter((page) => edit.flags(page) === 2 && page !== edit.root && edit.count(page) > 1);
  for (const [i, page] of leaves.entries()) {
    if (i % 2 === 0) edit.setU64(edit.at(page), 0);
    else edit.setU32(edit.leafElements(edit.at(page))[0]!.element, 8);
  }
  return { file: edit.bytes, leaves: leaves.length };
}

const total = (report: CheckReport): number => Object.values(report.counts).reduce((sum, count) => sum + count, 0);

describe('very many findings', () => {
  const { file, leaves } = manyDamages();
  const all = checkBolt(file);

  test('are all counted', () => {
    expect(leaves).toBeGreaterThan(20);
    expect(all.counts.corrupt).toBe(leaves);
    expect(total(all)).toBe(all.findings.length);
  });

  test.each([0, 1, 2, 5, 10])('are cut at %d, and counted all the same', (maxFindings) => {
    const report = checkBolt(file, { maxFindings });
    expect(report.findings).toHaveLength(maxFindings);
    expect(report.counts).toEqual(all.counts);
    expect(report.verdict).toBe(all.verdict);
    expect(report.findings).toEqual(all.findings.slice(0, maxFindings));
  });

  test('are a thousand unless told otherwise', () => {
    const list = new FindingList();
    for (let page = 0; page < 5000; page++) list.add({ code: 'BOLT_PAGE_ZEROED', severity: 'corrupt', page, args: {} });
    expect(list.findings).toHaveLength(1000);
    expect(list.counts).toEqual({ corrupt: 5000 });
  });
});

describe('order', () => {
  test('worst first, causes before what follows from them, in every report', () => {
    for (const { make, what } of catalogue) {
      const { findings } = checkBolt(make().input);
      const ranks = findings.map(({ severity }) => severityRank(severity));
      expect(ranks, what).toEqual([...ranks].sort((a, b) => b - a));
      for (const severity of new Set(findings.map((finding) => finding.severity))) {
        const consequences = findings
          .filter((finding) => finding.severity === severity)
          .map(({ causedBy }) => causedBy !== undefined);
        expect(consequences, what).toEqual([...consequences].sort((a, b) => Number(a) - Number(b)));
      }
    }
  });

  test('a cause that is named is in the report', () => {
    for (const { make, what } of catalogue) {
      const { findings } = checkBolt(make().input);
      for (const { causedBy } of findings) {
        if (causedBy === undefined) continue;
        const cause = findings.find(
          ({ code, page, pages }) => code === causedBy.code && (page ?? pages?.[0]) === causedBy.page,
        );
        expect(cause, `${what}: ${JSON.stringify(causedBy)}`).toBeDefined();
      }
    }
  });

  test('a cut keeps the cause and drops the consequence', () => {
    const list = new FindingList(1);
    list.add({ code: 'BOLT_TAIL_NOT_ZERO', severity: 'info', args: { from: '1' } });
    list.add({
      code: 'BOLT_PAGE_BEYOND_FILE',
      severity: 'corrupt',
      page: 9,
      causedBy: { code: 'BOLT_FILE_TRUNCATED' },
      args: { size: '1' },
    });
    list.add({
      code: 'BOLT_FILE_TRUNCATED',
      severity: 'corrupt',
      args: { size: '1', needed: '2', highWaterMark: '3' },
    });
    expect(list.findings.map(({ code }) => code)).toEqual(['BOLT_FILE_TRUNCATED']);
    expect(list.counts).toEqual({ info: 1, corrupt: 2 });
  });

  test('unknown comes before repairable, and damage before anything else', () => {
    expect(verdictOf({ repairable: 1, unknown: 1 })).toBe('undecided');
    expect(verdictOf({ refuse: 1, corrupt: 1, unknown: 5 })).toBe('damaged');
    expect(verdictOf({ info: 7 })).toBe('healthy');
    expect(verdictOf({})).toBe('healthy');
  });
});

describe('consequences', () => {
  test('what a lost branch led to is one finding, and names the branch', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    const { root, branches, leaves } = placesOf(edit);
    edit.span(root).fill(0);
    const report = checkBolt(edit.bytes);
    const [cause, lost] = report.findings;
    expect(cause).toMatchObject({ code: 'BOLT_PAGE_ZEROED', page: root });
    expect(cause!.causedBy).toBeUndefined();
    const overflow = leaves.reduce((sum, page) => sum + edit.overflow(page), 0);
    expect(lost).toMatchObject({
      code: 'BOLT_PAGE_UNREACHABLE',
      causedBy: { code: 'BOLT_PAGE_ZEROED', page: root },
      args: { pages: `${branches.length + leaves.length + overflow}` },
    });
  });

  test('leaks without a damaged page are findings of their own, one per run of pages', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    const free = edit.freePages();
    edit.setU16(edit.at(edit.freelist!, 10), 0);
    const runs = free.filter((page) => !free.includes(page - 1)).length;
    const report = checkBolt(edit.bytes);
    expect(report.verdict).toBe('repairable');
    expect(report.findings.map(({ code }) => code)).toEqual(new Array(runs).fill('BOLT_PAGE_UNREACHABLE'));
    expect(report.findings.every(({ causedBy }) => causedBy === undefined)).toBe(true);
  });
});

describe('what it says of itself', () => {
  test('the path is that of the source or of the options, and is in every finding', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    edit.span(edit.root).fill(0);
    const report = checkBolt(edit.bytes, { path: '/var/lib/etcd/member/snap/db' });
    expect(report.path).toBe('/var/lib/etcd/member/snap/db');
    expect(report.findings.every(({ file }) => file === report.path)).toBe(true);
    expect(checkBolt(edit.bytes).findings.every(({ file }) => file === undefined)).toBe(true);
  });

  test('it is plain data, and says that values and free pages were not examined', () => {
    for (const { make } of catalogue) {
      const report = checkBolt(make().input);
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      expect(structuredClone(report)).toEqual(report);
      expect(report.notExamined.join()).toMatch(/values and free pages/);
      for (const finding of report.findings) expect(finding.severity).toBe(findingTable[finding.code]!.severity);
    }
  });

  test('from a page on: only the tree below it, and no account of the others', () => {
    const edit = new BoltEdit(readFixture('bolt/small-512-stored'));
    const { branches, leaves } = placesOf(edit);
    edit.span(edit.root).fill(0);
    edit.setU16(edit.at(leaves[0]!, 10), 0);
    const below = checkBolt(edit.bytes, { fromPage: branches[0]! });
    expect(below.findings.filter(({ severity }) => severity === 'corrupt')).toMatchObject([
      { code: 'BOLT_LEAF_EMPTY', page: leaves[0] },
    ]);
    expect(below.notExamined.join()).toMatch(/all other pages/);
    expect(checkBolt(edit.bytes, { fromPage: branches[1]! }).verdict).toBe('healthy');
    for (const fromPage of [0, 1, edit.highWaterMark, -1]) {
      expect(() => checkBolt(edit.bytes, { fromPage })).toThrow(
        expect.objectContaining({ code: 'BOLT_PAGE_OUT_OF_RANGE' }),
      );
    }
    expect(checkBolt(edit.bytes, { fromPage: edit.freelist! }).verdict).toBe('damaged');
  });
});
