import { expect, test } from 'vitest';
import { isNorthFirst } from './axis-order.ts';

test.each([2036, 2044, 2045, 4218, 4326, 4388, 3034, 3035, 31466, 31469, 32661, 32761])(
  'EPSG:%i has north first',
  (code) => {
    expect(isNorthFirst(code)).toBe(true);
  },
);

test.each([0, 2035, 2037, 2046, 3036, 3857, 4217, 4389, 25832, 31465, 31470, 32632, 32760, 32762, 900913])(
  'EPSG:%i has east first',
  (code) => {
    expect(isNorthFirst(code)).toBe(false);
  },
);
