import { expect, test } from 'vitest';
import { parseCheck } from './check-expression.ts';

const choices = (column: string, ...values: readonly string[]) => ({ kind: 'choices', column, values });
const end = (kind: string, column: string, value: number, isOpen = false) => ({ kind, column, value, isOpen });

test.each([
  [`(kind = ANY (ARRAY['a'::text, 'it''s'::text]))`, [choices('kind', 'a', "it's")]],
  [
    `((kind)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))`,
    [choices('kind', 'a', 'b')],
  ],
  ['(grade = ANY (ARRAY[1, 2, 3]))', [choices('grade', '1', '2', '3')]],
  [`(kind = 'only'::text)`, [choices('kind', 'only')]],
  ['((height >= 0) AND (height <= 100))', [end('minimum', 'height', 0), end('maximum', 'height', 100)]],
  [
    `((share > ('-1'::integer)::double precision) AND (share < (1)::double precision))`,
    [end('minimum', 'share', -1, true), end('maximum', 'share', 1, true)],
  ],
  ['(0.5 <= "a ""b""")', [end('minimum', 'a "b"', 0.5)]],
  ['(char_length(name) <= 10)', [{ kind: 'max-length', column: 'name', value: 10 }]],
  ['(length((code)::text) > 2)', [{ kind: 'min-length', column: 'code', value: 3 }]],
  [`((height >= 0) AND (kind = ANY (ARRAY['a'::text])))`, [end('minimum', 'height', 0), choices('kind', 'a')]],
])('%s is understood', (text, rules) => {
  expect(parseCheck(text)).toEqual(rules);
});

test.each([
  '((height >= 0) OR (height IS NULL))',
  '(a < b)',
  `(name ~ '^[A-Z]'::text)`,
  '(lower(name) = name)',
  '(height >= 0',
  '',
  `(since > '2000-01-01'::date)`,
  `${'('.repeat(5000)}a${')'.repeat(5000)}`,
])('%s is left to the database', (text) => {
  expect(parseCheck(text)).toBeUndefined();
});
