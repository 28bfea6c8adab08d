// Random changes that the CRCs do not give away: no verdict contradicts what etcd does, as for systematic damage.
import { expect, test } from 'vitest';
import { randomCases } from '../etcd/random-cases.ts';
import { checked } from '../log-maker.ts';

/**
 * Requests are looked at from outside only: that one of their inner messages cannot be parsed is found when they are
 * applied, not by a check of the log.
 */
const INSIDE_A_REQUEST = /^unmarshal should never fail|^detected disallowed v2 WAL/;

test.each([1, 8, 77])('seed %d', (seed) => {
  for (const { id, segments } of randomCases(seed, 250)) {
    // These logs begin with entries that hold no request.
    if (id.includes(':record:')) continue;
    const { findings, wal } = checked(segments);
    // The log names a cluster id that its first member does not make; that is not the damage in question.
    const worst = findings.filter(({ code }) => code !== 'WAL_CLUSTER_ID').map(({ severity }) => severity);
    const isHealthy = worst.every((severity) => severity === 'info');
    const etcd = wal!.etcd.filter(({ version }) => version !== '3.4');
    for (const { version, outcome, words } of isHealthy ? etcd : []) {
      if (outcome === 'panics' && INSIDE_A_REQUEST.test(words)) continue;
      expect(outcome, `${id} ${version}: ${words}`).toBe('starts');
    }
    if (worst.includes('corrupt')) {
      const allStart = etcd.every(({ outcome, lastIndex }) => outcome === 'starts' && lastIndex === '8');
      expect(allStart, `${id}: ${findings.map(({ code, severity }) => `${code} ${severity}`)}`).toBe(false);
    }
  }
});
