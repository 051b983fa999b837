import { expect, test } from 'vitest';
import { addVary, BY_CALLER } from './vary.ts';

test.each([
  [undefined, 'Authorization, Cookie'],
  ['', 'Authorization, Cookie'],
  ['Accept', 'Accept, Authorization, Cookie'],
  ['Accept-Encoding, authorization', 'Accept-Encoding, authorization, Cookie'],
  ['Cookie,Authorization', 'Cookie,Authorization'],
  ['*', '*'],
])('%j becomes %j', (present, expected) => {
  expect(addVary(present, BY_CALLER)).toBe(expected);
});
