import { describe, expect, it } from 'vitest';
import { STAGES } from '../../../src/datadir/start/effect.ts';
import { effectCodes } from '../../../src/datadir/start/effects.ts';
import { findingTable } from '../../../src/findings.ts';

describe('the table of effects', () => {
  // Findings of a validation and of a replay are not about what a start meets.
  const codes = Object.keys(findingTable).filter((code) => !/^(VALIDATE|REPLAY)_/.test(code));

  it('has every code that a check of a directory reports', () => {
    expect([...effectCodes].sort()).toEqual(codes.sort());
  });

  it('has the steps in the order of a start', () => {
    expect(STAGES.indexOf('open-db')).toBeLessThan(STAGES.indexOf('snapshot'));
    expect(STAGES.indexOf('snapshot')).toBeLessThan(STAGES.indexOf('log'));
    expect(STAGES.indexOf('log')).toBeLessThan(STAGES.indexOf('apply'));
  });
});
