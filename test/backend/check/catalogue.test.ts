// Every kind of wrong content alone: what it is called, where it is said to be, how bad it is; and every code is provoked, said in a
// whole sentence, and documented.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { backendFindings } from '../../../src/backend/findings.ts';
import type { AnyFinding } from '../../../src/finding-table.ts';
import { describeFinding, findingTable } from '../../../src/findings.ts';
import type { CheckReport } from '../../../src/report.ts';
import { makeDb } from '../../support/backend-db.ts';
import { catalogue, HEALTHY } from './catalogue.ts';

const CODES = Object.keys(backendFindings);
const reports = new Map<string, CheckReport>();
for (const { code, what, make, options } of catalogue) {
  reports.set(`${code}: ${what}`, checkBackend(await make(), options));
}

test('the db that all others are made from is healthy, and nothing is worth a word', async () => {
  const report = checkBackend(await makeDb(HEALTHY));
  expect(report.findings).toEqual([]);
  expect(report.backend).toEqual({
    revision: '9',
    compactRevision: '4',
    finishedCompact: '4',
    scheduledCompact: '4',
    keys: 4,
    records: 8,
    tombstones: 1,
    bumps: 0,
    consistentIndex: '12',
    term: '3',
    storageVersion: '3.6.0',
    clusterVersion: '3.6.0',
    etcdVersion: '3.6',
    members: 1,
    learners: 0,
    removedMembers: 0,
    leases: 1,
    authEnabled: false,
    users: 0,
    roles: 0,
    alarms: 0,
    trailer: 'missing',
  });
});

describe('each kind alone', () => {
  test.each(catalogue.map((entry) => [`${entry.code}: ${entry.what}`, entry] as const))('%s', (name, entry) => {
    const report = reports.get(name)!;
    const findings = report.findings as readonly AnyFinding[];
    const words = findings.map(
      (f) => `${f.severity} ${f.code} (${f.causedBy?.code}): ${describeFinding(f as never).message}`,
    );
    const found = findings.filter(({ code }) => code === entry.code);
    expect(found, words.join('\n')).not.toEqual([]);
    expect(report.verdict, words.join('\n')).toBe(entry.verdict);
    if (entry.found !== undefined) expect(found[0]).toMatchObject(entry.found);
    if (entry.verdict === 'healthy') return;
    const causes = findings.filter(({ severity, causedBy }) => severity !== 'info' && causedBy === undefined);
    const own = causes.filter(({ code }) => code === entry.code);
    // It is the cause, and nothing else is blamed but what follows from it.
    expect(own.length > 0, words.join('\n')).toBe(entry.consequence !== true);
    expect(causes.length, words.join('\n')).toBe(entry.consequence === true ? 1 : own.length);
  });
});

test('every code is provoked', () => {
  expect(CODES.filter((code) => !catalogue.some((entry) => entry.code === code))).toEqual([]);
});

describe.each(CODES)('%s', (code) => {
  const definition = findingTable[code]!;
  const findings = [...reports.values()]
    .flatMap((report) => report.findings)
    .filter((finding) => finding.code === code);

  test('is a whole sentence: lower case, no full stop, nothing missing in it', () => {
    for (const finding of findings) {
      const { message, remedy } = describeFinding(finding);
      expect(message).toMatch(/^[a-z0-9]/);
      expect(message).not.toMatch(/undefined|NaN|null|\[object|\.$|\$\{|\s\s/);
      expect(message.length).toBeGreaterThan(15);
      expect(message.length).toBeLessThan(500);
      expect(remedy).toBe(
        definition.milder?.severity === finding.severity ? definition.milder.remedy : definition.remedy,
      );
      for (const [name, value] of Object.entries(finding.args)) expect(value, name).not.toBe('');
    }
  });

  test('has a remedy and an explanation, and is documented', () => {
    expect(definition).toBe(backendFindings[code as keyof typeof backendFindings]);
    expect(definition.remedy.length).toBeGreaterThan(10);
    expect(definition.meaning).toMatch(/^(?:[A-Z`]|etcd).*\.$/s);
    expect(definition.peer.length).toBeGreaterThan(5);
    const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
    expect(page('findings.md')).toContain(`### ${code}\n`);
    expect(page('backend-rules.md')).toContain(`\`${code}\``);
  });
});
