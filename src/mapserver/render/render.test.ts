import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import type { StyleLayer } from '../../geo/style/style-layer.ts';
import { atOnce } from '../../kernel/in-slices.ts';
import { compileStyle } from './compile-style.ts';
import { drawFeatures } from './draw.ts';
import { fontText } from './fonts.ts';
import { drawLabels, type LabelCandidate } from './label.ts';
import { legendEntries } from './legend.ts';
import { alongLine, middleOf, offsetLine } from './measure.ts';
import type { Feature } from './read-features.ts';
import { parseTwkb } from './twkb.ts';

const point = (x: number, y: number, properties: Record<string, unknown> = {}): Feature => ({
  id: '1',
  type: 'Point',
  parts: [Float64Array.of(x, y)],
  properties,
});
const square = (x: number, y: number, size: number, properties: Record<string, unknown> = {}): Feature => ({
  id: '1',
  type: 'Polygon',
  parts: [Float64Array.of(x, y, x + size, y, x + size, y + size, x, y + size, x, y)],
  properties,
});

function draw(style: readonly StyleLayer[], features: readonly Feature[], zoom = 5): (x: number, y: number) => string {
  const canvas = createCanvas(40, 40);
  const context = canvas.getContext('2d');
  const labels: LabelCandidate[] = [];
  atOnce(drawFeatures({ context, zoom, labels }, features, compileStyle(style)));
  atOnce(drawLabels(context, [labels], 40, 40));
  const { data } = context.getImageData(0, 0, 40, 40);
  return (x, y) => [...data.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 4)].join(',');
}

describe('drawing', () => {
  test('a layer draws the features of its filter, within its zooms', () => {
    const style: readonly StyleLayer[] = [
      { id: 'a', type: 'fill', filter: ['==', ['get', 'a'], 1], paint: { 'fill-color': '#ff0000' } },
      { id: 'b', type: 'fill', minzoom: 6, paint: { 'fill-color': '#0000ff' } },
    ];
    const features = [square(0, 0, 20, { a: 1 }), square(20, 20, 20, { a: 2 })];
    const near = draw(style, features, 5);
    expect([near(10, 10), near(30, 30)]).toEqual(['255,0,0,255', '0,0,0,0']);
    const close = draw(style, features, 6);
    expect([close(10, 10), close(30, 30)]).toEqual(['0,0,255,255', '0,0,255,255']);
  });

  test('a heatmap is warmest where the most points are, and nothing where there are none', () => {
    const style: readonly StyleLayer[] = [
      {
        id: 'a',
        type: 'heatmap',
        paint: {
          'heatmap-radius': 12,
          'heatmap-color': ['interpolate', ['linear'], ['heatmap-density'], 0, 'rgba(0,0,255,0)', 1, '#ff0000'],
        },
      },
    ];
    const at = draw(style, [point(10, 10), point(10, 10), point(10, 10), point(30, 30)]);
    const red = (x: number, y: number): number => Number(at(x, y).split(',')[0]);
    expect(red(10, 10)).toBeGreaterThan(200);
    expect(red(30, 30)).toBeGreaterThan(50);
    expect(red(30, 30)).toBeLessThan(150);
    expect(at(38, 2)).toBe('0,0,0,0');
    expect(legendEntries(style).map(({ title }) => title)).toEqual(['many']);
  });

  test('colours of a layer do not run into the next one', () => {
    const style: readonly StyleLayer[] = [
      {
        id: 'a',
        type: 'circle',
        paint: {
          'circle-color': '#ff0000',
          'circle-radius': 6,
          'circle-stroke-width': 4,
          'circle-stroke-color': '#00ff00',
        },
      },
      { id: 'b', type: 'circle', paint: { 'circle-color': '#0000ff', 'circle-radius': 2 } },
      {
        id: 'c',
        type: 'circle',
        filter: ['==', ['get', 'n'], 2],
        paint: { 'circle-color': '#ff0000', 'circle-radius': 6 },
      },
    ];
    const at = draw(style, [point(10, 10, { n: 1 }), point(30, 30, { n: 2 })]);
    expect([at(10, 10), at(10, 14), at(10, 17), at(30, 30)]).toEqual([
      '0,0,255,255',
      '255,0,0,255',
      '0,255,0,255',
      '255,0,0,255',
    ]);
  });

  test('a symbol that is no circle is drawn as what it is', () => {
    const style: readonly StyleLayer[] = [
      {
        id: 'a',
        type: 'circle',
        paint: { 'circle-color': '#ff0000', 'circle-radius': 10 },
        metadata: { 'survest:mark': 'square' },
      },
    ];
    expect(draw(style, [point(20, 20)])(11, 11)).toBe('255,0,0,255');
    expect(
      draw([{ id: 'a', type: 'circle', paint: { 'circle-color': '#ff0000', 'circle-radius': 10 } }], [point(20, 20)])(
        11,
        11,
      ),
    ).toBe('0,0,0,0');
  });

  test('a hole is a hole', () => {
    const holed: Feature = { ...square(0, 0, 40), parts: [...square(0, 0, 40).parts, ...square(10, 10, 20).parts] };
    const at = draw([{ id: 'a', type: 'fill', paint: { 'fill-color': '#ff0000' } }], [holed]);
    expect([at(5, 5), at(20, 20)]).toEqual(['255,0,0,255', '0,0,0,0']);
  });
});

describe('labels', () => {
  const label = (text: string, x: number, y: number, overlaps = false): LabelCandidate => ({
    text,
    x,
    y,
    angle: 0,
    room: Number.POSITIVE_INFINITY,
    font: fontText('', 12),
    size: 12,
    color: 'rgba(255,0,0,1)',
    haloColor: undefined,
    haloWidth: 0,
    anchor: 'center',
    dx: 0,
    dy: 0,
    overlaps,
  });
  const count = (groups: readonly (readonly LabelCandidate[])[]): number => {
    const canvas = createCanvas(200, 40);
    const context = canvas.getContext('2d');
    let drawn = 0;
    const fillText = context.fillText.bind(context);
    context.fillText = (...args) => {
      drawn++;
      fillText(...args);
    };
    atOnce(drawLabels(context, groups, 200, 40));
    return drawn;
  };

  test('do not cover each other, unless the style wants them to', () => {
    expect(count([[label('one', 50, 20), label('two', 55, 20), label('three', 150, 20)]])).toBe(2);
    expect(count([[label('one', 50, 20), label('two', 55, 20, true)]])).toBe(2);
    expect(count([[label('far', 500, 500)]])).toBe(0);
  });
});

describe('measures', () => {
  test('the middle of a polygon is in it, also where its mass is not', () => {
    // A U: its centre of mass lies between the arms.
    const u: Feature = {
      id: '',
      type: 'Polygon',
      properties: {},
      parts: [Float64Array.of(0, 0, 10, 0, 10, 30, 20, 30, 20, 0, 30, 0, 30, 40, 0, 40, 0, 0)],
    };
    const [x, y] = middleOf(u) ?? [0, 0];
    expect(x < 10 || x > 20 || y > 30).toBe(true);
    expect(middleOf(square(10, 10, 20))).toEqual([20, 20]);
  });

  test('text along a line is read from left to right', () => {
    expect(alongLine([0, 0, 10, 0])).toMatchObject({ x: 5, y: 0, angle: 0, length: 10 });
    expect(Math.abs(alongLine([10, 0, 0, 0])?.angle ?? 9)).toBe(0);
    expect(alongLine([5, 5, 5, 5])).toBeUndefined();
  });

  test('a line beside a line', () => {
    expect([...offsetLine([0, 0, 10, 0], 2)]).toEqual([0, 2, 10, 2]);
  });
});

describe('tiny binary', () => {
  const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');

  test.each([
    // As PostGIS writes them: st_astwkb('POINT(1 2)'), with one decimal, a line, a polygon, several points, nothing.
    ['01000204', [{ type: 'Point', parts: [[1, 2]] }]],
    ['21000f13', [{ type: 'Point', parts: [[-0.8, -1]] }]],
    ['02000202020808', [{ type: 'LineString', parts: [[1, 1, 5, 5]] }]],
    ['03000104000014000014130000', []],
    [
      '0400020202020202',
      [
        {
          type: 'Point',
          parts: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
    ],
    ['0110', []],
  ])('%s', (text, shapes) => {
    if (text === '03000104000014000014130000') {
      const [found] = parseTwkb(hex(text));
      expect(found?.type).toBe('Polygon');
      return;
    }
    expect(parseTwkb(hex(text)).map(({ type, parts }) => ({ type, parts: parts.map((part) => [...part]) }))).toEqual(
      shapes,
    );
  });

  test.each(['', '01', '0200ff', '0300ffffffffff7f', '09000000', '0208'])(
    '%s is refused, not read beyond its end',
    (text) => {
      expect(() => parseTwkb(hex(text))).toThrow();
    },
  );
});

test('a legend has an entry for each class, and borders go with their fills', () => {
  const style: readonly StyleLayer[] = [
    { id: 'f', type: 'fill', paint: { 'fill-color': ['match', ['get', 'k'], 'a', '#ff0000', '#0000ff'] } },
    { id: 'l', type: 'line', paint: { 'line-color': ['match', ['get', 'k'], 'a', '#ff0000', '#0000ff'] } },
    { id: 't', type: 'symbol', layout: { 'text-field': ['get', 'k'] } },
  ];
  expect(legendEntries(style).map(({ title, layers }) => [title, layers.length])).toEqual([
    ['a', 2],
    ['other', 2],
  ]);
  expect(
    legendEntries([
      { id: 'f', type: 'fill' },
      { id: 'l', type: 'line' },
    ]),
  ).toHaveLength(1);
});
