import { expect, test } from 'vitest';
import { shownSize } from './paging.ts';

test.each([
  [{ page: 1, pageSize: 10 }, 500, 10],
  [{ page: 1, pageSize: 1000, askedSize: 99_999 }, 1000, 99_999],
  [{ page: 1, pageSize: 1000, askedSize: 99_999 }, 1001, 1000],
  [{ page: 2, pageSize: 1000, askedSize: 99_999 }, 1500, 1000],
])('%j of %d is told as %d', (paging, total, expected) => {
  expect(shownSize(paging, total)).toBe(expected);
});
