import { expect, test } from 'vitest';
import { PrimaryPositions } from './lag.ts';
import { parseLsn } from './lsn.ts';

test('a replica is behind since the primary was first beyond it, and not at all when nothing was written since', () => {
  const positions = new PrimaryPositions();
  expect(positions.lagOf(5n, 0)).toBeUndefined();
  positions.note(10n, 1000);
  positions.note(10n, 2000);
  positions.note(20n, 3000);
  positions.note(30n, 4000);
  expect(positions.lagOf(30n, 90_000)).toBe(0);
  expect(positions.lagOf(31n, 90_000)).toBe(0);
  expect(positions.lagOf(20n, 4500)).toBe(500);
  expect(positions.lagOf(19n, 4500)).toBe(1500);
  expect(positions.lagOf(1n, 4500)).toBe(3500);
});

test('a primary that begins again is measured by what it says now', () => {
  const positions = new PrimaryPositions();
  positions.note(100n, 0);
  positions.note(7n, 1000);
  expect(positions.last).toBe(7n);
  expect(positions.lagOf(7n, 5000)).toBe(0);
  expect(positions.lagOf(6n, 5000)).toBe(4000);
});

test('positions are two hexadecimal numbers, and nothing else is one', () => {
  expect(parseLsn('16/B374D848')).toBe(0x16b374d848n);
  for (const text of ['', '16', '16/', '16/B374D848 ', '123456789/1', 'x/1']) expect(parseLsn(text)).toBeUndefined();
});
