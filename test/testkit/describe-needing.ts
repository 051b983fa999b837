// A suite that needs something of the machine: without it, it is listed by name as not run, with the reason; where everything
// has to be there (CI=true), it fails.

import { describe, test } from 'vitest';
import { NOT_RUN } from './engines.ts';

/** `missing` says what is not there, in words; undefined: nothing is missing. */
export function describeNeeding(missing: string | undefined, title: string, suite: () => void): void {
  if (missing === undefined) {
    describe(title, suite);
  } else if (process.env['CI'] === 'true') {
    describe(title, () =>
      test('finds what it needs', () => {
        throw new Error(`this suite is required in this run: ${missing}`);
      }),
    );
  } else {
    describe.skip(`${title}${NOT_RUN}${missing}`, () => test('the whole suite', () => {}));
  }
}
