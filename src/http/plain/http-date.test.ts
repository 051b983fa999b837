import { expect, test } from 'vitest';
import { httpDate } from './http-date.ts';

test('the date is that of the second, and another one in the next', () => {
  expect(httpDate(0)).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
  expect(httpDate(1_700_000_000_000)).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
  expect(httpDate(1_700_000_000_999)).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
  expect(httpDate(1_700_000_001_000)).toBe('Tue, 14 Nov 2023 22:13:21 GMT');
});
