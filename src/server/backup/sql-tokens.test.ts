import { expect, test } from 'vitest';
import { sqlTokens } from './sql-tokens.ts';

const told = (text: string): string | undefined =>
  sqlTokens(text)
    ?.map((token) => `${token.kind}:${token.text}`)
    .join(' ');

test.each([
  ['Create TABLE a_1 (b$)', 'word:create word:table word:a_1 sign:( word:b$ sign:)'],
  [`"A ""b""" . 'it''s'`, `name:A "b" sign:. string:it''s`],
  ['1 2.5 3e-7', 'number:1 number:2.5 number:3e-7'],
  ['a::text <= b', 'word:a sign::: word:text sign:<= word:b'],
  [`E'a\\'b' e 'c'`, `string:'a\\'b' word:e string:c`],
  [`b'101' X'ff'`, 'word:b string:101 word:x string:ff'],
  ['u = 1', 'word:u sign:= number:1'],
  ['', ''],
])('%s', (text, expected) => {
  expect(told(text)).toBe(expected);
});

test.each([
  'a; b',
  'a -- b',
  'a /* b */',
  '$$a$$',
  `U&'a'`,
  `u&"a"`,
  `y'a'`,
  `'open`,
  `E'open\\'`,
  '"open',
  '""',
  'a\0',
  `'a\0'`,
  '{a}',
])('%j is nothing that a definition has', (text) => {
  expect(told(text)).toBeUndefined();
});
