import { expect, test } from 'vitest';
import { sampledOf } from './tilejson.ts';

test('the description says of which zooms large features are a sample, and of how many', () => {
  expect(sampledOf({ shares: [0.25, 1, 0.5], large: [400, 900, 1001] })).toEqual({
    sampled: [
      { zoom: 0, shown: 100, of: 400 },
      { zoom: 2, shown: 501, of: 1001 },
    ],
  });
  expect(sampledOf({ shares: [1, 1], large: [5, 9] })).toEqual({});
  // Made before they were counted.
  expect(sampledOf({ shares: [0.5] })).toEqual({});
});
