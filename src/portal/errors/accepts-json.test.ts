import { expect, test } from 'vitest';
import { acceptsJson } from './accepts-json.ts';

test.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/*;q=0.1', true],
  ['text/html', false],
  ['application/json;q=0', false],
  ['application/json; q=0.000, text/html', false],
  ['image/*', false],
  [',,,', false],
])('Accept: %s can be met: %s', (accept, met) => {
  expect(acceptsJson(accept)).toBe(met);
});
