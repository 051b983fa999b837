import { describe, expect, test } from 'vitest';
import type { Operation } from './api-request.ts';
import { condition, plainCondition } from './filter-parser.ts';
import { parseText } from './parse-text.ts';

const field = { name: 'f', path: [] };

/** The operation, and the one value that was taken out of it. */
function parse(text: string) {
  const values: string[] = [];
  const parsed = parseText('filter', text, (cursor) => condition(cursor, field, values, 'parameter'));
  if (!parsed.ok) return parsed.error;
  const { operation, negated } = parsed.value;
  return { operation, negated, values };
}

const compare = (operator: string): Operation => ({ kind: 'compare', operator, value: 0 }) as Operation;

describe('operators', () => {
  test.each([
    'eq',
    'neq',
    'gt',
    'gte',
    'lt',
    'lte',
    'match',
    'imatch',
    'cs',
    'cd',
    'ov',
    'sl',
    'sr',
    'nxr',
    'nxl',
    'adj',
    'isdistinct',
  ])('%s takes everything behind its dot as it is', (operator) => {
    const value = ' "x".*,(y)\\ \n';
    expect(parse(`${operator}.${value}`)).toEqual({ operation: compare(operator), negated: false, values: [value] });
    expect(parse(`not.${operator}.${value}`)).toEqual({ operation: compare(operator), negated: true, values: [value] });
  });

  test.each(['like', 'ilike'])('%s turns every star into a percent sign', (operator) => {
    expect(parse(`${operator}.*a*b%`)).toEqual({ operation: compare(operator), negated: false, values: ['%a%b%'] });
    expect(parse(`${operator}(any).{a*,*b}`)).toEqual({
      operation: { ...compare(operator), quantifier: 'any' },
      negated: false,
      values: ['{a%,%b}'],
    });
  });

  test.each(['eq', 'gt', 'gte', 'lt', 'lte', 'match', 'imatch'])('%s may be quantified', (operator) => {
    for (const quantifier of ['any', 'all'] as const) {
      expect(parse(`${operator}(${quantifier}).{1,2}`)).toEqual({
        operation: { ...compare(operator), quantifier },
        negated: false,
        values: ['{1,2}'],
      });
    }
  });

  test('nothing behind the dot is an empty value', () => {
    expect(parse('eq.')).toMatchObject({ values: [''] });
  });

  test.each([
    ['null', 'null'],
    ['NULL', 'null'],
    ['Not_Null', 'not_null'],
    ['true', 'true'],
    ['FALSE', 'false'],
    ['unKnown', 'unknown'],
    ['null and the rest', 'null'],
  ])('is.%s', (text, word) => {
    expect(parse(`is.${text}`)).toEqual({ operation: { kind: 'is', word }, negated: false, values: [] });
  });

  test.each(['fts', 'plfts', 'phfts', 'wfts'])('%s with and without a language', (operator) => {
    expect(parse(`${operator}.cat`)).toEqual({
      operation: { kind: 'search', operator, value: 0 },
      negated: false,
      values: ['cat'],
    });
    expect(parse(`not.${operator}(english).fat & cat`)).toEqual({
      operation: { kind: 'search', operator, language: 'english', value: 0 },
      negated: true,
      values: ['fat & cat'],
    });
  });
});

describe('lists', () => {
  test.each([
    ['(1,2,3)', '{"1","2","3"}'],
    ['( 1, 2 )', '{"1"," 2 "}'],
    ['("a,b","c)d")', '{"a,b","c)d"}'],
    ['("a\\"b","c\\\\d","\\e")', '{"a\\"b","c\\\\d","e"}'],
    // quotes not around the whole element are text
    ['("a"b,c"d",e\\f)', '{"\\"a\\"b","c\\"d\\"","e\\\\f"}'],
    ['( ,3)', '{"","3"}'],
    ['(3,)', '{"3",""}'],
    ['("")', '{""}'],
    ['(NULL,{1})', '{"NULL","{1}"}'],
    ['(1,2) and the rest', '{"1","2"}'],
    ['(unclosed " quote,x)', '{"unclosed \\" quote","x"}'],
  ])('in.%s', (text, literal) => {
    expect(parse(`in.${text}`)).toEqual({
      operation: { kind: 'in', values: 0, empty: false },
      negated: false,
      values: [literal],
    });
  });

  test.each(['()', '(   )', '(\t)'])('in.%j has no elements', (text) => {
    expect(parse(`in.${text}`)).toEqual({
      operation: { kind: 'in', values: 0, empty: true },
      negated: false,
      values: ['{}'],
    });
    expect(parse(`not.in.${text}`)).toMatchObject({ negated: true });
  });
});

describe('what is no filter', () => {
  const operator = 'operator (eq, gt, ...)';
  test.each([
    ['0', 1, `unexpected "0" expecting "not" or ${operator}`],
    ['val', 1, `unexpected "v" expecting "not" or ${operator}`],
    ['noop.0', 1, `unexpected "o" expecting "not" or ${operator}`],
    ['', 1, `unexpected end of input expecting "not" or ${operator}`],
    ['EQ.1', 1, `unexpected "E" expecting "not" or ${operator}`],
    ['eq', 3, `unexpected end of input expecting ${operator}`],
    ['eq()', 4, `unexpected ")" expecting ${operator}`],
    ['eq().1', 4, `unexpected ")" expecting ${operator}`],
    ['is()', 3, `unexpected "(" expecting ${operator}`],
    ['in()', 3, `unexpected "(" expecting ${operator}`],
    ['neq(any).{1}', 4, `unexpected "(" expecting ${operator}`],
    ['fts().x', 5, `unexpected ")" expecting ${operator}`],
    ['eq(an).1', 4, `unexpected "n" expecting ${operator}`],
    ['not.foo', 5, `unexpected "f" expecting ${operator}`],
    ['not.not.eq.1', 5, `unexpected "n" expecting ${operator}`],
    ['in.1,2', 4, 'unexpected "1" expecting "("'],
    ['in.(1,2', 8, 'unexpected end of input expecting "," or ")"'],
    ['in.(', 5, 'unexpected end of input expecting "\\"", "," or ")"'],
    ['is.nil', 5, 'unexpected "i" expecting isVal: (null, not_null, true, false, unknown)'],
    ['is.', 4, 'unexpected end of input expecting isVal: (null, not_null, true, false, unknown)'],
    ['is.not null', 7, 'unexpected " " expecting isVal: (null, not_null, true, false, unknown)'],
  ])('%j fails at column %i', (text, at, details) => {
    const message = `"failed to parse filter (${text})" (line 1, column ${at})`;
    expect(parse(text)).toEqual({ kind: 'query-unparsable', message, details });
  });
});

test('the short way and the long way read the same', () => {
  for (const text of ['eq.1', 'not.eq.1', 'like.*x*', 'gte.a.b', 'lt.', 'neq."x"', 'not.ilike.*', 'cs.{1,2}']) {
    const short: string[] = [];
    expect(parse(text)).toEqual({ ...plainCondition(text, field, short), field: undefined, values: short });
  }
  for (const text of [
    'in.(1)',
    'is.null',
    'fts.x',
    'eq(any).{1}',
    'x',
    '',
    '.',
    'not.',
    'not.is.null',
    'eq',
    '__proto__.x',
    'isdistinct.1',
  ]) {
    const values: string[] = [];
    expect(plainCondition(text, field, values)).toBeUndefined();
    expect(values).toEqual([]);
  }
});
