import { describe, expect, test } from 'vitest';
import type { LogicTree } from './api-request.ts';
import { LIMITS } from './limits.ts';
import { logicFilter, logicTree } from './logic-parser.ts';
import { parseText } from './parse-text.ts';

function parse(text: string) {
  const values: string[] = [];
  const parsed = parseText('logic tree', text, (cursor) => logicTree(cursor, values, logicFilter));
  return parsed.ok ? { tree: parsed.value, values } : parsed.error;
}

const eq = (name: string, value: number): LogicTree => ({
  kind: 'filter',
  filter: { field: { name, path: [] }, negated: false, operation: { kind: 'compare', operator: 'eq', value } },
});

/** The value taken from `or(f.eq.<text>)`. */
function takenFrom(text: string): unknown {
  const parsed = parse(`or(f.eq.${text})`);
  return 'values' in parsed ? parsed.values : parsed;
}

describe('groups', () => {
  test('conditions stand in their order, values in their slots', () => {
    expect(parse('or(a.eq.1,b.eq.2)')).toEqual({
      tree: { kind: 'group', operator: 'or', negated: false, children: [eq('a', 0), eq('b', 1)] },
      values: ['1', '2'],
    });
  });

  test('one condition is enough', () => {
    expect(parse('and(a.eq.1)')).toMatchObject({ tree: { operator: 'and', children: [eq('a', 0)] } });
  });

  test('groups nest and can be negated', () => {
    expect(parse('not.and(a.eq.1,not.or(b.eq.2,c.eq.3))')).toEqual({
      tree: {
        kind: 'group',
        operator: 'and',
        negated: true,
        children: [eq('a', 0), { kind: 'group', operator: 'or', negated: true, children: [eq('b', 1), eq('c', 2)] }],
      },
      values: ['1', '2', '3'],
    });
  });

  test('blanks and tabs may stand around names, commas and parentheses', () => {
    const spaced = parse('and( \ta.eq.1 ,\tor ( b.is.null , not.and(c.in.( 1,2) , d .eq.4) ) ) ');
    expect(spaced).toMatchObject({
      tree: {
        children: [
          eq('a', 0),
          {
            operator: 'or',
            children: [
              { filter: { operation: { word: 'null' } } },
              { operator: 'and', negated: true, children: [{ kind: 'filter' }, eq('d', 2)] },
            ],
          },
        ],
      },
      values: ['1 ', '{"1","2"}', '4'],
    });
    expect(parse('or(a.is.null )')).toMatchObject({ tree: { operator: 'or' } });
  });

  test('names that begin like operators are names', () => {
    expect(parse('and(or.eq.1,and.eq.2,order.eq.3,not.eq.4,android.not.is.null)')).toMatchObject({
      tree: {
        children: [
          eq('or', 0),
          eq('and', 1),
          eq('order', 2),
          eq('not', 3),
          { filter: { field: { name: 'android' }, negated: true } },
        ],
      },
    });
  });

  test('fields may have a way into JSON, and searches a language', () => {
    expect(parse('or(data->a->>0.eq.1,"x.y".plfts(german).Art Spass)')).toMatchObject({
      tree: {
        children: [
          { filter: { field: { name: 'data', path: [{ operand: { key: 'a' } }, { operand: { index: 0 } }] } } },
          { filter: { field: { name: 'x.y' }, operation: { kind: 'search', language: 'german' } } },
        ],
      },
      values: ['1', 'Art Spass'],
    });
  });

  test('lists work inside', () => {
    expect(parse('or(id.in.(1,2),id.in.("3,4",5))')).toMatchObject({ values: ['{"1","2"}', '{"3,4","5"}'] });
  });

  test('further closing parentheses are ignored', () => {
    expect(parse('and(a.eq.1,b.neq.2))')).toMatchObject({ values: ['1', '2'] });
  });
});

describe('values inside a group', () => {
  test.each([
    ['x', ['x']],
    ['', ['']],
    [' x y ', [' x y ']],
    ['"a,b)c"', ['a,b)c']],
    ['"a\\"b\\\\c"', ['a"b\\c']],
    ['"a"b', ['"a"b']],
    ['{1,2}', ['{1,2}']],
    ['{"a,b",c}', ['{"a,b",c}']],
    ['{open', ['{open']],
    ['{a{b}c}', ['{a{b}c}']],
    ['"[1,2)"', ['[1,2)']],
    ['x.y(z', ['x.y(z']],
  ])('%j', (text, values) => {
    expect(takenFrom(text)).toEqual(values);
  });

  test('a range has to be quoted', () => {
    expect(takenFrom('[1,2)')).toMatchObject({ kind: 'query-unparsable' });
  });
});

describe('what is no group', () => {
  const names = 'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)';
  test.each([
    ['or()', 4, `unexpected ")" expecting ${names}`],
    ['or)(', 3, 'unexpected ")" expecting "("'],
    ['or(id.in.1,2,id.eq.3)', 10, 'unexpected "1" expecting "("'],
    ['and(ord(id.eq.1,id.eq.1),id.eq.2)', 7, 'unexpected "d" expecting "("'],
    ['or(id.eq.1,not.xor(id.eq.2))', 16, 'unexpected "x" expecting logic operator (and, or)'],
    ['or', 3, 'unexpected end of input expecting "("'],
    ['or(', 4, `unexpected end of input expecting ${names}`],
    ['or(a.eq.1', 10, 'unexpected end of input expecting "," or ")"'],
    ['or(a.eq.', 9, 'unexpected end of input expecting "\\"", "{", "," or ")"'],
    ['or(a.is.nullx)', 13, 'unexpected "x" expecting "," or ")"'],
    ['or(a.eq.{1}x)', 12, 'unexpected "x" expecting "," or ")"'],
    ['or(a.foo.1)', 6, 'unexpected "f" expecting "not" or operator (eq, gt, ...)'],
    ['or(ox(a.eq.1))', 4, 'unexpected "x" expecting "or"'],
    ['or(a[.eq.1)', 5, 'unexpected "[" expecting letter, digit, "-", "->>", "->" or delimiter (.)'],
    ['or(a.eq.1,)', 11, `unexpected ")" expecting ${names}`],
  ])('%j fails at column %i', (text, at, details) => {
    const message = `"failed to parse logic tree (${text})" (line 1, column ${at})`;
    expect(parse(text)).toEqual({ kind: 'query-unparsable', message, details });
  });

  test('groups nest so deep and no deeper', () => {
    const nested = (levels: number) => `${'and('.repeat(levels)}a.eq.1${')'.repeat(levels)}`;
    expect(parse(nested(LIMITS.nesting.most))).toHaveProperty('tree');
    expect(parse(nested(LIMITS.nesting.most + 1))).toMatchObject({
      details: 'unexpected more than 100 levels of nesting',
    });
    expect(parse('not.or('.repeat(50_000))).toHaveProperty('details');
  });
});
