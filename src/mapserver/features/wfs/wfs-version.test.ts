import { expect, test } from 'vitest';
import { negotiateVersion, versionNamed, versionOf } from './wfs-version.ts';

const values = (said: Record<string, string>) => new Map(Object.entries(said));

test.each([
  [undefined, '2.0.0'],
  ['', '2.0.0'],
  [' 1.1.0 ', '1.1.0'],
  ['2.0', '2.0.0'],
  ['2.0.2', '2.0.0'],
  ['1.0.0', '1.0.0'],
  ['3.0.0', undefined],
  ['1', undefined],
  ['x', undefined],
])('by address, %j is version %s', (said, version) => {
  const read = versionOf(values(said === undefined ? {} : { version: said }));
  expect(read.ok ? read.value : undefined).toBe(version);
  expect(versionNamed(said)).toBe(version ?? '2.0.0');
});

test.each([
  [{}, '2.0.0'],
  [{ version: '' }, '2.0.0'],
  [{ version: '1.1.0' }, '1.1.0'],
  // Not spoken: the next lower one.
  [{ version: '1.2.0' }, '1.1.0'],
  [{ version: '1.0.9' }, '1.0.0'],
  [{ version: '3.0.0' }, '2.0.0'],
  [{ version: '0.9' }, '1.0.0'],
  [{ version: 'newest' }, '2.0.0'],
  [{ acceptversions: '1.1.0,2.0.0' }, '1.1.0'],
  [{ acceptversions: '3.0.0, 2.0.0', version: '1.0.0' }, '2.0.0'],
  [{ acceptversions: '', version: '1.0.0' }, '1.0.0'],
  [{ acceptversions: '9.9.9' }, undefined],
])('of %j they agree upon %s', (said, version) => {
  const read = negotiateVersion(values(said as Record<string, string>));
  expect(read.ok ? read.value : undefined).toBe(version);
});
