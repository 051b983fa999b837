import { expect, test } from 'vitest';
import { isUnitTest } from './test-projects.ts';

test.each([
  ["import { expect } from 'vitest';", true],
  ["import { expectFile } from '../../test/testkit/expect-file.ts';", true],
  ["import { onEachEngine } from '../../test/testkit/database.ts';", false],
  ["import {\n  missing,\n} from '../../../test/testkit/machine.ts';", false],
  [
    "import { zip } from '../../test/feature/uploads/zip-writer.ts';\nimport { gdal } from '../../test/testkit/gdal-programs.ts';",
    false,
  ],
])('a unit test imports nothing that needs an engine or the machine: %j is one: %s', (text, isUnit) => {
  expect(isUnitTest(text)).toBe(isUnit);
});
