import { expect, test } from 'vitest';
import { requestId } from './request-id.ts';

test('the id that came is kept where a log can hold it, otherwise every request has one of its own', () => {
  expect(requestId({ 'x-request-id': 'a1-B2.c_3/=:@+~' })).toBe('a1-B2.c_3/=:@+~');
  const unfit = ['', ' ', 'a b', 'a"b', 'a\nb', 'ä', 'x'.repeat(129)];
  const made = [{}, ...unfit.map((id) => ({ 'x-request-id': id }))].map(requestId);
  expect(new Set(made).size).toBe(made.length);
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
});
