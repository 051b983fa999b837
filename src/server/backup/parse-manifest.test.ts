import { expect, test } from 'vitest';
import { parseManifest } from './parse-manifest.ts';

const said = (manifest: unknown): string | undefined => {
  const parsed = parseManifest(typeof manifest === 'string' ? manifest : JSON.stringify(manifest), 'x.tar');
  return parsed.ok ? undefined : parsed.error.message;
};
const format = 'survest-backup';

test.each([
  ['{', 'the manifest of x.tar cannot be read: it is not JSON'],
  [null, 'x.tar is not a backup of Survest'],
  ['"survest-backup"', 'x.tar is not a backup of Survest'],
  [{ format: 'other', version: 1 }, 'x.tar is not a backup of Survest'],
  [{ format, program: '9.9' }, expect.stringContaining('was made by Survest 9.9 in a format')],
  [{ format, version: '1', program: '9.9' }, expect.stringContaining('in a format that this release does not know')],
  [{ format, version: 2, program: '9.9' }, expect.stringContaining('in a format that this release does not know')],
  [{ format, version: 1 }, expect.stringContaining('x.tar is refused: ')],
])('%j is none', (manifest, message) => {
  expect(said(manifest)).toEqual(message);
});
