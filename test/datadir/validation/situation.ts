/**
 * The facts around a directory in tests: no guard, no marker, no store, unless something else is said.
 */
import { type DataDir, openDataDir } from '../../../src/datadir/data-dir.ts';
import type { DataDirFiles } from '../../../src/datadir/data-dir-files.ts';
import { createValidationTools } from '../../../src/datadir/validation/default-tools.ts';
import type { ValidationExpectations, ValidationSituation } from '../../../src/datadir/validation/inputs.ts';
import type { ValidationReport } from '../../../src/datadir/validation/report.ts';
import { NO_STORE, type StoreState } from '../../../src/datadir/validation/store-state.ts';
import type { ValidationTools } from '../../../src/datadir/validation/tools.ts';
import { ValidationJob } from '../../../src/datadir/validation/validation-job.ts';
import { drain } from '../../../src/io/job.ts';

export const SITUATION: ValidationSituation = {
  mode: 'full',
  modeReason: 'no-marker',
  guard: { state: 'skipped', path: null, expected: null, actual: null, reason: null },
  marker: { form: 'none', path: null, content: null, written: [] },
  store: NO_STORE,
};

/** A store whose backups reach this revision without a hole. */
export function storeAt(revision: number | bigint): StoreState {
  return {
    ...NO_STORE,
    state: 'found',
    location: 'store',
    revision: `${revision}`,
    restorable: `${revision}`,
    base: 'v2/Full-00000000-00000002-1.gz',
    deltas: 1,
  };
}

export const EMPTY_STORE: StoreState = { ...NO_STORE, state: 'empty', location: 'store' };

/** Validates a directory in memory without a pause, with the parts of the library or others. */
export function validateFiles(
  files: DataDirFiles | DataDir,
  situation: Partial<ValidationSituation> = {},
  expected: ValidationExpectations = {},
  tools: ValidationTools = createValidationTools(),
): ValidationReport {
  const dir = 'layout' in files ? files : openDataDir(files);
  return drain(new ValidationJob(dir, { ...SITUATION, ...situation }, expected, tools));
}
