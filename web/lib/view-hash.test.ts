import { expect, test } from 'vitest';
import { parseView, viewHash } from './view-hash.ts';

test('a view comes back from the address', () => {
  expect(parseView(viewHash({ center: [13.4, 52.5], zoom: 5.25 }).slice(1))).toEqual({
    center: [13.4, 52.5],
    zoom: 5.25,
  });
});

test.each(['', '1/2', '1/2/3/4', 'a/b/c', '99/0/0', '1/91/0', '1//0'])('%j is no view', (hash) => {
  expect(parseView(hash)).toBeUndefined();
});
