// A disk that fails in places: what cannot be read is reported as that, and everything else is examined all the same.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { describeFinding } from '../../src/findings.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import type { CheckReport } from '../../src/report.ts';
import { BoltEdit, BRANCH } from '../support/bolt-edit.ts';
import { boltFile, bucket, leaf } from '../support/bolt-pages.ts';
import { faultySource } from '../support/faulty.ts';
import { readFixture } from '../support/fixtures.ts';
import { pageUses } from './damage/byte-classes.ts';
import { placesOf } from './damage/catalogue.ts';

const SMALL = ['bolt/small-512-stored', 'bolt/small-512-none'];
const words = (report: CheckReport): string =>
  report.findings
    .map((f) => `${f.severity} ${f.code} ${f.causedBy?.code ?? ''}: ${describeFinding(f).message}`)
    .join('\n');

/** A file of which page `bad` cannot be read. */
const failing = (file: Uint8Array, bad: number, pageSize = 512) =>
  faultySource(memorySource(file), { failAt: [[bad * pageSize, (bad + 1) * pageSize]] });

describe.each(SMALL)('%s', (name) => {
  const file = readFixture(name);
  const uses = pageUses(file);
  const healthy = new BoltEdit(file);
  const { leaves } = placesOf(healthy);

  test('an error at each page in turn is a finding about that page, and the rest is examined', () => {
    for (const [bad, use] of uses.entries()) {
      const report = checkBolt(failing(file, bad));
      const label = `page ${bad} (${use})\n${words(report)}`;
      if (use === 'free') expect(report.verdict, label).toBe('healthy');
      else if (use === 'continuation') {
        // Only the value of one large element lies there, and values are not read; or keys lie there, and it matters.
        expect(['healthy', 'undecided'], label).toContain(report.verdict);
        const found = report.findings.filter(({ severity }) => severity !== 'info');
        for (const finding of found) expect(finding, label).toMatchObject({ code: 'BOLT_PAGE_UNREADABLE', page: bad });
      } else if (use.endsWith('meta')) {
        expect(report.findings[0], label).toMatchObject({ page: bad, args: { reason: 'unreadable' } });
        expect(report.findings[0]!.code).toBe('BOLT_META_NEWER_INVALID');
        expect(report.bolt?.pageSize).toBe(512);
      } else {
        expect(report.verdict, label).toBe('undecided');
        expect(report.findings[0], label).toMatchObject({
          code: 'BOLT_PAGE_UNREADABLE',
          severity: 'unknown',
          page: bad,
        });
        // What else is said follows from it.
        const others = report.findings.slice(1).filter(({ severity }) => severity !== 'info');
        for (const other of others)
          expect(other.causedBy, label).toMatchObject({ code: 'BOLT_PAGE_UNREADABLE', page: bad });
      }
    }
  });

  test('damage beside a page that cannot be read is still found', () => {
    for (const bad of leaves) {
      const edit = new BoltEdit(file);
      const hurt = leaves[(leaves.indexOf(bad) + 1) % leaves.length]!;
      edit.setU16(edit.at(hurt, 10), 0);
      const report = checkBolt(failing(edit.bytes, bad));
      expect(report.verdict, words(report)).toBe('damaged');
      expect(report.findings, words(report)).toContainEqual(
        expect.objectContaining({ code: 'BOLT_LEAF_EMPTY', page: hurt }),
      );
      expect(report.findings, words(report)).toContainEqual(
        expect.objectContaining({ code: 'BOLT_PAGE_UNREADABLE', page: bad }),
      );
    }
  });

  test('two pages that cannot be read are two findings', () => {
    const [first, , , second] = leaves;
    const failAt = [first!, second!].map((page) => [page * 512 + 500, page * 512 + 501] as const);
    const report = checkBolt(faultySource(memorySource(file), { failAt }));
    const unreadable = report.findings.filter(({ code }) => code === 'BOLT_PAGE_UNREADABLE');
    expect(unreadable.map(({ page }) => page).sort()).toEqual([first, second].sort());
  });

  test('nothing can be read at all', () => {
    const report = checkBolt(faultySource(memorySource(file), { failAt: [[0, file.length]] }));
    expect(report.findings.map(({ code }) => code)).not.toContain(undefined);
    expect(report.verdict).not.toBe('healthy');
  });

  test('reads that come in pieces change nothing', () => {
    const { elapsedMs: _, ...expected } = checkBolt(file);
    for (let seed = 0; seed < 20; seed++) {
      expect(checkBolt(faultySource(memorySource(file), { shortReads: seed }))).toMatchObject(expected);
    }
  });

  test('a file that becomes shorter, at any read, ends in a report', () => {
    for (let shrinkAfterReads = 0; shrinkAfterReads < 40; shrinkAfterReads++) {
      for (const shrinkTo of [0, 512, 1024, 5000, 10_000, file.length - 1]) {
        const report = checkBolt(faultySource(memorySource(file), { shrinkTo, shrinkAfterReads }));
        // It is not the same file any more: in use, unreadable or cut, or it was all read before it happened.
        expect(report.path).toBe('');
        if (report.verdict === 'healthy')
          expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
      }
    }
  });
});

test('a branch that cannot be read loses what is below it, and says so', () => {
  const file = readFixture('bolt/small-512-stored');
  const edit = new BoltEdit(file);
  const { branches } = placesOf(edit);
  const below = edit.branchElements(branches[3]!).map(({ child }) => child);
  const report = checkBolt(failing(file, branches[3]!));
  expect(report.findings).toMatchObject([
    { code: 'BOLT_PAGE_UNREADABLE', page: branches[3] },
    { code: 'BOLT_PAGE_UNREACHABLE', causedBy: { code: 'BOLT_PAGE_UNREADABLE', page: branches[3] } },
    { code: 'BOLT_PREVIOUS_DAMAGED', severity: 'info' },
  ]);
  expect(Number(report.findings[1]!.args['pages' as never])).toBeGreaterThanOrEqual(below.length);
});

test('a large page with a bad place in it names the page where the place is', () => {
  const file = readFixture('bolt/branch-overflow-1024-none');
  const edit = new BoltEdit(file);
  const page = edit.treePages().find((id) => edit.flags(id) === BRANCH && edit.overflow(id) > 60)!;
  const bad = page + 40;
  const report = checkBolt(failing(file, bad, 1024));
  expect(report.verdict).toBe('undecided');
  expect(report.findings[0], words(report)).toMatchObject({ code: 'BOLT_PAGE_UNREADABLE', page: bad });
});

// Keys far down a page are read in pieces of 16 KiB. A piece reached into the pages behind, so that a bad place there
// was taken for one of this page, and what it holds was not examined.
test('a bad place just behind a page is not blamed on it', () => {
  const long = leaf(['a', new Uint8Array(600)], bucket('b', 8));
  const pages = {
    2: leaf(bucket('x', 3), bucket('y', 5)),
    3: long,
    5: leaf(['k', 'v']),
    6: leaf(),
    8: leaf(['in', 'b']),
  };
  const file = boltFile(pages);
  expect(checkBolt(file).findings).toEqual([]);
  expect(checkBolt(failing(file, 5)).findings).toMatchObject([
    { code: 'BOLT_PAGE_UNREADABLE', page: 5, bucket: ['"y"'] },
  ]);
  expect(checkBolt(failing(file, 6)).findings).toEqual([]);
  expect(checkBolt(failing(file, 8)).findings).toMatchObject([
    { code: 'BOLT_PAGE_UNREADABLE', page: 8, bucket: ['"x"', '"b"'] },
  ]);
});

test('a bad place in a large value does not matter: values are not read', () => {
  const value = new Uint8Array(100_000);
  const file = boltFile({ 2: leaf(bucket('x', 3)), 3: leaf(['a', value], ['b', value], ['c', value]) });
  const report = checkBolt(faultySource(memorySource(file), { failAt: [[3 * 512 + 150_000, 3 * 512 + 150_001]] }));
  expect(report.findings).toEqual([]);
});

test('the tail that cannot be read is said to be not examined', () => {
  const file = new Uint8Array(40_000);
  file.set(readFixture('bolt/small-512-stored'));
  const report = checkBolt(faultySource(memorySource(file), { failAt: [[30_000, 30_001]] }));
  expect(report.verdict).toBe('healthy');
  expect(report.notExamined.join()).toMatch(/bytes from offset 16896 on/);
});
