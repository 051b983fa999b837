import { expect, test } from 'vitest';
import { location } from './location.ts';

test.each<[string, string, readonly string[], readonly (string | null)[]]>([
  ['/projects?id=eq.11', 'projects', ['id'], ['11']],
  ['/a%20b?k1=eq.x%26y&k2=is.null', 'a b', ['k1', 'k2'], ['x&y', null]],
  // What the plain name would mean otherwise: a column of an embed, a limit.
  ['/t?%22a.b%22=eq.1', 't', ['a.b'], ['1']],
  ['/t?%22limit%22=eq.1', 't', ['limit'], ['1']],
])('%s', (expected, table, names, values) => {
  const key = names.map((name) => ({ name }));
  expect(location(table, key, values)).toBe(expected);
});
