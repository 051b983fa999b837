// What is said at the end of a run beside vitest's own summary: by what is missing, how much did not run (a skip nobody sees is a hole
// nobody mends) and what passed only when it was tried again (a race to be mended); and, in a file, how each test file ended.

import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { LISTED, NOT_RUN } from './engines.ts';

export function makeClosingReporter(summaryFile: string | undefined): Reporter {
  let isFiltered = false;
  return {
    onInit(vitest) {
      isFiltered = vitest.config.testNamePattern !== undefined;
    },
    onTestRunEnd(modules, unhandledErrors) {
      // Asked for by name, the rest is not missing.
      const lines = isFiltered ? [] : notRunLines(modules.flatMap(notRunIn));
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
    passed: testsOf(module, 'passed'),
    failed: Math.max(testsOf(module, 'failed'), isBroken(module) ? 1 : 0) + (beside.get(module.moduleId) ?? 0),
  }));
  const strays = errors.length - modules.reduce((sum, { moduleId }) => sum + (beside.get(moduleId) ?? 0), 0);
  return { files, strays };
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function testsOf(module: TestModule, state: 'passed' | 'failed'): number {
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

/** A test that did not run, and why: what its machine or engine lacks, or its own name where nobody says. */
export type NotRun = { readonly file: string; readonly why: string };

/** A line for each reason, with how many tests it concerns. */
export function notRunLines(tests: readonly NotRun[]): string[] {
  const files = new Map<string, string[]>();
  for (const { file, why } of tests) files.set(why, [...(files.get(why) ?? []), file]);
  return [...files].map(([why, of]) => `${why} (${count(of.length, 'test')} in ${count(new Set(of).size, 'file')})`);
}

function notRunIn(module: TestModule): NotRun[] {
  const file = module.relativeModuleId;
  const skipped = [...module.children.allTests('skipped')].filter(
    ({ options: { mode } }) => mode === 'skip' || mode === 'todo',
  );
  return skipped
    .filter((test) => test.name !== LISTED)
    .map((test) => ({ file, why: reasonIn(test.name) ?? reasonAround(test.parent) ?? `${file}: ${test.fullName}` }));
}

function reasonAround(parent: TestSuite | TestModule): string | undefined {
  return parent.type === 'suite' ? (reasonIn(parent.name) ?? reasonAround(parent.parent)) : undefined;
}

function reasonIn(name: string): string | undefined {
  const at = name.indexOf(NOT_RUN);
  return at < 0 ? undefined : name.slice(at + NOT_RUN.length);
}
