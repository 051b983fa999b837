// Suites and tests that need something of the machine (`machine.ts`): without it, they are listed as not run, with what to install; where
// everything has to be there (CI=true), they fail.

import { describe, test } from 'vitest';
import { LISTED, NOT_RUN } from './engines.ts';

/** `missing` says what is not there, in words; undefined: nothing is missing. */
export function describeNeeding(missing: string | undefined, title: string, suite: () => void): void {
  if (missing === undefined) describe(title, suite);
  else if (process.env['CI'] === 'true') describe(title, () => test('finds what it needs', () => refuse(missing)));
  else describeNotRun(title, missing, suite);
}

/** The same for one test. */
export function testNeeding(missing: string | undefined, title: string, run: () => Promise<void> | void): void {
  if (missing === undefined) test(title, run);
  else if (process.env['CI'] === 'true') test(title, () => refuse(missing));
  else test.skip(`${title}${NOT_RUN}${missing}`, run);
}

/** One that not every run has to be able to: the nightly workflow installs what these need. */
export function testWhereFound(missing: string | undefined, title: string, run: () => Promise<void> | void): void {
  if (missing === undefined) test(title, run);
  else test.skip(`${title}${NOT_RUN}${missing}`, run);
}

/** Its tests are there to be counted; one that cannot even be listed counts as one. */
export function describeNotRun(title: string, why: string, suite: () => void): void {
  describe.skip(`${title}${NOT_RUN}${why}`, () => {
    try {
      suite();
    } catch {
      test('the whole suite', () => {});
    }
    // A suite without tests is an error.
    test(LISTED, () => {});
  });
}

function refuse(missing: string): never {
  throw new Error(`this is required in this run: ${missing}`);
}
