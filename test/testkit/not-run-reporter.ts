// Says by name, at the end of a run, what did not run: a skip nobody sees is a hole nobody mends.

import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { NOT_RUN } from './engines.ts';

export function makeNotRunReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = modules.flatMap(notRunIn);
      if (lines.length > 0) console.log(`\n Not run:\n${lines.map((line) => `   ${line}`).join('\n')}\n`);
    },
  };
}

function notRunIn(module: TestModule): string[] {
  const suites = [...module.children.allSuites()].filter((suite) => suite.name.includes(NOT_RUN));
  const tests = [...module.children.allTests('skipped')].filter(
    (test) => (test.options.mode === 'skip' || test.options.mode === 'todo') && !isInside(test.parent),
  );
  return [
    ...suites.map((suite) => `${module.relativeModuleId}: ${suite.fullName}`),
    ...tests.map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  ];
}

function isInside(parent: TestSuite | TestModule): boolean {
  return parent.type === 'suite' && (parent.name.includes(NOT_RUN) || isInside(parent.parent));
}
