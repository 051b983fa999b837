// How the tests run: every *.test.ts of src/ and test/ in a few processes, on the engines the global setup finds.

import { defineConfig } from 'vitest/config';
import { makeNotRunReporter } from './test/testkit/not-run-reporter.ts';

/** Where a summary for scripts goes, beside what is printed. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/testkit/global-setup.ts'],
    setupFiles: ['test/testkit/reply-matcher.ts'],
    reporters: [
      'default',
      makeNotRunReporter(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as const]),
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
