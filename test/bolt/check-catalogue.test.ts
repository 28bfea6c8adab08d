// Every kind of damage alone: what it is called, where it is said to be, and how bad it is.
import { describe, expect, test } from 'vitest';
import { checkBolt } from '../../src/bolt/check.ts';
import { describeFinding } from '../../src/findings.ts';
import { catalogue } from './damage/catalogue.ts';

describe('each kind of damage alone', () => {
  test.each(catalogue.map((entry) => [`${entry.code}: ${entry.what}`, entry] as const))('%s', (_name, entry) => {
    const { input, page, element } = entry.make();
    const report = checkBolt(input);
    const words = report.findings.map(
      (f) => `${f.severity} ${f.code} ${f.causedBy?.code ?? ''}: ${describeFinding(f).message}`,
    );
    const found = report.findings.filter(({ code }) => code === entry.code);
    expect(found, words.join('\n')).not.toEqual([]);
    expect(report.verdict, words.join('\n')).toBe(entry.verdict);
    const place = { ...(page === undefined ? {} : { page }), ...(element === undefined ? {} : { element }) };
    expect(found, words.join('\n')).toContainEqual(expect.objectContaining(place));
    if (entry.verdict !== 'healthy' && entry.consequence !== true && found[0]!.severity !== 'info') {
      // It is the cause, or one of several; nothing else is blamed first.
      expect(
        found.some(({ causedBy }) => causedBy === undefined),
        words.join('\n'),
      ).toBe(true);
    }
    if (entry.verdict === 'healthy') expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});
