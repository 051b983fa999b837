import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { EMBEDDED_SUITES, isEmbeddedSuite } from './embedded-suites.ts';

const root = resolve(import.meta.dirname, '../..');
const testFiles = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => path.endsWith('.test.ts'));

test('every suite that is listed for the embedded engine exists', () => {
  const named = EMBEDDED_SUITES.flatMap(({ files }) => files);
  expect(named.filter((name) => !testFiles.some((path) => path.startsWith(name)))).toEqual([]);
});

test('a suite is told by the path of its test file', () => {
  expect(isEmbeddedSuite(resolve(root, 'test/feature/driver-contract.test.ts'))).toBe(true);
  expect(isEmbeddedSuite(resolve(root, 'test/feature/portal/viewer-store.test.ts'))).toBe(false);
  expect(isEmbeddedSuite(undefined)).toBe(false);
});
