// What is said at the end of a run beside vitest's own summary: by name, what did not run (a skip nobody sees is a hole
// nobody mends) and what passed only when it was tried again (a race to be mended), and for CI the result in one line, in the file that TEST_RESULT_FILE names.

import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { NOT_RUN } from './engines.ts';

export function makeClosingReporter(resultFile: string | undefined): Reporter {
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
      if (resultFile === undefined) return;
      const passed = count(modules, 'passed');
      const failed = count(modules, 'failed') + modules.filter(failedToLoad).length + unhandledErrors.length;
      writeFileSync(resultFile, `${passed} passed, ${failed} failed\n`);
    },
  };
}

function count(modules: readonly TestModule[], state: 'passed' | 'failed'): number {
  return modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
}

/** A file that throws while it is read, or whose hooks do, has no failed test to be counted by. */
function failedToLoad(module: TestModule): boolean {
  return module.state() === 'failed' && count([module], 'failed') === 0;
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
