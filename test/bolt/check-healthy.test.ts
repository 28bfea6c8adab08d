// Files that real etcd servers and the real bbolt have written: none of them may be called damaged.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { describeFinding, type FindingCode } from '../../src/findings.ts';
import type { CheckReport } from '../../src/report.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { type DbFixture, listDbFixtures, readFixture, recorded, surgeryOf } from '../support/fixtures.ts';

const named = (kind: DbFixture['kind']): [string, DbFixture][] =>
  listDbFixtures()
    .filter((fixture) => fixture.kind === kind)
    .map((fixture) => [fixture.name, fixture]);

const words = (report: CheckReport): string[] =>
  report.findings.map((finding) => `${finding.severity} ${finding.code}: ${describeFinding(finding).message}`);
const codes = (report: CheckReport): FindingCode[] => report.findings.map((finding) => finding.code);

/** What may be noted about files of etcd and bbolt, and when. */
function expectedNotes(fixture: DbFixture, report: CheckReport): readonly FindingCode[] {
  const { size, pageSize } = { size: readFixture(fixture).length, pageSize: report.bolt!.pageSize };
  const notes: FindingCode[] = [];
  if (size === Number(report.bolt!.highWaterMark) * pageSize + 32) notes.push('BOLT_TRAILER');
  if ((pageSize & (pageSize - 1)) !== 0) notes.push('BOLT_PAGE_SIZE_ODD');
  return notes;
}

describe('a file written by etcd is healthy', () => {
  test.each(named('etcd'))('%s', (_name, fixture) => {
    const report = checkBolt(readFixture(fixture));
    expect(words(report).filter((line) => !line.startsWith('info'))).toEqual([]);
    expect(report.verdict).toBe('healthy');
    expect(codes(report)).toEqual(expect.arrayContaining([...expectedNotes(fixture, report)]));
    // A plain copy of a file under load may have caught a commit half way; that is a note about the state before.
    const others = codes(report).filter((code) => !expectedNotes(fixture, report).includes(code));
    const atWork = /hotcopy|killed|crash|underload|tail/.test(fixture.name);
    const allowed: FindingCode[] = atWork
      ? ['BOLT_PREVIOUS_DAMAGED', 'BOLT_TAIL_NOT_ZERO', 'BOLT_META_OLDER_INVALID']
      : [];
    expect(others.filter((code) => !allowed.includes(code))).toEqual([]);
    expect(recorded(fixture, 'check')?.exit ?? 0).toBe(0);
  });
});

describe('a file written by bbolt is healthy, whatever its page size and shape', () => {
  test.each(named('bolt'))('%s', (_name, fixture) => {
    const report = checkBolt(readFixture(fixture));
    expect(report.verdict).toBe('healthy');
    expect(codes(report)).toEqual(expectedNotes(fixture, report));
  });

  test('the pages in use and the free ones are counted as another reader counts them', () => {
    for (const [, fixture] of named('bolt')) {
      const bytes = readFixture(fixture);
      if (bytes.length > 4 << 20) continue;
      const edit = new BoltEdit(bytes);
      const list = edit.freelist;
      const inUse = edit.usedByTrees().size + (list === undefined ? 0 : 1 + edit.overflow(list));
      const expected = { pageSize: edit.pageSize, highWaterMark: `${edit.highWaterMark}`, pagesInUse: inUse };
      expect(checkBolt(bytes).bolt).toMatchObject({ ...expected, freePages: edit.highWaterMark - inUse });
    }
  });
});

/** What each kind of surgery leaves, by the beginning of the fixture's name. */
const SURGERY: Readonly<Record<string, { verdict: CheckReport['verdict']; codes: readonly FindingCode[] }>> = {
  'revert-meta-page': { verdict: 'healthy', codes: ['BOLT_META_SAME_TXID'] },
  'meta-update-flags': { verdict: 'healthy', codes: ['BOLT_META_FLAGS'] },
  'freelist-abandon': { verdict: 'healthy', codes: [] },
  'freelist-rebuild': { verdict: 'healthy', codes: [] },
  'clear-page-leaf': { verdict: 'damaged', codes: ['BOLT_LEAF_EMPTY'] },
  'clear-page-branch': { verdict: 'damaged', codes: ['BOLT_BRANCH_EMPTY', 'BOLT_PAGE_UNREACHABLE'] },
  'clear-elements-leaf-end': { verdict: 'damaged', codes: ['BOLT_ELEMENT_GAP'] },
  // Rewritten as bbolt writes a page; only the parent's key tells, and it does no harm.
  'clear-elements-leaf-first': { verdict: 'healthy', codes: ['BOLT_BRANCH_KEY_NOT_FIRST'] },
  'clear-elements-leaf-overflow': { verdict: 'damaged', codes: ['BOLT_ELEMENT_GAP', 'BOLT_PAGE_UNREACHABLE'] },
  'clear-elements-branch-end': { verdict: 'damaged', codes: ['BOLT_ELEMENT_GAP', 'BOLT_PAGE_UNREACHABLE'] },
  'copy-page-leaf': { verdict: 'damaged', codes: ['BOLT_KEY_ABOVE_PARENT', 'BOLT_PAGE_UNREACHABLE'] },
};

describe('a file changed by bbolt surgery is told for what it is', () => {
  test.each(named('surgery'))('%s', (name, fixture) => {
    const kind = Object.keys(SURGERY).filter((start) => name.startsWith(`bolt-surgery/${start}`));
    expect(kind, surgeryOf(fixture)?.expected).toHaveLength(1);
    const expected = SURGERY[kind[0]!]!;
    const report = checkBolt(readFixture(fixture));
    expect({ verdict: report.verdict, words: words(report) }).toMatchObject({ verdict: expected.verdict });
    expect(codes(report)).toEqual(expect.arrayContaining([...expected.codes]));
    if (expected.verdict === 'healthy') expect(surgeryOf(fixture)?.expected).toMatch(/healthy|branch key is smaller/);
  });
});
