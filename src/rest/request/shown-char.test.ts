import { expect, test } from 'vitest';
import { shownInDoubleQuotes, shownInSingleQuotes } from './shown-char.ts';

test.each([
  ['a', '"a"', "'a'"],
  ['"', '"\\""', `'"'`],
  ["'", `"'"`, "'\\''"],
  ['\\', '"\\\\"', "'\\\\'"],
  ['\n', '"\\n"', "'\\n'"],
  ['\t', '"\\t"', "'\\t'"],
  ['\0', '"\\NUL"', "'\\NUL'"],
  ['\x1b', '"\\ESC"', "'\\ESC'"],
  ['\x7f', '"\\DEL"', "'\\DEL'"],
  ['é', '"\\233"', "'\\233'"],
  ['😀', '"\\128512"', "'\\128512'"],
])('%j is shown as %s and %s', (char, double, single) => {
  expect(shownInDoubleQuotes(char)).toBe(double);
  expect(shownInSingleQuotes(char)).toBe(single);
});
