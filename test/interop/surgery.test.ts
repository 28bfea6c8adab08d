// Surgery beside the real bbolt 1.5.0, live: the same bytes come out, and where not it is one of the differences that the
// help of the commands names.
import { afterAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDbFixtures, readFixture } from '../support/fixtures.ts';
import { findPeer } from '../support/peers.ts';
import { compareSurgery } from './surgery-compare.ts';

const bbolt = findPeer('bbolt-1.5.0');
const TIMEOUT = 120_000;
const fixtures = listDbFixtures().filter(({ kind }) => kind === 'bolt');

describe.skipIf(bbolt === undefined)('surgery beside bbolt 1.5.0', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-datadir-surgery-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(fixtures.map((fixture) => ({ name: fixture.name, fixture })))('$name', { timeout: TIMEOUT }, ({ fixture }) => {
    const compared = compareSurgery(bbolt as string, readFixture(fixture), folder);
    expect(compared.filter(({ outcome }) => outcome !== 'equal')).toEqual([]);
  });
});
