import { expect, test } from 'vitest';
import { trimEndOf } from './trim-end.ts';

test('only the run at the end goes', () => {
  expect(trimEndOf('/a//b///', '/')).toBe('/a//b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimEndOf('a', '/')).toBe('a');
  expect(trimEndOf('', '/')).toBe('');
});
