import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCqlJsonText } from './cql-json.ts';
import { parseCqlText } from './cql-text.ts';

const property = (name: string) => ({ kind: 'property', name });
const number = (value: number | string) => ({ kind: 'number', value: String(value) });
const text = (value: string) => ({ kind: 'text', value });

describe('filters, as text and as JSON', () => {
  test.each([
    [
      'a = 1',
      '{"op":"=","args":[{"property":"a"},1]}',
      { kind: 'compare', op: '=', left: property('a'), right: number(1) },
    ],
    [
      `"odd ""name""" <> 'it''s'`,
      '{"op":"<>","args":[{"property":"odd \\"name\\""},"it\'s"]}',
      { kind: 'compare', op: '<>', left: property('odd "name"'), right: text("it's") },
    ],
    [
      'a > -1.5e3 AND NOT (b IS NULL OR c)',
      '{"op":"and","args":[{"op":">","args":[{"property":"a"},-1500]},{"op":"not","args":[{"op":"or","args":[{"op":"isNull","args":[{"property":"b"}]},{"property":"c"}]}]}]}',
      {
        kind: 'and',
        parts: [
          { kind: 'compare', op: '>', left: property('a'), right: number(-1500) },
          {
            kind: 'not',
            part: {
              kind: 'or',
              parts: [
                { kind: 'null', value: property('b') },
                { kind: 'holds', value: property('c') },
              ],
            },
          },
        ],
      },
    ],
    [
      "casei(name) like casei('k%')",
      '{"op":"like","args":[{"op":"casei","args":[{"property":"name"}]},{"op":"casei","args":["k%"]}]}',
      {
        kind: 'like',
        left: { kind: 'fold', what: 'case', of: property('name') },
        pattern: { kind: 'fold', what: 'case', of: text('k%') },
      },
    ],
    [
      'a between 1 and 2',
      '{"op":"between","args":[{"property":"a"},1,2]}',
      { kind: 'between', value: property('a'), low: number(1), high: number(2) },
    ],
    [
      "a in ('x', 'y')",
      '{"op":"in","args":[{"property":"a"},["x","y"]]}',
      { kind: 'in', value: property('a'), list: [text('x'), text('y')] },
    ],
    [
      '(a + 2) * 3 = 9',
      '{"op":"=","args":[{"op":"*","args":[{"op":"+","args":[{"property":"a"},2]},3]},9]}',
      {
        kind: 'compare',
        op: '=',
        left: {
          kind: 'arithmetic',
          op: '*',
          left: { kind: 'arithmetic', op: '+', left: property('a'), right: number(2) },
          right: number(3),
        },
        right: number(9),
      },
    ],
    [
      'S_INTERSECTS(geom, POINT(7 -50.5))',
      '{"op":"s_intersects","args":[{"property":"geom"},{"type":"Point","coordinates":[7,-50.5]}]}',
      {
        kind: 'spatial',
        op: 's_intersects',
        left: property('geom'),
        right: { kind: 'geometry', value: { type: 'Point', coordinates: [7, -50.5] } },
      },
    ],
    [
      's_within(geom, bbox(0, 1, 2, 3))',
      '{"op":"s_within","args":[{"property":"geom"},{"bbox":[0,1,2,3]}]}',
      {
        kind: 'spatial',
        op: 's_within',
        left: property('geom'),
        right: {
          kind: 'geometry',
          value: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 1],
                [2, 1],
                [2, 3],
                [0, 3],
                [0, 1],
              ],
            ],
          },
        },
      },
    ],
    [
      "t_during(seen, interval('2020-01-01', '..'))",
      '{"op":"t_during","args":[{"property":"seen"},{"interval":["2020-01-01",".."]}]}',
      {
        kind: 'temporal',
        op: 't_during',
        left: property('seen'),
        right: { kind: 'when', value: { kind: 'interval', from: '2020-01-01', to: undefined } },
      },
    ],
    [
      "seen > timestamp('2020-01-01T00:00:00Z')",
      '{"op":">","args":[{"property":"seen"},{"timestamp":"2020-01-01T00:00:00Z"}]}',
      {
        kind: 'compare',
        op: '>',
        left: property('seen'),
        right: { kind: 'when', value: { kind: 'instant', at: '2020-01-01T00:00:00Z' } },
      },
    ],
    ...[true, false].map((value) => [
      `open = ${value}`,
      `{"op":"=","args":[{"property":"open"},${value}]}`,
      { kind: 'compare', op: '=', left: property('open'), right: { kind: 'truth', value } },
    ]),
    [
      'a = -b',
      '{"op":"=","args":[{"property":"a"},{"op":"-","args":[0,{"property":"b"}]}]}',
      {
        kind: 'compare',
        op: '=',
        left: property('a'),
        right: { kind: 'arithmetic', op: '-', left: number(0), right: property('b') },
      },
    ],
    [
      's_within("my geom", MULTIPOINT((1 2), (3 +4)))',
      '{"op":"s_within","args":[{"property":"my geom"},{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}]}',
      {
        kind: 'spatial',
        op: 's_within',
        left: property('my geom'),
        right: {
          kind: 'geometry',
          value: {
            type: 'MultiPoint',
            coordinates: [
              [1, 2],
              [3, 4],
            ],
          },
        },
      },
    ],
  ] as readonly [string, string, object][])('%s', (written, json, value) => {
    expect(parseCqlText(written)).toEqual({ ok: true, value });
    expect(parseCqlJsonText(json)).toEqual({ ok: true, value });
  });

  test.each([
    '',
    'a',
    'a =',
    'a = 1 b',
    'a = 1; drop table x',
    "a = 'open",
    'a == 1',
    'f(a) = 1',
    'a = 1e1001',
    'a not = 1',
    'a not',
    "s_within('geom', geom)",
    's_within(1, geom)',
    "seen > date('soon')",
    "seen > date('2020-02-30')",
    "seen > timestamp('2020-01-01T24:00:00Z')",
    "seen > timestamp('2020-01-01T23:60:00Z')",
    's_intersects(geom, POLYGON((0 0, 1 1)))',
    's_intersects(geom, POINT(1))',
    's_intersects(geom)',
    'bbox(1,2,3) = 1',
    `${'('.repeat(5000)}a = 1${')'.repeat(5000)}`,
    `${'not '.repeat(5000)}a = 1`,
    Array.from({ length: 5000 }, (_, i) => `a = ${i}`).join(' or '),
    'x'.repeat(100_000),
  ])('%s is refused', (written) => {
    if (written === 'a') expect(parseCqlText(written)).toMatchObject({ ok: true, value: { kind: 'holds' } });
    else expect(parseCqlText(written)).toMatchObject({ ok: false, error: { kind: 'bad-filter' } });
  });

  test.each([
    'null',
    '[]',
    '5',
    '"a"',
    '{}',
    '{"op":"="}',
    '{"op":"=","args":[1]}',
    '{"op":"drop","args":[1,2]}',
    '{"op":"=","args":[{"property":5},1]}',
    '{"op":"in","args":[{"property":"a"},[]]}',
    '{"op":"s_within","args":[{"property":"g"},{"type":"Point","coordinates":["a",1]}]}',
    `${'{"op":"not","args":['.repeat(500)}true${']}'.repeat(500)}`,
    '{"op":"=","args":[{"property":"a"},1]',
    '{"op":"s_within","args":[{"property":"g"},null]}',
    '{"op":"s_within","args":[{"property":"g"},"g"]}',
    '{"op":"s_within","args":[{"property":"g"},5]}',
  ])('%s is refused', (json) => {
    expect(parseCqlJsonText(json)).toMatchObject({ ok: false, error: { kind: 'bad-filter' } });
  });

  test('a box with heights is the box below them', () => {
    const within = (box: string): unknown =>
      parseCqlJsonText(`{"op":"s_within","args":[{"property":"g"},{"bbox":${box}}]}`);
    expect(within('[0,1,9,2,3,9]')).toEqual(within('[0,1,2,3]'));
    for (const box of ['[0,1,2]', '[0,1,2,3,4]', '[0,1,2,"x"]', '[0,1,null,2,"x",5]'])
      expect(within(box), box).toMatchObject({ ok: false });
  });

  test('what has neither an operator nor a property is told what a filter is', () => {
    for (const json of ['{}', '{"args":[]}', '{"op":5,"args":[]}', '{"op":"not"}'])
      expect(parseCqlJsonText(json), json).toMatchObject({
        ok: false,
        error: { said: expect.stringContaining('"op" and "args"') },
      });
  });

  test('any text is a filter or refused, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (written) => {
        expect(typeof parseCqlText(written).ok).toBe('boolean');
        expect(typeof parseCqlJsonText(written).ok).toBe('boolean');
      }),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'a',
            '(',
            ')',
            'and',
            'or',
            'not',
            '=',
            "'x'",
            '1',
            ',',
            'in',
            'like',
            '+',
            's_within',
            'point',
          ),
          {
            maxLength: 80,
          },
        ),
        (words) => {
          expect(typeof parseCqlText(words.join(' ')).ok).toBe('boolean');
        },
      ),
    );
  });
});
