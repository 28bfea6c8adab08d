// `vitest run` is the normal run; `vitest run --mode long` runs the *.long.test.ts files, and only those.
// COVERAGE=1 measures coverage and holds it to the floors, as `vitest run --coverage` does.
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const LONG_TESTS = 'test/**/*.long.test.ts';

export default defineConfig(({ mode }) => {
  const long = mode === 'long';
  return {
    test: {
      include: [long ? LONG_TESTS : 'test/**/*.test.ts'],
      exclude: long ? configDefaults.exclude : [...configDefaults.exclude, LONG_TESTS],
      passWithNoTests: long,
      testTimeout: long ? 20 * 60_000 : 30_000,
      hookTimeout: long ? 20 * 60_000 : 60_000,
      pool: 'forks',
      maxWorkers: Math.min(availableParallelism(), 8),
      reporters: ['default', 'json'],
      outputFile: { json: long ? '.cache/test-results-long.json' : '.cache/test-results.json' },
      coverage: {
        enabled: process.env['COVERAGE'] === '1',
        provider: 'v8',
        include: ['src/**/*.ts'],
        // The two entries that only ever run in another process or thread, where coverage does not look.
        exclude: ['src/worker.ts', 'src/cli/bin.ts'],
        reporter: ['text', 'json-summary', 'html'],
        reportsDirectory: 'coverage',
        thresholds: { lines: 95, branches: 90 },
      },
    },
  };
});
