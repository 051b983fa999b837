// Which test files are unit tests: those beside the code that use no engine, no compiled script and no program of the machine. They form
// the project `unit`, which starts none of these. A test file tells by its imports: of test/ only the modules below. The project has no
// global setup, so a unit test that reaches for a database some other way fails.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Modules of test/ that need nothing but the process they run in. */
const PURE: ReadonlySet<string> = new Set([
  'feature/uploads/zip-writer',
  'testkit/expect-file',
  'testkit/plain-front',
  'testkit/reply-matcher',
  'testkit/shapefile-writer',
]);

const IMPORT_OF_TEST = /from '(?:\.\.\/)+test\/([^']+)\.ts'/g;

/** Paths below `root` of the unit tests. */
export function unitTests(root: string): string[] {
  return ['src', 'web']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.test\.tsx?$/.test(path) && isUnitTest(readFileSync(join(root, path), 'utf8')));
}

/** By the text of the test file. */
export function isUnitTest(text: string): boolean {
  return [...text.matchAll(IMPORT_OF_TEST)].every(([, path = '']) => PURE.has(path));
}
