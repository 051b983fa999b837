import { expect, test } from 'vitest';
import { styleColumns } from './style-columns.ts';

const known = new Set(['a', 'b', 'c', 'kind', 'get']);

test.each([
  [
    'expressions',
    { paint: { 'fill-color': ['step', ['get', 'b'], '#000', 1, ['case', ['has', 'a'], '#fff', 'red']] } },
    ['a', 'b'],
  ],
  ['filters, also of the older form', { filter: ['all', ['==', 'kind', 'x'], ['>', ['get', 'c'], 1]] }, ['c', 'kind']],
  ['functions of the older form', { paint: { 'circle-radius': { property: 'a', stops: [[0, 1]] } } }, ['a']],
  ['texts with names in braces', { layout: { 'text-field': 'No. {a} of {b}, {d}' } }, ['a', 'b']],
  ['what is no column', { paint: { 'fill-color': ['get', 'd'], x: ['literal', { a: 1 }], y: 'a' } }, []],
  ['nothing', {}, []],
])('%s', (_what, layer, columns) => {
  expect(styleColumns([layer], known)).toEqual(columns);
});
