// Sequences of calls that the wal packages of etcd 3.5.33, 3.6.14 and 3.7.1 were recorded at: ours has to leave the same log
// after every step.
import { describe, expect, test } from 'vitest';
import type { EtcdMinor } from '../../../src/etcd-version.ts';
import { listRecorded, marksOf, readRecorded } from '../../support/wal-writer-recorded.ts';
import { ourOutcome } from '../../support/wal-writer-sequence.ts';

describe('recorded sequences', () => {
  test.each(listRecorded())('%s: the same log as etcd leaves, after every step', (name) => {
    const { sequence, marks } = readRecorded(name);
    expect(Object.keys(marks)).toEqual(['3.5', '3.6', '3.7']);
    for (const [version, expected] of Object.entries(marks)) {
      expect(marksOf(ourOutcome(sequence, version as EtcdMinor)), version).toEqual(expected);
    }
  });
});
