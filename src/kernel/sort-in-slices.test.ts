import { expect, test } from 'vitest';
import { atOnce } from './in-slices.ts';
import { sorted } from './sort-in-slices.ts';

test.each([0, 1, 255, 256, 257, 1000, 5000])('%i items are in the order of a sort at once', (length) => {
  const items = Array.from({ length }, (_, i) => ({ key: (i * 7919) % 97, i }));
  const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  expect(atOnce(sorted(items, byKey))).toEqual(items.toSorted(byKey));
});

test('others get their turn while many items are sorted', () => {
  const stage = sorted(
    Array.from({ length: 1000 }, (_, i) => -i),
    (a, b) => a - b,
  );
  let turns = 0;
  while (stage.next().done !== true) turns++;
  expect(turns).toBeGreaterThan(500);
});
