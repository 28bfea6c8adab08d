// Systematic damage of small content, and content that makes no sense at all: an answer each time, within bounds, and no alarm from
// what the check of the structure has reported already.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { checkBackend } from '../../../src/backend/check.ts';
import { BUCKETS } from '../../../src/backend/format.ts';
import { encodeRevision } from '../../../src/backend/revision.ts';
import { describeFinding } from '../../../src/findings.ts';
import { encodeKeyValue } from '../../../src/proto/mvcc.ts';
import type { CheckReport } from '../../../src/report.ts';
import { makeDb, toBytes } from '../../support/backend-db.ts';
import { BoltEdit } from '../../support/bolt-edit.ts';
import { boltRecipes } from '../../support/bolt-recipes.ts';
import { readFixture } from '../../support/fixtures.ts';
import { HEALTHY } from './catalogue.ts';

const VERDICTS = ['healthy', 'repairable', 'refused', 'damaged'];

/** Every finding can be said, and nothing but etcd's content is blamed. */
function judged(bytes: Uint8Array): CheckReport {
  const report = checkBackend(bytes);
  expect(VERDICTS).toContain(report.verdict);
  for (const finding of report.findings) {
    expect(describeFinding(finding).message).not.toMatch(/undefined|NaN|\[object/);
  }
  return report;
}

/** A db with something in every bucket, each record as its bucket has it. */
const FULL = {
  ...HEALTHY,
  authUsers: [['root', Uint8Array.of(0x0a, 4, 0x72, 0x6f, 0x6f, 0x74, 0x1a, 4, 0x72, 0x6f, 0x6f, 0x74)]],
  authRoles: [['r', Uint8Array.of(0x0a, 1, 0x72)]],
  auth: [...HEALTHY['auth']!, ['authEnabled', Uint8Array.of(1)]],
  alarm: [[Uint8Array.of(8, 16, 16, 1), '']],
  members_removed: [['11', 'removed']],
} as unknown as typeof HEALTHY;

describe.each([...BUCKETS])('bucket %s', (bucket) => {
  test('each bit of each key and value flipped gives an answer', async () => {
    const bytes = await makeDb(FULL);
    const edit = new BoltEdit(bytes);
    expect(checkBackend(bytes).verdict).toBe('healthy');
    const elements = edit.entries(bucket);
    expect(elements).not.toEqual([]);
    for (const { position, keySize, valueSize } of elements) {
      // A value of hundreds of bytes has most of them in the user's value.
      const end = position + keySize + Math.min(valueSize, 60);
      for (let at = position; at < end; at++) {
        for (let bit = 0; bit < 8; bit++) {
          bytes[at]! ^= 1 << bit;
          const { findings } = judged(bytes);
          // The structure is whole, but for the order of keys.
          const structure = findings.filter(({ code, severity }) => code.startsWith('BOLT_') && severity !== 'info');
          expect(structure.map(({ code }) => code).filter((code) => code !== 'BOLT_KEY_ORDER')).toEqual([]);
          bytes[at]! ^= 1 << bit;
        }
      }
    }
  });
});

describe('damage of the structure', () => {
  const busy = readFixture('etcd/3.6.14/busy/m1');
  const base = busy.subarray(0, new BoltEdit(busy).highWaterMark * 4096);
  const snapshot = readFixture('etcd/3.6.14/busy/snapshot');

  test.each(boltRecipes.map((recipe) => [recipe.name, recipe] as const))(
    '%s: the verdict of the structure, and no missing records besides',
    (_name, recipe) => {
      for (const variant of [0, 1]) {
        const report = judged(recipe.apply(base, variant, { snapshot }));
        const words = report.findings.map((f) => `${f.severity} ${f.code}: ${describeFinding(f).message}`).join('\n');
        const whole = recipe.severity === 'healthy' || recipe.severity === 'info' || recipe.severity === 'undetectable';
        // The one whose damage may lie in records alone.
        if (recipe.name !== 'bolt-leaf-half-zeroed') {
          const expected = recipe.severity === 'repairable' ? 'repairable' : whole ? 'healthy' : 'damaged';
          expect(report.verdict, words).toBe(expected);
        }
        const structural = report.findings.some(
          ({ code, severity }) => code.startsWith('BOLT_') && severity === 'corrupt',
        );
        const freelist = report.findings.every(({ code, severity }) => severity !== 'corrupt' || code.includes('FREE'));
        if (structural && !freelist) {
          expect(
            report.findings.map(({ code }) => code as string),
            words,
          ).not.toContain('BACKEND_REVISION_GAP');
          expect(
            report.findings.map(({ code }) => code as string),
            words,
          ).not.toContain('BACKEND_KEY_BEGINNING');
          expect(
            report.findings.map(({ code }) => code as string),
            words,
          ).not.toContain('BACKEND_LEASE_MISSING');
          expect(report.notExamined.join('\n')).toMatch(
            /etcd's records|records can be read|cannot be read|cannot all be listed/,
          );
        }
      }
    },
  );
});

const anyBytes = fc.uint8Array({ maxLength: 40 });
const anyRevision = fc
  .record({ main: fc.bigInt({ min: 0n, max: 6n }), sub: fc.bigInt({ min: 0n, max: 2n }), tombstone: fc.boolean() })
  .map(({ main, sub, tombstone }) => encodeRevision({ main, sub }, tombstone));
const anyRecord = fc
  .record({
    key: fc.constantFrom('', 'a', 'b', 'c').map(toBytes),
    value: anyBytes,
    createRevision: fc.bigInt({ min: -1n, max: 6n }),
    modRevision: fc.bigInt({ min: -1n, max: 6n }),
    version: fc.bigInt({ min: -1n, max: 4n }),
    lease: fc.constantFrom(0n, 7n, -3n),
  })
  .map(encodeKeyValue);
const NAMES = [...BUCKETS, 'other'];
const KEYS = ['consistent_index', 'term', 'confState', 'storageVersion', 'scheduledCompactRev', 'finishedCompactRev'];
const anyKey = fc.oneof(
  anyRevision,
  anyBytes.filter(({ length }) => length > 0),
  fc.constantFrom(...KEYS, 'clusterVersion', 'downgrade', 'authEnabled', 'authRevision', 'root', '10').map(toBytes),
);
const anyValue = fc.oneof(anyRecord, anyBytes, anyRevision, fc.json().map(toBytes), fc.constant(toBytes('3.6.0')));
/** Pairs with different keys. */
const anyPairs = fc.uniqueArray(fc.tuple(anyKey, anyValue), { maxLength: 12, selector: ([key]) => `${key}` });

describe('content without sense', () => {
  test.prop([fc.dictionary(fc.constantFrom(...NAMES), anyPairs), fc.boolean()], { numRuns: 400 })(
    'gets an answer, and says where each thing is',
    async (buckets, bare) => {
      const report = judged(await makeDb(buckets, { bare }));
      for (const finding of report.findings) {
        expect(finding.offset === undefined || finding.offset > 0).toBe(true);
        expect(JSON.stringify(finding).length).toBeLessThan(2000);
      }
    },
  );
});
