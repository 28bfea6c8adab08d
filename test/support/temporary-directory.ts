// A directory of the test's own, removed when the test is over.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty directory for the running test. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'etcd-datadir-test-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
