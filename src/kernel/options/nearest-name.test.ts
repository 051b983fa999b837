import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['db-uri', 'db-pool', 'db-pool-max-idletime', 'db-schemas', 'server-port', 'log-level', 'demo'];

test.each([
  ['db-url', 'db-uri'],
  ['bd-uri', 'db-uri'],
  ['db-shcemas', 'db-schemas'],
  ['DB-POOL', 'db-pool'],
  ['sever-prot', 'server-port'],
  ['loglevel', 'log-level'],
  ['schemas', 'db-schemas'],
  ['db-pool-size', 'db-pool'],
  ['dmeo', 'demo'],
  ['x', undefined],
  ['', undefined],
  ['completely-different', undefined],
  ['a'.repeat(10_000), undefined],
])('%s is nearest to %s', (word, expected) => {
  expect(nearestName(word, known)).toBe(expected);
});

test('a known name is its own nearest, and any other answer is a known name too', () => {
  for (const name of known) expect(nearestName(name, known)).toBe(name);
  fc.assert(
    fc.property(fc.string(), (word) => {
      const near = nearestName(word, known);
      return near === undefined || known.includes(near);
    }),
  );
});
