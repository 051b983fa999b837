// What is said at the end of a run beside vitest's own summary: by name, what did not run (a skip nobody sees is a hole
// nobody mends) and what passed only when it was tried again (a race to be mended); and, in a file, how each test file ended.

import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { NOT_RUN } from './engines.ts';

export function makeClosingReporter(summaryFile: string | undefined): Reporter {
  let isFiltered = false;
  return {
    onInit(vitest) {
      isFiltered = vitest.config.testNamePattern !== undefined;
    },
    onTestRunEnd(modules, unhandledErrors) {
      // Asked for by name, the rest is not missing.
      const lines = isFiltered ? [] : modules.flatMap(notRunIn);
      if (lines.length > 0) console.log(`\n Not run:\n${lines.map((line) => `   ${line}`).join('\n')}\n`);
      const shaky = modules.flatMap(triedAgainIn);
      if (shaky.length > 0)
        console.log(`\n Passed only at a second try:\n${shaky.map((line) => `   ${line}`).join('\n')}\n`);
      if (summaryFile !== undefined) writeFileSync(summaryFile, JSON.stringify(summaryOf(modules, unhandledErrors)));
    },
  };
}

/** As `scripts/failed-files.mjs` reads it. */
function summaryOf(modules: readonly TestModule[], errors: readonly unknown[]): unknown {
  /** Errors outside of any test, by the file that was run then. */
  const beside = new Map<unknown, number>();
  for (const error of errors) {
    const path = (error as { readonly VITEST_TEST_PATH?: unknown }).VITEST_TEST_PATH;
    beside.set(path, (beside.get(path) ?? 0) + 1);
  }
  const files = modules.map((module) => ({
    path: module.relativeModuleId,
    passed: count(module, 'passed'),
    failed: Math.max(count(module, 'failed'), isBroken(module) ? 1 : 0) + (beside.get(module.moduleId) ?? 0),
  }));
  const strays = errors.length - modules.reduce((sum, { moduleId }) => sum + (beside.get(moduleId) ?? 0), 0);
  return { files, strays };
}

function count(module: TestModule, state: 'passed' | 'failed'): number {
  return [...module.children.allTests(state)].length;
}

/** A file that throws while it is read, whose hooks do, or whose process ended under it, has no failed test to be counted by. */
function isBroken(module: TestModule): boolean {
  return module.state() !== 'passed' && module.state() !== 'skipped';
}

function triedAgainIn(module: TestModule): string[] {
  const tests = [...module.children.allTests('passed')].filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
  return tests.map((test) => `${module.relativeModuleId}: ${test.fullName}`);
}

function notRunIn(module: TestModule): string[] {
  const suites = [...module.children.allSuites()].filter((suite) => suite.name.includes(NOT_RUN));
  const tests = [...module.children.allTests('skipped')].filter(
    (test) => (test.options.mode === 'skip' || test.options.mode === 'todo') && !isInsideNotRun(test.parent),
  );
  return [
    ...suites.map((suite) => `${module.relativeModuleId}: ${suite.fullName}`),
    ...tests.map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  ];
}

function isInsideNotRun(parent: TestSuite | TestModule): boolean {
  return parent.type === 'suite' && (parent.name.includes(NOT_RUN) || isInsideNotRun(parent.parent));
}
