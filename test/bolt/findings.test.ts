// The table of findings: every code is provoked by a file of the catalogue, said in a whole sentence, and documented.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { boltFindings } from '../../src/bolt/findings.ts';
import { describeFinding, type Finding, findingTable } from '../../src/findings.ts';
import { catalogue } from './damage/catalogue.ts';

const CODES = Object.keys(boltFindings);

/** All findings that the files of the catalogue give. */
const provoked: readonly Finding[] = catalogue.flatMap(({ make }) => checkBolt(make().input).findings);

test('every code is provoked by at least one file made for it', () => {
  const made = new Set<string>(catalogue.map(({ code }) => code));
  expect(CODES.filter((code) => !made.has(code))).toEqual([]);
  const found = new Set<string>(provoked.map(({ code }) => code));
  expect(CODES.filter((code) => !found.has(code))).toEqual([]);
});

test('the codes of bolt are in the table of all', () => {
  for (const code of CODES) expect(findingTable[code]).toBe(boltFindings[code as keyof typeof boltFindings]);
});

describe.each(CODES)('%s', (code) => {
  const definition = findingTable[code]!;
  const findings = provoked.filter((finding) => finding.code === code);

  test('is a whole sentence: lower case, no full stop, nothing missing in it', () => {
    for (const finding of findings) {
      const { message, remedy } = describeFinding(finding);
      expect(message).toMatch(/^[a-z0-9]/);
      expect(message).not.toMatch(/undefined|NaN|null|\[object|\.$|\$\{|\s\s/);
      expect(message.length).toBeGreaterThan(15);
      expect(message.length).toBeLessThan(500);
      expect(remedy).toBe(definition.remedy);
    }
  });

  test('names what its arguments say', () => {
    // Every argument is text, and not empty but where there is nothing to compare.
    for (const finding of findings) {
      for (const [name, value] of Object.entries(finding.args)) {
        expect(typeof value, name).toBe('string');
        if (name !== 'expected' && name !== 'actual') expect(value, name).not.toBe('');
      }
    }
  });

  test('has a remedy and an explanation', () => {
    expect(definition.remedy.length).toBeGreaterThan(10);
    expect(definition.meaning).toMatch(/^(?:[A-Z`]|bbolt|boltdb).*\.$/s);
    expect(definition.meaning.length).toBeGreaterThan(20);
    expect(definition.peer.length).toBeGreaterThan(5);
  });

  test('is documented', () => {
    const page = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');
    expect(page).toContain(`### ${code}\n`);
  });
});
