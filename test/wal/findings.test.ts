// The table of findings: every code, in every severity it can have, is provoked by a log of the catalogue, said in a whole
// sentence, and documented.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/findings.ts';
import { describeFinding, findingTable } from '../../src/findings.ts';
import { type WalFindingCode, walFindings } from '../../src/wal/findings.ts';
import { catalogue } from './damage/catalogue.ts';

const CODES = Object.keys(walFindings) as WalFindingCode[];

const rows = catalogue.map((row) => ({ ...row, report: row.check() }));
const provoked: readonly Finding[] = rows.flatMap(({ report }) => report.findings);

describe('the catalogue', () => {
  test.each(rows.map((row) => [`${row.code} ${row.severity}`, row.what, row] as const))('%s: %s', (_, __, row) => {
    const found = row.report.findings.filter(({ code }) => code === row.code);
    expect(
      found.map(({ severity }) => severity),
      row.report.findings.map(({ code }) => code).join(),
    ).toContain(row.severity);
    // Nothing that is worse hides it.
    if (row.severity === 'corrupt') expect(row.report.verdict).toBe('damaged');
    if (row.severity === 'repairable') expect(row.report.verdict).toBe('repairable');
  });

  test('has every code in every severity that the table says it can have', () => {
    const made = new Set(catalogue.map(({ code, severity }) => `${code} ${severity}`));
    const all = CODES.flatMap((code) => {
      const { severity, milder } = walFindings[code];
      return [severity, ...(milder === undefined ? [] : [milder.severity])].map((each) => `${code} ${each}`);
    });
    expect(all.filter((each) => !made.has(each))).toEqual([]);
    expect([...made].filter((each) => !all.includes(each))).toEqual([]);
  });
});

test('the codes of logs are in the table of all', () => {
  for (const code of CODES) expect(findingTable[code]).toBe(walFindings[code]);
});

describe.each(CODES)('%s', (code) => {
  const definition = walFindings[code];
  const findings = provoked.filter((finding) => finding.code === code);

  test('is a whole sentence: lower case, no full stop, nothing missing in it', () => {
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      const { message, remedy } = describeFinding(finding);
      expect(message).toMatch(/^[a-z0-9.]/);
      expect(message).not.toMatch(/undefined|NaN|null|\[object|\.$|\$\{|\s\s|\(\)/);
      expect(message.length).toBeGreaterThan(15);
      expect(message.length).toBeLessThan(500);
      expect(remedy).toBe(finding.severity === definition.severity ? definition.remedy : definition.milder?.remedy);
    }
  });

  test('has arguments that are text, and places that exist', () => {
    for (const finding of findings) {
      for (const [name, value] of Object.entries(finding.args)) {
        expect(typeof value, name).toBe('string');
        // A length that is not there, and holders that are not known.
        if (name !== 'length' && name !== 'holders') expect(value, name).not.toBe('');
      }
      if (finding.file !== undefined) expect(finding.file).not.toBe('');
      if (finding.offset !== undefined) expect(Number.isSafeInteger(finding.offset)).toBe(true);
    }
  });

  test('has a remedy and an explanation', () => {
    expect(definition.remedy.length).toBeGreaterThan(10);
    expect(definition.meaning).toMatch(/^(?:[A-Z`]|etcd ).*\.$/s);
    expect(definition.meaning.length).toBeGreaterThan(20);
    expect(definition.peer.length).toBeGreaterThan(5);
    if (definition.milder !== undefined) {
      expect(definition.milder.when.length).toBeGreaterThan(10);
      expect(definition.milder.remedy.length).toBeGreaterThan(10);
      expect(definition.milder.severity).not.toBe(definition.severity);
    }
  });

  test('is documented', () => {
    const page = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');
    expect(page).toContain(`### ${code}\n`);
  });
});
