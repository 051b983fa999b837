import { expect, test } from 'vitest';
import { compileExpression } from './expression.ts';
import { missingColumn, NO_VALUE, noValueColumns, orNone, readOrNone, valueColumn, withNoValue } from './no-value.ts';
import { sizeExpression } from './proportional-size.ts';
import { readSld } from './read-sld.ts';
import { parseStyle, type StyleLayer } from './style-layer.ts';
import { writeSld } from './write-sld.ts';

test.each([
  [['has', 'n'], 'n', undefined],
  [['!=', ['get', 'n'], null], 'n', undefined],
  [['!', ['==', ['get', 'n'], null]], 'n', undefined],
  [['!', ['has', 'n']], undefined, 'n'],
  [['!has', 'n'], undefined, 'n'],
  [['==', ['get', 'n'], null], undefined, 'n'],
  [['==', ['get', 'n'], 0], undefined, undefined],
  [['>', ['get', 'n'], null], undefined, undefined],
  ['n', undefined, undefined],
])('%j wants a value in %s, and none in %s', (condition, value, missing) => {
  expect([valueColumn(condition), missingColumn(condition)]).toEqual([value, missing]);
});

test('a look of features without a value is read back, in whichever order it stands', () => {
  const read = { column: 'n', look: '#111111', none: '#222222' };
  expect(readOrNone(orNone('n', '#111111', '#222222'))).toEqual(read);
  expect(readOrNone(['case', ['==', ['get', 'n'], null], '#222222', '#111111'])).toEqual(read);
  expect(readOrNone(['case', ['>', ['get', 'n'], 1], '#222222', '#111111'])).toBeUndefined();
});

const colourAt = (layers: readonly StyleLayer[], name: string, properties: Record<string, unknown>): unknown => {
  const compiled = compileExpression(layers[0]?.paint?.[name]);
  return compiled.ok ? compiled.value.run({ properties, geometry: 'Point', zoom: 10 }) : compiled.error;
};

test('a style that was saved when null counted as 0 is drawn as it was meant', () => {
  const earlier: StyleLayer[] = [
    {
      id: 'circle',
      type: 'circle',
      paint: {
        'circle-color': ['step', ['to-number', ['get', 'n'], 0], '#111111', 5, '#222222'],
        'circle-radius': ['*', 20, ['sqrt', ['/', ['max', 0, ['to-number', ['get', 'size'], 0]], 100]]],
      },
    },
  ];
  const meant = withNoValue(earlier);
  expect(parseStyle(meant)).toMatchObject({ ok: true });
  expect(colourAt(meant, 'circle-color', { n: 0 })).toBe('#111111');
  expect(colourAt(meant, 'circle-color', { n: 7 })).toBe('#222222');
  expect(colourAt(meant, 'circle-color', {})).toBe(NO_VALUE);
  expect(colourAt(meant, 'circle-radius', { size: 25 })).toBe(10);
  expect(colourAt(meant, 'circle-radius', { size: null })).toBe(3);
  expect(noValueColumns(meant)).toEqual(['n', 'size']);
  expect(withNoValue(meant)).toEqual(meant);
});

test('points of one colour whose size is not known are told by another', () => {
  const size = ['*', 20, ['sqrt', ['/', ['max', 0, ['to-number', ['get', 'size'], 0]], 100]]] as const;
  const [layer] = withNoValue<StyleLayer>([
    {
      id: 'a',
      type: 'circle',
      paint: { 'circle-color': '#111111', 'circle-radius': size, 'circle-stroke-color': '#fff' },
    },
  ]);
  expect(layer?.paint?.['circle-color']).toEqual(['case', ['has', 'size'], '#111111', NO_VALUE]);
  expect(layer?.paint?.['circle-stroke-color']).toBe('#fff');
});

test('styles of others are left as they are', () => {
  const layers: StyleLayer[] = [
    { id: 'a', type: 'fill', paint: { 'fill-color': ['step', ['get', 'n'], '#111111', 5, '#222222'] } },
    {
      id: 'b',
      type: 'fill',
      paint: { 'fill-color': ['step', ['to-number', ['get', 'n'], 7], '#111111', 5, '#222222'] },
    },
    { id: 'c', type: 'line' },
    { id: 'd', type: 'heatmap', paint: { 'heatmap-weight': ['coalesce', ['get', 'n'], 3] } },
    { id: 'e', type: 'heatmap', paint: { 'heatmap-weight': 2 } },
  ];
  expect(withNoValue(layers)).toEqual(layers);
});

test('what has no weight adds nothing to a heatmap', () => {
  const weight = ['interpolate', ['linear'], ['get', 'n'], 0, 0, 10, 1] as const;
  const layers = withNoValue<StyleLayer>([{ id: 'a', type: 'heatmap', paint: { 'heatmap-weight': weight } }]);
  expect(colourAt(layers, 'heatmap-weight', { n: 5 })).toBe(0.5);
  expect(colourAt(layers, 'heatmap-weight', {})).toBe(0);
});

test('in SLD features without a value have a rule with PropertyIsNull, and come back from it', () => {
  const layers: StyleLayer[] = [
    {
      id: 'a',
      type: 'circle',
      paint: {
        'circle-color': orNone('n', ['step', ['to-number', ['get', 'n']], '#111111', 5, '#222222'], '#b0b0b0'),
        'circle-radius': sizeExpression({ radius: 20, attribute: 'n', most: 100 }),
      },
    },
  ];
  const sld = writeSld(layers, { layer: 'l', style: 's', title: undefined });
  expect(sld).toContain(
    '<Title>No value</Title><ogc:Filter><ogc:PropertyIsNull><ogc:PropertyName>n</ogc:PropertyName>',
  );
  expect(sld).toContain('<ogc:Function name="max">');
  expect(sld).not.toContain('<!--');
  const read = readSld(sld, { columns: [{ name: 'n', kind: 'number' }] });
  if (!read.ok) throw new Error(read.error.message);
  const back = read.value.layers;
  expect(noValueColumns(back)).toEqual(['n']);
  const drawn = (properties: Record<string, unknown>) =>
    back.flatMap(({ filter, paint }) => {
      const run = (value: unknown) => {
        const compiled = compileExpression(value);
        return compiled.ok ? compiled.value.run({ properties, geometry: 'Point', zoom: 10 }) : compiled.error;
      };
      return run(filter) === true ? [[run(paint?.['circle-color']), run(paint?.['circle-radius'])]] : [];
    });
  expect(drawn({ n: 4 })).toEqual([['#111111', 4]]);
  expect(drawn({ n: 25 })).toEqual([['#222222', 10]]);
  expect(drawn({})).toEqual([['#b0b0b0', 3]]);
});
