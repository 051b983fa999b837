import { expect, test } from 'vitest';
import { changedMembers } from './version-body.ts';

test('only members that differ are told, as texts', () => {
  const past = { title: 'A', keywords: ['x'], doi: null, same: 1 };
  const present = { title: 'B', keywords: ['x'], same: 1, added: true };
  expect(changedMembers(past, present)).toEqual([
    { name: 'added', past: '', present: 'true' },
    { name: 'title', past: 'A', present: 'B' },
  ]);
  expect(changedMembers(past, undefined).map(({ name }) => name)).toEqual(['keywords', 'same', 'title']);
  expect(changedMembers({ data: 'x'.repeat(30_000) }, undefined)[0]?.past).toHaveLength(20_001);
});
