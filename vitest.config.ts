// How the tests run: every *.test.ts, in a few processes at a time. Two projects: `unit` starts nothing; `engines` has the databases and
// programs that the global setup finds.

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { makeClosingReporter } from './test/testkit/closing-reporter.ts';
import { FileOrder } from './test/testkit/file-order.ts';
import { shortLivedEngine } from './test/testkit/short-lived-engine.ts';
import { unitTests } from './test/testkit/test-projects.ts';

const unit = unitTests(import.meta.dirname);

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...unit],
          globalSetup: ['test/testkit/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'unit', include: unit } },
    ],
    setupFiles: ['test/testkit/reply-matcher.ts'],
    reporters: ['default', makeClosingReporter(process.env['TEST_SUMMARY_FILE'])],
    // Pictures with labels look alike on every machine: no font but the one that comes along.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    pool: 'forks',
    // Engines and GDAL in the process of a test file are started for a test or two.
    execArgv: [...shortLivedEngine()],
    // A process runs file after file: what they load and compile, they load and compile once. No test changes what it imports.
    isolate: false,
    sequence: { sequencer: FileOrder },
    // One waits for its database while another computes; each may have an embedded engine, so they are not many.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    // Generous: a hang is to be found, not a busy machine. Before the tests of a file programs are started and databases filled, which
    // takes up to half a minute here and ten times as long elsewhere; and what fails there is not tried again.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others share, one late answer of twenty thousand is no reason to test everything again; the run's end names it.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
