// Runs the tests; whatever else is said on the command line goes to vitest. `--everywhere` runs every suite on both engines, and not only
// those in which they can differ (test/testkit/embedded-suites.ts).
// `--bless` rewrites the golden cases to what the program answers now; the review reads the difference. Alone it runs the files that
// have such cases, not the whole suite.
//
// In CI the files that failed are run once more, in processes and on databases of their own: a test that is only tried again finds what
// its first try has left behind, and what is made before the tests of a file is not tried again at all.
// TEST_RESULT_FILE is the file for the result in one line.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countRun, filesToRunAgain, mergeRuns } from './failed-files.mjs';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const blesses = args.includes('--bless');
const named = args.filter((arg) => arg !== '--bless' && arg !== '--everywhere');
if (args.includes('--everywhere')) process.env.TEST_EVERYWHERE = '1';
if (named.some((arg) => arg.includes('/') && !arg.startsWith('-'))) process.env.TEST_NAMED = '1';
const rest = blesses && named.length === 0 ? ['golden.test.ts'] : named;
const folder = mkdtempSync(join(tmpdir(), 'survest-test-run-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let running;
let isTold = false;
// Ctrl-C reaches vitest by itself; it stops the databases, and then there is an exit code to pass on.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isTold = true;
    running?.kill(signal);
  });

let { code, summary } = await run(rest);
const again = isTold || process.env.CI === undefined || summary === undefined ? [] : filesToRunAgain(summary);
if (code !== 0 && again.length > 0) {
  const list = again.map((path) => `   ${path}\n`).join('');
  console.log(`\n Failed, and run again from the beginning:\n${list}`);
  const second = await run(again);
  summary = second.summary && mergeRuns(summary, second.summary);
  code = second.code;
  if (code === 0) console.log(` Passed only when they were run again, each a race to be mended:\n${list}`);
}
const counted = summary && countRun(summary);
const resultFile = process.env.TEST_RESULT_FILE;
if (resultFile !== undefined && counted !== undefined)
  writeFileSync(resultFile, `${counted.passed} passed, ${counted.failed} failed\n`);
process.exit(code === 0 && counted?.failed > 0 ? 1 : code);

/** What vitest says of its tests, and how it exits; without a summary it did not come to its end. */
function run(wanted) {
  const file = join(folder, 'summary.json');
  rmSync(file, { force: true });
  const env = { ...process.env, TEST_SUMMARY_FILE: file, ...(blesses ? { BLESS: '1' } : {}) };
  const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...wanted], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  running = vitest;
  return new Promise((resolve) => {
    vitest.on('exit', (exit, signal) =>
      resolve({ code: exit ?? (signal === 'SIGINT' ? 130 : 1), summary: readSummary(file) }),
    );
  });
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
