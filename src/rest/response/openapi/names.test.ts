// The three encodings a name goes through: JSON pointer, component key, filter key.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE_NAMES } from '../../../../test/fixtures/rest/hand-made-api.ts';
import { componentName } from './component-name.ts';
import { filterKey } from './filter-key.ts';
import { pointerTo } from './json-pointer.ts';

test.each([
  ['items', '#/definitions/items'],
  ['a/b', '#/definitions/a~1b'],
  ['a~b', '#/definitions/a~0b'],
  ['Server Today', '#/definitions/Server%20Today'],
  ['do$llar$s', '#/definitions/do$llar$s'],
  ['100%', '#/definitions/100%25'],
])('%s is pointed at as %s', (name, pointer) => {
  expect(pointerTo('definitions', name)).toBe(pointer);
});

const anyName = fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string({ unit: 'grapheme', minLength: 1 }));

test('a pointer decodes to the name it was made of', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const [, , segment = ''] = pointerTo('definitions', name).split('/');
      expect(decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')).toBe(name);
    }),
  );
});

test('a component key is of the allowed characters and names one thing only', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      expect(componentName(a)).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(componentName(a) === componentName(b)).toBe(a === b);
    }),
  );
});

test.each([
  ['id', 'id'],
  ['Server Today', 'Server Today'],
  ['do$llar-sign', 'do$llar-sign'],
  ['موارد', 'موارد'],
  ['limit', '"limit"'],
  ['select', '"select"'],
  ['or', '"or"'],
  ['information.cpe', '"information.cpe"'],
  [' spaced ', '" spaced "'],
  ['a->b', '"a->b"'],
  ['with "quotes"', '"with \\"quotes\\""'],
  ['back\\slash', '"back\\\\slash"'],
])('the column %s is filtered by the parameter %s', (name, key) => {
  expect(filterKey(name)).toBe(key);
});
