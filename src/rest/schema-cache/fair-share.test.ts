import { expect, test } from 'vitest';
import { fairShare } from './fair-share.ts';

test.each([
  { wanted: [], most: 10, share: Number.POSITIVE_INFINITY },
  { wanted: [3, 3, 4], most: 10, share: Number.POSITIVE_INFINITY },
  { wanted: [1, 1000, 2], most: 10, share: 7 },
  { wanted: [1000, 1000], most: 11, share: 5 },
  { wanted: [1e300, 5], most: 100, share: 95 },
])('of $most, those who want $wanted get at most $share each', ({ wanted, most, share }) => {
  expect(fairShare(wanted, most)).toBe(share);
});
