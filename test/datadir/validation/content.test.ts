// What each kind of damage comes to in a validation: the finding, and what to do. All kinds are walked by the tests of the check.
import { expect, test } from 'vitest';
import { damagedDataDir } from '../../support/data-dir-recipes.ts';
import { storeAt, validateFiles } from './situation.ts';

test.each([
  ['wal-snapshot-record-term', 'full', 'WAL_SNAPSHOT_TERM', 'start'],
  ['snap-newest-crc-flip', 'full', 'SNAP_CRC_MISMATCH', 'start'],
  ['snap-orphan', 'full', 'DIR_SNAP_ORPHAN', 'start'],
  ['wal-term-back', 'full', 'WAL_ENTRY_TERM_BACK', 'start'],
  ['bolt-meta-newer-checksum', 'full', 'BOLT_META_NEWER_INVALID', 'start'],
  ['wal-segment-cut-middle', 'full', 'WAL_RECORD_CUT', 'start-after-repair'],
  ['wal-entry-gap', 'full', 'WAL_ENTRY_GAP', 'restore'],
  ['wal-commit-beyond', 'full', 'WAL_COMMIT_BEYOND', 'restore'],
  ['wal-metadata-other-cluster', 'full', 'WAL_CLUSTER_ID', 'restore'],
  ['wal-segment-missing-last', 'full', 'DIR_INDEX_BEYOND_LOG', 'restore'],
  ['bolt-page-claimed-twice', 'full', 'BOLT_PAGE_REFERENCED_TWICE', 'restore'],
  ['dir-db-other-cluster', 'full', 'DIR_DB_BEHIND_SNAPSHOT', 'restore'],
  ['backend-compact-finished-future', 'sanity', 'BACKEND_COMPACT_ORDER', 'restore'],
  ['backend-consistent-index-ahead', 'sanity', 'DIR_INDEX_BEYOND_LOG', 'restore'],
  ['backend-bucket-key-renamed', 'sanity', 'BACKEND_BUCKET_MISSING', 'restore'],
  ['backend-record-mod-revision', 'deep', 'BACKEND_MOD_REVISION', 'restore'],
  ['backend-lease-id-mismatch', 'deep', 'BACKEND_LEASE_ID', 'restore'],
  ['backend-consistent-index-a-little-behind', 'deep', 'DIR_INDEX_TOO_LOW', 'restore'],
  ['backend-cluster-version-newer', 'full', 'BACKEND_CLUSTER_VERSION_NEWER', 'refuse'],
] as const)('%s, mode %s: %s, %s', (recipe, mode, code, recommendation) => {
  const report = validateFiles(damagedDataDir(recipe, '3.5.33'), { mode, store: storeAt(53) });
  expect(report.findings.map((finding) => finding.code)).toContain(code);
  expect(report.recommendation).toBe(recommendation);
});
