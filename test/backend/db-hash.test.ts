/**
 * The hash of a whole db, by the rule of each release and by the rule that is the db's own.
 */
import { describe, expect, test } from 'vitest';
import { BackendFile } from '../../src/backend/backend-file.ts';
import { DbHashJob, type DbHashOptions } from '../../src/backend/db-hash.ts';
import { isDatadirError } from '../../src/errors.ts';
import type { EtcdMinor } from '../../src/etcd-version.ts';
import { memorySource } from '../../src/io/byte-source.ts';
import { drain } from '../../src/io/job.ts';
import { makeDb, type Pairs, uint64 } from '../support/backend-db.ts';
import { GOLDEN_HASHES, goldenDb } from '../support/golden-db.ts';

const hashOf = (bytes: Uint8Array, options?: DbHashOptions) =>
  drain(new DbHashJob(new BackendFile(memorySource(bytes)), options));

describe('the golden db', () => {
  const expected: [EtcdMinor, number][] = [
    ['3.4', GOLDEN_HASHES.byRule['3.4']],
    ['3.5', GOLDEN_HASHES.byRule['3.5']],
    ['3.6', GOLDEN_HASHES.byRule['3.6']],
    ['3.7', GOLDEN_HASHES.byRule['3.6']],
  ];
  test.each(expected)('by the rule of %s', async (etcdVersion, hash) => {
    expect(hashOf(await goldenDb(), { etcdVersion })).toMatchObject({ hash, hashes: GOLDEN_HASHES });
  });

  test('by its own', async () => {
    expect(hashOf(await goldenDb())).toMatchObject({ hash: GOLDEN_HASHES.byRule['3.6'], rule: '3.6' });
  });
});

describe('the rule that is the own of a db', () => {
  const position: Pairs = [
    ['consistent_index', uint64(4n)],
    ['term', uint64(2n)],
  ];
  const cases: [string, Pairs, string | undefined, string][] = [
    ['nothing is known', [], undefined, '3.4'],
    ['an index without a term', position.slice(0, 1), undefined, '3.4'],
    ['an index and a term', position, undefined, '3.5'],
    ['a stored version', [...position, ['storageVersion', '3.6.0']], undefined, '3.6'],
    ['a later version', [...position, ['storageVersion', '3.7.0']], undefined, '3.6'],
    ['a version that is none', [...position, ['storageVersion', 'x']], undefined, '3.5'],
    ['agreed on 3.4', [], '3.4.0', '3.4'],
    ['agreed on 3.5, and nothing else', [], '3.5.0', '3.5'],
    ['agreed on 3.6, which the schema does not say yet', position, '3.6.0', '3.6'],
    ['agreed on an older one than the schema', [...position, ['storageVersion', '3.6.0']], '3.4.0', '3.6'],
  ];
  test.each(cases)('%s', async (_, meta, agreed, rule) => {
    const cluster: Pairs = agreed === undefined ? [] : [['clusterVersion', agreed]];
    expect(hashOf(await makeDb({ meta, cluster })).rule).toBe(rule);
  });
});

test('what the rules leave out is left out in bucket meta only', async () => {
  const pairs: Pairs = [
    ['consistent_index', uint64(1n)],
    ['term', uint64(2n)],
    ['storageVersion', '3.6.0'],
  ];
  const elsewhere = hashOf(await makeDb({ cluster: pairs }));
  expect(new Set([elsewhere.hashes.everything, ...Object.values(elsewhere.hashes.byRule)]).size).toBe(1);
  const inMeta = hashOf(await makeDb({ meta: pairs }));
  expect(new Set([inMeta.hashes.everything, ...Object.values(inMeta.hashes.byRule)]).size).toBe(4);
});

test('a damaged db has none', async () => {
  const bytes = await goldenDb();
  try {
    hashOf(bytes.slice(0, bytes.length - 4096));
    expect.unreachable();
  } catch (error) {
    expect(isDatadirError(error, 'BOLT_SOURCE_DAMAGED')).toBe(true);
  }
});
