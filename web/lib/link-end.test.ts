import { expect, test } from 'vitest';
import { endOf } from './link-end.ts';

const NOW = Date.parse('2030-01-01T12:00:00Z');

test.each([
  ['7', '2030-01-08T12:00:00.000Z'],
  ['never', null],
  ['2030-02-01', new Date('2030-02-01T23:59:59').toISOString()],
  ['', undefined],
  ['2030-13-01', undefined],
])('%s ends at %s', (choice, end) => {
  expect(endOf(choice, NOW)).toBe(end);
});
