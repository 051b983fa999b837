import { describe, expect, test } from 'vitest';
import { parseCqlJson, parseExpressionJson } from './cql-json.ts';
import { parseCqlText, parseExpressionText } from './cql-text.ts';

const property = (name: string) => ({ kind: 'property', name });
const number = (value: string) => ({ kind: 'number', value });
const text = (value: string) => ({ kind: 'text', value });

describe('expressions, as text and as JSON', () => {
  test.each([
    [
      'round(price * 1.19, 2)',
      { op: 'round', args: [{ op: '*', args: [{ property: 'price' }, 1.19] }, 2] },
      {
        kind: 'call',
        name: 'round',
        args: [{ kind: 'arithmetic', op: '*', left: property('price'), right: number('1.19') }, number('2')],
      },
    ],
    [
      `IF(("a" + b) > 3 AND NOT c IS NULL, Upper(name), 'it''s')`,
      {
        op: 'if',
        args: [
          {
            op: 'and',
            args: [
              { op: '>', args: [{ op: '+', args: [{ property: 'a' }, { property: 'b' }] }, 3] },
              { op: 'not', args: [{ op: 'isNull', args: [{ property: 'c' }] }] },
            ],
          },
          { op: 'upper', args: [{ property: 'name' }] },
          "it's",
        ],
      },
      {
        kind: 'if',
        when: {
          kind: 'and',
          parts: [
            {
              kind: 'compare',
              op: '>',
              left: { kind: 'arithmetic', op: '+', left: property('a'), right: property('b') },
              right: number('3'),
            },
            { kind: 'not', part: { kind: 'null', value: property('c') } },
          ],
        },
        yes: { kind: 'call', name: 'upper', args: [property('name')] },
        no: text("it's"),
      },
    ],
    [
      'distance(geom, POINT(7 50))',
      { op: 'distance', args: [{ property: 'geom' }, { type: 'Point', coordinates: [7, 50] }] },
      {
        kind: 'call',
        name: 'distance',
        args: [property('geom'), { kind: 'shape', value: { type: 'Point', coordinates: [7, 50] } }],
      },
    ],
    ['today()', { op: 'today', args: [] }, { kind: 'call', name: 'today', args: [] }],
    ['if', { property: 'if' }, property('if')],
  ])('%s', (words, json, expected) => {
    expect(parseExpressionText(words)).toEqual({ ok: true, value: expected });
    expect(parseExpressionJson(json)).toEqual({ ok: true, value: expected });
  });

  test('functions stand in filters, too', () => {
    const value = {
      kind: 'compare',
      op: '=',
      left: { kind: 'call', name: 'lower', args: [property('a')] },
      right: text('x'),
    };
    expect(parseCqlText("lower(a) = 'x'")).toEqual({ ok: true, value });
    expect(parseCqlJson({ op: '=', args: [{ op: 'lower', args: [{ property: 'a' }] }, 'x'] })).toEqual({
      ok: true,
      value,
    });
  });

  test.each([
    ['upper(a', 'the expression ends too soon, where ")" was expected'],
    ['a = 1', 'the expression cannot be read at "="'],
    ['upper(a, b)', '"upper" takes 1 argument, not 2'],
    ['round()', '"round" takes 1 to 2 arguments, not 0'],
    ['drop(a)', '"drop" is not a function that is known here'],
    [`${'('.repeat(400)}a${')'.repeat(400)}`, 'the expression is nested too deeply'],
    [`a${' + a'.repeat(10_000)}`, 'the expression is too long'],
  ])('what cannot be read is said: %.40s', (words, said) => {
    expect(parseExpressionText(words)).toEqual({ ok: false, error: { kind: 'bad-filter', said } });
  });

  test('the same of JSON', () => {
    expect(parseExpressionJson({ op: 'upper', args: [] })).toMatchObject({
      error: { said: '"upper" takes 1 argument, not 0' },
    });
    expect(parseExpressionJson({ op: 'if', args: [true] })).toMatchObject({
      error: { said: '"if" takes 2 to 3 arguments' },
    });
    expect(parseExpressionJson(null)).toMatchObject({ error: { said: 'a value was expected' } });
  });
});
