import { expect, test } from 'vitest';
import { notRunLines } from './closing-reporter.ts';

test('what did not run is told by what is missing, with how many tests in how many files', () => {
  const gdal = 'GDAL as a client: apt install gdal-bin';
  const lines = notRunLines([
    { file: 'a.test.ts', why: gdal },
    { file: 'a.test.ts', why: gdal },
    { file: 'b.test.ts', why: gdal },
    { file: 'b.test.ts', why: 'Chromium: apt install chromium' },
  ]);
  expect(lines).toEqual([`${gdal} (3 tests in 2 files)`, 'Chromium: apt install chromium (1 test in 1 file)']);
});
