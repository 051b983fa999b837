import { expect, test } from 'vitest';
import { parseView, viewHash } from './view-hash.ts';

test('a view comes back from the address', () => {
  expect(parseView(viewHash({ center: [13.4, 52.5], zoom: 5.25 }).slice(1))).toEqual({
    center: [13.4, 52.5],
    zoom: 5.25,
  });
});

test('the whole world and the edges of it are views', () => {
  expect(parseView('0/90/-180')).toEqual({ center: [-180, 90], zoom: 0 });
  expect(parseView('24/-90/360')).toEqual({ center: [360, -90], zoom: 24 });
});

test.each(['-0.1/0/0', '24.1/0/0', '1/0/361', '', '1/2', '1/2/3/4', 'a/b/c', '99/0/0', '1/91/0', '1//0'])(
  '%j is no view',
  (hash) => {
    expect(parseView(hash)).toBeUndefined();
  },
);
