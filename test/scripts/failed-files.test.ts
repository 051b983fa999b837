// What becomes of a run of the tests in which files have failed.

import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { countRun, filesToRunAgain, mergeRuns } from '../../scripts/failed-files.mjs';

const file = (path: string, passed: number, failed = 0) => ({ path, passed, failed });

test('files that failed are run again, and count as they ended then', () => {
  const first = { files: [file('a', 5), file('b', 2, 1), file('c', 0, 1)], strays: 0 };
  expect(filesToRunAgain(first)).toEqual(['b', 'c']);
  expect(countRun(first)).toEqual({ passed: 7, failed: 2 });
  const second = { files: [file('b', 3), file('c', 8, 1)], strays: 0 };
  expect(countRun(mergeRuns(first, second))).toEqual({ passed: 16, failed: 1 });
});

test('nothing is run again where very many failed, or something that belongs to no file', () => {
  const many = Array.from({ length: 13 }, (_, n) => file(`${n}`, 0, 1));
  expect(filesToRunAgain({ files: many.slice(1), strays: 0 })).toHaveLength(12);
  expect(filesToRunAgain({ files: many, strays: 0 })).toEqual([]);
  expect(filesToRunAgain({ files: [file('a', 1, 1)], strays: 1 })).toEqual([]);
});

test('an error that belongs to no file is a failure, whichever run it was in', () => {
  const run = { files: [file('a', 1)], strays: 1 };
  expect(countRun(mergeRuns(run, run))).toEqual({ passed: 1, failed: 2 });
});
