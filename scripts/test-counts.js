// Prints `N passed, N failed, N skipped` from the file of vitest's JSON reporter, named as the argument.
// A test file that could not be loaded has no cases to count: it counts as one failure. No results count as nothing passed.
import { existsSync, readFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
if (path !== undefined && existsSync(path)) {
  const results = JSON.parse(readFileSync(path, 'utf8'));
  count.passed = results.numPassedTests;
  count.failed = results.numFailedTests;
  count.skipped = results.numPendingTests + results.numTodoTests;
  for (const file of results.testResults) {
    const failedInside = file.assertionResults.some((result) => result.status === 'failed');
    if (file.status === 'failed' && !failedInside) count.failed++;
  }
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
