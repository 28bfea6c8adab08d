// A file that is being written while it is checked. bbolt never overwrites what its newest state uses, so whatever was seen
// before a new transaction came counts for nothing: the check begins anew, and in the end says `in-use` rather than `damaged`.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { describeFinding } from '../../src/findings.ts';
import type { CheckReport } from '../../src/report.ts';
import { changingSource } from '../support/bolt-builder.ts';
import { BoltEdit } from '../support/bolt-edit.ts';
import { readFixture } from '../support/fixtures.ts';
import { CountingSource } from './damage/judge.ts';

const words = (report: CheckReport): string =>
  report.findings.map((f) => `${f.severity} ${f.code}: ${describeFinding(f).message}`).join('\n');

const before = new BoltEdit(readFixture('bolt/small-512-none')).bytes;

/** The file some transactions later: the root page has moved to `to`, and what was there and in its old place is overwritten. */
function later(file: Uint8Array, txid: number, to: number): Uint8Array {
  const edit = new BoltEdit(file);
  edit.grow(edit.at(to + 1));
  edit.bytes.copyWithin(edit.at(to), edit.at(edit.root), edit.at(edit.root + 1));
  edit.setU64(edit.at(to), to);
  edit.bytes.fill(0xdb, edit.at(edit.root), edit.at(edit.root + 1));
  for (const [page, number] of [
    [edit.newerMeta, txid],
    [edit.olderMeta, txid - 1],
  ] as const) {
    edit.setU64(edit.at(page, 32), to);
    edit.setU64(edit.at(page, 56), Math.max(edit.highWaterMark, to + 1));
    edit.setU64(edit.at(page, 64), number);
    edit.sealMeta(page);
  }
  return edit.bytes;
}

const { freePages } = { freePages: new BoltEdit(before).freePages() };
const after = later(before, 10, freePages[0]!);

/** How many reads a check takes. */
function readsOf(file: Uint8Array): number {
  const source = new CountingSource(file);
  checkBolt(source);
  return source.reads;
}

describe('transactions that are committed while the file is checked', () => {
  test('both states are healthy, and nothing of the one is left in the other', () => {
    expect(words(checkBolt(before))).toBe('');
    expect(words(checkBolt(after))).toBe('');
    const mixed = new Uint8Array(after);
    mixed.set(before.subarray(0, 1024));
    expect(checkBolt(mixed).verdict).toBe('damaged');
  });

  test('one, at any moment, changes nothing in the verdict', () => {
    const reads = readsOf(before);
    let retried = 0;
    for (let change = 0; change <= reads; change++) {
      const source = changingSource((read) => (read < change ? before : after));
      const report = checkBolt(source);
      expect(report.verdict, `after ${change} reads\n${words(report)}`).toBe('healthy');
      if (source.reads > reads + 10) retried++;
    }
    expect(retried).toBeGreaterThan(0);
  });

  // The length was taken when the file was opened, and the metas read after it: a file that had grown in between was
  // called truncated.
  test('one that makes the file longer: the new length counts', () => {
    const longer = later(before, 10, 60);
    expect(longer.length).toBeGreaterThan(before.length);
    const reads = readsOf(before);
    for (let change = 1; change <= reads; change++) {
      const report = checkBolt(changingSource((read) => (read < change ? before : longer)));
      expect(report.verdict, `after ${change} reads\n${words(report)}`).toBe('healthy');
    }
  });

  test('many, so that no attempt ends with the transaction it began with: in use', () => {
    // Each of them is damaged where it should not be, since it is mixed with the next.
    const states = Array.from({ length: 400 }, (_, i) => {
      const state = new BoltEdit(later(before, 100 + 2 * i, freePages[i % 2]!));
      state.bytes.fill(0xdb, state.at(freePages[i % 2]!), state.at(freePages[i % 2]! + 1));
      return state.bytes;
    });
    const report = checkBolt(changingSource((read) => states[Math.floor(read / 4)]!));
    expect(report.verdict).toBe('in-use');
    expect(report.findings).toMatchObject([
      { code: 'BOLT_CHANGED_WHILE_READ', severity: 'unknown', args: { attempts: '4' } },
    ]);
    expect(report.counts).toEqual({ unknown: 1 });
  });

  test('a writer that comes to rest is waited for, and real damage is then told', () => {
    const hurt = new BoltEdit(after);
    hurt.setU16(hurt.at(hurt.bucket('tree').root, 8), 0x40);
    const reads = readsOf(before);
    for (let change = 1; change <= reads; change++) {
      const report = checkBolt(changingSource((read) => (read < change ? before : hurt.bytes)));
      // What was read before the change may have been all that there was to read.
      if (report.verdict === 'healthy') expect(report.bolt?.txid).not.toBe('10');
      else {
        expect(report).toMatchObject({ verdict: 'damaged', bolt: { txid: '10' } });
        expect(report.findings[0]).toMatchObject({ code: 'BOLT_PAGE_TYPE' });
      }
    }
  });

  test('a file at rest is checked once, even if it is damaged', () => {
    const hurt = new BoltEdit(before);
    hurt.setU16(hurt.at(hurt.bucket('tree').root, 8), 0x40);
    expect(readsOf(hurt.bytes)).toBeLessThan(readsOf(before) + 10);
  });
});

describe('a meta that is being written while it is read', () => {
  /** The newer meta page, torn in the middle of its 64 bytes. */
  function torn(file: Uint8Array): Uint8Array {
    const edit = new BoltEdit(file);
    edit.bytes.fill(0x11, edit.at(edit.newerMeta, 56), edit.at(edit.newerMeta, 80));
    return edit.bytes;
  }

  test('is read again, and the file is healthy', () => {
    for (let moment = 0; moment < 4; moment++) {
      const report = checkBolt(changingSource((read) => (read === moment ? torn(before) : before)));
      expect(words(report)).toBe('');
      expect(report.bolt?.txid).toBe('3');
    }
  });

  test('but not for ever', () => {
    expect(checkBolt(changingSource(() => torn(before))).findings[0]).toMatchObject({
      code: 'BOLT_META_NEWER_INVALID',
    });
  });
});
