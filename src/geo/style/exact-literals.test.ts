// Filters of styles compare all digits, in MapLibre's language and in SLD, also after either was written as the other.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumber, orderOf } from '../../kernel/long-number.ts';
import { parseStyleJson } from './exact-literals.ts';
import { compileExpression, compileFilter } from './expression.ts';
import { readSld } from './read-sld.ts';
import { parseStyle, type StyleLayer } from './style-layer.ts';
import { writeSld } from './write-sld.ts';

const numeral = fc.oneof(
  fc.constantFrom('9007199254740992', '9007199254740993', '9007199254740994', '0', '-0', '1e400', '-1e400', '1e-400'),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat({ max: 10 ** 9 }))
    .map(([whole, part]) => `${whole}.${part}`),
);
/** Neighbours, more often than chance has them. */
const pair = fc.oneof(
  fc.tuple(numeral, numeral),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).map((whole): [string, string] => [String(whole), String(whole + 1n)]),
);

const holds = (layers: readonly StyleLayer[], value: string): boolean => {
  const compiled = compileFilter(layers[0]?.filter);
  const scope = { properties: { big: exactNumber(value) }, geometry: 'Point', zoom: 3 } as const;
  return compiled.ok && compiled.value.run(scope) === true;
};

const fromJson = (filter: string): readonly StyleLayer[] => {
  const parsed = parseStyle(parseStyleJson(`[{"id":"a","type":"circle","filter":${filter}}]`));
  if (!parsed.ok) throw new Error(parsed.error.message);
  // As it is kept.
  return JSON.parse(JSON.stringify(parsed.value)) as readonly StyleLayer[];
};

const columns = [{ name: 'big', kind: 'number' }] as const;
const fromSld = (sld: string): readonly StyleLayer[] => {
  const read = readSld(sld, { columns });
  if (!read.ok) throw new Error(read.error.message);
  return read.value.layers;
};
const sldOf = (rule: string): string =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle><Rule>${rule}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const COMPARISONS = [
  ['==', 'PropertyIsEqualTo', (order: number) => order === 0],
  ['!=', 'PropertyIsNotEqualTo', (order: number) => order !== 0],
  ['<', 'PropertyIsLessThan', (order: number) => order < 0],
  ['>=', 'PropertyIsGreaterThanOrEqualTo', (order: number) => order >= 0],
] as const;

describe.each(COMPARISONS)('%s', (op, element, expected) => {
  const head = { layer: 'a', style: 'a', title: undefined };

  test('in MapLibre, of the newer and the older form, and as SLD', () => {
    fc.assert(
      fc.property(pair, ([value, literal]) => {
        const wanted = expected(orderOf(exactNumber(value), exactNumber(literal)));
        for (const filter of [`["${op}",["get","big"],${literal}]`, `["${op}","big",${literal}]`]) {
          const layers = fromJson(filter);
          expect(holds(layers, value)).toBe(wanted);
          expect(holds(fromSld(writeSld(layers, head)), value)).toBe(wanted);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('in SLD', () => {
    fc.assert(
      fc.property(pair, ([value, literal]) => {
        const filter = `<ogc:Filter><ogc:${element}><ogc:PropertyName>big</ogc:PropertyName><ogc:Literal>${literal}</ogc:Literal></ogc:${element}></ogc:Filter>`;
        const layers = fromSld(sldOf(`${filter}<PointSymbolizer/>`));
        expect(holds(layers, value)).toBe(expected(orderOf(exactNumber(value), exactNumber(literal))));
      }),
      { numRuns: 60 },
    );
  });
});

test('a list, and the labels of "match"', () => {
  for (const filter of [
    '["in",["get","big"],["literal",[9007199254740993,5]]]',
    '["in","big",9007199254740993,5]',
    '["match",["get","big"],[9007199254740993,5],true,false]',
    '["match",["get","big"],9007199254740993,true,5,true,false]',
  ])
    expect(
      ['9007199254740992', '9007199254740993', '5', '6'].map((value) => holds(fromJson(filter), value)),
      filter,
    ).toEqual([false, true, true, false]);
});

test('a label shows the digits of the data', () => {
  const scope = { properties: { big: exactNumber('9007199254740993') }, geometry: 'Point', zoom: 3 } as const;
  for (const text of [
    ['to-string', ['get', 'big']],
    ['concat', ['get', 'big']],
  ]) {
    const compiled = compileExpression(text);
    expect(compiled.ok && compiled.value.run(scope)).toBe('9007199254740993');
  }
});

test('what is no comparison stays a plain number', () => {
  const style = parseStyleJson(
    '[{"id":"a","type":"line","minzoom":1.12345678901234567,"paint":{"line-width":["step",["get","big"],1,9007199254740993,2.00000000000000001],"line-offset":0.30000000000000004}}]',
  );
  expect(style).toEqual([
    {
      id: 'a',
      type: 'line',
      minzoom: 1.1234567890123457,
      paint: { 'line-width': ['step', ['get', 'big'], 1, 9007199254740992, 2], 'line-offset': 0.30000000000000004 },
    },
  ]);
});
